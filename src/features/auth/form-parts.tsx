/** What the forms of the account are built from: frame, password field, notices, refusals. */
import { CloudOff, Eye, EyeOff } from "lucide-react";
import { type ComponentProps, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { ErrorCode } from "@/domain/error-codes";
import type { Failure } from "@/domain/result";
import { errorKey } from "@/i18n/error-text";
import type { TextKey } from "@/i18n/keys";
import { Say } from "@/i18n/say";
import type { NameCheck } from "@/state/account";
import { useConnection, useIsConnectionKnown } from "@/state/outbox";
import { showFailure } from "@/state/toasts";
import { Button } from "@/ui/button";
import { EyeMark } from "@/ui/eye-mark";
import { Field, Input, TextField } from "@/ui/field";

interface AuthCardProps {
  title: string;
  text: string;
  testId: string;
  form: ComponentProps<"form">;
  submit: string;
  busy: boolean;
  /** Shown while the server cannot be reached; null otherwise. */
  offline: TextKey | null;
  children: ReactNode;
  other: { question: string; to: string; text: string; onClick?: () => void };
}

export function AuthCard(props: AuthCardProps) {
  const { title, text, testId, form, submit, busy, offline, children, other } = props;
  const isKnown = useIsConnectionKnown();
  return (
    <section className="mx-auto w-full max-w-[420px] pt-4 md:pt-10">
      <EyeMark className="mb-3 size-11" />
      <h1 className="text-[1.625rem] leading-tight font-bold tracking-tight">{title}</h1>
      <p className="mt-1 mb-6 text-muted">{text}</p>
      <form {...form} className="grid gap-4" data-testid={`${testId}-form`}>
        {children}
        <Button
          type="submit"
          variant="accent"
          width="full"
          disabled={busy}
          data-testid={`submit-${testId}`}
        >
          {submit}
        </Button>
      </form>
      <p className="mt-5 flex flex-wrap items-center gap-x-1.5 text-[0.9375rem] text-muted">
        {other.question}
        <Link
          to={other.to}
          onClick={other.onClick}
          className="target inline-flex items-center font-semibold text-link"
        >
          {other.text}
        </Link>
      </p>
      {/* At the end: it comes after the form, and would move what somebody is about to hit. */}
      {offline !== null && <OfflineNotice text={offline} />}
      {!isKnown && <span data-pending="" />}
    </section>
  );
}

/** Nobody can sign in without the server: a notice beside the form, not a fault of a field. */
function OfflineNotice({ text }: { text: TextKey }) {
  const { t } = useTranslation();
  return (
    <div
      role="status"
      data-testid="form-offline"
      className="mt-4 flex items-start gap-3 rounded-2xl border border-line bg-surface p-4 text-sm"
    >
      <CloudOff className="mt-0.5 size-5 shrink-0 text-muted" aria-hidden="true" />
      <p>
        <strong className="block">{t("app.offline")}</strong>
        <span className="text-muted">{t(text)}</span>
      </p>
    </div>
  );
}

function PasswordInput(props: ComponentProps<"input">) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Input
        {...props}
        type={shown ? "text" : "password"}
        className="pe-13"
        autoCapitalize="none"
      />
      <button
        type="button"
        aria-label={shown ? t("auth.hidePassword") : t("auth.showPassword")}
        onClick={() => setShown(!shown)}
        className="absolute top-0.5 end-0.5 grid size-11 place-items-center rounded-xl text-muted"
      >
        <Icon className="size-5" aria-hidden="true" />
      </button>
    </div>
  );
}

interface FormFieldProps extends ComponentProps<"input"> {
  label: string;
  fault: TextKey | undefined;
  value: string;
  onValue: (value: string) => void;
}

export function PasswordField({ label, fault, onValue, ...input }: FormFieldProps) {
  return (
    <Field label={label} error={faultText(fault)}>
      {(control) => (
        <PasswordInput {...control} {...input} onChange={(event) => onValue(event.target.value)} />
      )}
    </Field>
  );
}

export function EmailField({ fault, ...input }: FormFieldProps) {
  return <TextField {...input} error={faultText(fault)} type="email" inputMode="email" />;
}

type UsernameFieldProps = Omit<ComponentProps<typeof TextField>, "label"> & { check: NameCheck };

export function UsernameField({ check, ...input }: UsernameFieldProps) {
  const { t } = useTranslation();
  return (
    <TextField
      label={t("auth.username")}
      hint={
        check === "free" ? (
          <span className="text-ok">{t("auth.available")}</span>
        ) : (
          t(check === "checking" ? "auth.checking" : "auth.usernameHint")
        )
      }
      name="username"
      autoComplete="nickname"
      autoCapitalize="none"
      spellCheck={false}
      data-check={check}
      {...input}
    />
  );
}

export const faultText = (key: TextKey | undefined): ReactNode => key && <Say k={key} />;

export const isUnreached = (error: ErrorCode): boolean =>
  error === "network" || error === "timeout";

/** Offline: there is no connection, or the last submission did not reach the server. */
export function useReach() {
  const [unreached, setUnreached] = useState(false);
  const disconnected = useConnection() === "offline";
  return {
    offline: unreached || disconnected,
    /** Takes the error of the last submission; null before it and after a success. */
    noteError: (error: ErrorCode | null) => setUnreached(error !== null && isUnreached(error)),
  };
}

export const showTooMany = () => showFailure("auth.tooMany", "errors.rate_limited");

const OF_EMAIL: ReadonlySet<ErrorCode> = new Set([
  "email_taken",
  "email_invalid",
  "email_required",
]);
const OF_PASSWORD: ReadonlySet<ErrorCode> = new Set(["wrong_password", "password_required"]);

function sentence(error: ErrorCode): TextKey {
  if (error === "unauthenticated") return "account.noUser";
  if (isUnreached(error)) return "account.offline";
  return error === "last_admin" || error === "server" ? errorKey(error) : "account.failed";
}

/** Shows the server's refusal to change the account at the field it is about, else as a toast. */
export function accountFaults({ error }: Failure): { email?: TextKey; password?: TextKey } {
  if (OF_EMAIL.has(error)) return { email: errorKey(error) };
  if (OF_PASSWORD.has(error)) return { password: errorKey(error) };
  if (error === "rate_limited") showTooMany();
  else showFailure(sentence(error));
  return {};
}
