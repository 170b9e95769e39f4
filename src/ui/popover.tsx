/** A small panel beside its trigger. Not modal. */
import { Popover as Primitive } from "radix-ui";
import type { ReactNode } from "react";

interface PopoverProps {
  trigger: ReactNode;
  label: string;
  children: ReactNode;
}

export function Popover({ trigger, label, children }: PopoverProps) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align="end"
          sideOffset={8}
          collisionPadding={12}
          aria-label={label}
          className="z-50 w-[min(calc(100vw-24px),380px)] max-h-[70dvh] overflow-auto rounded-[20px] border border-line bg-raised p-4 text-foreground shadow-float animate-rise"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
