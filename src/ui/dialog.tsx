/**
 * Dialogs. The scrim is ours: Radix's Overlay locks scrolling through a style element, which our
 * content security policy refuses; `html:has([data-scrim])` in styles.css does the same.
 */
import { Dialog as Primitive } from "radix-ui";
import type { ReactNode, RefObject } from "react";
import { cn } from "./cn";
import { closeOnYielded, useReturnFocus } from "./layer";

export const SCRIM = "fixed inset-0 z-40 bg-slate-950/55 backdrop-blur-[2px] animate-fade";
export const SHEET =
  "fixed left-1/2 top-1/2 z-50 grid w-[min(calc(100vw-32px),460px)] max-h-[min(85dvh,calc(100dvh-16px))] auto-rows-max -translate-x-1/2 -translate-y-1/2 gap-4 overflow-auto rounded-[20px] border border-line-strong bg-raised p-6 text-foreground shadow-float animate-fade";

const WIDE = "w-[min(calc(100vw-24px),720px)]!";

interface DialogProps {
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  onClose: () => void;
  open?: boolean;
  returnFocus?: RefObject<HTMLElement | null>;
  /** For dialogs with content to read, and not only to answer. */
  wide?: boolean;
}

export type DialogFrame = Required<Pick<DialogProps, "onClose" | "returnFocus">>;

export function Dialog(props: DialogProps) {
  const { open = true, title, description, children, onClose } = props;
  const focus = useReturnFocus(props.returnFocus);
  return (
    <Primitive.Root open={open} onOpenChange={(now) => now || onClose()}>
      <Primitive.Portal>
        <div data-scrim="" className={SCRIM} />
        <Primitive.Content
          className={cn(SHEET, props.wide === true && WIDE)}
          aria-describedby={undefined}
          onKeyDown={(event) => closeOnYielded(event, onClose)}
          {...focus}
        >
          <Primitive.Title className="text-lg font-bold">{title}</Primitive.Title>
          {description !== undefined && (
            <Primitive.Description className="text-muted">{description}</Primitive.Description>
          )}
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
