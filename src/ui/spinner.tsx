/** A quiet turning ring. `label` is what a screen reader hears. */
import { cn } from "./cn";

export function Spinner({ label, className }: { label: string; className?: string }) {
  return (
    <span
      role="status"
      data-pending
      aria-live="polite"
      className={cn("inline-grid place-items-center", className)}
    >
      <span
        aria-hidden="true"
        className="size-7 animate-spin rounded-full border-[3px] border-line border-t-accent"
      />
      <span className="sr-only">{label}</span>
    </span>
  );
}
