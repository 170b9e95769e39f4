/** How much one person or address may do: the defaults, the operator's own numbers, and the answer beyond them. */
import { type Answer, signUp } from "@tests/support/pocketbase";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { must, type Stage, setStage } from "./stage";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.server.stop());

const ROOMY = { signupsPer10Min: 10_000, writesPerMinute: 100_000, reportsPerHour: 10_000 };
const limit = async (limits: Record<string, number>) =>
  must(await stage.update("settings", "app", { limits: { ...ROOMY, ...limits } }, stage.superuser));
afterEach(() => limit({}));

const signIn = (identity: string, password: string) =>
  stage.server.api("POST", "/api/collections/users/auth-with-password", { identity, password });

const TOO_MANY = { status: 429, body: { status: 429, code: "rate_limited" } };
function expectTooMany(answer: Awaited<ReturnType<typeof signIn>>, atMost: number) {
  expect(answer).toMatchObject(TOO_MANY);
  const seconds = Number(answer.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(atMost);
}

test("forty wrong passwords at once leave exactly as many tries as the account has", async () => {
  await limit({ wrongLoginsPer5MinAccount: 5 });
  const who = await signUp(stage.server);
  const answers = await Promise.all(Array.from({ length: 40 }, () => signIn(who.email, "wrong")));
  expect(answers.filter((one) => one.body.code === "wrong_password")).toHaveLength(5);
  const refused = answers.filter((one) => one.status === 429);
  expect(refused).toHaveLength(35);
  for (const answer of refused) expectTooMany(answer, 300);
  expectTooMany(await signIn(who.email.toUpperCase(), who.password), 300);
  expect((await signIn(stage.bob.email, stage.bob.password)).status).toBe(200);
});

test("right passwords cost nothing, and unknown addresses count like known ones", async () => {
  await limit({ wrongLoginsPer5MinAccount: 3 });
  for (let i = 0; i < 8; i++) {
    expect((await signIn(stage.ann.email, stage.ann.password)).status).toBe(200);
  }
  const unknown = `nobody-${Date.now()}@example.com`;
  const codes: string[] = [];
  for (let i = 0; i < 5; i++) codes.push((await signIn(unknown, "x")).body.code);
  expect(codes).toEqual([...Array(3).fill("unknown_email"), ...Array(2).fill("rate_limited")]);
});

test("wrong passwords for changes of the account count with the wrong sign-ins", async () => {
  await limit({ wrongLoginsPer5MinAccount: 4 });
  const who = await signUp(stage.server);
  const email = { email: "x@example.com", password: "wrong" };
  const change = { oldPassword: "wrong", password: "Other-7777", passwordConfirm: "Other-7777" };
  const codes = [
    (await signIn(who.email, "wrong")).body.code,
    (await stage.server.api("POST", "/api/account/email", email, who.token)).body.code,
    (await stage.server.api("POST", "/api/account/delete", email, who.token)).body.code,
    (await stage.update("users", who.id, change, who)).body.code,
    (await signIn(who.email, who.password)).body.code,
    (await stage.update("users", who.id, change, who)).body.code,
    (await stage.server.api("POST", "/api/account/delete", { password: who.password }, who.token))
      .body.code,
  ];
  expect(codes).toEqual([...Array(4).fill("wrong_password"), ...Array(3).fill("rate_limited")]);
});

test("one address may sign up as often as the operator says", async () => {
  const fresh = await setStage({ limits: { signupsPer10Min: 5 } });
  await signUp(fresh.server);
  await signUp(fresh.server);
  const form = { email: "sixth@example.com", username: "sixth", password: "Kirschkuchen-7" };
  const answer = await fresh.create("users", {
    ...form,
    passwordConfirm: form.password,
    termsAccepted: true,
  });
  await fresh.server.stop();
  expect(answer.status).toBe(429);
});

describe("writes", () => {
  test("of one user end at the limit, of another go on", async () => {
    await limit({ writesPerMinute: 20 });
    const [who, other] = await Promise.all([signUp(stage.server), signUp(stage.server)]);
    const write = (i: number) => stage.update("users", who.id, { bio: `${i}` }, who);
    const answers: Answer[] = [];
    // As many at once as may wait for their turn (abuse/turns.test.ts).
    for (const batch of [0, 1])
      answers.push(
        ...(await Promise.all(Array.from({ length: 15 }, (_, i) => write(15 * batch + i)))),
      );
    expect(answers.filter((one) => one.status === 200)).toHaveLength(20);
    for (const answer of answers.filter((one) => one.status !== 200)) expectTooMany(answer, 60);
    const mediaId = await stage.media(stage.bob);
    expectTooMany(await stage.create("likes", { mediaId, userId: who.id }, who), 60);
    must(await stage.create("likes", { mediaId, userId: other.id }, other));
    // The schedule that tidies up forgets only what is over.
    const tidy = "/api/crons/forgetOldWindows";
    must(await stage.server.api("POST", tidy, {}, stage.superuser.token));
    const again = { mediaId, userId: who.id, text: "Hi" };
    expectTooMany(await stage.create("comments", again, who), 60);
  });

  test("of superusers know no limit", async () => {
    await limit({ writesPerMinute: 1 });
    const id = await stage.media(stage.bob);
    for (let i = 0; i < 5; i++) {
      must(await stage.update("media", id, { alt: `${i}` }, stage.superuser));
    }
  });
});

test("reports end at their own limit", async () => {
  await limit({ reportsPerHour: 2 });
  const who = await signUp(stage.server);
  const answers = [];
  for (let i = 0; i < 3; i++) {
    const body = { mediaId: await stage.media(stage.bob), userId: who.id, reason: "Why" };
    answers.push(await stage.create("reports", body, who));
  }
  const [one, two, three] = answers;
  expect([one?.status, two?.status]).toEqual([200, 200]);
  expectTooMany(three as NonNullable<typeof three>, 3600);
});

describe("the defaults are the documented ones:", () => {
  let fresh: Stage;
  beforeAll(async () => {
    // The limit of all requests would be met before some of these.
    const limits = {
      wrongLoginsPer5MinAccount: 1_000,
      requestsPer10Sec: 10_000,
      writesPer10Sec: 10_000,
    };
    fresh = await setStage({ limits });
  });
  afterAll(() => fresh.server.stop());

  /** How many of `asks` the limit let pass; a few at once, so that none waits long for its turn. */
  async function passed(asks: number, ask: (at: number) => Promise<{ status: number }>) {
    let count = 0;
    for (let at = 0; at < asks; at += 10) {
      const some = Array.from({ length: Math.min(10, asks - at) }, (_, i) => ask(at + i));
      count += (await Promise.all(some)).filter((one) => one.status !== 429).length;
    }
    return count;
  }
  const wrong = (identity: string) =>
    fresh.server.api("POST", "/api/collections/users/auth-with-password", {
      identity,
      password: "x",
    });

  test("40 sign-ups of an address", async () => {
    // Three people are on the stage already.
    expect(3 + (await passed(45, () => fresh.create("users", {})))).toBe(40);
  });

  test("100 wrong sign-ins of an address", async () => {
    expect(await passed(110, (at) => wrong(`no${at}@example.com`))).toBe(100);
  });

  test("600 writes of a user, and a look at one's own medium is the cheapest of them", async () => {
    const { ann } = fresh;
    const mediaId = await fresh.media(ann);
    const look = () => fresh.server.api("POST", `/api/media/${mediaId}/view`, {}, ann.token);
    expect(await passed(620, look)).toBe(600);
    const comment = { mediaId, userId: ann.id, text: "Hi" };
    expectTooMany(await fresh.create("comments", comment, ann), 60);
  });

  test("30 reports of a user", async () => {
    const mediaId = await fresh.media(fresh.bob);
    const report = { mediaId, userId: fresh.admin.id, reason: "Why" };
    expect(await passed(33, () => fresh.create("reports", report, fresh.admin))).toBe(30);
  });

  test("10 wrong sign-ins on an account, where the row names no limits at all", async () => {
    await fresh.server.restart();
    must(await fresh.update("settings", "app", { limits: null }, fresh.superuser));
    expect(await passed(14, () => wrong(fresh.bob.email))).toBe(10);
  });
});
