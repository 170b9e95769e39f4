/** A photo in its bubble, always of one size, so that nothing moves when it comes. Opens the whole picture. */
import { ImageOff } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { Counterpart, MessageView } from "@/data/shapes";
import { useText } from "@/i18n/use-text";
import { useFileUrl } from "@/state/chat";

const ViewPhoto = lazy(() => import("./view-photo").then((file) => ({ default: file.ViewPhoto })));

interface PhotoThumbProps {
  message: MessageView;
  other: Counterpart;
}

export function PhotoThumb({ message, other }: PhotoThumbProps) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  const { src, failed, onError } = useFileUrl(message.thumbnailUrl);
  const name = other.state === "known" ? other.username : t("chat.unknownUser");
  const alt = message.mine ? t("chat.photoMine") : t("chat.photoFrom", { name });
  return (
    <>
      <button
        type="button"
        aria-label={`${t("chat.viewPhoto")}: ${alt}`}
        data-testid="open-photo"
        className="block aspect-square w-[min(240px,62vw)] overflow-hidden rounded-[14px] bg-skeleton"
        onClick={() => setOpen(true)}
      >
        {failed ? (
          <span className="grid size-full place-items-center gap-2 p-4 text-[13px] text-muted">
            <ImageOff className="size-6" aria-hidden="true" />
            {t("chat.photoMissing")}
          </span>
        ) : (
          src !== "" && (
            <img
              src={src}
              alt=""
              data-testid="message-photo"
              className="size-full object-cover"
              onError={onError}
            />
          )
        )}
      </button>
      {open && (
        <Suspense fallback={null}>
          <ViewPhoto
            url={message.imageUrl}
            thumbnail={failed ? "" : src}
            alt={alt}
            text={message.message}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
