/** Deleting an own message, after a question. The server wipes text and files for both. */
import { Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { MessageView } from "@/data/shapes";
import { useText } from "@/i18n/use-text";
import { deleteMessage } from "@/state/chat";

const AlertDialog = lazy(() =>
  import("@/ui/alert-dialog").then((file) => ({ default: file.AlertDialog })),
);

export function DeleteMessage({ message }: { message: MessageView }) {
  const { t } = useText();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-label={t("chat.delete")}
        data-testid="delete-message"
        className="shell-icon text-muted! opacity-60 transition-opacity hover:text-foreground! hover:opacity-100 focus-visible:opacity-100 [&_svg]:size-[17px]! [@media(hover:hover)]:opacity-0 [@media(hover:hover)]:group-focus-within:opacity-100 [@media(hover:hover)]:group-hover:opacity-100"
        onClick={() => setAsking(true)}
      >
        <Trash2 aria-hidden="true" />
      </button>
      {asking && (
        <Suspense fallback={null}>
          <AlertDialog
            open
            onOpenChange={setAsking}
            title={t("chat.deleteTitle")}
            description={t("chat.deleteText")}
            cancel={t("app.cancel")}
            action={t("chat.deleteAction")}
            onAction={() => void deleteMessage(message.conversationId, message.id)}
          />
        </Suspense>
      )}
    </>
  );
}
