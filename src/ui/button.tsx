/** Buttons and links that look like them. Every target is at least 44 px high. */
import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "./cn";

export const buttonClasses = cva(
  "inline-flex max-w-full shrink-0 items-center justify-center gap-2 min-h-11 rounded-full px-5 text-[0.9375rem] font-semibold no-underline transition-colors disabled:opacity-55 disabled:cursor-not-allowed aria-disabled:opacity-55 [&_svg]:size-[18px] [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        accent: "bg-accent text-on-accent hover:brightness-95",
        solid: "bg-foreground text-background hover:opacity-90",
        outline: "border border-line-strong bg-raised text-foreground hover:bg-surface",
        ghost: "text-foreground hover:bg-surface",
        danger: "bg-danger text-on-danger hover:brightness-95",
      },
      width: { auto: "", full: "w-full" },
    },
    defaultVariants: { variant: "outline", width: "auto" },
  },
);

type ButtonProps = ComponentProps<"button"> & VariantProps<typeof buttonClasses>;

export function Button({ variant, width, className, type = "button", ...rest }: ButtonProps) {
  return (
    <button type={type} className={cn(buttonClasses({ variant, width }), className)} {...rest} />
  );
}
