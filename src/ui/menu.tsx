/** A dropdown menu. Not modal, so that the page behind it stays as it is. */
import { DropdownMenu as Primitive } from "radix-ui";
import { type ComponentProps, type ReactNode, useState } from "react";
import { cn } from "./cn";
import { closeOnYielded } from "./layer";

interface MenuProps {
  trigger: ReactNode;
  children: ReactNode;
  align?: "start" | "end";
}

export function Menu({ trigger, children, align = "end" }: MenuProps) {
  const [open, setOpen] = useState(false);
  return (
    <Primitive.Root modal={false} open={open} onOpenChange={setOpen}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align={align}
          onKeyDown={(event) => closeOnYielded(event, () => setOpen(false))}
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
