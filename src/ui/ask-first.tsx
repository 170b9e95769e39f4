/** An `AlertDialog` whose code is loaded when it first opens. */
import { lazy, Suspense } from "react";
import type { AlertDialogProps } from "./alert-dialog";

const AlertDialog = lazy(() =>
  import("./alert-dialog").then((file) => ({ default: file.AlertDialog })),
);

export function AskFirst(props: AlertDialogProps) {
  if (!props.open) return null;
  return (
    <Suspense fallback={null}>
      <AlertDialog {...props} />
    </Suspense>
  );
}
