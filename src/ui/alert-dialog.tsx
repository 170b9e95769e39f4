/** Confirmations and notices. A confirmed act runs once the dialog has closed. */
import { AlertDialog as Primitive } from "radix-ui";
import { type ComponentProps, type ReactNode, type RefObject, useRef } from "react";
import { buttonClasses } from "./button";
import { SCRIM, SHEET } from "./dialog";
import { closeOnYielded, useReturnFocus } from "./layer";

export interface AlertDialogProps {
  title: ReactNode;
  description: ReactNode;
  cancel: ReactNode;
  action: ReactNode;
  onAction: () => void;
  onClose: () => void;
  /** Between the question and the answers. */
  children?: ReactNode;
  returnFocus?: RefObject<HTMLElement | null>;
}

export function AlertDialog(props: AlertDialogProps) {
  const chosen = useRef(false);
  const { onOpenAutoFocus, onCloseAutoFocus } = useReturnFocus(props.returnFocus);
  const afterClose = () => {
    onCloseAutoFocus();
    if (chosen.current) props.onAction();
  };
  return (
    <Frame onClose={props.onClose} {...{ onOpenAutoFocus, onCloseAutoFocus: afterClose }}>
      <Primitive.Title className="text-lg font-bold">{props.title}</Primitive.Title>
      <Primitive.Description className="text-muted">{props.description}</Primitive.Description>
      {props.children}
      <div className="flex flex-wrap justify-end gap-2 pt-1">
        <Primitive.Cancel className={buttonClasses({ variant: "outline" })}>
          {props.cancel}
        </Primitive.Cancel>
        <Primitive.Action
          data-testid="confirm"
          className={buttonClasses({ variant: "danger" })}
          onClick={() => {
            chosen.current = true;
          }}
        >
          {props.action}
        </Primitive.Action>
      </div>
    </Frame>
  );
}

type FrameProps = ComponentProps<typeof Primitive.Content> & { onClose: () => void };

function Frame({ onClose, ...content }: FrameProps) {
  return (
    <Primitive.Root open onOpenChange={(open) => open || onClose()}>
      <Primitive.Portal>
        <div data-scrim="" className={SCRIM} />
        <Primitive.Content
          className={SHEET}
          onKeyDown={(event) => closeOnYielded(event, onClose)}
          {...content}
        />
      </Primitive.Portal>
    </Primitive.Root>
  );
}

type NoticeProps = { title: ReactNode; close: ReactNode; onClose: () => void };

/** One sentence to acknowledge: what the browser's `alert()` would be, in our own style. */
export function Notice({ title, close, onClose }: NoticeProps) {
  return (
    <Frame onClose={onClose} data-testid="notice" aria-describedby={undefined}>
      <Primitive.Title className="text-lg font-bold [overflow-wrap:anywhere]">
        {title}
      </Primitive.Title>
      <div className="flex justify-end">
        <Primitive.Action className={buttonClasses({ variant: "solid" })}>{close}</Primitive.Action>
      </div>
    </Frame>
  );
}
