import { Search } from "lucide-react";
import { cn } from "@/ui/cn";
import { Input } from "@/ui/input";

interface SearchBoxProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  className?: string;
  testId: string;
}

export function SearchBox({ label, value, onChange, className, testId }: SearchBoxProps) {
  return (
    <div className={cn("relative", className)}>
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-4 size-[18px] -translate-y-1/2 text-muted"
      />
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        className="pl-11"
        autoComplete="off"
        value={value}
        data-testid={testId}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
