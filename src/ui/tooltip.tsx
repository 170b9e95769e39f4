/**
 * A tooltip for an icon, after 700 ms; the next one within 300 ms at once (specification §9). Needs
 * `TooltipProvider`.
 */
import { Tooltip as Primitive } from "radix-ui";
import type { ReactNode } from "react";

const DELAY_MS = 700;
const SKIP_DELAY_MS = 300;

export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={DELAY_MS} skipDelayDuration={SKIP_DELAY_MS}>
      {children}
    </Primitive.Provider>
  );
}

export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 rounded-lg bg-foreground px-2.5 py-1.5 text-[13px] text-background shadow-float animate-fade"
        >
          {text}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
