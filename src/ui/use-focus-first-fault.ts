/** After a submission that was refused, the focus goes to the first control that says it is invalid: it may be out of sight. */
import { useCallback, useEffect, useRef, useState } from "react";

export function useFocusFirstFault() {
  const form = useRef<HTMLFormElement>(null);
  const [attempt, setAttempt] = useState(0);
  // Outside: the focus.
  useEffect(() => {
    if (attempt > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempt]);
  /** To be called together with what sets the faults. */
  const focusFirstFault = useCallback(() => setAttempt((count) => count + 1), []);
  return { form, focusFirstFault };
}
