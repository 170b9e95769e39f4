/**
 * What people do with their own account: sign in, change its address, delete it.
 * Wrong passwords are limited per account and per address, whichever route they come by.
 */
import { auditOwnAct } from "@hooks/admin/audit";
import { answer, dropBadFields, isOutage, refusalOf, refuse } from "@hooks/http/refusals";
import {
  bodyOf,
  isSuspended,
  JSON_SECONDS,
  requestOf,
  textOf,
  userIdOf,
  waitForBody,
} from "@hooks/http/request";
import { emailFault, normalEmail } from "@/domain/accounts";
import type { Refusal } from "@/domain/error-codes";
import { accountKey, addressOf, beginAttempt, refuseTooMany } from "./limits";
import { isEmailTaken, isLastAdmin } from "./people";
import { storageOf } from "./quotas";
import { keepSessions, knownDevice, NOT_SIGNED_IN, noteGuess, ownSession } from "./sessions";
import { inTurn } from "./turns";

export const accountHandlers = {
  signIn(e: core.RecordAuthWithPasswordRequestEvent) {
    const request = requestOf(e);
    dropBadFields(request);
    const app = request.app as CoreApp;
    const collection = e.collection?.name ?? "";
    const device = knownDevice(e, e.record?.id ?? "");
    const attempt = beginAttempt(app, addressOf(e), accountKey(collection, e.identity), device);
    if (attempt.wait > 0) return refuseTooMany(request, attempt.wait);
    try {
      // One after another: checking a password takes a core for a tenth of a second.
      inTurn(e, () => {
        // Who has no account must not be told by the time.
        if (!e.record) new Record(e.collection).setPassword($security.randomString(20));
        e.next();
      });
      attempt.succeed();
    } catch (error) {
      const status = isOutage(error) ? 0 : statusOf(error);
      // 403 comes from the collection's authRule, which applies only after a right password.
      if (status === 403) attempt.succeed();
      if (e.record && status === 400 && device === "") noteGuess(app, e.record.id);
      const refusal = signInRefusal(e, status);
      if (refusal === null) throw error;
      refuse(request, refusal);
    }
  },

  /**
   * `POST /api/account/email` `{email, password}`: ends all tokens and all other
   * sessions, and answers a fresh token.
   */
  changeEmail(e: core.RequestEvent) {
    dropBadFields(e);
    const user = reauthenticated(e);
    if (user === null) return;
    const email = normalEmail(textOf(bodyOf(e)["email"]));
    const fault = emailFault(email) ?? (isEmailTaken(e.app, email, user.id) ? "email_taken" : null);
    if (fault !== null) {
      const { message } = refusalOf(fault);
      return refuse(e, { ...refusalOf(fault), data: { email: { code: fault, message } } });
    }
    user.setEmail(email);
    user.setVerified(false);
    // PocketBase does it for another address only; what is kept here must not outlive a later end.
    user.refreshTokenKey();
    e.app.runInTransaction((tx) => {
      keepSessions(tx, user.id, "id = {:id}", ownSession(e, user.id)?.id ?? "");
      tx.save(user);
    });
    auditOwnAct(e, user, "email");
    $apis.recordAuthResponse(e, user, "");
  },

  /** `POST /api/account/delete` `{password}`: deletes the account with its rows, chats excepted. */
  deleteAccount(e: core.RequestEvent) {
    const user = reauthenticated(e);
    if (user === null) return;
    if (isLastAdmin(e.app, user.id)) return refuse(e, refusalOf("last_admin"));
    emptyAccount(e.app as CoreApp, user.id);
    e.app.delete(user);
    e.noContent(204);
  },

  /** `GET /api/account/storage`: `{used, limit}` in bytes. */
  accountStorage(e: core.RequestEvent) {
    const me = userIdOf(e);
    if (me === "") return refuse(e, NOT_SIGNED_IN);
    answer(e, 200, storageOf(e.app as CoreApp, me));
  },

  /** Creates the superuser from the environment in an empty database; later starts do nothing. */
  createFirstSuperuser(e: core.BootstrapEvent): void {
    e.next();
    const email = $os.getenv("POCKETBASE_SUPERUSER_EMAIL");
    const password = $os.getenv("POCKETBASE_SUPERUSER_PASSWORD");
    if (email === "" || password === "") return;
    const real = $dbx.exp("email != {:installer}", { installer: INSTALLER });
    if (e.app.countRecords("_superusers", real) > 0) return;
    const superuser = new Record(e.app.findCollectionByNameOrId("_superusers"));
    superuser.setEmail(email);
    superuser.setPassword(password);
    e.app.save(superuser);
  },
};

/** What a failed sign-in is answered with; null where PocketBase's own error is. */
function signInRefusal(
  e: core.RecordAuthWithPasswordRequestEvent,
  status: unknown,
): Refusal | null {
  if (e.record && status === 400) auditOwnAct(requestOf(e), e.record, "sign-in-failed");
  if (e.collection?.name !== "users" || (status !== 400 && status !== 403)) return null;
  if (status === 403) {
    // Only after the right password.
    const until = e.record?.getString("blockedUntil") ?? "";
    const data = { blockedUntil: { code: until, message: "The suspension ends then." } };
    return { ...refusalOf("suspended"), ...(until !== "" && { data }) };
  }
  return refusalOf(e.record ? "wrong_password" : "unknown_email");
}

const statusOf = (error: unknown): unknown =>
  (error as { value?: { status?: unknown } }).value?.status;

/** PocketBase's own placeholder account. */
const INSTALLER = "__pbinstaller@example.com";

/** The signed-in user after a right password, or null when the request was answered already. */
function reauthenticated(e: core.RequestEvent): core.Record | null {
  waitForBody(e, JSON_SECONDS);
  if (userIdOf(e) === "" || !e.auth) {
    refuse(e, NOT_SIGNED_IN);
    return null;
  }
  if (isSuspended(e)) {
    refuse(e, refusalOf("suspended"));
    return null;
  }
  const user = e.app.findRecordById("users", e.auth.id);
  const attempt = beginAttempt(
    e.app as CoreApp,
    addressOf(e),
    accountKey("users", user.email()),
    ownSession(e, user.id)?.id,
  );
  if (attempt.wait > 0) {
    refuseTooMany(e, attempt.wait);
    return null;
  }
  if (!user.validatePassword(textOf(bodyOf(e)["password"]))) {
    refuse(e, refusalOf("wrong_password"));
    return null;
  }
  attempt.succeed();
  return user;
}

const ROWS_AT_ONCE = 250;
const MEDIA_AT_ONCE = 25;

const DEPENDENTS: readonly [table: string, condition: string][] = [
  ["likes", "userId = {:id}"],
  ["likes", "commentId IN (SELECT id FROM comments WHERE userId = {:id}) AND commentId != ''"],
  // A comment takes its replies along: without them it is one row.
  [
    "comments",
    `rowid IN (SELECT c.rowid FROM comments p
    JOIN comments c ON c.mediaId = p.mediaId AND c.parentId = p.id
    WHERE p.userId = {:id} LIMIT ${ROWS_AT_ONCE})`,
  ],
  ["comments", "userId = {:id}"],
  ["likes", "mediaId IN (SELECT id FROM media WHERE userId = {:id})"],
  ["comments", "mediaId IN (SELECT id FROM media WHERE userId = {:id})"],
  ["follows", "followerId = {:id}"],
  ["follows", "followingId = {:id}"],
  ["notifications", "userId = {:id}"],
  ["saves", "userId = {:id}"],
];

/** Answers how many rows it deleted. */
function deleteSome(app: CoreApp, table: string, condition: string, id: string): number {
  const result = app
    .nonconcurrentDB()
    .newQuery(
      `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${condition} LIMIT ${ROWS_AT_ONCE})`,
    )
    .bind({ id })
    .execute();
  return Number(result.rowsAffected());
}

/** Deletes each with its files, in its own transaction. */
function deleteSomeMedia(app: CoreApp, id: string): number {
  const media = app.findRecordsByFilter("media", "userId = {:id}", "", MEDIA_AT_ONCE, 0, { id });
  for (const one of media) if (one) app.delete(one);
  return media.length;
}

/**
 * Deletes the rows of an account before the account itself, in steps. A single transaction would
 * block every other writer for as long as it lasts. When a step is interrupted, the account has
 * fewer rows, and the same request deletes the rest. Rows that appear between two steps cascade.
 * Triggers keep the counters and the feed.
 */
function emptyAccount(app: CoreApp, id: string): void {
  for (const [table, condition] of DEPENDENTS) {
    while (deleteSome(app, table, condition, id) === ROWS_AT_ONCE);
  }
  while (deleteSomeMedia(app, id) === MEDIA_AT_ONCE);
}
