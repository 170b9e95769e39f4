/** What a device notices of the sign-outs of an account's others, and of tokens that end. */
import { createSuperuser, type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { DEVICE_KEY, readStoredSession, SESSION_KEY } from "@/data/account/session-store";
import type { Client } from "@/data/client";
import type { ClientEvent } from "@/data/shapes";
import { createDevice, type Device } from "./device";
import { found, until } from "./live";
import { createNetwork, cut, type Network } from "./network";
import { newPerson, PASSWORD, photo, signUp } from "./people";

let server: PocketBase;
let admin: { token: string };
let network: Network;
let device: Device;
let client: Client;
let me: Awaited<ReturnType<typeof signUp>>;
beforeAll(async () => {
  server = await startPocketBase();
  admin = await createSuperuser(server);
});
afterEach(async () => {
  await client.close();
});
afterAll(async () => {
  await server?.stop();
});

async function begin(): Promise<void> {
  network = createNetwork();
  device = createDevice(server.url, { fetch: network.fetch });
  client = device.start();
  me = await signUp(client);
}

const stored = () =>
  readStoredSession({
    getItem: (key) => device.local.get(key) ?? null,
    setItem: () => {},
    removeItem: () => {},
  });

const ask = (method: string, path: string, headers: Record<string, string>, body?: object) =>
  server.api(method, path, body, headers);

/** The same person on another device. */
async function elsewhere() {
  const words = { identity: me.email, password: PASSWORD };
  const path = "/api/collections/users/auth-with-password";
  const { body } = await ask("POST", path, { "X-Session": "new" }, words);
  const { id, secret } = body.meta.session;
  const headers = { Authorization: body.token, "X-Session": `${id}.${secret}` };
  return {
    end: (session: string) => ask("DELETE", `/api/account/sessions/${session}`, headers),
    endOthers: () => ask("POST", "/api/account/sessions/end", headers),
    list: async () => (await ask("GET", "/api/account/sessions", headers)).body.items,
    /** Ends this very session, and with it every token of the account. */
    leave: () => ask("DELETE", `/api/account/sessions/${id}`, headers),
  };
}

const endTokens = async () => expect((await (await elsewhere()).leave()).status).toBe(204);

const needsLogin = () =>
  until(client.auth.session, (now) => now.state === "signed-in" && now.needsLogin);

/** The app starts again with another token, as after a time in which it was closed. */
async function restartWith(change: (session: Record<string, unknown>) => void): Promise<void> {
  await client.close();
  const session = JSON.parse(device.local.get(SESSION_KEY) ?? "{}");
  change(session);
  device.local.set(SESSION_KEY, JSON.stringify(session));
  client = device.start();
}

/** Like one that ran out: the server no longer takes it. */
const ranOut = (token: unknown) => {
  const claims = Buffer.from(JSON.stringify({ id: me.id, exp: 1 })).toString("base64url");
  const [head, , signature] = String(token).split(".");
  return [head, claims, signature].join(".");
};

test("what waits goes out through tokens that end before each step", async () => {
  await begin();
  const before = stored();
  network.intercept = cut;
  const queued = await client.writes.uploadMedia(photo("Through many tokens"));
  if (!queued.success) throw new Error(queued.error);
  await until(client.connection, (now) => now === "offline");
  let ended = 0;
  const steps: string[] = [];
  network.intercept = ({ method, path }, send) => {
    const step = `${method} ${path.replace(/\/api\/uploads\/.*/, "chunk")}`;
    if (!/uploads|chunk|POST \/api\/media/.test(step) || steps.includes(step)) return null;
    steps.push(step);
    ended += 1;
    return endTokens().then(send);
  };
  await client.outbox.drain();
  await found(client.reads.watchMedia(queued.value.mediaId), (now) => now.pending === null);
  network.intercept = null;
  expect(ended).toBeGreaterThan(1);
  const after = stored();
  expect(after).toMatchObject({ needsLogin: false, session: before?.session });
  expect(after?.token).not.toBe(before?.token);
});

test("a dead token is replaced wherever it is met", async () => {
  await begin();
  await client.sync();
  const signal = new AbortController().signal;
  const asks: [string, () => Promise<unknown>, object][] = [
    ["a list", () => client.sessions.list(), { success: true }],
    ["the storage", () => client.auth.serverStorage(), { success: true }],
    ["a change", () => client.auth.updateEmail("a@b.example", "x"), { error: "wrong_password" }],
    ["an export", () => client.exportData({ signal, onProgress: () => {} }), { success: true }],
    ["the panel", () => client.admin.stats(), { error: "forbidden" }],
    ["a pull", () => client.sync(), { success: true }],
  ];
  for (const [name, send, expected] of asks) {
    const before = stored()?.token;
    network.intercept = cut;
    await endTokens();
    network.intercept = null;
    expect(await send(), name).toMatchObject(expected);
    expect(stored()?.token, name).not.toBe(before);
  }
  expect(client.auth.session.getSnapshot()).toMatchObject({ needsLogin: false });
});

test("a dead token's private lists are refused, and do not look empty", async () => {
  await begin();
  const dead = String(stored()?.token);
  await endTokens();
  for (const name of ["messages", "conversations", "likes", "follows", "blocks", "users"]) {
    const path = `/api/collections/${name}/records`;
    expect(await server.api("GET", path, undefined, dead), name).toMatchObject({
      status: 401,
      body: { code: "unauthenticated" },
    });
  }
  expect(await server.api("GET", "/api/collections/media/records", undefined, dead)).toMatchObject({
    status: 200,
  });
  const read = `/api/conversations/${me.id}_${me.id}/read`;
  expect(await server.api("POST", read, {}, dead)).toMatchObject({ status: 401 });
});

test("a device that was ended keeps everything, and asks for the password", async () => {
  await begin();
  const other = await elsewhere();
  network.intercept = cut;
  const queued = await client.writes.uploadMedia(photo("Kept while ended"));
  if (!queued.success) throw new Error(queued.error);
  expect((await other.end(stored()?.session?.id ?? "")).status).toBe(200);
  network.intercept = null;
  await client.sync();
  await needsLogin();
  await until(client.outbox.watch(), ({ items }) => items.length === 1);
  expect(await client.auth.signIn(me.email, PASSWORD)).toMatchObject({ success: true });
  await found(client.reads.watchMedia(queued.value.mediaId), (now) => now.pending === null);
});

test("this device ends another, and all others, and stays", async () => {
  await begin();
  const [first, second] = [await elsewhere(), await elsewhere()];
  const own = stored()?.session?.id;
  const list = await client.sessions.list();
  if (!list.success) throw new Error(list.error);
  expect(list.value.filter(({ isThis }) => isThis)).toMatchObject([
    { id: own, lastSeen: expect.any(Number) },
  ]);
  const others = list.value.filter(({ isThis }) => !isThis);
  expect(others).toHaveLength(2);
  for (let twice = 0; twice < 2; twice += 1)
    expect(await client.sessions.end(others[0]?.id ?? "")).toMatchObject({ success: true });
  expect(await client.sessions.list()).toMatchObject({ value: { length: 2 } });
  expect(await client.sessions.endOthers()).toMatchObject({ success: true });
  expect(await client.sessions.list()).toMatchObject({ value: [{ id: own, isThis: true }] });
  for (const other of [first, second]) expect((await other.endOthers()).status).toBe(401);
  expect(await client.sync()).toMatchObject({ success: true });
});

test("a device that was off for longer than its token goes on by itself", async () => {
  await begin();
  const session = stored()?.session;
  await restartWith((now) => {
    now["token"] = ranOut(now["token"]);
  });
  expect(await client.sync()).toMatchObject({ success: true });
  expect(stored()).toMatchObject({ needsLogin: false, session });
});

test("a token from before sessions gets a secret by itself", async () => {
  await begin();
  await restartWith((now) => {
    delete now["session"];
  });
  await client.sync();
  await expect.poll(() => stored()?.session).toMatchObject({ id: expect.any(String) });
});

test("signing out ends the session on the server, and does not wait for it", async () => {
  await begin();
  const own = stored()?.session?.id;
  const other = await elsewhere();
  const ids = async () => (await other.list()).map(({ id }: { id: string }) => id);
  expect(await ids()).toContain(own);
  await client.auth.signOut("discard");
  // The end of a session ends the other's token too.
  await expect.poll(async () => (await other.endOthers()).status).toBe(401);
  expect(await client.auth.signIn(me.email, PASSWORD)).toMatchObject({ success: true });
  network.intercept = ({ method }) => (method === "DELETE" ? new Promise(() => {}) : null);
  expect(await client.auth.signOut("discard")).toMatchObject({ success: true });
  expect(client.auth.session.getSnapshot()).toEqual({ state: "signed-out" });
});

test("a sign-out leaves no key that still opens the account", async () => {
  await begin();
  const renew = (key: string) => ask("POST", "/api/account/sessions/renew", { "X-Session": key });
  const { id, secret } = stored()?.session ?? {};
  const key = `${id}.${secret}`;
  network.intercept = cut;
  await client.auth.signOut("discard");
  expect([...device.local.values()].filter((value) => value.includes(String(secret)))).toEqual([]);
  expect((await renew(key)).status).toBe(200);
  network.intercept = null;
  await client.auth.signIn(me.email, PASSWORD);
  const next = stored()?.session;
  await endTokens();
  await client.auth.signOut("discard");
  await expect.poll(() => device.local.get(DEVICE_KEY)).toBe(`${next?.id}.${next?.secret}`);
  expect((await renew(`${next?.id}.${next?.secret}`)).status).toBe(401);
});

test("what a guest was told is not believed of a token that was replaced meanwhile", async () => {
  await begin();
  const upload = await client.writes.uploadMedia(photo("Liked and not"));
  if (!upload.success) throw new Error(upload.error);
  const { mediaId } = upload.value;
  await client.outbox.drain();
  await found(client.reads.watchMedia(mediaId), (now) => now.pending === null);
  await client.writes.setLike(mediaId, true);
  await client.outbox.drain();
  const likes = async () => {
    const path = `/api/collections/likes/records?filter=${encodeURIComponent(`mediaId='${mediaId}'`)}`;
    return (await server.api("GET", path, undefined, admin.token)).body.items.length;
  };
  await expect.poll(likes).toBe(1);
  let renewals = 0;
  let tell = () => {};
  const wasRefused = new Promise<void>((resolve) => {
    tell = resolve;
  });
  // Nothing else learns of the dead token first, and the first renewal is lost.
  network.intercept = ({ method, path }, send) => {
    if (method === "DELETE") return send().finally(tell);
    if (!path.endsWith("/sessions/renew")) return wasRefused.then(send);
    renewals += 1;
    return renewals === 1 ? cut() : null;
  };
  await endTokens();
  await client.writes.setLike(mediaId, false);
  await expect.poll(likes).toBe(0);
  expect(renewals).toBeGreaterThan(1);
});

test("who signs in hears of the wrong guesses, once", async () => {
  await begin();
  await client.auth.signOut("discard");
  const wrong = { identity: me.email, password: "Not-This-1" };
  for (let i = 0; i < 2; i += 1)
    await server.api("POST", "/api/collections/users/auth-with-password", wrong);
  const heard: ClientEvent[] = [];
  client.onEvent((event) => heard.push(event));
  await client.auth.signIn(me.email, PASSWORD);
  await client.auth.signIn(me.email, PASSWORD);
  expect(heard.filter(({ type }) => type === "wrong-guesses")).toEqual([
    { type: "wrong-guesses", count: 2, lastAt: expect.any(Number) },
  ]);
});

test("who has signed out comes in again while a stranger guesses, also after a reload", async () => {
  await begin();
  await client.auth.signOut("discard");
  await expect.poll(() => device.local.has(DEVICE_KEY)).toBe(true);
  const path = "/api/collections/users/auth-with-password";
  const wrong = { identity: me.email, password: "Not-This-1" };
  let status = 400;
  while (status === 400) ({ status } = await server.api("POST", path, wrong));
  expect(status).toBe(429);
  await client.close();
  client = device.start();
  expect(await client.auth.signIn(me.email, PASSWORD)).toMatchObject({ success: true });
  await client.auth.signOut("discard");
  expect(await client.auth.signIn(me.email, PASSWORD)).toMatchObject({ success: true });
});

test("another person who signs in on the device gets a session of their own", async () => {
  await begin();
  const first = stored()?.session;
  const second = newPerson();
  await server.api("POST", "/api/collections/users/records", second);
  await client.auth.signIn(second.email, PASSWORD);
  expect(stored()?.session?.id).toMatch(/^[a-z0-9]{15}$/);
  expect(stored()?.session?.id).not.toBe(first?.id);
});

test("a suspended account's device hears why, and cannot renew", async () => {
  await begin();
  const heard: string[] = [];
  client.onEvent(({ type }) => heard.push(type));
  const key = `${stored()?.session?.id}.${stored()?.session?.secret}`;
  const path = `/api/collections/users/records/${me.id}`;
  await server.api("PATCH", path, { isBlocked: true }, admin.token);
  await client.sync();
  await until(client.auth.session, ({ state }) => state === "signed-out");
  expect(heard).toContain("suspended");
  expect((await ask("POST", "/api/account/sessions/renew", { "X-Session": key })).status).toBe(401);
});
