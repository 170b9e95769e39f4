/** Where an account is signed in: what opens a session, what renews and ends it, and what a device that has one may do. */
import type { Answer, SignedIn } from "@tests/support/pocketbase";
import { signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { must, type Stage, setStage } from "./stage";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.server.stop());

interface Device {
  token: string;
  id: string;
  /** The header that names the session. */
  key: string;
}

type Headers = Record<string, string>;

const ask = (method: string, path: string, headers: Headers, body?: object): Promise<Answer> =>
  stage.server.api(method, path, body, headers);

const SIGN_IN = "/api/collections/users/auth-with-password";
const REFRESH = "/api/collections/users/auth-refresh";
const SESSIONS = "/api/account/sessions";

const signIn = (who: SignedIn, headers: Headers = {}, password = who.password) =>
  ask("POST", SIGN_IN, headers, { identity: who.email, password });

async function device(who: SignedIn, agent = "Firefox/140.0"): Promise<Device> {
  const { body } = must(await signIn(who, { "X-Session": "new", "User-Agent": agent }));
  const { id, secret } = body.meta.session;
  return { token: body.token, id, key: `${id}.${secret}` };
}

const headersOf = ({ token, key }: Device): Headers => ({ Authorization: token, "X-Session": key });
const refresh = (one: Device) => ask("POST", REFRESH, headersOf(one));
const renew = (key: string) => ask("POST", `${SESSIONS}/renew`, { "X-Session": key });
const rowsOf = (who: SignedIn) =>
  stage.number(`SELECT count(*) FROM sessions WHERE userId = '${who.id}'`);

test("a sign-in opens a session for a client that asks for one, and for no other", async () => {
  const who = await signUp(stage.server);
  expect((await signIn(who)).body).not.toHaveProperty("meta");
  expect(await rowsOf(who)).toBe(0);
  const one = await device(who);
  expect(await rowsOf(who)).toBe(1);
  const [, claims = ""] = one.token.split(".");
  const { exp } = JSON.parse(Buffer.from(claims, "base64url").toString());
  expect(exp - Date.now() / 1000).toBeLessThan(86_401);
  const again = must(await refresh(one));
  expect(again.body).not.toHaveProperty("meta");
  expect(must(await signIn(who, { "X-Session": one.key })).body).not.toHaveProperty("meta");
  expect(await rowsOf(who)).toBe(1);
});

test("a token from before sessions gets one when it is refreshed", async () => {
  const who = await signUp(stage.server);
  const { body } = must(
    await ask("POST", REFRESH, { Authorization: who.token, "X-Session": "new" }),
  );
  expect(body.meta.session).toEqual({
    id: expect.stringMatching(/^[a-z0-9]{15}$/),
    secret: expect.stringMatching(/^[A-Za-z0-9]{43}$/),
  });
  expect(body.token).not.toBe("");
});

test("the list names one's own devices and says which one asks", async () => {
  const who = await signUp(stage.server);
  const here = await device(
    who,
    "Mozilla/5.0 (Linux; Android 10; K) Chrome/140.0 Mobile Safari/537",
  );
  const there = await device(who, "<b>".repeat(20_000));
  await device(stage.bob);
  const { body } = must(await ask("GET", SESSIONS, headersOf(here)));
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\d .*Z$/);
  const row = { createdAt: time, lastSeenAt: time };
  expect(body.items).toHaveLength(2);
  expect(body.items).toContainEqual({
    ...row,
    id: here.id,
    device: "Chrome on Android",
    isThis: true,
  });
  expect(body.items).toContainEqual({
    ...row,
    id: there.id,
    device: "Browser",
    isThis: false,
  });
  expect(await ask("GET", SESSIONS, {})).toMatchObject({ status: 401 });
  for (const actor of [undefined, who, stage.bob, stage.admin]) {
    expect((await stage.list("sessions", "", actor)).status).not.toBe(200);
    expect((await stage.view("sessions", here.id, actor)).status).not.toBe(200);
    expect((await stage.remove("sessions", here.id, actor)).status).not.toBe(204);
  }
  expect(JSON.stringify((await stage.view("sessions", here.id, stage.superuser)).body)).toContain(
    "Chrome on Android",
  );
});

test("ending one session ends it alone, and all others renew with their secret", async () => {
  const who = await signUp(stage.server);
  const [here, lost, third] = [await device(who), await device(who), await device(who)];
  const foreign = await device(stage.bob);
  const end = (id: string, by: Device) => ask("DELETE", `${SESSIONS}/${id}`, headersOf(by));
  for (const id of [foreign.id, "nothingofthekin", "x"])
    expect(await end(id, here)).toMatchObject({ status: 404, body: { code: "not_found" } });
  expect(await refresh(lost)).toMatchObject({ status: 200 });
  const fresh = must(await end(lost.id, here));
  for (const one of [here, lost, third]) expect((await refresh(one)).status).toBe(401);
  expect(await renew(lost.key)).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
  const renewed = must(await renew(third.key)).body;
  expect(renewed).not.toHaveProperty("meta");
  for (const token of [fresh.body.token, renewed.token])
    expect((await refresh({ ...here, token })).status).toBe(200);
  expect(await refresh(foreign)).toMatchObject({ status: 200 });
  expect(await rowsOf(who)).toBe(2);
  // One's own: there is nobody to get a fresh token.
  expect(await end(third.id, { ...third, token: renewed.token })).toMatchObject({ status: 204 });
  expect(await renew(third.key)).toMatchObject({ status: 401 });
  expect(await renew(here.key)).toMatchObject({ status: 200 });
});

test("its secret is enough to end a session, also when its token has ended", async () => {
  const who = await signUp(stage.server);
  const [here, other] = [await device(who), await device(who)];
  must(await ask("POST", `${SESSIONS}/end`, headersOf(other)));
  expect((await renew(here.key)).status).toBe(401);
  const third = await device(who);
  must(await ask("DELETE", `${SESSIONS}/${third.id}`, headersOf(third)));
  // The token of `other` ended with `third`.
  expect((await refresh(other)).status).toBe(401);
  const path = `${SESSIONS}/${other.id}`;
  const wrong = { ...other, key: `${other.key.slice(0, -1)}!` };
  expect((await ask("DELETE", path, headersOf(wrong))).status).toBe(401);
  expect((await ask("DELETE", path, headersOf(other))).status).toBe(204);
  expect(await rowsOf(who)).toBe(0);
});

test("the same address once more ends the others too, and spares nobody at the next end", async () => {
  const who = await signUp(stage.server);
  const [here, other] = [await device(who), await device(who)];
  const same = { email: who.email, password: who.password };
  must(await ask("POST", "/api/account/email", headersOf(here), same));
  expect((await renew(other.key)).status).toBe(401);
  expect((await renew(here.key)).status).toBe(200);
  const next = { password: "Pflaumenmus-42", passwordConfirm: "Pflaumenmus-42" };
  must(await stage.update("users", who.id, next, stage.superuser));
  expect((await renew(here.key)).status).toBe(401);
  expect(await rowsOf(who)).toBe(0);
});

test("all others end together", async () => {
  const who = await signUp(stage.server);
  const [here, other] = [await device(who), await device(who)];
  const { body } = must(await ask("POST", `${SESSIONS}/end`, headersOf(here)));
  expect(await refresh({ ...here, token: body.token })).toMatchObject({ status: 200 });
  expect(await refresh(other)).toMatchObject({ status: 401 });
  expect(await renew(other.key)).toMatchObject({ status: 401 });
  expect(await renew(here.key)).toMatchObject({ status: 200 });
});

test.each([
  ["a password", 0],
  ["an address", 1],
  ["a suspension", 0],
  ["the dashboard", 0],
])("%s that changes leaves %i sessions", async (what, left) => {
  const who = await signUp(stage.server);
  const [here, other] = [await device(who), await device(who)];
  const next = { password: "Pflaumenmus-42", passwordConfirm: "Pflaumenmus-42" };
  const mine = `/api/collections/users/records/${who.id}`;
  const acts: Record<string, () => Promise<Answer>> = {
    "a password": () => ask("PATCH", mine, headersOf(here), { oldPassword: who.password, ...next }),
    "an address": () => {
      const body = { email: `new-${who.email}`, password: who.password };
      return ask("POST", "/api/account/email", headersOf(here), body);
    },
    "a suspension": () => stage.update("users", who.id, { isBlocked: true }, stage.admin),
    "the dashboard": () => stage.update("users", who.id, next, stage.superuser),
  };
  must((await acts[what]?.()) as Answer);
  expect((await refresh(here)).status).toBe(401);
  expect((await renew(other.key)).status).toBe(401);
  expect((await renew(here.key)).status).toBe(left === 1 ? 200 : 401);
  expect(await rowsOf(who)).toBe(left);
});

test("a session needs its own secret, and 90 days without use end it", async () => {
  const who = await signUp(stage.server);
  const [one, other] = [await device(who), await device(who)];
  const [, secret = ""] = other.key.split(".");
  const bad = ["", "new", one.id, `${one.id}.`, `${one.id}.${secret}`, `.${secret}`, `${one.key}x`];
  for (const key of [...bad, `${one.key}.x`.repeat(99), `' OR 1=1 --.${secret}`])
    expect(await renew(key), key).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
  const seen = async (id: string, days: number) => {
    const at = new Date(Date.now() - days * 86_400_000).toISOString().replace("T", " ");
    await stage.sql(`UPDATE sessions SET lastSeenAt = '${at}' WHERE id = '${id}'`);
  };
  await seen(one.id, 89);
  await seen(other.id, 91);
  expect(await renew(other.key)).toMatchObject({ status: 401 });
  expect(await renew(one.key)).toMatchObject({ status: 200 });
  const ofToday = `SELECT count(*) FROM sessions WHERE id = '${one.id}' AND lastSeenAt > date('now')`;
  expect(await stage.number(ofToday)).toBe(1);
  must(await ask("POST", "/api/crons/pruneSessions", { Authorization: stage.superuser.token }));
  await expect.poll(() => rowsOf(who)).toBe(1);
});

test("a refresh notes once an hour that a session is used, and tells nobody", async () => {
  const who = await signUp(stage.server);
  const one = await device(who);
  const aged = async (minutes: number) => {
    const at = new Date(Date.now() - minutes * 60_000).toISOString().replace("T", " ");
    await stage.sql(`UPDATE sessions SET lastSeenAt = '${at}' WHERE id = '${one.id}'`);
    const head = await stage.number("SELECT v FROM _seq");
    must(await refresh(one));
    expect(await stage.number("SELECT v FROM _seq")).toBe(head);
    return stage.number(
      `SELECT count(*) FROM sessions WHERE id = '${one.id}' AND lastSeenAt != '${at}'`,
    );
  };
  expect(await aged(50)).toBe(0);
  expect(await aged(70)).toBe(1);
});

test("an account has at most 50 sessions: the one unused for longest goes", async () => {
  const who = await signUp(stage.server);
  const first = await device(who);
  await stage.sql(`INSERT INTO sessions (id, userId, secretHash, device, lastSeenAt, createdAt)
    WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
    SELECT 'sessionnumber' || i, '${who.id}', 'x', '', '2999-01-01 00:00:00.000Z', '' FROM n`);
  const last = await device(who);
  expect(await rowsOf(who)).toBe(50);
  expect((await renew(first.key)).status).toBe(401);
  expect((await renew(last.key)).status).toBe(200);
});

test("a deleted account leaves nothing of its sessions", async () => {
  const who = await signUp(stage.server);
  const one = await device(who);
  await signIn(who, {}, "wrong-Password-1");
  const body = { password: who.password };
  must(await ask("POST", "/api/account/delete", headersOf(one), body));
  expect(await rowsOf(who)).toBe(0);
  for (const table of ["_guesses", "_devices"]) {
    expect(await stage.number(`SELECT count(*) FROM ${table} WHERE userId = '${who.id}'`)).toBe(0);
  }
  expect((await renew(one.key)).status).toBe(401);
});

test("wrong guesses are told once, at the next sign-in of a client that asks", async () => {
  const who = await signUp(stage.server);
  const one = await device(who);
  for (let i = 0; i < 3; i += 1) await signIn(who, {}, "wrong-Password-1");
  // The owner's own device knows of its own.
  await signIn(who, { "X-Session": one.key }, "wrong-Password-1");
  expect(must(await refresh(one)).body).not.toHaveProperty("meta");
  expect(must(await signIn(who)).body).not.toHaveProperty("meta");
  const told = must(await signIn(who, { "X-Session": one.key })).body.meta.wrongGuesses;
  expect(told).toEqual({ count: 3, lastAt: expect.stringMatching(/^\d{4}-\d\d-\d\d .*Z$/) });
  expect(must(await signIn(who, { "X-Session": one.key })).body).not.toHaveProperty("meta");
});

describe("with low limits", () => {
  let before: Stage;
  let anns: Device;
  beforeAll(async () => {
    before = stage;
    const limits = { wrongLoginsPer5MinAccount: 2, wrongLoginsPer5MinIp: 3, signInsPerMinute: 20 };
    stage = await setStage({ limits });
    anns = await device(stage.ann);
  });
  afterAll(async () => {
    await stage.server.stop();
    stage = before;
  });

  test("a stranger's guesses do not lock out a device that is signed in", async () => {
    const who = await signUp(stage.server);
    const one = await device(who);
    const foreign = await device(stage.bob);
    const guess = async (key: string) =>
      (await signIn(who, { "X-Session": key }, "wrong-Password-1")).status;
    expect(await guess("new")).toBe(400);
    expect(await guess(foreign.key)).toBe(400);
    expect(await guess("new")).toBe(429);
    expect((await signIn(stage.bob, {}, "wrong-Password-1")).status).toBe(400);
    for (const owner of [who, stage.bob]) expect((await signIn(owner)).status).toBe(429);
    expect((await signIn(who, { "X-Session": one.key })).status).toBe(200);
    const body = { email: `new-${who.email}`, password: who.password };
    expect((await ask("POST", "/api/account/email", headersOf(one), body)).status).toBe(200);
    who.email = body.email;
    // What is guessed from there has a limit of its own.
    for (const status of [400, 400, 429]) expect(await guess(one.key)).toBe(status);
  });

  test("nor one on which the owner has signed out", async () => {
    await stage.server.restart();
    const who = await signUp(stage.server);
    const one = await device(who);
    const path = `/api/account/sessions/${one.id}`;
    expect((await ask("DELETE", path, headersOf(one))).status).toBe(204);
    for (const status of [400, 400, 429]) {
      const guessed = await signIn(who, { "X-Session": "new" }, "wrong-Password-1");
      expect(guessed.status).toBe(status);
    }
    const wrong = `${one.key.slice(0, -1)}!`;
    expect((await signIn(who, { "X-Session": wrong })).status).toBe(429);
    expect((await signIn(who, { "X-Session": one.key })).status).toBe(200);
    expect((await renew(one.key)).status).toBe(401);
  });

  test("nor do more sessions make more guesses for whoever has a token", async () => {
    await stage.server.restart();
    const who = await signUp(stage.server);
    const { token } = await device(who);
    const guess = async (status: number) => {
      const opened = must(await ask("POST", REFRESH, { Authorization: token, "X-Session": "new" }));
      const { id, secret } = opened.body.meta.session;
      const wrong = { email: `x-${who.email}`, password: "wrong-Password-1" };
      const headers = { Authorization: token, "X-Session": `${id}.${secret}` };
      const answer = await ask("POST", "/api/account/email", headers, wrong);
      expect(answer.status).toBe(status);
    };
    for (const status of [400, 400, 400, 429]) await guess(status);
  });

  test("renewing is limited for each address", async () => {
    let refused = await renew(anns.key);
    for (let i = 0; i < 20 && refused.status === 200; i += 1) refused = await renew(anns.key);
    expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  });
});
