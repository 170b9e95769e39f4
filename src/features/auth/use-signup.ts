/** The state of the sign-up form: what is typed, what is wrong with it, and the sending. */
import { type FormEvent, useState } from "react";
import type { SignUpForm } from "@/data/client";
import type { Failure } from "@/domain/result";
import { signUp, useNameCheck } from "@/state/account";
import { useConnection } from "@/state/outbox";
import { showToast } from "@/state/toasts";
import { useFocusFirstFault } from "@/ui/use-focus-first-fault";
import { refusalFaults, type SignupFaults, type SignupField, signupFaults } from "./signup-rules";

const EMPTY: SignUpForm = {
  email: "",
  username: "",
  password: "",
  passwordConfirm: "",
  termsAccepted: false,
};

export function useSignup(onDone: () => void) {
  const [form, setForm] = useState(EMPTY);
  const [left, setLeft] = useState<ReadonlySet<SignupField>>(new Set());
  const [refused, setRefused] = useState<SignupFaults>({});
  const [busy, setBusy] = useState(false);
  const [unreached, setUnreached] = useState(false);
  const disconnected = useConnection() === "offline";
  const name = useNameCheck(form.username);
  const { form: element, focusFirstFault } = useFocusFirstFault();

  const own = signupFaults(form, name.state === "taken");
  const shown = shownFaults({ own, refused, left, nameIsTaken: name.state === "taken" });

  const set = <K extends SignupField>(field: K, value: SignUpForm[K]) => {
    setForm((now) => ({ ...now, [field]: value }));
    setRefused(({ [field]: _gone, ...others }) => others);
  };
  const leave = (field: SignupField) => setLeft((now) => new Set(now).add(field));

  const send = async () => {
    setBusy(true);
    setUnreached(false);
    try {
      const answer = await signUp(form);
      if (answer.success) {
        showToast({ title: { key: "auth.created" } });
        return onDone();
      }
      setUnreached(answer.error === "network" || answer.error === "timeout");
      setRefused(refusalFaults(answer.error) ?? {});
      focusFirstFault();
      tell(answer);
    } catch {
      tell({ success: false, error: "server" });
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setLeft(new Set(Object.keys(EMPTY) as SignupField[]));
    if (Object.keys(own).length > 0) focusFirstFault();
    else if (!busy) void send();
  };
  const offline = unreached || disconnected;
  return { element, form, set, leave, faults: shown, name: name.state, busy, offline, submit };
}

interface Judged {
  own: SignupFaults;
  refused: SignupFaults;
  left: ReadonlySet<SignupField>;
  nameIsTaken: boolean;
}

/** A fault is shown once its field was left; a taken name at once; what the server said until it is changed. */
function shownFaults({ own, refused, left, nameIsTaken }: Judged): SignupFaults {
  const shown: SignupFaults = {};
  for (const field of Object.keys(EMPTY) as SignupField[]) {
    const early = field === "username" && nameIsTaken;
    const fault = refused[field] ?? (left.has(field) || early ? own[field] : undefined);
    if (fault !== undefined) shown[field] = fault;
  }
  return shown;
}

/** What belongs to no field is a toast (specification §8). */
function tell(answer: Failure): void {
  if (refusalFaults(answer.error) !== null) return;
  if (answer.error === "network" || answer.error === "timeout") return;
  if (answer.error === "rate_limited") {
    showToast({
      title: { key: "auth.tooMany" },
      description: { key: "auth.tooManyText" },
      variant: "destructive",
    });
    return;
  }
  const { message = "" } = answer;
  showToast({
    title: { key: "auth.registrationFailed" },
    description: message === "" ? { key: "auth.registrationFailedText" } : { raw: message },
    variant: "destructive",
  });
}
