/** The browser's own select, which works on every phone and screen reader. */
import { ChevronDown } from "lucide-react";
import { cn } from "./cn";

interface SelectProps {
  label: string;
  value: string;
  options: readonly { value: string; text: string; lang?: string }[];
  onChange: (value: string) => void;
  testId?: string;
  className?: string;
}

export function Select({ label, value, options, onChange, testId, className }: SelectProps) {
  return (
    <span className={cn("relative inline-flex min-w-0", className)}>
      <select
        aria-label={label}
        value={value}
        data-testid={testId}
        onChange={(event) => onChange(event.target.value)}
        className="h-12 w-full min-w-0 appearance-none truncate rounded-xl border border-line-strong bg-surface pe-10 ps-3.5 text-[0.9375rem] text-foreground"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} lang={option.lang}>
            {option.text}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 end-3 size-[18px] -translate-y-1/2 text-muted"
      />
    </span>
  );
}
