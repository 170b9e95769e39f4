/** A single choice of a few. Buttons with `aria-pressed`, in a named group. */
import type { ReactNode } from "react";

export interface ChipsProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; text: ReactNode }[];
  onChange: (value: T) => void;
  quiet?: boolean;
  testId: string;
}

export function Chips<T extends string>(props: ChipsProps<T>) {
  return (
    <fieldset className={props.quiet === true ? "shell-chips quiet" : "shell-chips"}>
      <legend className="sr-only">{props.label}</legend>
      {props.options.map((option) => (
        <button
          key={option.value}
          type="button"
          className="shell-chip"
          aria-pressed={option.value === props.value}
          data-testid={`${props.testId}-${option.value}`}
          onClick={() => props.onChange(option.value)}
        >
          <span>{option.text}</span>
        </button>
      ))}
    </fieldset>
  );
}
