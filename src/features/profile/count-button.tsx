/** A count of the header; it opens a dialog that states it, and for oneself also who they are. */
import { lazy, Suspense, useState } from "react";
import type { ProfileView } from "@/data/client-api";
import { useText } from "@/i18n/use-text";

const CountDialog = lazy(() =>
  import("./count-dialog").then((file) => ({ default: file.CountDialog })),
);

export interface CountProps {
  list: "followers" | "following";
  person: ProfileView;
  isOwn: boolean;
}

export function CountButton(props: CountProps) {
  const { t, language } = useText();
  const { list, person } = props;
  const [open, setOpen] = useState(false);
  const count = person[list];
  return (
    <>
      <button
        type="button"
        className="flex min-h-11 items-center gap-1.5 rounded-xl px-2 hover:bg-surface"
        aria-haspopup="dialog"
        data-testid={`count-${list}`}
        onClick={() => setOpen(true)}
      >
        <strong className="tabular-nums">{count.toLocaleString(language)}</strong>
        <span className="text-muted">
          {t(list === "followers" ? "people.followersWord" : "people.followingWord")}
        </span>
      </button>
      {open && (
        <Suspense fallback={null}>
          <CountDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
