/** A label, its control, a hint and an error, tied together for screen readers. */
import { type ReactNode, useId } from "react";

export interface ControlProps {
  id: string;
  "aria-invalid": boolean;
  "aria-describedby"?: string;
}

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** Shown instead of nothing; announced when it appears. */
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
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      {children(control)}
      {hinted && (
        <p id={`${id}-hint`} className="text-[13px] text-muted">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`}>{faulty ? error : null}</FieldError>
    </div>
  );
}

/** Stays in the page while empty, so that a screen reader hears what appears in it. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="text-[13.5px] font-medium text-danger empty:hidden">
      {children}
    </p>
  );
}
