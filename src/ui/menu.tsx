/** A dropdown menu. Not modal, so that the page behind it stays as it is. */
import { DropdownMenu as Primitive } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn";

interface MenuProps {
  trigger: ReactNode;
  children: ReactNode;
  align?: "start" | "end";
}

export function Menu({ trigger, children, align = "end" }: MenuProps) {
  return (
    <Primitive.Root modal={false}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 min-w-48 rounded-2xl border border-line bg-raised p-1.5 text-foreground shadow-float animate-rise"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

export function MenuItem({ className, ...rest }: ComponentProps<typeof Primitive.Item>) {
  return (
    <Primitive.Item
      className={cn(
        "flex min-h-11 items-center gap-3 rounded-xl px-3 text-[15px] outline-none select-none data-highlighted:bg-surface [&_svg]:size-[18px] [&_svg]:text-muted",
        className,
      )}
      {...rest}
    />
  );
}

export function MenuLabel({ className, ...rest }: ComponentProps<typeof Primitive.Label>) {
  return (
    <Primitive.Label className={cn("px-3 py-2 text-[13px] text-muted", className)} {...rest} />
  );
}
