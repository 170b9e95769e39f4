/** The frame of both forms: mark, heading, form, and the way to the other one. */

import { CloudOff, Eye, EyeOff } from "lucide-react";
import { type ComponentProps, type ReactNode, useState } from "react";
import type { ErrorCode } from "@/domain/error-codes";
import type { Failure } from "@/domain/result";
import { errorKey } from "@/i18n/error-text";
import type { Text, TextKey } from "@/i18n/keys";
import { useText } from "@/i18n/use-text";
import { showToast } from "@/state/toasts";
import { EyeMark } from "@/ui/eye-mark";
import { Input } from "@/ui/field";

interface AuthCardProps {
  title: string;
  text: string;
  children: ReactNode;
  footer: ReactNode;
}

export function AuthCard({ title, text, children, footer }: AuthCardProps) {
  return (
    <section className="mx-auto w-full max-w-[420px] pt-4 md:pt-10">
      <EyeMark className="mb-3 size-11" />
      <h1 className="text-[26px] leading-tight font-bold tracking-tight">{title}</h1>
      <p className="mt-1 mb-6 text-muted">{text}</p>
      {children}
      <p className="mt-5 flex flex-wrap items-center gap-x-1.5 text-[15px] text-muted">{footer}</p>
    </section>
  );
}

/** Without a server nobody can sign in: said beside the form, not as an error of theirs. */

export function OfflineNotice({ text }: { text: TextKey }) {
  const { t } = useText();
  return (
    <div
      role="status"
      data-testid="form-offline"
      className="flex items-start gap-3 rounded-2xl border border-line bg-surface p-4 text-sm"
    >
      <CloudOff className="mt-0.5 size-5 shrink-0 text-muted" aria-hidden="true" />
      <p>
        <strong className="block">{t("auth.offlineTitle")}</strong>
        <span className="text-muted">{t(text)}</span>
      </p>
    </div>
  );
}

/** A password that can be shown. */

export function PasswordInput(props: ComponentProps<"input">) {
  const { t } = useText();
  const [shown, setShown] = useState(false);
  return (
    <div className="relative">
      <Input
        {...props}
        type={shown ? "text" : "password"}
        className="pr-13"
        autoCapitalize="none"
      />
      <button
        type="button"
        aria-label={shown ? t("auth.hidePassword") : t("auth.showPassword")}
        onClick={() => setShown(!shown)}
        className="absolute top-0.5 right-0.5 grid size-11 place-items-center rounded-xl text-muted"
      >
        {shown ? (
          <EyeOff className="size-5" aria-hidden="true" />
        ) : (
          <Eye className="size-5" aria-hidden="true" />
        )}
      </button>
    </div>
  );
}

/** What the server refused of a change to the account: at its field where it has one, else in the notification area. */

export interface AccountFaults {
  email?: ErrorCode;
  password?: ErrorCode;
}

export const NO_FAULTS: AccountFaults = {};

const OF_EMAIL: ReadonlySet<ErrorCode> = new Set([
  "email_taken",
  "email_invalid",
  "email_required",
]);
const OF_PASSWORD: ReadonlySet<ErrorCode> = new Set(["wrong_password", "password_required"]);

function sentence(error: ErrorCode): Text {
  if (error === "unauthenticated") return { key: "account.noUser" };
  if (error === "network" || error === "timeout") return { key: "account.offline" };
  if (error === "last_admin" || error === "server") return { key: errorKey(error) };
  return { key: "account.failed" };
}

/** The faults to show at fields; what belongs to none is told as a toast. */
export function accountFaults({ error }: Failure): AccountFaults {
  if (OF_EMAIL.has(error)) return { email: error };
  if (OF_PASSWORD.has(error)) return { password: error };
  if (error === "rate_limited") {
    showToast({
      title: { key: "auth.tooMany" },
      description: { key: "auth.tooManyText" },
      variant: "destructive",
    });
  } else {
    showToast({ title: sentence(error), variant: "destructive" });
  }
  return NO_FAULTS;
}
