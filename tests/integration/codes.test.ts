/** A code by mail as the second step for administrators and superusers, and everything that is no way around it. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { inRoot } from "@scripts/checkout.mjs";
import { type Mailbox, openMailbox, runSchedule, setMail } from "@tests/support/mailbox";
import type { SignedIn } from "@tests/support/pocketbase";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { must, type Stage, setStage } from "./rules/stage";

let stage: Stage;
let box: Mailbox;
beforeAll(async () => {
  box = await openMailbox();
  stage = await setStage();
  await setMail(stage.server, stage.superuser, box.port);
  await askForCodes(true);
});
beforeEach(() => box.mails.splice(0));
afterAll(async () => {
  await stage?.server.stop();
  await box?.close();
});

const askForCodes = async (on: boolean) =>
  must(await stage.update("settings", "app", { adminCodes: on }, stage.superuser));
const call = (what: string, body: object, collection = "users") =>
  stage.server.api("POST", `/api/collections/${collection}/${what}`, body);
const password = (who: SignedIn, collection?: string) =>
  call("auth-with-password", { identity: who.email, password: who.password }, collection);
const request = async (email: string, collection?: string): Promise<string> =>
  must(await call("request-otp", { email }, collection)).body.otpId;
const codeTo = async (who: SignedIn): Promise<string> =>
  /<strong>(\d{8})<\/strong>/.exec((await box.arrived(who.email)).html)?.[1] ?? "none";
const signIn = (body: object, collection?: string) => call("auth-with-otp", body, collection);

const CASES = [
  ["administrators", "users", () => stage.admin],
  ["superusers", "_superusers", () => stage.superuser],
] as const;

test.each(CASES)("%s need the code of their mail beside the password", async (_, where, person) => {
  const who = person();
  const first = await password(who, where);
  expect(first).toMatchObject({ status: 401, body: { code: "code_required", status: 401 } });
  expect(first.body).not.toHaveProperty("token");
  const { mfaId } = first.body;
  const otpId = await request(who.email, where);
  const code = await codeTo(who);
  const wrong = code === "00000000" ? "00000001" : "00000000";
  expect((await signIn({ otpId, password: wrong, mfaId }, where)).status).toBe(400);
  const { body } = must(await signIn({ otpId, password: code, mfaId }, where));
  expect(body.record.id).toBe(who.id);
  const used = await signIn({ otpId, password: code, mfaId }, where);
  expect(used.status).toBe(400);
});

test("the sign-in is in the audit book when it is whole", async () => {
  const count = () =>
    stage.number(
      `SELECT count(*) FROM audit WHERE actor = '${stage.admin.id}' AND action = 'admins.sign-in'`,
    );
  const before = await count();
  const { mfaId } = (await password(stage.admin)).body;
  expect(await count()).toBe(before);
  const otpId = await request(stage.admin.email);
  must(await signIn({ otpId, password: await codeTo(stage.admin), mfaId }));
  expect(await count()).toBe(before + 1);
});

test.each(CASES)("each wrong code of %s is in the audit book", async (_, where, person) => {
  const who = person();
  const actor = where === "users" ? who.id : `superuser:${who.email}`;
  const failed = () =>
    stage.number(
      `SELECT count(*) FROM audit WHERE actor = '${actor}' AND action = 'admins.sign-in-failed'`,
    );
  await stage.server.restart();
  const before = await failed();
  const { mfaId } = (await password(who, where)).body;
  const otpId = await request(who.email, where);
  const right = await codeTo(who);
  const wrong = { otpId, password: right === "00000000" ? "00000001" : "00000000", mfaId };
  const refused = { status: 400, body: { code: "code_wrong" } };
  for (let i = 1; i <= 5; i += 1) {
    expect(await signIn(wrong, where)).toMatchObject(refused);
    expect(await failed()).toBe(before + i);
  }
  expect((await signIn({ ...wrong, password: right }, where)).status).toBe(429);
  expect(await failed()).toBe(before + 5);
  await stage.server.restart();
  must(await signIn({ ...wrong, password: right }, where));
  expect(await failed()).toBe(before + 5);
});

test("another spelling of the collection tells nobody whether a code is right", async () => {
  const { admin } = stage;
  await stage.server.restart();
  const { mfaId } = (await password(admin)).body;
  const otpId = await request(admin.email);
  const code = await codeTo(admin);
  const wrong = code === "00000000" ? "00000001" : "00000000";
  const { rows } = await stage.sql("SELECT id FROM _collections WHERE name = 'users'");
  for (const where of ["USERS", String(rows[0]?.[0])]) {
    const guess = await signIn({ otpId, password: wrong, mfaId }, where);
    const right = await signIn({ otpId, password: code, mfaId }, where);
    expect(guess.status).toBe(400);
    expect([right.status, right.body]).toEqual([guess.status, guess.body]);
  }
  must(await signIn({ otpId, password: code, mfaId }));
});

test("everybody else signs in with the password alone, and with nothing but the password", async () => {
  must(await password(stage.ann));
  const otpId = await request(stage.ann.email);
  expect((await signIn({ otpId, password: "12345678", mfaId: "x" })).status).toBe(400);
  expect(await stage.number("SELECT count(*) FROM _otps")).toBe(0);
});

test("a code alone opens nothing, and neither does the first step of somebody else", async () => {
  const { admin, superuser } = stage;
  // The tries at a code are counted in memory.
  await stage.server.restart();
  const others = (await password(superuser, "_superusers")).body.mfaId;
  must({ ...(await password(admin)), status: 200 });
  for (const second of [{}, { mfaId: "" }, { mfaId: others }]) {
    const otpId = await request(admin.email);
    const answer = await signIn({ otpId, password: await codeTo(admin), ...second });
    expect(answer.status).toBe(400);
    expect(answer.body).not.toHaveProperty("token");
  }
});

test("strangers have no code sent, and cannot tell for whom there would be one", async () => {
  const { admin, ann } = stage;
  // A new password ends the first steps that were made with the old one.
  const next = { password: "Neuer-Kuchen-8", passwordConfirm: "Neuer-Kuchen-8" };
  must(await stage.update("users", admin.id, next, stage.superuser));
  admin.password = next.password;
  const ids = [];
  for (const email of [admin.email, ann.email, "nobody@example.com"])
    ids.push(await request(email));
  for (const id of ids) expect(id).toMatch(/^[a-z0-9]{15}$/);
  expect(await stage.number("SELECT count(*) FROM _otps")).toBe(0);
});

test("a wrong password leads to no first step", async () => {
  const before = await stage.number("SELECT count(*) FROM _mfas");
  const answer = await password({ ...stage.admin, password: "wrong" });
  expect(answer.body).toMatchObject({ code: "wrong_password", status: 400 });
  expect(await stage.number("SELECT count(*) FROM _mfas")).toBe(before);
});

test("an account gets a few codes an hour", async () => {
  must(await stage.update("settings", "app", { limits: { mailsPerHour: 1 } }, stage.superuser));
  must({ ...(await password(stage.admin)), status: 200 });
  await request(stage.admin.email);
  await request(stage.admin.email);
  expect(await stage.number("SELECT count(*) FROM _otps")).toBeLessThan(2);
  must(await stage.update("settings", "app", { limits: {} }, stage.superuser));
});

test("without mail nobody is asked for a code, and again with it", async () => {
  await setMail(stage.server, stage.superuser, null);
  must(await password(stage.admin));
  must(await password(stage.superuser, "_superusers"));
  await setMail(stage.server, stage.superuser, box.port);
  expect((await password(stage.admin)).status).toBe(401);
});

test("the command line switches codes off where mail is broken", async () => {
  expect((await password(stage.admin)).status).toBe(401);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [inRoot("scripts/admin.mjs"), "--no-codes"],
    { env: { ...process.env, DATA_DIR: stage.server.dataDir, PORT: String(stage.server.port) } },
  );
  expect(stdout).toContain("No codes");
  await runSchedule(stage.server, stage.superuser);
  await expect.poll(async () => (await password(stage.admin)).status).toBe(200);
});
