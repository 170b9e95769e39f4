/**
 * Accounts as rows: sign-up, profile and password changes, and the switches that admins may set.
 * The record hooks at the end of the list apply whatever wrote the row: app, panel or dashboard.
 */
import { auditOwnAct, changesOf, nextAudited, saveAudit } from "@hooks/admin/audit";
import { hasMetadata, withBytes } from "@hooks/finish/form";
import { productName } from "@hooks/http/page";
import { refusalError, refusalOf, refuse } from "@hooks/http/refusals";
import {
  bodyOf,
  isAdmin,
  isSuperuser,
  keepOnly,
  requestOf,
  textOf,
  userIdOf,
} from "@hooks/http/request";
import {
  emailFault,
  isCommonPassword,
  isReservedName,
  normalEmail,
  signupPasswordFault,
  usernameFault,
} from "@/domain/accounts";
import type { ErrorCode } from "@/domain/error-codes";
import { storedNames } from "@/domain/ids";
import { PASSWORD_MAX, PASSWORD_MIN_CHANGE, SUSPENSION_DAYS_MAX } from "@/domain/limits";
import { judgeProfilePicture } from "@/domain/pictures";
import { exceedsBytes } from "@/domain/texts";
import { parseInstant } from "@/domain/times";
import { accountKey, addressOf, beginAttempt, refuseTooMany, takeOne } from "./limits";
import { askToVerify } from "./mail";
import { ownSession } from "./sessions";

export const peopleHandlers = {
  /** Sign-up. Only the form's own fields come from the client. */
  createUser(e: core.RecordRequestEvent) {
    if (isSuperuser(e)) return e.next();
    const request = requestOf(e);
    const wait = takeOne(e.app, "signupsPer10Min", addressOf(e));
    if (wait > 0) return refuseTooMany(request, wait);
    if (refuseFields(request, signUpFaults(e.app, bodyOf(e)))) return;
    const record = e.record as core.Record;
    keepOnly(record, ["email", "username"]);
    record.setEmail(normalEmail(record.email()));
    record.set("termsAccepted", true);
    record.set("termsAcceptedDate", new DateTime());
    e.next();
    askToVerify(e.app, record);
  },

  /** People change their own profile and password; admins change three switches of anybody. */
  updateUser(e: core.RecordRequestEvent) {
    if (isSuperuser(e)) return e.next();
    const request = requestOf(e);
    const record = e.record as core.Record;
    const isOwn = record.id === userIdOf(e);
    const admin = isAdmin(e);
    if (!isOwn && "password" in bodyOf(e)) return refuse(request, refusalOf("forbidden"));
    keepOnly(record, [
      ...(isOwn ? OWN_FIELDS : []),
      ...(admin ? [...ADMIN_FIELDS, "blockedUntil"] : []),
    ]);
    if (isOwn && refuseFields(request, profileFaults(e, record), PROFILE_TEXTS)) return;
    const switched = [...ADMIN_FIELDS, "blockedUntil"].filter(
      (name) => record.getString(name) !== record.original().getString(name),
    );
    if (!endsRightly(record)) return refuse(request, refusalOf("invalid"));
    const isPassword = "password" in bodyOf(e);
    // Each is limited and audited in its own way, so they do not come together.
    if (isPassword && switched.length > 0) return refuse(request, refusalOf("invalid"));
    if (isPassword) return changePassword(e, record);
    if (switched.length > 0) return switchUser(e, record);
    e.next();
  },

  /**
   * A new password by the link in a mail: as at sign-up, a superuser's as at a change. PocketBase
   * ends all tokens with it.
   */
  confirmReset(e: core.RecordConfirmPasswordResetRequestEvent): void {
    const faultOf = e.record?.isSuperuser() ? changeFault : newPasswordFault;
    const password = faultOf(textOf(bodyOf(e)["password"]));
    if (password !== null && refuseFields(requestOf(e), { password })) return;
    e.next();
    if (e.record) auditOwnAct(requestOf(e), e.record, "password");
  },

  /** Stores every address in lower case. */
  normalizeEmail(e: core.RecordEvent) {
    const record = e.record as core.Record;
    const email = normalEmail(record.email());
    if (email !== record.email()) record.setEmail(email);
    e.next();
  },

  /** A suspension ends all tokens of the account with the same write; lifted, it has no end. */
  endSessionsOfSuspended(e: core.RecordEvent) {
    const record = e.record as core.Record;
    if (!record.getBool("isBlocked")) record.set("blockedUntil", "");
    if (record.getBool("isBlocked") && !record.original().getBool("isBlocked")) {
      record.refreshTokenKey();
    }
    e.next();
  },

  /** Runs every minute: lifts the suspensions whose time is over. */
  liftSuspensions(): void {
    const app = $app as CoreApp;
    const now = new Date().toISOString().replace("T", " ");
    const over = "isBlocked = true && blockedUntil != '' && blockedUntil <= {:now}";
    // Read where they are written: an admin may have decided otherwise meanwhile.
    app.runInTransaction((tx) => {
      for (const user of tx.findRecordsByFilter("users", over, "", LIFTED_AT_ONCE, 0, { now })) {
        if (!user) continue;
        user.set("isBlocked", false);
        const details = changesOf(user);
        tx.save(user);
        saveAudit(tx, "", { action: "users.update", target: user.id, details });
      }
    });
  },

  /** Deletes the unfinished uploads too. Other rows cascade, but chats and reports stay. */
  deleteUser(e: core.RecordEvent) {
    const record = e.record as core.Record;
    if (isLastAdmin(e.app, record.id)) throw refusalError("last_admin");
    const uploads = e.app.findRecordsByFilter("uploads", "owner = {:id}", "", 0, 0, {
      id: record.id,
    });
    for (const upload of uploads) if (upload) e.app.delete(upload);
    e.next();
  },
};

type Faults = Record<string, ErrorCode>;

/** Answers 400 with each fault at its field; the first is also the code of the whole answer. */
function refuseFields(
  e: core.RequestEvent,
  faults: Faults,
  texts: Record<string, string> = {},
): boolean {
  const [first] = Object.values(faults);
  if (first === undefined) return false;
  const data: Record<string, { code: string; message: string }> = {};
  for (const [field, code] of Object.entries(faults)) {
    data[field] = { code, message: texts[code] ?? refusalOf(code).message };
  }
  refuse(e, { ...refusalOf(first, texts[first]), status: 400, data });
  return true;
}

/** Whether nobody can take `username` any more, or anyway not: then it reads as taken. */
const isNameTaken = (app: CoreApp, username: string, ownId = ""): boolean =>
  isReservedName(username, productName(app)) || isTaken(app, "username", username, ownId);

/** Whether another account than `ownId` has `value` in `column`, regardless of case. */
function isTaken(app: CoreApp, column: "email" | "username", value: string, ownId = ""): boolean {
  const other = $dbx.exp(`${column} = {:value} COLLATE NOCASE AND id != {:ownId}`, {
    value,
    ownId,
  });
  return app.countRecords("users", other) > 0;
}

export const isEmailTaken = (app: CoreApp, email: string, ownId: string): boolean =>
  isTaken(app, "email", email, ownId);

/** The list is read at each check: kept, every engine would hold a copy of it. */
function commonFault(password: string): ErrorCode | null {
  const list = toString($os.readFile($filepath.join(__hooks, "dist", "common-passwords.txt")));
  return isCommonPassword(list, password) ? "password_common" : null;
}

const newPasswordFault = (password: string): ErrorCode | null =>
  signupPasswordFault(password) ?? commonFault(password);

function signUpFaults(app: CoreApp, body: Record<string, unknown>): Faults {
  const email = normalEmail(textOf(body["email"]));
  const username = textOf(body["username"]);
  const password = textOf(body["password"]);
  const found: Record<string, ErrorCode | null> = {
    email: emailFault(email) ?? (isTaken(app, "email", email) ? "email_taken" : null),
    username: usernameFault(username) ?? (isNameTaken(app, username) ? "username_taken" : null),
    password: newPasswordFault(password),
    passwordConfirm: body["passwordConfirm"] === password ? null : "password_mismatch",
    termsAccepted: [true, "true", "1"].includes(body["termsAccepted"] as string)
      ? null
      : "terms_required",
  };
  const faults: Faults = {};
  for (const [field, code] of Object.entries(found)) if (code !== null) faults[field] = code;
  return faults;
}

const OWN_FIELDS = ["username", "bio", "profilePicture", "profileThumbnail", "notificationsOff"];
const ADMIN_FIELDS = ["isAdmin", "isBlocked", "chatDisabled"];
const LIFTED_AT_ONCE = 100;

/** A suspension ends in the future, within a year, or never. */
function endsRightly(record: core.Record): boolean {
  const until = record.getString("blockedUntil");
  if (until === record.original().getString("blockedUntil")) return true;
  if (!record.getBool("isBlocked")) return until === "";
  const ms = parseInstant(until) - Date.now();
  return until === "" || (ms > 0 && ms <= SUSPENSION_DAYS_MAX * DAY_MS);
}

const DAY_MS = 86_400_000;

/** The specification has other sentences for these two on the profile page. */
const PROFILE_TEXTS = {
  username_taken: "Dieser Benutzername ist bereits vergeben.",
  password_short: "Password must be at least 6 characters long",
};

function profileFaults(e: core.RecordRequestEvent, record: core.Record): Faults {
  const faults: Faults = {};
  const username = record.getString("username");
  if (username !== record.original().getString("username")) {
    const fault =
      usernameFault(username) ??
      (isNameTaken(e.app, username, record.id) ? "username_taken" : null);
    if (fault !== null) faults["username"] = fault;
  }
  const picture = pictureFault(record, Date.now());
  if (picture !== null) faults[picture.field] = picture.code;
  const password = bodyOf(e)["password"];
  const fault = typeof password === "string" ? changeFault(password) : null;
  if (fault !== null) faults["password"] = fault;
  return faults;
}

function changeFault(password: string): ErrorCode | null {
  if (password.length < PASSWORD_MIN_CHANGE) return "password_short";
  return exceedsBytes(password, PASSWORD_MAX) ? "password_long" : commonFault(password);
}

function switchUser(e: core.RecordRequestEvent, record: core.Record) {
  if (
    isLastAdmin(e.app, record.id) &&
    (!record.getBool("isAdmin") || record.getBool("isBlocked"))
  ) {
    return refuse(requestOf(e), refusalOf("last_admin"));
  }
  const until = record.getString("blockedUntil");
  nextAudited(e, () => ({
    action: "users.update",
    target: record.id,
    details: { ...changesOf(record), ...(until !== "" && { blockedUntil: until }) },
  }));
}

/** Wrong old passwords count as wrong sign-ins, so that nobody can guess with a stolen token. */
function changePassword(e: core.RecordRequestEvent, record: core.Record) {
  const device = ownSession(e, record.id)?.id;
  const attempt = beginAttempt(e.app, addressOf(e), accountKey("users", record.email()), device);
  if (attempt.wait > 0) return refuseTooMany(requestOf(e), attempt.wait);
  e.next();
  attempt.succeed();
  auditOwnAct(requestOf(e), record, "password");
}

/** Whether `id` is the only admin who can still act. */
export function isLastAdmin(app: CoreApp, id: string): boolean {
  const active = "isAdmin = TRUE AND isBlocked = FALSE";
  return (
    app.countRecords("users", $dbx.exp(`${active} AND id = {:id}`, { id })) > 0 &&
    app.countRecords("users", $dbx.exp(`${active} AND id != {:id}`, { id })) === 0
  );
}

const PICTURE_FIELDS = ["profilePicture", "profileThumbnail"] as const;

type PictureField = (typeof PICTURE_FIELDS)[number];

/** Gives a profile picture its stored name, or answers its fault. */
function nameFile(
  file: filesystem.File,
  field: PictureField,
  owner: string,
  time: number,
): ErrorCode | null {
  const judged = withBytes(file, (read) => judgeProfilePicture(read, file.size));
  if ("code" in judged) return judged.code;
  if (hasMetadata(file, judged.detected)) return "metadata";
  const { extension } = judged.detected;
  const names = storedNames(owner, time, extension);
  const thumbnail = names.thumbnail.replace(/jpg$/, extension);
  file.name = field === "profilePicture" ? names.file : thumbnail;
  return null;
}

/** Names the new pictures of `record`, or answers the first fault. `time` in milliseconds. */
function pictureFault(
  record: core.Record,
  time: number,
): { field: PictureField; code: ErrorCode } | null {
  for (const field of PICTURE_FIELDS) {
    for (const file of record.getUnsavedFiles(field)) {
      const code = file ? nameFile(file, field, record.id, time) : null;
      if (code !== null) return { field, code };
    }
  }
  return null;
}
