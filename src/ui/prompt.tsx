/** A question over the page, above the bottom bar, which nobody has to answer. */
import type { ReactNode } from "react";
import { cn } from "./cn";

interface PromptProps {
  label: string;
  testId: string;
  /** Over what other prompts there may be. */
  urgent?: boolean;
  /** Higher than a low window shows whole. */
  tall?: boolean;
  lang?: string;
  children: ReactNode;
}

export function Prompt({ label, testId, urgent, tall, lang, children }: PromptProps) {
  return (
    <section
      lang={lang}
      aria-label={label}
      data-testid={testId}
      data-passing=""
      data-prompt={tall ? "tall" : ""}
      className={cn(
        "fixed inset-x-4 bottom-[calc(16px+max(var(--dock),env(safe-area-inset-bottom)))] mx-auto max-w-[420px] rounded-[20px] border bg-raised p-4 shadow-float animate-rise",
        urgent ? "z-30 border-line-strong" : "z-20 border-line",
      )}
    >
      {children}
    </section>
  );
}
