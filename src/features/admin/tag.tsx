/** A word on something: what it is, not what it does. */
import type { ReactNode } from "react";
import { cn } from "@/ui/cn";

const TONES = {
  quiet: "bg-surface text-muted border-line",
  accent: "bg-accent text-on-accent border-transparent",
  danger: "border-danger text-danger",
  ok: "border-ok text-ok",
} as const;

interface TagProps {
  tone?: keyof typeof TONES;
  children: ReactNode;
  testId?: string;
}

export function Tag({ tone = "quiet", children, testId }: TagProps) {
  return (
    <span
      data-testid={testId}
      className={cn(
        "inline-flex items-center rounded-full border px-2 text-[12px] leading-5 font-semibold whitespace-nowrap",
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}
