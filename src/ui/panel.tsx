import type { ReactNode } from "react";
import { cn } from "./cn";

interface PanelProps {
  title: ReactNode;
  id: string;
  text?: ReactNode;
  children?: ReactNode;
  tone?: "plain" | "danger";
}

export function Panel({ title, id, text, children, tone = "plain" }: PanelProps) {
  return (
    <section
      aria-labelledby={`${id}-title`}
      data-testid={id}
      className={cn(
        "grid gap-4 rounded-[20px] border p-4 md:p-6",
        tone === "danger" ? "border-danger" : "border-line",
      )}
    >
      <div>
        <h2
          id={`${id}-title`}
          className={cn("text-[1.0625rem] font-bold", tone === "danger" && "text-danger")}
        >
          {title}
        </h2>
        {text !== undefined && <p className="mt-1 text-sm text-muted text-pretty">{text}</p>}
      </div>
      {children}
    </section>
  );
}
