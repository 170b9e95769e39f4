/**
 * Mail, by PocketBase's own SMTP setting: the link for a new password, the link that confirms an
 * address, the code that an administrator adds to the password, and the notice of a changed
 * password or address. Where no server is set nothing of it is offered.
 *
 * No request waits for the mail server, which may be dead, and a handler that waits holds an
 * engine. What is asked for (link, code) PocketBase sends beside its answer. What the server says
 * on its own lies in `_mails` until the schedule sends it, one run at a time.
 */
import { auditOwnAct } from "@hooks/admin/audit";
import { isGerman, productName } from "@hooks/http/page";
import { answer, refusalOf, refuse } from "@hooks/http/refusals";
import { bodyOf, collectionOfPath, findRecord, requestOf, textOf } from "@hooks/http/request";
import type { Refusal } from "@/domain/error-codes";
import { secondsOf } from "@/domain/times";
import { beginCode, refuseTooMany, takeOne } from "./limits";

export const mailHandlers = {
  /** At start. Before the first migrations there are no settings; the schedule follows. */
  writeMailSettings(e: core.BootstrapEvent): void {
    e.next();
    if (e.app.hasTable("_mails")) applySettings(e.app as CoreApp);
  },

  followMailSettings(e: core.SettingsUpdateRequestEvent): void {
    e.next();
    applySettings(e.app as CoreApp);
  },

  followMailChoice(e: core.RecordEvent): void {
    e.next();
    if (e.record?.id === "app") applySettings(e.app);
  },

  /** `GET /api/account/mail`: whether there is mail, and whether the caller's address counts. */
  mailState(e: core.RequestEvent): void {
    const app = e.app as CoreApp;
    const verified = e.auth?.verified() ?? false;
    answer(e, 200, { mail: isMailSet(app), verified, required: isVerifiedRequired(app) });
  },

  /** Answers as for an unknown address when there is no mail, or too much of it. */
  requestReset(e: core.RecordRequestPasswordResetRequestEvent): void {
    if (mayMail(e.app, "reset", e.record)) e.next();
    else e.noContent(204);
  },

  /** For one's own account alone: nobody fills another's mailbox. */
  requestVerification(e: core.RecordRequestVerificationRequestEvent): void {
    const isOwn = e.auth?.id === e.record?.id;
    if (isOwn && mayMail(e.app, "verify", e.record)) e.next();
    else e.noContent(204);
  },

  /** `POST /api/account/email` asks for the password; PocketBase's own way would not. */
  refuseEmailChange: (e: core.RecordRequestEmailChangeRequestEvent): void =>
    refuse(requestOf(e), refusalOf("forbidden")),

  /** The first of two steps was right: PocketBase's answer with a word of ours. */
  askForCode(e: core.RecordAuthRequestEvent) {
    const { record } = e;
    if (e.authMethod !== "password" || !record || !needsCode(record)) return e.next();
    const step = new Record(e.app.findCollectionByNameOrId("_mfas"));
    step.set("collectionRef", record.collection().id);
    step.set("recordRef", record.id);
    step.set("method", "password");
    e.app.save(step);
    const { status, code, message } = refusalOf("code_required");
    const data = { mfaId: { code: step.id, message } };
    answer(requestOf(e), status, { status, message, data, code, mfaId: step.id });
  },

  /** A code goes only to somebody who just gave the right password; others get an empty answer. */
  requestCode(e: core.RecordCreateOTPRequestEvent) {
    const { record } = e;
    const seconds = e.collection?.mfa.duration ?? 0;
    const steps = record && needsCode(record) ? e.app.findAllMFAsByRecord(record) : [];
    const first = steps.find((step) => step?.method() === "password");
    const age = secondsOf(Date.now()) - (first?.created().unix() ?? 0);
    if (!record || age >= seconds || !mayMail(e.app, "code", record)) {
      const otpId = $security.randomStringWithAlphabet(15, "abcdefghijklmnopqrstuvwxyz0123456789");
      return answer(requestOf(e), 200, { otpId });
    }
    e.next();
  },

  /**
   * `POST /api/collections/{name}/auth-with-otp` `{otpId, password, mfaId}`: PocketBase's, which
   * calls no hook for a wrong code. The code is the second step, never the only one.
   */
  signInWithCode(e: core.RequestEvent) {
    const app = e.app as CoreApp;
    const body = bodyOf(e);
    const code = codeOf(app, collectionOfPath(e), textOf(body["otpId"]));
    const record = code && findRecord(app, code.collectionRef(), code.recordRef());
    const isSecond = textOf(body["mfaId"]) !== "";
    if (!isSecond || !record || !needsCode(record)) return refuse(e, refusalOf("code_wrong"));
    const attempt = beginCode(app, record.id);
    if (attempt.wait > 0) return refuseTooMany(e, attempt.wait);
    if (!code.validatePassword(textOf(body["password"]))) {
      auditOwnAct(e, record, "sign-in-failed");
      return refuse(e, refusalOf("code_wrong"));
    }
    app.delete(code);
    if (!record.verified() && code.sentTo() === record.email()) {
      record.setVerified(true);
      app.save(record);
    }
    $apis.recordAuthResponse(e, record, "otp");
    attempt.succeed();
  },

  /**
   * PocketBase's own way, by other spellings of the collection, comes here with right codes alone,
   * and answers them as wrong ones.
   */
  closeOwnCodeRoute(): void {
    throw new BadRequestError("Invalid or expired OTP");
  },

  /** Queues, with the change itself, what the old address must hear of it. */
  tellOfChange(e: core.RecordEvent): void {
    const record = e.record as core.Record;
    const before = record.original();
    const isMoved = before.email() !== record.email();
    const isNewPassword = digestOf(before) !== digestOf(record);
    e.next();
    if (isMoved) queueMail(e.app, "address", before);
    if (isNewPassword) queueMail(e.app, "password", before);
    if (isMoved && !record.isSuperuser()) askToVerify(e.app, record);
  },

  /** Every minute. A server that hangs holds this run, and the next one begins an hour later. */
  sendMails(): void {
    applySettings($app);
    const now = secondsOf(Date.now());
    let isFree = false;
    $app.store().setFunc(RUNNING, (until: unknown) => {
      isFree = !(Number(until ?? 0) > now);
      return isFree ? now + HUNG_SECONDS : until;
    });
    if (!isFree) return;
    try {
      sendAll($app);
    } finally {
      $app.store().remove(RUNNING);
    }
  },
};

export const isMailSet = (app: CoreApp): boolean => {
  const { enabled, host } = app.settings().smtp;
  return enabled && host !== "";
};

const isChosen = (app: CoreApp, field: "requireVerified" | "adminCodes"): boolean =>
  isMailSet(app) && app.findRecordById("settings", "app").getBool(field);

const isVerifiedRequired = (app: CoreApp): boolean => isChosen(app, "requireVerified");

/** Why the caller may not publish or write yet, where the operator asks for a confirmed address. */
export function unverifiedFault(e: core.RequestEvent): Refusal | null {
  if (e.hasSuperuserAuth() || e.auth?.verified()) return null;
  return isVerifiedRequired(e.app as CoreApp) ? refusalOf("unverified") : null;
}

/** Codes need mail: where it is switched off nobody is asked for one. */
function applySettings(app: CoreApp): void {
  const settings = app.settings();
  // A name stands in the HTML of the mails.
  const name = productName(app).replace(/[<>]/g, "");
  if (settings.meta.appName !== name) {
    settings.meta.appName = name;
    app.save(settings);
  }
  const on = isChosen(app, "adminCodes");
  for (const who of ["users", "_superusers"]) {
    const collection = app.findCollectionByNameOrId(who);
    const isOrdered = who === "users" && orderTemplates(collection, isGerman(app) ? "de" : "en");
    if (collection.mfa.enabled === on && collection.otp.enabled === on && !isOrdered) continue;
    collection.mfa.enabled = on;
    collection.otp.enabled = on;
    app.save(collection);
  }
}

/** A mail in two languages, the second one marked. What an operator has rewritten is left alone. */
const IN_BOTH = /^([\s\S]*)\n<hr>\n<div lang="(de|en)">\n([\s\S]*)\n<\/div>$/;
type MailLanguage = "de" | "en";

/**
 * Mails are in both languages, because nobody knows which one the reader has chosen on his device.
 * The community's comes first. Says whether that has changed anything.
 */
function orderTemplates(users: core.Collection, first: MailLanguage): boolean {
  const { resetPasswordTemplate, verificationTemplate, otp } = users;
  const templates = [resetPasswordTemplate, verificationTemplate, otp.emailTemplate];
  return templates.map((template) => orderTemplate(template, first)).includes(true);
}

function orderTemplate(template: core.EmailTemplate, first: MailLanguage): boolean {
  const [, top = "", second, bottom = ""] = IN_BOTH.exec(template.body) ?? [];
  if (second !== first) return false;
  template.body = inBoth(bottom, top, first === "de" ? "en" : "de");
  template.subject = template.subject.split(" / ").reverse().join(" / ");
  return true;
}

const inBoth = (top: string, bottom: string, language: MailLanguage): string =>
  `${top}\n<hr>\n<div lang="${language}">\n${bottom}\n</div>`;

const needsCode = (record: core.Record): boolean =>
  record.collection().mfa.enabled && (record.isSuperuser() || record.getBool("isAdmin"));

const digestOf = (record: core.Record): string => record.getString("password:hash");

/** The code of this id, where it is one of `accounts` and not too old. */
function codeOf(app: CoreApp, accounts: core.Collection, id: string): core.OTP | null {
  const code = findRecord(app, "_otps", id) && app.findOTPById(id);
  if (!code || code.collectionRef() !== accounts.id) return null;
  return code.hasExpired(accounts.otp.durationTime()) ? null : code;
}

type Kind = "reset" | "code" | "verify" | "address" | "password";

/** Takes one of the mails that an account may get of a kind. */
const mayMail = (app: CoreApp, kind: Kind, record: core.Record | undefined): boolean =>
  record !== undefined &&
  isMailSet(app) &&
  takeOne(app, "mailsPerHour", `${kind} ${record.id}`) === 0;

export function askToVerify(app: CoreApp, record: core.Record): void {
  if (!record.verified()) queueMail(app, "verify", record);
}

function queueMail(app: CoreApp, kind: Kind, record: core.Record): void {
  if (!mayMail(app, kind, record)) return;
  app
    .nonconcurrentDB()
    .newQuery(
      "INSERT INTO _mails (kind, person, name, address) VALUES ({:kind}, {:person}, {:name}, {:address})",
    )
    .bind({
      kind,
      person: record.id,
      name: record.getString("username") || record.email(),
      address: record.email(),
    })
    .execute();
}

const RUNNING = "mails running until";
const HUNG_SECONDS = 3600;
const MAILS_AT_ONCE = 200;
/** One try a minute; the mail server may be away for an hour. */
const MOST_TRIES = 60;

interface QueuedMail {
  n: number;
  kind: string;
  person: string;
  name: string;
  address: string;
}

/** A failure ends the run: the server is away, and the mail in question goes to the end. */
function sendAll(app: CoreApp): void {
  const run = (sql: string, binds = {}) =>
    app.nonconcurrentDB().newQuery(sql).bind(binds).execute();
  const rows = queuedMails(app);
  // Mail was switched off since: without a server PocketBase would use a local program.
  if (rows.length > 0 && !isMailSet(app)) run("DELETE FROM _mails");
  if (!isMailSet(app)) return;
  for (const mail of rows) {
    const { n, kind } = mail;
    try {
      sendOne(app, mail);
    } catch (error) {
      run("UPDATE _mails SET tries = tries + 1 WHERE n = {:n}", { n });
      run(`DELETE FROM _mails WHERE tries >= ${MOST_TRIES}`);
      app.logger().error("A mail was not sent", "kind", kind, "error", String(error));
      return;
    }
    run("DELETE FROM _mails WHERE n = {:n}", { n });
  }
}

function queuedMails(app: CoreApp): QueuedMail[] {
  const empty = { n: 0, kind: "", person: "", name: "", address: "" };
  const rows = arrayOf(new DynamicModel(empty)) as unknown as QueuedMail[];
  const query = `SELECT n, kind, person, name, address FROM _mails ORDER BY tries, n LIMIT ${MAILS_AT_ONCE}`;
  app.db().newQuery(query).all(rows);
  return rows;
}

function sendOne(app: CoreApp, mail: QueuedMail): void {
  if (mail.kind === "verify") {
    const user = findRecord(app, "users", mail.person);
    const isWanted = user?.email() === mail.address && !user.verified();
    if (user && isWanted) $mails.sendRecordVerification(app, user);
    return;
  }
  const { meta } = app.settings();
  const { subject, html } = noticeOf(mail, meta.appName, isGerman(app));
  app.newMailClient().send(
    new MailerMessage({
      from: { address: meta.senderAddress, name: meta.senderName },
      to: [{ address: mail.address }],
      subject,
      html,
    } as unknown as mailer.Message),
  );
}

function noticeOf({ kind, name }: QueuedMail, place: string, germanFirst: boolean) {
  const isPassword = kind === "password";
  const [inEnglish, inGerman] = isPassword
    ? ["the password for your account was changed", "das Passwort Ihres Kontos wurde geändert"]
    : [
        "your account now has a different email address, and this one no longer belongs to it",
        "Ihr Konto hat jetzt eine andere E-Mail-Adresse, und diese gehört nicht mehr dazu",
      ];
  const english = `<p>Hello ${name},</p>
<p>${inEnglish} (${place}).</p>
<p>If this was you, there is nothing you need to do. If not, please write to the people who run ${place} right away.</p>`;
  const german = `<p>Hallo ${name},</p>
<p>${inGerman} (${place}).</p>
<p>Waren Sie es selbst, ist alles gut. Wenn nicht, schreiben Sie bitte gleich denen, die ${place} betreiben.</p>`;
  const subjects = isPassword
    ? [`Your password for ${place} was changed`, "Ihr Passwort wurde geändert"]
    : [`Your address for ${place} was changed`, "Ihre Adresse wurde geändert"];
  return germanFirst
    ? { subject: subjects.reverse().join(" / "), html: inBoth(german, english, "en") }
    : { subject: subjects.join(" / "), html: inBoth(english, german, "de") };
}
