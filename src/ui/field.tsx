/** Form fields: a label, its control, a hint and an error, connected for screen readers. */
import {
  type ComponentProps,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { cn } from "./cn";

export interface ControlProps {
  id: string;
  "aria-invalid": boolean;
  "aria-describedby"?: string;
}

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  children: (control: ControlProps) => ReactNode;
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const faulty = error !== undefined && error !== null && error !== false;
  const hinted = hint !== undefined && hint !== null;
  const described = [faulty ? `${id}-error` : "", hinted ? `${id}-hint` : ""]
    .filter(Boolean)
    .join(" ");
  const control: ControlProps = { id, "aria-invalid": faulty };
  if (described !== "") control["aria-describedby"] = described;
  return (
    <div className="relative grid gap-1.5">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      {children(control)}
      {hinted && (
        <p id={`${id}-hint`} className="text-[0.8125rem] text-muted">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`}>{faulty ? error : null}</FieldError>
    </div>
  );
}

/** Stays in the page while empty, so that a screen reader announces its content. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="text-[0.84375rem] font-medium text-danger empty:hidden">
      {children}
    </p>
  );
}

const BOX =
  "w-full rounded-xl border border-line-strong bg-surface px-3.5 text-base text-foreground placeholder:text-muted aria-invalid:border-danger";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input className={cn(BOX, "h-12", className)} {...rest} />;
}

export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return <textarea dir="auto" className={cn(BOX, "min-h-28 py-3", className)} {...rest} />;
}

type Texted<Tag extends "input" | "textarea"> = Omit<FieldProps, "children"> &
  ComponentProps<Tag> & { value: string; onValue: (value: string) => void };

export function TextField({ label, hint, error, onValue, ...input }: Texted<"input">) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <Input {...control} {...input} onChange={(event) => onValue(event.target.value)} />
      )}
    </Field>
  );
}

export function TextareaField({ label, hint, error, onValue, ...input }: Texted<"textarea">) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <Textarea {...control} {...input} onChange={(event) => onValue(event.target.value)} />
      )}
    </Field>
  );
}

/** After a refused submission, focuses the first invalid control, which may be out of sight. */
export function useFocusFirstFault() {
  const form = useRef<HTMLFormElement>(null);
  const [attempt, setAttempt] = useState(0);
  // Outside: the focus.
  useEffect(() => {
    if (attempt > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempt]);
  /** Call it together with what sets the faults. */
  const focusFirstFault = useCallback(() => setAttempt((count) => count + 1), []);
  return { form, focusFirstFault };
}
