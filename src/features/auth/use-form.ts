/** A form that the server answers: values, faults, one submission at a time, focus on a fault. */
import { type FormEvent, useState } from "react";
import type { TextKey } from "@/i18n/keys";
import { useUnsentText } from "@/state/unsent-text";
import { useFocusFirstFault } from "@/ui/field";

export type Faults<Values> = { [Field in keyof Values]?: TextKey };

interface FormOptions<Values> {
  initial: Values;
  /** Faults found before sending; "stop" sends nothing and leaves the faults as they are. */
  check: (values: Values) => Faults<Values> | "stop";
  /** Returns a refusal's faults. `clear` empties the fields that were not edited since. */
  send: (values: Values, clear: () => void) => Promise<Faults<Values>>;
  /** Whether editing a field removes its fault, rather than the next submission alone. */
  editClearsFault?: boolean;
}

export function useForm<Values extends object>(options: FormOptions<Values>) {
  const { initial, check, send, editClearsFault = false } = options;
  const [values, setValues] = useState(initial);
  const [faults, setFaults] = useState<Faults<Values>>({});
  const [busy, setBusy] = useState(false);
  const { form, focusFirstFault } = useFocusFirstFault();
  useUnsentText((Object.keys(initial) as (keyof Values)[]).some((f) => values[f] !== initial[f]));

  const set = <Field extends keyof Values>(field: Field, value: Values[Field]) => {
    setValues((now) => ({ ...now, [field]: value }));
    if (!editClearsFault) return;
    setFaults((now) => {
      const rest = { ...now };
      delete rest[field];
      return rest;
    });
  };
  const run = async () => {
    const clear = () => setValues((now) => withoutSent(now, values, initial));
    setBusy(true);
    try {
      const refusal = await send(values, clear);
      setFaults(refusal);
      if (hasFaults(refusal)) focusFirstFault();
    } finally {
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const found = check(values);
    if (found !== "stop") setFaults(found);
    if (found === "stop" || hasFaults(found)) focusFirstFault();
    else void run();
  };
  const text = <Field extends KeysOfTexts<Values>>(field: Field) => ({
    value: values[field] as string,
    onValue: (value: string) => set(field, value as Values[Field]),
    fault: faults[field],
  });
  return { values, set, faults, busy, text, form: { ref: form, noValidate: true, onSubmit } };
}

type KeysOfTexts<Values> = {
  [Field in keyof Values]: Values[Field] extends string ? Field : never;
}[keyof Values];

const hasFaults = (faults: object): boolean => Object.keys(faults).length > 0;

/** `now` with every field that still holds what was sent set back to its initial value. */
function withoutSent<Values extends object>(now: Values, sent: Values, initial: Values): Values {
  const kept = { ...now };
  for (const field of Object.keys(now) as (keyof Values)[]) {
    if (now[field] === sent[field]) kept[field] = initial[field];
  }
  return kept;
}
