/** Signing in: the outcome as a word of ours, and the limits on wrong tries, per account and per address. */
import { normalEmail } from "@/domain/emails";
import { requestOf } from "./acting";
import { giveBack, refuseTooMany, takeOne } from "./limits";
import { isOutage } from "./outage";
import { dropBadFields, refuse } from "./refuse";
import { refusalOf } from "./refused";

const IP = "wrongLoginsPer5MinIp";
const ACCOUNT = "wrongLoginsPer5MinAccount";

export interface Attempt {
  /** Seconds to wait; 0 when the attempt may go on. */
  wait: number;
  /** To be called when the password was right. */
  succeed: () => void;
}

/** Counts one try as wrong before it is made, so that many at once cannot pass together. */
export function beginAttempt(app: CoreApp, address: string, account: string): Attempt {
  const fromAddress = takeOne(app, IP, address);
  if (fromAddress > 0) return { wait: fromAddress, succeed: () => {} };
  const onAccount = takeOne(app, ACCOUNT, account);
  if (onAccount > 0) giveBack(app, IP, address);
  return {
    wait: onAccount,
    succeed: () => {
      giveBack(app, IP, address);
      giveBack(app, ACCOUNT, account);
    },
  };
}

/** The account's name in the limits: its collection and address, whether or not it exists. */
export const accountKey = (collection: string, email: string): string =>
  `${collection}:${normalEmail(email)}`;

export function signIn(e: core.RecordAuthWithPasswordRequestEvent) {
  const request = requestOf(e);
  dropBadFields(request);
  const app = request.app as CoreApp;
  const collection = e.collection?.name ?? "";
  const isKnown = Boolean(e.record);
  const attempt = beginAttempt(app, e.realIP(), accountKey(collection, e.identity));
  if (attempt.wait > 0) return refuseTooMany(request, attempt.wait);
  try {
    e.next();
    attempt.succeed();
  } catch (error) {
    if (isOutage(error)) throw error;
    const status = (error as { value?: { status?: unknown } }).value?.status;
    // 403 comes from the collection's authRule, which is asked only after the password was right.
    if (status === 403) attempt.succeed();
    if (collection !== "users" || (status !== 400 && status !== 403)) throw error;
    if (status === 403) return refuse(request, refusalOf("suspended"));
    refuse(request, refusalOf(isKnown ? "wrong_password" : "unknown_email"));
  }
}
