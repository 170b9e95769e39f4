/** The preview of a chosen photo, with an optional caption, Cancel and Send. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PreparedMedia } from "@/data/shapes";
import { MESSAGE_MAX } from "@/domain/limits";
import type { Text } from "@/i18n/keys";
import { SayText } from "@/i18n/say";
import { sendPhoto } from "@/state/chat";
import { prepareChatPhoto } from "@/state/upload";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Textarea } from "@/ui/field";
import { Skeleton } from "@/ui/loading";

interface SendPhotoProps {
  file: File;
  conversationId: string;
  onClose: () => void;
}

type Prepared =
  | { state: "preparing" }
  | { state: "ready"; photo: PreparedMedia; url: string }
  | { state: "refused"; why: Text };

export function SendPhoto({ file, conversationId, onClose }: SendPhotoProps) {
  const { t } = useTranslation();
  const prepared = usePrepared(file);
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const send = async () => {
    if (prepared.state !== "ready" || busy) return;
    setBusy(true);
    const sent = await sendPhoto(conversationId, prepared.photo, text);
    setBusy(false);
    if (sent) onClose();
  };
  const close = () => busy || onClose();
  return (
    <Dialog onClose={close} title={t("chat.photoTitle")}>
      <Preview prepared={prepared} />
      <Textarea
        value={text}
        maxLength={MESSAGE_MAX}
        aria-label={t("chat.photoText")}
        placeholder={t("chat.photoText")}
        data-testid="photo-text"
        className="min-h-12!"
        rows={1}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button aria-disabled={busy} data-testid="cancel-photo" onClick={close}>
          {t("app.cancel")}
        </Button>
        <Button
          variant="accent"
          data-testid="send-photo"
          aria-disabled={busy || prepared.state !== "ready"}
          onClick={() => void send()}
        >
          {t(busy ? "chat.sendingPhoto" : "chat.photoTitle")}
        </Button>
      </div>
    </Dialog>
  );
}

function Preview({ prepared }: { prepared: Prepared }) {
  const { t } = useTranslation();
  switch (prepared.state) {
    case "preparing":
      return (
        <div role="status">
          <span className="sr-only">{t("upload.preparing")}</span>
          <Skeleton className="h-[min(320px,45dvh)] rounded-[14px]!" />
        </div>
      );
    case "refused":
      return (
        <p role="alert" data-testid="photo-fault" className="rounded-xl bg-surface p-4 text-danger">
          <SayText text={prepared.why} />
        </p>
      );
    case "ready":
      return (
        <img
          src={prepared.url}
          alt={t("chat.photoPreview")}
          data-testid="photo-preview"
          className="h-[min(320px,45dvh)] w-full rounded-[14px] bg-surface object-contain"
        />
      );
  }
}

/** Removes metadata and shrinks the photo; the preview's address is released with the dialog. */
function usePrepared(file: File): Prepared {
  const [prepared, setPrepared] = useState<Prepared>({ state: "preparing" });
  // Outside: the worker that redraws pictures, and the browser's object addresses.
  useEffect(() => {
    let url = "";
    let current = true;
    void prepareChatPhoto(file).then((answer) => {
      if (!current) return;
      if (!answer.success) {
        setPrepared({ state: "refused", why: { key: `errors.${answer.error}` } });
        return;
      }
      url = URL.createObjectURL(answer.value.file);
      setPrepared({ state: "ready", photo: answer.value, url });
    });
    return () => {
      current = false;
      URL.revokeObjectURL(url);
    };
  }, [file]);
  return prepared;
}
