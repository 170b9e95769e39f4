/** A checkbox with its label; the whole line is the target. The label may contain links. */
import { Check } from "lucide-react";
import { Checkbox as Primitive } from "radix-ui";
import { type ReactNode, useId } from "react";
import { FieldError } from "./field";

interface CheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
  error?: ReactNode;
  disabled?: boolean;
  testId?: string;
}

export function Checkbox(props: CheckboxProps) {
  const { checked, onChange, children, error, disabled = false, testId } = props;
  const id = useId();
  const faulty = error !== undefined && error !== null && error !== "";
  return (
    <div>
      <div className="flex min-h-11 items-start gap-1">
        <Primitive.Root
          id={id}
          checked={checked}
          onCheckedChange={(value) => onChange(value === true)}
          disabled={disabled}
          aria-invalid={faulty}
          aria-describedby={`${id}-error`}
          data-testid={testId}
          className="group -ms-2.5 grid size-11 shrink-0 place-items-center rounded-full disabled:opacity-55"
        >
          <span className="grid size-6 place-items-center rounded-md border border-line-strong bg-surface group-aria-invalid:border-danger group-data-[state=checked]:border-foreground group-data-[state=checked]:bg-foreground">
            <Primitive.Indicator>
              <Check className="size-4 text-background" strokeWidth={3} aria-hidden="true" />
            </Primitive.Indicator>
          </span>
        </Primitive.Root>
        <label htmlFor={id} className="py-2.5 text-[0.90625rem] leading-[1.5rem]">
          {children}
        </label>
      </div>
      <FieldError id={`${id}-error`}>{faulty ? error : null}</FieldError>
    </div>
  );
}
