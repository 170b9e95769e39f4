/** What the dearest requests cost the server that a stranger or an ordinary account can send, and that refusals are cheap. */
import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { must, type Stage, setStage } from "@tests/integration/rules/stage";
import { cpuOf } from "@tests/support/cpu";
import { type Answer, newFolder } from "@tests/support/pocketbase";
import { type Listener, listen } from "@tests/support/sse";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

/** A million bytes that show nothing, and of which each sign must be looked at to know it. */
const UNSEEN = "\u200b".repeat(333_333);
/** Four of these are as long as a body may be. */
const PART = UNSEEN.slice(0, 200_000);

let stage: Stage;
let mediaId: string;
let chat: string;
beforeAll(async () => {
  // With hashes as dear as they are.
  stage = await setStage({ dataDir: newFolder() });
  mediaId = await stage.media(stage.ann);
  chat = await stage.conversation(stage.ann, stage.bob);
});
afterAll(() => stage.server.stop());

const setLimits = async (limits: Record<string, number>) =>
  must(await stage.update("settings", "app", { limits }, stage.superuser));
const RAISED = { signupsPer10Min: 10_000, writesPerMinute: 100_000, signInsPerMinute: 10_000 };
afterEach(() => setLimits(RAISED));

const cpu = (work: () => Promise<unknown>) => cpuOf(stage.server.pid, work);

describe("a million unseen bytes are refused by their length:", () => {
  const form = (values: Record<string, string>): FormData => {
    const made = new FormData();
    for (const [name, value] of Object.entries(values)) made.set(name, value);
    return made;
  };
  const post = (path: string, body: unknown) =>
    stage.server.api("POST", path, body, stage.bob.token);
  const ids = { id: "m00000000000001", uploadId: "u00000000000001" };
  const TEXTS: [what: string, ask: () => Promise<Answer>, code: string][] = [
    [
      "a comment",
      () => stage.create("comments", { mediaId, userId: stage.bob.id, text: UNSEEN }, stage.bob),
      "text_long",
    ],
    [
      "a report",
      () => stage.create("reports", { mediaId, userId: stage.bob.id, reason: UNSEEN }, stage.bob),
      "text_long",
    ],
    [
      "a message",
      () =>
        stage.create(
          "messages",
          { conversationId: chat, senderId: stage.bob.id, message: UNSEEN },
          stage.bob,
        ),
      "text_long",
    ],
    [
      "a photo's words",
      () => post("/api/messages/photo", form({ ...ids, conversationId: chat, message: UNSEEN })),
      "text_long",
    ],
    ["a caption", () => post("/api/media", form({ ...ids, caption: UNSEEN })), "caption_long"],
    ["a description", () => post("/api/media", form({ ...ids, alt: UNSEEN })), "text_long"],
    [
      "tags",
      () => post("/api/media", form({ ...ids, tags: JSON.stringify(Array(300_000).fill("")) })),
      "invalid",
    ],
    [
      "an edited caption",
      () => stage.update("media", mediaId, { caption: UNSEEN }, stage.ann),
      "caption_long",
    ],
    [
      "edited tags",
      () => stage.update("media", mediaId, { tags: Array(300_000).fill("a") }, stage.ann),
      "tags_many",
    ],
    [
      "a new password",
      () =>
        stage.update(
          "users",
          stage.bob.id,
          { password: UNSEEN, passwordConfirm: UNSEEN, oldPassword: "x" },
          stage.bob,
        ),
      "password_long",
    ],
    [
      "a chat's people",
      () => stage.create("conversations", { participants: Array(300_000).fill("a") }, stage.bob),
      "invalid",
    ],
    [
      "a sign-up",
      () =>
        stage.create("users", {
          email: PART,
          username: PART,
          password: PART,
          passwordConfirm: PART,
          termsAccepted: true,
        }),
      "",
    ],
  ];
  test.each(TEXTS)("%s", async (_, ask, code) => {
    let answer: Answer | undefined;
    const cost = await cpu(async () => {
      answer = await ask();
    });
    expect(answer?.status).toBe(400);
    // "" where PocketBase itself refuses.
    expect(answer?.body.code ?? "").toBe(code);
    // Looking at each takes several seconds; reading them in takes a few hundredths.
    expect(cost).toBeLessThan(0.6);
  });

  test("what is searched for", async () => {
    // The address of a request has at most a megabyte.
    const long = "/api/search?q=".padEnd(900_000, "w");
    const cost = await cpu(async () => {
      for (let i = 0; i < 5; i += 1) expect((await stage.server.api("GET", long)).status).toBe(200);
    });
    expect(cost).toBeLessThan(0.6);
  });

  test("an upload's metadata", async () => {
    const headers = {
      "Tus-Resumable": "1.0.0",
      "Upload-Length": "1",
      "Upload-Metadata": Array(100_000).fill("a aaaa").join(","),
      Authorization: stage.bob.token,
    };
    const cost = await cpu(async () => {
      const init = { method: "POST", headers };
      expect((await fetch(`${stage.server.url}/api/uploads`, init)).status).toBe(400);
    });
    expect(cost).toBeLessThan(0.6);
  });
});

describe("one address", () => {
  const signUp = (i: number) =>
    stage.create("users", {
      email: `new${i}@example.com`,
      username: `new.person${i}`,
      password: "Kirschkuchen-7",
      passwordConfirm: "Kirschkuchen-7",
      termsAccepted: true,
    });
  const signIn = (identity: string, password: string, headers = {}) =>
    fetch(`${stage.server.url}/api/collections/users/auth-with-password`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ identity, password }),
    });

  // The windows are in memory, and the stage has signed people in.
  beforeEach(() => stage.server.restart());

  test("signs up so often, and pays for no password beyond that", async () => {
    await setLimits({ ...RAISED, signupsPer10Min: 20 });
    // A form that is refused counts once, like any other.
    expect((await stage.create("users", {})).status).toBe(400);
    for (let i = 1; i < 20; i += 1) must(await signUp(i));
    const cost = await cpu(async () => {
      for (let i = 20; i < 40; i += 1) expect((await signUp(i)).status).toBe(429);
    });
    // Hashing twenty passwords takes more than a second.
    expect(cost).toBeLessThan(0.5);
    expect(await stage.number("SELECT count(*) FROM users WHERE username LIKE 'new.person%'")).toBe(
      19,
    );
  });

  test("signs in so often with the right password too", async () => {
    await setLimits({ ...RAISED, signInsPerMinute: 3 });
    const { email, password } = stage.ann;
    const statuses: number[] = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await signIn(email, password)).status);
    const cost = await cpu(async () => {
      for (let i = 0; i < 20; i += 1) {
        // Nobody trusts this header, so it makes no other address of it.
        const answer = await signIn(email, password, { "x-forwarded-for": `10.0.0.${i}` });
        expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
        statuses.push(answer.status);
      }
    });
    expect(statuses).toEqual([...Array(3).fill(200), ...Array(20).fill(429)]);
    expect(cost).toBeLessThan(0.5);
  });

  test.each([
    ["listsPer10Sec", "/api/collections/media/records"],
    ["syncsPer10Sec", "/api/sync"],
    ["searchesPer10Sec", "/api/search?q=water"],
    ["requestsPer10Sec", "/api/media/m00000000000001/view"],
    ["pagesPer10Sec", "/robots.txt"],
  ])("has its limit %s, before any script runs", async (name, path) => {
    await setLimits({ ...RAISED, [name]: 5 });
    const statuses: number[] = [];
    const cost = await cpu(async () => {
      for (let i = 0; i < 300; i += 1) {
        statuses.push((await stage.server.api("GET", path)).status);
      }
    });
    expect(statuses.slice(5).filter((status) => status === 429).length).toBeGreaterThan(280);
    expect(cost).toBeLessThan(1);
    // Superusers are not counted.
    const kept = await stage.list("media", "", stage.superuser);
    expect(kept.status).toBe(200);
  });

  test("reads for one address one after another, and refuses when many wait", async () => {
    await setLimits({ ...RAISED, searchesPer10Sec: 1_000 });
    const ask = () => fetch(`${stage.server.url}/api/search?q=water`);
    const answers = await Promise.all(Array.from({ length: 300 }, ask));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) expect(headers.get("retry-after")).toBe("1");
    // So many at once may meet no script engine that is free.
    const busy = answers.filter(({ status }) => status === 503);
    for (const { headers } of busy) expect(headers.get("retry-after")).toBe("3");
    expect(answers.filter(({ ok }) => ok).length).toBe(300 - refused.length - busy.length);
    // All turns were given back.
    expect((await ask()).status).toBe(200);
  });

  test("counts thirty views of a medium an hour", async () => {
    const id = await stage.media(stage.ann);
    for (let i = 0; i < 35; i += 1) {
      const path = `/api/media/${id}/view`;
      must(await stage.server.api("POST", path, { session: `visitor-session-${i}` }));
    }
    expect(await stage.row("media", id)).toMatchObject({ views: 30 });
  });
});

describe("a body of thirty megabytes", () => {
  const json = JSON.stringify({ text: "x".repeat(30 * 1024 * 1024) });
  const send = (path: string, token?: string, body: BodyInit = json) =>
    fetch(stage.server.url + path, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...(token && { authorization: token }) },
    });

  test.each([
    "/api/collections/comments/records",
    "/api/collections/users/records",
    "/api/collections/users/auth-with-password",
    "/api/realtime",
    "/api/account/email",
  ])("is refused unread by %s", async (path) => {
    const cost = await cpu(async () => {
      expect((await send(path)).status).toBe(413);
      expect((await send(path, stage.bob.token)).status).toBe(413);
    });
    expect(cost).toBeLessThan(0.2);
  });

  test("is refused where its length is not announced, too", async () => {
    const chunk = new TextEncoder().encode(`"${"x".repeat(1024 * 1024)}",`);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(sent === 0 ? new TextEncoder().encode('{"text":[') : chunk);
        sent += 1;
        if (sent > 30) controller.close();
      },
    });
    const init = { method: "POST", body, duplex: "half" } as RequestInit;
    const headers = { "content-type": "application/json" };
    const path = `${stage.server.url}/api/collections/comments/records`;
    const status = await fetch(path, { ...init, headers }).then(
      (answer) => answer.status,
      () => 413,
    );
    expect([400, 413]).toContain(status);
    expect(await stage.number("SELECT count(*) FROM comments WHERE length(text) > 4000")).toBe(0);
  });

  test("a profile picture of two megabytes is no such body", async () => {
    const form = new FormData();
    form.set("profilePicture", new Blob([new Uint8Array(2 * 1024 * 1024 - 1)]), "a.jpg");
    const answer = await stage.update("users", stage.bob.id, form, stage.bob);
    // It is no picture, which is told by its bytes: they were read.
    expect(answer.status).toBe(400);
  });
});

test("so many writes of a guest are looked at, and no more are parsed", async () => {
  await setLimits({ ...RAISED, guestWritesPer10Sec: 3 });
  const statuses: number[] = [];
  for (let i = 0; i < 6; i += 1) statuses.push((await stage.create("likes", {})).status);
  expect(statuses.slice(3)).toEqual([429, 429, 429]);
  expect((await stage.create("likes", {}, stage.bob)).status).toBe(403);
});

test("so many writes of an address are looked at, whoever sends them", async () => {
  await setLimits({ ...RAISED, writesPer10Sec: 3 });
  const like = (who: typeof stage.bob) => stage.create("likes", {}, who);
  const { bob, ann } = stage;
  const statuses: number[] = [];
  for (const who of [bob, ann, bob, ann, bob]) statuses.push((await like(who)).status);
  expect(statuses).toEqual([403, 403, 403, 429, 429]);
  expect((await stage.remove("likes", "none", bob)).status).toBe(404);
});

test("the limits of PocketBase's limiter survive a restart, and follow the settings", async () => {
  await setLimits({ ...RAISED, listsPer10Sec: 7 });
  const rules = async () => {
    const { body } = await stage.server.api(
      "GET",
      "/api/settings",
      undefined,
      stage.superuser.token,
    );
    return body.rateLimits;
  };
  const lists = { label: "/api/collections/", audience: "", duration: 10, maxRequests: 7 };
  expect(await rules()).toMatchObject({ enabled: true });
  expect((await rules()).rules).toContainEqual(lists);
  await stage.server.restart();
  expect((await rules()).rules).toContainEqual(lists);
  await setLimits(RAISED);
  expect((await rules()).rules).toContainEqual({ ...lists, maxRequests: 120 });
});

test("a stranger's wrong guesses lock nobody out who comes from elsewhere", async () => {
  const settings = { trustedProxy: { headers: ["X-Real-IP"], useLeftmostIP: false } };
  const path = "/api/settings";
  must(await stage.server.api("PATCH", path, settings, stage.superuser.token));
  const signIn = async (address: string, password: string) => {
    const answer = await fetch(`${stage.server.url}/api/collections/users/auth-with-password`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-real-ip": address },
      body: JSON.stringify({ identity: stage.bob.email, password }),
    });
    return answer.status;
  };
  for (let i = 0; i < 10; i += 1) expect(await signIn("203.0.113.9", "wrong-guess")).toBe(400);
  expect(await signIn("203.0.113.9", stage.bob.password)).toBe(429);
  expect(await signIn("198.51.100.7", stage.bob.password)).toBe(200);
  // Of IPv6 the first half is one address.
  for (let i = 0; i < 10; i += 1) expect(await signIn(`2001:db8::${i}`, "wrong-guess")).toBe(400);
  expect(await signIn("2001:db8:0:0:7::1", stage.bob.password)).toBe(429);
  expect(await signIn("2001:db8:0:1::1", stage.bob.password)).toBe(200);
  const none = { trustedProxy: { headers: [], useLeftmostIP: false } };
  must(await stage.server.api("PATCH", path, none, stage.superuser.token));
});

test("what is read is counted for the first half of an IPv6 address, whatever the other", async () => {
  await setLimits({ ...RAISED, listsPer10Sec: 5, searchesPer10Sec: 5, syncsPer10Sec: 5 });
  const proxied = (headers: string[]) =>
    stage.server.api(
      "PATCH",
      "/api/settings",
      { trustedProxy: { headers, useLeftmostIP: false } },
      stage.superuser.token,
    );
  must(await proxied(["X-Real-IP"]));
  for (const path of ["/api/collections/media/records", "/api/search?q=sea", "/api/sync"]) {
    const read = async (address: string) =>
      (await fetch(`${stage.server.url}${path}`, { headers: { "x-real-ip": address } })).status;
    for (let i = 0; i < 5; i += 1) expect(await read(`2001:db8:5::${i}`)).toBe(200);
    expect(await read("2001:db8:5:0:7::1"), path).toBe(429);
    expect(await read("2001:db8:5:1::1"), path).toBe(200);
    expect(await read("203.0.113.77"), path).toBe(200);
  }
  must(await proxied([]));
  await setLimits(RAISED);
});

test("an unknown address and a wrong password take alike long", async () => {
  const cost = (identity: string) =>
    cpu(async () => {
      for (let i = 0; i < 5; i += 1) {
        const path = "/api/collections/users/auth-with-password";
        await stage.server.api("POST", path, { identity, password: "wrong-guess" });
      }
    });
  const [known, unknown] = [await cost(stage.ann.email), await cost("nobody@example.com")];
  expect(unknown).toBeGreaterThan(known / 3);
  expect(unknown).toBeLessThan(known * 3);
});

test("an old password is not guessed beside another change", async () => {
  const { admin } = stage;
  const body = {
    chatDisabled: true,
    password: "Neuer-Kuchen-8",
    passwordConfirm: "Neuer-Kuchen-8",
    oldPassword: "guess",
  };
  expect((await stage.update("users", admin.id, body, admin)).body.code).toBe("invalid");
  expect((await stage.row("users", admin.id))["chatDisabled"]).toBe(false);
});

describe("streams", () => {
  const streams: Listener[] = [];
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
  });
  const open = async (token?: string): Promise<number> => {
    const stream = await listen(stage.server);
    streams.push(stream);
    return (await stream.subscribe(["sync"], token)).status;
  };

  test("are counted by account and by address", async () => {
    await setLimits({ ...RAISED, streamsPerAccount: 2, streamsPerAddress: 4 });
    expect([await open(stage.ann.token), await open(stage.ann.token)]).toEqual([204, 204]);
    expect(await open(stage.ann.token)).toBe(429);
    expect([await open(), await open(stage.bob.token), await open()]).toEqual([204, 204, 429]);
  });

  test.each(["GET", "HEAD"])(
    "by %s are opened so often, whether they listen or not",
    async (method) => {
      await setLimits(RAISED);
      const opened: ClientRequest[] = [];
      const statuses: (number | undefined)[] = [];
      for (let i = 0; i < 500; i += 1) {
        // A connection of its own: this one's answer has no end.
        const to = `${stage.server.url}/api/realtime`;
        const stream = request(to, { method, agent: false }).end();
        opened.push(stream);
        stream.on("error", () => undefined);
        const [answer] = (await once(stream, "response")) as [IncomingMessage];
        answer.on("error", () => undefined);
        statuses.push(answer.statusCode);
      }
      // Fifty streams, four times; a minute may begin anew meanwhile.
      expect(statuses.slice(0, 200)).toEqual(Array(200).fill(200));
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(100);
      expect((await stage.server.api("GET", "/api/sync?since=head")).status).toBe(200);
      must(await stage.list("media", "perPage=1"));
      for (const stream of opened) stream.destroy();
      await setLimits({});
      expect(await open()).toBe(204);
    },
  );

  describe("of a thousand visitors", () => {
    const ADDRESSES = Array.from({ length: 40 }, (_, i) => `203.0.113.${i}`);
    const proxy = (headers: string[]) => {
      const trustedProxy = { headers, useLeftmostIP: false };
      return stage.server.api("PATCH", "/api/settings", { trustedProxy }, stage.superuser.token);
    };
    const pull = (address: string) =>
      fetch(`${stage.server.url}/api/sync?since=head`, { headers: { "x-real-ip": address } });
    beforeEach(async () => {
      await setLimits({ ...RAISED, requestsPer10Sec: 100_000 });
      must(await proxy(["X-Real-IP"]));
    });
    afterEach(async () => must(await proxy([])));
    const write = (i: number) =>
      stage.create("comments", { mediaId, userId: stage.bob.id, text: `Word ${i}` }, stage.bob);
    const visit = (address: string) =>
      Promise.all(
        Array.from({ length: 25 }, async () => {
          const stream = await listen(stage.server, { "x-real-ip": address });
          streams.push(stream);
          expect((await stream.subscribe(["sync"])).status).toBe(204);
        }),
      );

    test("each may pull before each write, and hints cost about what the write costs", async () => {
      const forty = async () => {
        let sum = 0;
        for (let i = 0; i < 40; i += 1) {
          await Promise.all(ADDRESSES.map(pull));
          sum += await cpu(async () => must(await write(i)));
        }
        return sum;
      };
      await forty();
      const alone = await forty();
      for (const address of ADDRESSES) await visit(address);
      expect(streams).toHaveLength(1_000);
      // The schedule may have hinted some while they were few.
      const before = streams.map(({ heard }) => heard.length);
      const among = await forty();
      // What pulls hinted may still be on its way. All thousand at each write cost five times as much.
      expect(among).toBeLessThan(alone * 3 + 0.2);
      // So many are asked to come one by another.
      const since = streams.flatMap(({ heard }, i) => heard.slice(before[i]));
      const told = since.map(({ data }) => JSON.parse(data).within);
      expect(told.length).toBeGreaterThan(0);
      expect(new Set(told)).toEqual(new Set([10]));
    });

    test("all are told of a change when those pull that were told first", async () => {
      for (const address of ADDRESSES.slice(0, 8)) await visit(address);
      must(await write(0));
      const told = () => streams.filter(({ heard }) => heard.length > 0).length;
      await expect.poll(told).toBeGreaterThanOrEqual(10);
      expect(told()).toBeLessThan(100);
      for (const address of ADDRESSES.slice(0, 20)) await pull(address);
      await Promise.all(streams.map((stream) => stream.hears(1)));
    });
  });
});

test("the rows of lists are counted", async () => {
  await stage.server.restart();
  const { items } = must(await stage.list("media", "perPage=500")).body;
  await setLimits({ ...RAISED, listRowsPer10Sec: items.length * 3 });
  const answers: Answer[] = [];
  for (let i = 0; i < 4; i += 1) answers.push(await stage.list("media", "perPage=500"));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 429]);
  expect(answers[3]?.headers.get("retry-after")).toMatch(/^\d+$/);
  const one = `/api/collections/media/records/${mediaId}`;
  expect((await stage.server.api("GET", one)).status).toBe(200);
});

test("the rows of the feed are counted, and not its empty pages", async () => {
  const pages = async (path: string, n: number) => {
    const statuses: number[] = [];
    for (let i = 0; i < n; i += 1) statuses.push((await stage.server.api("GET", path)).status);
    return statuses;
  };
  await stage.server.restart();
  const { body } = must(await stage.server.api("GET", "/api/sync"));
  const rows = (Object.values(body.changes) as { documents: unknown[]; deleted: unknown[] }[])
    .map(({ documents, deleted }) => documents.length + deleted.length)
    .reduce((sum, n) => sum + n, 0);
  await setLimits({ ...RAISED, syncRowsPer10Sec: rows * 3 });
  expect(await pages("/api/sync", 4)).toEqual([200, 200, 429, 429]);
  const head = (await stage.server.api("GET", "/api/sync?since=head")).body.checkpoint;
  expect(await pages(`/api/sync?since=${head}`, 3)).toEqual([200, 200, 200]);
});
