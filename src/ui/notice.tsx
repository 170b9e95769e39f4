/** One sentence that has to be seen before it goes on: what the browser's `alert()` would be, in our own look. */
import { AlertDialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { buttonClasses } from "./button";
import { SCRIM, SHEET } from "./dialog";
import { closeOnYielded } from "./escape";

interface NoticeProps {
  open: boolean;
  title: ReactNode;
  close: ReactNode;
  onClosed: () => void;
}

export function Notice({ open, title, close, onClosed }: NoticeProps) {
  return (
    <Primitive.Root open={open} onOpenChange={(now) => !now && onClosed()}>
      <Primitive.Portal>
        <div data-scrim="" className={SCRIM} />
        <Primitive.Content
          className={SHEET}
          data-testid="notice"
          aria-describedby={undefined}
          onKeyDown={(event) => closeOnYielded(event, onClosed)}
        >
          <Primitive.Title className="text-lg font-bold [overflow-wrap:anywhere]">
            {title}
          </Primitive.Title>
          <div className="flex justify-end">
            <Primitive.Action className={buttonClasses({ variant: "solid" })}>
              {close}
            </Primitive.Action>
          </div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
