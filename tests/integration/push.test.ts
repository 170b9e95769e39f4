/** Web Push: who may be woken and for what, what an event notes, and the pusher that sends it to a push service. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { inRoot } from "@scripts/checkout.mjs";
import {
  type Answer,
  endWithTests,
  freePort,
  newFolder,
  type PocketBase,
  type SignedIn,
  signUp,
} from "@tests/support/pocketbase";
import { openPushService, type PushService } from "@tests/support/push-service";
import { startScript } from "@tests/support/start-script";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { pairId } from "@/domain/ids";
import { must, type Stage, setStage } from "./rules/stage";

const PUSH_TOKEN = "a-token-for-the-pusher-1";
const GOOGLE = "https://fcm.googleapis.com/fcm/send/";
const ALL = ["messages", "comments", "likes", "follows"];

let service: PushService;
let stage: Stage;
beforeAll(async () => {
  service = await openPushService();
  stage = await setStage({ env: { PUSH_TOKEN, PUSH_SERVICES: service.origin } });
  must(await turn());
  must(await turn({ keys: { publicKey: "a", privateKey: "b" } }));
});
afterAll(async () => {
  await stage.server.stop();
  await service.close();
});
afterEach(() => stage.sql("DELETE FROM _subscriptions"));

interface Device {
  id: string;
  headers: Record<string, string>;
}

async function deviceOf(server: PocketBase, who: SignedIn): Promise<Device> {
  const form = { identity: who.email, password: who.password };
  const path = "/api/collections/users/auth-with-password";
  const { body } = must(await server.api("POST", path, form, { "X-Session": "new" }));
  const { id, secret } = body.meta.session;
  return { id, headers: { Authorization: body.token, "X-Session": `${id}.${secret}` } };
}

const PUSH = "/api/account/push";
let made = 0;
const newEndpoint = (origin = GOOGLE): string => {
  made += 1;
  return `${origin}${made}`;
};

/** A device of theirs that wants to be woken. */
async function subscribed(who: SignedIn, kinds = ALL, endpoint = newEndpoint()): Promise<Device> {
  const device = await deviceOf(stage.server, who);
  must(await stage.server.api("PUT", PUSH, { endpoint, kinds }, device.headers));
  return device;
}

const turn = (body: object = {}): Promise<Answer> =>
  stage.server.api("POST", "/api/push/turn", body, { Authorization: `Bearer ${PUSH_TOKEN}` });

interface Taken {
  session: string;
  endpoint: string;
  n: number;
}

/** The devices that are to be woken, each with how much happened; they are taken by this. */
const taken = async (): Promise<Taken[]> => must(await turn()).body.pushes;
const sessionsTaken = async () => (await taken()).map(({ session }) => session);

test("a device says what it wants to be woken for, and each of a person's devices by itself", async () => {
  const { server } = stage;
  const who = await signUp(server);
  const [one, other] = [await deviceOf(server, who), await deviceOf(server, who)];
  const state = async ({ headers }: Device) =>
    (await server.api("GET", PUSH, undefined, headers)).body;
  expect(await state(one)).toEqual({ publicKey: "a", subscription: null });
  const quiet = { from: "22:00", to: "07:00", zone: "Europe/Berlin" };
  const wanted = { endpoint: newEndpoint(), kinds: ["likes", "messages"], quiet };
  expect((await server.api("PUT", PUSH, wanted, one.headers)).status).toBe(204);
  expect((await state(one)).subscription).toEqual({ kinds: ["messages", "likes"], quiet });
  expect((await state(other)).subscription).toBeNull();
  // The same browser, in which somebody else is signed in now.
  must(await server.api("PUT", PUSH, { ...wanted, kinds: ["follows"] }, other.headers));
  expect((await state(one)).subscription).toBeNull();
  expect((await state(other)).subscription).toEqual({ kinds: ["follows"], quiet });
  expect((await server.api("DELETE", PUSH, {}, other.headers)).status).toBe(204);
  expect((await state(other)).subscription).toBeNull();
});

test("nobody is woken at an address of his choice, for nothing, or without a session", async () => {
  const { server } = stage;
  const who = await signUp(server);
  const { headers } = await deviceOf(server, who);
  const fine = { endpoint: newEndpoint(), kinds: ["messages"] };
  const endpoints = [
    "",
    "https://fcm.googleapis.com",
    "http://fcm.googleapis.com/a",
    "https://evil-fcm.googleapis.com.example/a",
    "https://notfcm.googleapis.com@127.0.0.1/a",
    "https://fcm.googleapis.com:8443/a",
    "https://127.0.0.1/a",
    "http://169.254.169.254/latest",
    "file:///etc/passwd",
    `${service.origin}1/a`,
    `${GOOGLE}a b`,
    `${GOOGLE}${"a".repeat(1024)}`,
  ];
  const quiet = { from: "22:00", to: "07:00", zone: "Europe/Berlin" };
  const bodies = [
    ...endpoints.map((endpoint) => ({ ...fine, endpoint })),
    { ...fine, endpoint: 7 },
    { ...fine, kinds: [] },
    { ...fine, kinds: ["messages", "all"] },
    { ...fine, kinds: Array(9).fill("messages") },
    { ...fine, kinds: "messages" },
    { ...fine, quiet: "at night" },
    { ...fine, quiet: { ...quiet, from: "24:00" } },
    { ...fine, quiet: { ...quiet, to: "22:00" } },
    { ...fine, quiet: { ...quiet, zone: "Europe Berlin" } },
  ];
  for (const body of bodies) {
    const { status } = await server.api("PUT", PUSH, body, headers);
    expect([body, status]).toEqual([body, 400]);
  }
  expect((await server.api("PUT", PUSH, fine)).status).toBe(401);
  expect((await server.api("PUT", PUSH, fine, who.token)).status).toBe(403);
  const elsewhere = { ...headers, Authorization: stage.ann.token };
  expect((await server.api("PUT", PUSH, fine, elsewhere)).status).toBe(403);
  expect(await stage.number("SELECT count(*) FROM _subscriptions")).toBe(0);
});

test("the pusher's turn is for whoever has its token alone", async () => {
  for (const Authorization of ["", "Bearer ", PUSH_TOKEN, `Bearer ${PUSH_TOKEN}x`])
    expect((await stage.server.api("POST", "/api/push/turn", {}, { Authorization })).status).toBe(
      401,
    );
  const { token } = stage.superuser;
  expect((await stage.server.api("POST", "/api/push/turn", {}, token)).status).toBe(401);
});

test("each kind wakes whom it concerns, where he wants it", async () => {
  const { server } = stage;
  const [ann, ben] = [await signUp(server), await signUp(server)];
  const phone = await subscribed(ann);
  const tablet = await subscribed(ann, ["messages"]);
  await subscribed(ben);
  const mine = await stage.media(ann);
  await stage.conversation(ann, ben);
  await stage.message(ben, ann);
  expect((await sessionsTaken()).sort()).toEqual([phone.id, tablet.id].sort());
  await stage.sql("DELETE FROM _pushes");
  const comment = (who: SignedIn) =>
    stage.create("comments", { id: undefined, mediaId: mine, userId: who.id, text: "Oh" }, who);
  must(await comment(ben));
  expect(await sessionsTaken()).toEqual([phone.id]);
  await stage.sql("DELETE FROM _pushes");
  const like = (who: SignedIn) =>
    stage.create("likes", { id: pairId(mine, who.id), mediaId: mine, userId: who.id }, who);
  must(await like(ben));
  expect(await sessionsTaken()).toEqual([phone.id]);
  await stage.sql("DELETE FROM _pushes");
  const follow = { id: pairId(ben.id, ann.id), followerId: ben.id, followingId: ann.id };
  must(await stage.create("follows", follow, ben));
  expect(await sessionsTaken()).toEqual([phone.id]);
  await stage.sql("DELETE FROM _pushes");
  // One's own acts wake nobody.
  must(await comment(ann));
  must(await like(ann));
  expect(await sessionsTaken()).toEqual([]);
});

test("a flood is one push, and what happens while it is sent is another", async () => {
  const { server } = stage;
  const [ann, ben] = [await signUp(server), await signUp(server)];
  const { id, headers } = await subscribed(ann);
  await stage.conversation(ann, ben);
  for (let i = 0; i < 20; i += 1) await stage.message(ben, ann, `No. ${i}`);
  const [push, ...more] = await taken();
  expect([push?.session, push?.n, more]).toEqual([id, 20, []]);
  // It is taken.
  expect(await taken()).toEqual([]);
  await stage.message(ben, ann);
  const outcome = { ...push, outcome: "sent", seconds: 0 };
  const { pushes, next } = must(await turn({ outcomes: [outcome] })).body;
  expect([pushes, next]).toEqual([[], expect.any(Number)]);
  expect(next).toBeGreaterThan(10);
  await stage.sql("UPDATE _pushes SET due = 0");
  expect(await taken()).toEqual([expect.objectContaining({ session: id, n: 21, tries: 0 })]);
  must(await turn({ outcomes: [{ ...outcome, n: 21 }] }));
  expect(await stage.number("SELECT count(*) FROM _pushes")).toBe(0);
  // The next ones wait a moment, so that nobody keeps a phone awake.
  const wait = "SELECT max(due, held) - unixepoch() FROM _pushes";
  const like = async () => {
    const mine = await stage.media(ann);
    must(
      await stage.create("likes", { id: pairId(mine, ben.id), mediaId: mine, userId: ben.id }, ben),
    );
  };
  await like();
  expect(await stage.number(wait)).toBeGreaterThan(600);
  await stage.message(ben, ann);
  expect(await stage.number(wait)).toBeLessThan(21);
  expect(await stage.number(wait)).toBeGreaterThan(10);
  // Another device, or other hours, wait for nothing of it.
  await stage.sql("UPDATE _pushes SET due = 0");
  const [before] = await taken();
  must(await turn({ outcomes: [{ ...before, outcome: "later", seconds: 3600 }] }));
  expect(await stage.number(wait)).toBeGreaterThan(3000);
  must(await server.api("PUT", PUSH, { endpoint: newEndpoint(), kinds: ALL }, headers));
  // What is said of the endpoint before is not about this one.
  const late = must(await turn({ outcomes: [{ ...before, outcome: "gone", seconds: 0 }] })).body;
  expect(late.pushes).toEqual([expect.objectContaining({ session: id, tries: 0 })]);
  expect(await stage.number("SELECT count(*) FROM _subscriptions")).toBe(1);
});

test("whoever is blocked wakes nobody, and neither does what was imported or signed out", async () => {
  const { server } = stage;
  const [ann, ben] = [await signUp(server), await signUp(server)];
  const { headers, id } = await subscribed(ann);
  const block = { id: pairId(ann.id, ben.id), blockerId: ann.id, blockedId: ben.id };
  must(await stage.create("blocks", block, ann));
  const follow = `('${pairId(ben.id, ann.id)}', '${ben.id}', '${ann.id}'`;
  const insert = "INSERT INTO follows (id, followerId, followingId, createdAt, seq) VALUES";
  const now = "strftime('%Y-%m-%d %H:%M:%fZ', 'now')";
  await stage.sql(`${insert} ${follow}, ${now}, 0)`);
  expect(await stage.number("SELECT count(*) FROM _pushes")).toBe(0);
  await stage.sql(`DELETE FROM blocks WHERE id = '${block.id}'`);
  await stage.sql(`DELETE FROM follows WHERE followingId = '${ann.id}'`);
  await stage.sql(`${insert} ${follow}, '2020-01-01 00:00:00.000Z', 0)`);
  expect(await stage.number("SELECT count(*) FROM _pushes")).toBe(0);
  await stage.sql(`DELETE FROM follows WHERE followingId = '${ann.id}'`);
  await stage.sql(`${insert} ${follow}, ${now}, 0)`);
  expect(await stage.number("SELECT count(*) FROM _pushes")).toBe(1);
  // Its session's end takes both.
  expect((await server.api("DELETE", `/api/account/sessions/${id}`, {}, headers)).status).toBe(204);
  expect(await stage.number("SELECT count(*) FROM _subscriptions")).toBe(0);
  expect(await stage.number("SELECT count(*) FROM _pushes")).toBe(0);
});

/** The pusher by itself, beside the stage's server. */
function startPusher(): ChildProcess {
  const env = { ...process.env, PUSH_TOKEN, PORT: String(stage.server.port), HOST: "127.0.0.1" };
  const stdio = ["pipe", "ignore", "inherit"] as const;
  const args = [inRoot("scripts/pusher.mjs"), "--child"];
  return endWithTests(spawn(process.execPath, args, { env, stdio: [...stdio] }));
}

const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => child.once("exit", () => resolve()));

test("the pusher sends each device an empty push, signed once for a push service", async () => {
  await stage.sql("DELETE FROM _push_keys");
  const [ann, ben] = [await signUp(stage.server), await signUp(stage.server)];
  const pusher = startPusher();
  await expect.poll(() => stage.number("SELECT count(*) FROM _push_keys")).toBe(1);
  const at = () => newEndpoint(`${service.origin}/`);
  await Promise.all([subscribed(ann, ALL, at()), subscribed(ann, ALL, at())]);
  await stage.conversation(ann, ben);
  const before = service.pushed.length;
  await stage.message(ben, ann);
  pusher.stdin?.write("\n");
  await service.until(before + 2);
  const [one, other] = service.pushed.slice(before);
  const key = must(await turn()).body.keys.publicKey;
  for (const pushed of [one, other]) {
    expect(pushed).toMatchObject({ body: "", key, claims: { aud: service.origin } });
    expect(pushed?.headers).toMatchObject({ ttl: "86400", urgency: "high", topic: "news" });
    const hours = ((pushed?.claims.exp ?? 0) - Date.now() / 1000) / 3600;
    expect(hours).toBeGreaterThan(12);
    expect(hours).toBeLessThan(24);
  }
  expect(one?.headers.authorization).toBe(other?.headers.authorization);
  await expect.poll(() => stage.number("SELECT count(*) FROM _pushes")).toBe(0);
  // Its input's end is its own.
  const end = ended(pusher);
  pusher.stdin?.end();
  await end;
});

test("a device that is gone is forgotten, a busy service is asked later, and a killed pusher loses nothing", async () => {
  const [ann, ben] = [await signUp(stage.server), await signUp(stage.server)];
  await stage.conversation(ann, ben);
  const gone = await subscribed(ann, ALL, newEndpoint(`${service.origin}/`));
  let pusher = startPusher();
  let count = service.pushed.length;
  const next = () => {
    count += 1;
    return service.until(count);
  };
  service.answerWith((response) => response.writeHead(410).end());
  await stage.message(ben, ann);
  pusher.stdin?.write("\n");
  await next();
  const stillThere = `SELECT count(*) FROM _subscriptions WHERE session = '${gone.id}'`;
  await expect.poll(() => stage.number(stillThere)).toBe(0);

  const busy = await subscribed(ann, ALL, newEndpoint(`${service.origin}/`));
  const row = (column: string) =>
    stage.number(`SELECT ${column} FROM _pushes WHERE session = '${busy.id}'`);
  service.answerWith((response) => response.writeHead(503, { "Retry-After": "1200" }).end());
  await stage.message(ben, ann);
  pusher.stdin?.write("\n");
  await next();
  await expect.poll(() => row("tries")).toBe(1);
  expect(await row("held - unixepoch()")).toBeGreaterThan(1000);

  // It is killed while the service has not answered.
  service.answerWith(() => {});
  await stage.sql("UPDATE _pushes SET held = 0");
  pusher.stdin?.write("\n");
  await next();
  const end = ended(pusher);
  pusher.kill("SIGKILL");
  await end;
  expect(await row("held - unixepoch()")).toBeGreaterThan(0);
  // Its lease is over.
  await stage.sql("UPDATE _pushes SET held = 0");
  service.answerWith((response) => response.writeHead(201).end());
  pusher = startPusher();
  await next();
  await expect.poll(() => stage.number("SELECT count(*) FROM _pushes")).toBe(0);
  pusher.stdin?.end();
  await ended(pusher);
});

test("in quiet hours nobody is woken until they are over", async () => {
  const [ann, ben] = [await signUp(stage.server), await signUp(stage.server)];
  await stage.conversation(ann, ben);
  const { headers, id } = await deviceOf(stage.server, ann);
  const clock = (minutes: number) =>
    new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16);
  const quiet = { from: clock(-60), to: clock(60), zone: "UTC" };
  const wanted = { endpoint: newEndpoint(`${service.origin}/`), kinds: ALL, quiet };
  must(await stage.server.api("PUT", PUSH, wanted, headers));
  await stage.message(ben, ann);
  const before = service.pushed.length;
  const pusher = startPusher();
  const wait = `SELECT held - unixepoch() FROM _pushes WHERE session = '${id}'`;
  await expect.poll(() => stage.number(wait)).toBeGreaterThan(3000);
  expect(await stage.number(`SELECT tries FROM _pushes WHERE session = '${id}'`)).toBe(0);
  expect(service.pushed.length).toBe(before);
  pusher.stdin?.end();
  await ended(pusher);
});

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);

test("npm start keeps a pusher, calls it, and starts another when it has died", async () => {
  const port = await freePort();
  const launcher = startScript("start.mjs", [], {
    DATA_DIR: newFolder(),
    PORT: String(port),
    HOST: "127.0.0.1",
    PUSH_SERVICES: service.origin,
  });
  await launcher.untilPrinted(/is running at/);
  const url = `http://127.0.0.1:${port}`;
  const api: PocketBase["api"] = async (method, path, body, auth = {}) => {
    const headers = new Headers(typeof auth === "string" ? { authorization: auth } : auth);
    headers.set("content-type", "application/json");
    const answer = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text && JSON.parse(text) };
  };
  const server = { url, api } as PocketBase;
  const [ann, ben] = [await signUp(server), await signUp(server)];
  const cleo = await signUp(server);
  const wake = async (who: SignedIn) => {
    const { headers } = await deviceOf(server, who);
    const wanted = { endpoint: newEndpoint(`${service.origin}/`), kinds: ALL };
    // The first pusher makes the keys.
    await expect.poll(async () => (await api("PUT", PUSH, wanted, headers)).status).toBe(204);
  };
  const records = (name: string) => `/api/collections/${name}/records`;
  const write = async (to: SignedIn) => {
    const { token, id } = ben;
    const people = { participants: [to.id, id] };
    const chat = must(await api("POST", records("conversations"), people, token)).body;
    const body = { conversationId: chat.id, senderId: id, message: "Hello" };
    must(await api("POST", records("messages"), body, token));
  };
  await wake(ann);
  await wake(cleo);
  const before = service.pushed.length;
  await write(ann);
  await service.until(before + 1);
  const pushers = () =>
    childrenOf(launcher.child.pid ?? 0).filter((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("pusher.mjs"),
    );
  const [first, ...others] = pushers();
  expect([first, others]).toEqual([expect.any(Number), []]);
  process.kill(Number(first), "SIGKILL");
  await write(cleo);
  const again = /The pusher ended by itself \(SIGKILL\)\. It is started again in 1 s\./;
  await launcher.untilPrinted(again);
  await service.until(before + 2);
  const [second] = pushers();
  expect(second).not.toBe(first);
  launcher.child.kill("SIGTERM");
  expect((await launcher.ended).code).toBe(0);
  expect(existsSync(`/proc/${second}`)).toBe(false);
});
