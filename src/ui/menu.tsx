/** A dropdown menu. Not modal, so that the page behind it stays as it is. */
import { Check } from "lucide-react";
import { DropdownMenu as Primitive } from "radix-ui";
import { type ComponentProps, type ReactNode, useState } from "react";
import { pageDirection } from "@/lib/page-direction";
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
    <Primitive.Root dir={pageDirection()} modal={false} open={open} onOpenChange={setOpen}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align={align}
          onKeyDown={(event) => closeOnYielded(event, () => setOpen(false))}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 min-w-48 rounded-2xl border border-line-strong bg-raised p-1.5 text-foreground shadow-float animate-rise"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

const ITEM =
  "flex min-h-11 items-center gap-3 rounded-xl px-3 text-[0.9375rem] outline-(--focus) -outline-offset-2 select-none data-highlighted:bg-surface data-highlighted:outline-2 [&_svg]:size-[18px] [&_svg]:text-muted";

export const MenuItem = ({ className, ...rest }: ComponentProps<typeof Primitive.Item>) => (
  <Primitive.Item className={cn(ITEM, className)} {...rest} />
);

interface MenuChoiceProps {
  label: string;
  value: string;
  options: readonly { value: string; text: string; lang?: string }[];
  onChange: (value: string) => void;
  testId: string;
}

/** One of several, under a heading of its own. */
export function MenuChoice({ label, value, options, onChange, testId }: MenuChoiceProps) {
  return (
    <Primitive.Group>
      <MenuLabel>{label}</MenuLabel>
      <Primitive.RadioGroup aria-label={label} value={value} onValueChange={onChange}>
        {options.map((option) => (
          <Primitive.RadioItem
            key={option.value}
            value={option.value}
            lang={option.lang}
            className={ITEM}
            data-testid={`${testId}-${option.value}`}
          >
            <span className="flex-1">{option.text}</span>
            <Primitive.ItemIndicator>
              <Check aria-hidden="true" />
            </Primitive.ItemIndicator>
          </Primitive.RadioItem>
        ))}
      </Primitive.RadioGroup>
    </Primitive.Group>
  );
}

export const MenuLine = () => <Primitive.Separator className="mx-3 my-1.5 h-px bg-line" />;

export function MenuLabel({ className, ...rest }: ComponentProps<typeof Primitive.Label>) {
  return (
    <Primitive.Label className={cn("px-3 py-2 text-[0.8125rem] text-muted", className)} {...rest} />
  );
}
