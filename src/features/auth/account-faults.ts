/** What the server refused of a change to the account: at its field where it has one, else in the notification area. */
import type { ErrorCode } from "@/domain/error-codes";
import type { Failure } from "@/domain/result";
import { errorKey } from "@/i18n/error-text";
import type { Text } from "@/i18n/keys";
import { showToast } from "@/state/toasts";

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
