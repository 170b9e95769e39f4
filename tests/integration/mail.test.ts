/** Mail through a real SMTP server: links for passwords and addresses, notices, and what is refused or kept quiet. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type Mailbox, openMailbox, runSchedule, setMail, tokenIn } from "@tests/support/mailbox";
import { mediaFixture } from "@tests/support/media-fixtures";
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { tusCall, upload } from "@tests/support/tus";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { must, type Stage, setStage, signInAgain } from "./rules/stage";

const LIMITS = { signupsPer10Min: 1_000, mailRequestsPer10Min: 1_000 };
let stage: Stage;
let box: Mailbox;
beforeAll(async () => {
  box = await openMailbox();
  stage = await setStage({ limits: LIMITS });
  await setMail(stage.server, stage.superuser, box.port);
});
beforeEach(() => box.mails.splice(0));
afterAll(async () => {
  await stage?.server.stop();
  await box?.close();
});

const ask = (what: string, body: object, who?: SignedIn) =>
  stage.server.api("POST", `/api/collections/users/${what}`, body, who?.token);
const reset = (email: string) => ask("request-password-reset", { email });
const setPassword = (token: string, password: string) =>
  ask("confirm-password-reset", { token, password, passwordConfirm: password });
const schedule = () => runSchedule(stage.server, stage.superuser);
const settings = (change: object) =>
  stage.update("settings", "app", change, stage.superuser).then(must);
const mailState = async (who?: SignedIn) =>
  (await stage.server.api("GET", "/api/account/mail", undefined, who?.token)).body;

/** Somebody whose first mail has come, after all that was queued before; with its token. */
async function newcomer() {
  const who = await signUp(stage.server);
  await schedule();
  return { ...who, verifyToken: tokenIn(await box.arrived(who.email), "/verify") };
}

describe("a forgotten password", () => {
  test("is replaced by the link in the mail, in two languages; all tokens end, and the link with them", async () => {
    const who = await newcomer();
    expect((await reset(who.email.toUpperCase())).status).toBe(204);
    const mail = await box.arrived(who.email);
    expect(mail.subject).toMatch(/new password for Augenblick .*neues Passwort/);
    expect(mail.html).toContain(`${stage.server.url}/reset-password#`);
    expect(mail.html).toMatch(
      new RegExp(`Hello ${who.record.username},[^]*Hallo ${who.record.username},`),
    );
    const token = tokenIn(mail, "/reset-password");
    expect((await setPassword(token, "Neuer-Kuchen-8")).status).toBe(204);
    expect((await ask("auth-refresh", {}, who)).status).toBe(401);
    expect((await setPassword(token, "Neuer-Kuchen-9")).status).toBe(400);
    await signInAgain(stage.server, { ...who, password: "Neuer-Kuchen-8" });
    await schedule();
    expect((await box.arrived(who.email)).subject).toMatch(/password for Augenblick was changed/);
  });

  test("is not replaced by one that sign-up would refuse", async () => {
    const who = await newcomer();
    await reset(who.email);
    const token = tokenIn(await box.arrived(who.email), "/reset-password");
    for (const [password, code] of [
      ["Password1", "password_common"],
      ["abcdefg1", "password_weak"],
      [`Aa1-${"ä".repeat(40)}`, "password_long"],
    ] as const) {
      expect((await setPassword(token, password)).body).toMatchObject({ code, status: 400 });
    }
    await signInAgain(stage.server, who);
    expect((await setPassword(`${token}x`, "Neuer-Kuchen-8")).status).toBe(400);
    expect((await setPassword(who.verifyToken, "Neuer-Kuchen-8")).status).toBe(400);
  });

  test("sends nothing to an address without an account, and says the same", async () => {
    const answers = [await reset("nobody@example.com"), await reset(stage.ann.email)];
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual([
      { status: 204, body: "" },
      { status: 204, body: "" },
    ]);
    await box.arrived(stage.ann.email);
    expect(box.mails).toHaveLength(1);
  });

  test("of admins is in the audit book", async () => {
    await reset(stage.admin.email);
    const token = tokenIn(await box.arrived(stage.admin.email), "/reset-password");
    must(await setPassword(token, stage.admin.password));
    const acts = await stage.number(
      `SELECT count(*) FROM audit WHERE actor = '${stage.admin.id}' AND action = 'admins.password'`,
    );
    expect(acts).toBe(1);
  });

  test("of a superuser is no common one, is in the audit book, and is mailed for a few times an hour at most", async () => {
    const { server, superuser } = stage;
    const call = (what: string, body: object) =>
      server.api("POST", `/api/collections/_superusers/${what}`, body);
    const request = () => call("request-password-reset", { email: superuser.email });
    const confirm = (token: string, password: string) =>
      call("confirm-password-reset", { token, password, passwordConfirm: password });
    const resets = () => box.mails.filter(({ html }) => html.includes("/confirm-password-reset/"));
    await settings({ limits: { ...LIMITS, mailsPerHour: 1 } });
    must(await request());
    const { html } = await box.arrived(superuser.email);
    const token = /confirm-password-reset\/([^"]+)"/.exec(html)?.[1] ?? "none";
    for (const [password, code] of [
      ["Password1", "password_common"],
      [`Aa1-${"ä".repeat(40)}`, "password_long"],
    ] as const) {
      expect((await confirm(token, password)).body).toMatchObject({ code, status: 400 });
    }
    must(await confirm(token, superuser.password));
    const signIn = { identity: superuser.email, password: superuser.password };
    superuser.token = must(await call("auth-with-password", signIn)).body.token;
    const acts = await stage.number(
      `SELECT count(*) FROM audit WHERE actor = 'superuser:${superuser.email}' AND action = 'admins.password'`,
    );
    expect(acts).toBe(1);
    // A reset that was confirmed begins PocketBase's own pause between two mails anew.
    expect((await request()).status).toBe(204);
    await newcomer();
    expect(resets()).toHaveLength(1);
    await settings({ limits: LIMITS });
  });
});

describe("an address", () => {
  test("is confirmed by the link in the first mail, and not twice", async () => {
    const who = await newcomer();
    expect(await mailState(who)).toEqual({ mail: true, verified: false, required: false });
    const confirm = () => ask("confirm-verification", { token: who.verifyToken });
    expect((await confirm()).status).toBe(204);
    expect(await mailState(who)).toMatchObject({ verified: true });
    await ask("request-verification", { email: who.email }, who);
    await newcomer();
    expect(box.mails.filter(({ to }) => to === who.email)).toHaveLength(1);
  });

  test("is asked for again by its owner alone", async () => {
    const [who, other] = [await newcomer(), await newcomer()];
    box.mails.splice(0);
    for (const caller of [undefined, other]) {
      expect((await ask("request-verification", { email: who.email }, caller)).status).toBe(204);
    }
    await ask("request-verification", { email: other.email }, other);
    await box.arrived(other.email);
    expect(box.mails.map(({ to }) => to)).toEqual([other.email]);
  });

  test("that is new must be confirmed, and the old one hears of it", async () => {
    const who = await newcomer();
    must(await ask("confirm-verification", { token: who.verifyToken }));
    const email = `new-${who.email}`;
    const change = { email, password: who.password };
    must(await stage.server.api("POST", "/api/account/email", change, who.token));
    await schedule();
    const notice = await box.arrived(who.email);
    expect(notice.subject).toMatch(/Your address for Augenblick was changed .* Adresse/);
    expect(notice.html).not.toContain(email);
    const now = await signInAgain(stage.server, { ...who, email });
    expect(await mailState(now)).toMatchObject({ verified: false });
    // The link that went to the old address confirms nothing any more.
    expect((await ask("confirm-verification", { token: who.verifyToken })).status).toBe(400);
    const token = tokenIn(await box.arrived(email), "/verify");
    must(await ask("confirm-verification", { token }));
    expect(await mailState(now)).toMatchObject({ verified: true });
  });

  test("changes by our route alone, which asks for the password", async () => {
    const who = await newcomer();
    const answer = await ask("request-email-change", { newEmail: "thief@example.com" }, who);
    expect(answer).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });
});

describe("where a confirmed address is required", () => {
  beforeAll(() => settings({ requireVerified: true }));
  afterAll(() => settings({ requireVerified: false }));

  test("who has none publishes and writes nothing, and everything after", async () => {
    const [who, other] = [await newcomer(), await newcomer()];
    expect(await mailState(who)).toMatchObject({ required: true });
    const mediaId = await stage.media(other);
    const conversationId = await stage.conversation(who, other);
    const comment = () => stage.create("comments", { mediaId, userId: who.id, text: "Hi" }, who);
    const message = () =>
      stage.create("messages", { conversationId, senderId: who.id, message: "Hi" }, who);
    const begin = () =>
      tusCall(stage.server, "POST", "/api/uploads", {
        token: who.token,
        headers: { "upload-length": "5" },
      });
    const refused = { status: 403, body: { code: "unverified" } };
    expect(await comment()).toMatchObject(refused);
    expect(await message()).toMatchObject(refused);
    expect(await begin()).toMatchObject({ status: 403, code: "unverified" });
    must(await ask("confirm-verification", { token: who.verifyToken }));
    must(await comment());
    must(await message());
    expect((await begin()).status).toBe(201);
  });

  test("what was sent before is answered as before, and a like needs nothing", async () => {
    const who = await newcomer();
    const mediaId = await stage.media(stage.ann);
    await settings({ requireVerified: false });
    const row = { id: "beforetherule01", mediaId, userId: who.id, text: "Hi" };
    must(await stage.create("comments", row, who));
    await settings({ requireVerified: true });
    expect((await stage.create("comments", row, who)).body.code).toBe("duplicate");
    const like = { id: `${mediaId}_${who.id}`, mediaId, userId: who.id };
    must(await stage.create("likes", like, who));
  });

  test("an upload that began before is not finished", async () => {
    const who = await newcomer();
    await settings({ requireVerified: false });
    const uploadId = await upload(stage.server, who.token, mediaFixture("photo.jpg"));
    await settings({ requireVerified: true });
    const form = new FormData();
    for (const [name, value] of Object.entries({ id: "finishedtoolate", uploadId })) {
      form.set(name, value);
    }
    const answer = await stage.server.api("POST", "/api/media", form, who.token);
    expect(answer).toMatchObject({ status: 403, body: { code: "unverified" } });
  });

  test("only an operator decides it", async () => {
    const answer = await stage.update("settings", "app", { requireVerified: false }, stage.ann);
    expect(answer.status).toBe(404);
    expect(await mailState()).toMatchObject({ required: true });
  });
});

describe("notices", () => {
  test("go to an account a few times an hour at most", async () => {
    const who = await newcomer();
    await settings({ limits: { ...LIMITS, mailsPerHour: 1 } });
    let now: SignedIn = who;
    for (const password of ["Neuer-Kuchen-8", "Neuer-Kuchen-9"]) {
      const change = { oldPassword: now.password, password, passwordConfirm: password };
      must(await stage.update("users", who.id, change, now));
      now = await signInAgain(stage.server, { ...now, password });
    }
    await settings({ limits: LIMITS });
    await newcomer();
    const notices = box.mails.filter(({ to, subject }) => to === who.email && /Pass/.test(subject));
    expect(notices).toHaveLength(1);
  });

  test("of a superuser's password go to the superuser", async () => {
    const { superuser } = stage;
    const change = { password: "other-secret-2", passwordConfirm: "other-secret-2" };
    must(await stage.update("_superusers", superuser.id, change, superuser));
    const again = { identity: superuser.email, password: "other-secret-2" };
    const where = "/api/collections/_superusers/auth-with-password";
    superuser.token = must(await stage.server.api("POST", where, again)).body.token;
    await schedule();
    expect((await box.arrived(superuser.email)).subject).toMatch(/Your password/);
  });
});

describe("a mail server", () => {
  test("that is dead or refuses fails no change and keeps nobody waiting; what it missed comes later", async () => {
    const broken = await openMailbox({ refuse: true });
    await setMail(stage.server, stage.superuser, broken.port);
    const who = await signUp(stage.server);
    await schedule();
    await broken.close();
    await schedule();
    expect((await reset(who.email)).status).toBe(204);
    await setMail(stage.server, stage.superuser, box.port);
    await schedule();
    // The other mail may have waited long enough to come too.
    let mail = await box.arrived(who.email);
    while (!mail.html.includes("/verify#")) mail = await box.arrived(who.email);
  });

  test("that takes a connection and says nothing holds up no request", async () => {
    const silent = createServer();
    const sockets = new Set<Socket>();
    silent.on("connection", (socket) => sockets.add(socket));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    await setMail(stage.server, stage.superuser, (silent.address() as AddressInfo).port);
    const connected = once(silent, "connection");
    expect((await reset(stage.bob.email)).status).toBe(204);
    await connected;
    const who = await signUp(stage.server);
    expect((await reset(who.email)).status).toBe(204);
    expect(await stage.number("SELECT count(*) FROM _mails")).toBe(1);
    await setMail(stage.server, stage.superuser, box.port);
    for (const socket of sockets) socket.destroy();
    silent.close();
    await schedule();
    await box.arrived(who.email);
  });

  test("that is not set: nothing is offered, nothing is sent, nothing is kept for later", async () => {
    await settings({ requireVerified: true });
    await setMail(stage.server, stage.superuser, null);
    const who = await signUp(stage.server);
    expect(await mailState(who)).toEqual({ mail: false, verified: false, required: false });
    expect((await reset(who.email)).status).toBe(204);
    await stage.media(who);
    expect(await stage.number("SELECT count(*) FROM _mails")).toBe(0);
    await setMail(stage.server, stage.superuser, box.port);
    await settings({ requireVerified: false });
    await newcomer();
    expect(box.mails).toHaveLength(1);
  });
});

test("an address asks for a few mails in ten minutes, whether or not there is an account", async () => {
  await settings({ limits: { ...LIMITS, mailRequestsPer10Min: 2 } });
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push((await reset(`nobody-${i}@example.com`)).status);
  expect(statuses).toEqual([204, 204, 429]);
  expect((await reset(stage.ann.email)).status).toBe(429);
  await settings({ limits: LIMITS });
});

test("mails carry the community's name, without markup", async () => {
  await settings({ productName: "Licht <b>& Co" });
  const who = await signUp(stage.server);
  await schedule();
  const mail = await box.arrived(who.email);
  expect(mail.html).toContain("Licht b& Co");
  await settings({ productName: "" });
});
