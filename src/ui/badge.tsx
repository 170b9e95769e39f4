import { cn } from "./cn";

/** Largest figures shown before a plus sign (specification §9). */
export const UNREAD_CAP = 99;
export const PROFILE_UNREAD_CAP = 9;

/** "7", "99+"; "" for zero. */
export function cappedCount(count: number, cap: number): string {
  if (count <= 0) return "";
  return count > cap ? `${cap}+` : String(count);
}

type BadgeProps = { count: number; cap: number; className?: string };

export function Badge({ count, cap, className }: BadgeProps) {
  const text = cappedCount(count, cap);
  if (text === "") return null;
  return (
    <b
      className={cn(
        "min-w-[17px] rounded-full bg-accent px-1 text-center text-[0.6875rem] leading-[1.0625rem] font-bold text-on-accent",
        className,
      )}
    >
      {text}
    </b>
  );
}
