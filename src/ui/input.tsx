import type { ComponentProps } from "react";
import { cn } from "./cn";

const BOX =
  "w-full rounded-xl border border-line-strong bg-surface px-3.5 text-[16px] text-foreground placeholder:text-muted aria-invalid:border-danger";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input className={cn(BOX, "h-12", className)} {...rest} />;
}

export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return <textarea dir="auto" className={cn(BOX, "min-h-28 py-3", className)} {...rest} />;
}
