/** A place where something will be, at its final size. */
import { cn } from "./cn";

export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      data-pending
      className={cn("block rounded-lg bg-skeleton animate-pulse-soft", className)}
    />
  );
}
