/** A question before something final. Its code is loaded when it is first asked. */
import { lazy, type ReactNode, type RefObject, Suspense } from "react";
import { useText } from "@/i18n/use-text";

const AlertDialog = lazy(() =>
  import("@/ui/alert-dialog").then((file) => ({ default: file.AlertDialog })),
);

interface AskFirstProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  text: ReactNode;
  /** On the button that does it. */
  action: ReactNode;
  onYes: () => void;
  /** Gets the focus afterwards when what asked is gone, such as an item of a menu. */
  returnFocus?: RefObject<HTMLElement | null>;
}

export function AskFirst(props: AskFirstProps) {
  const { open, onOpenChange, title, text, action, onYes, returnFocus } = props;
  const { t } = useText();
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <AlertDialog
        open
        onOpenChange={onOpenChange}
        title={title}
        description={text}
        cancel={t("app.cancel")}
        action={action}
        onAction={onYes}
        {...(returnFocus && { returnFocus })}
      />
    </Suspense>
  );
}
