/**
 * What one request costs the server's process, in seconds of CPU, on a place of 100,000 accounts and
 * 1,000,000 media, one of them with 5,000 comments: the dearest that guests and ordinary accounts may
 * send, and refusals. Limits on how many are out of the way.
 */
import { cpuOf } from "@tests/support/cpu";
import { openPlace, type Place } from "@tests/support/large-place";
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import { afterAll, beforeAll, expect, test } from "vitest";

const MEDIA = 1_000_000;
const MOST = 0.15;
const MOST_REFUSED = 0.02;
const ROUNDS = 20;
const LIMITS = [
  "listsPer10Sec",
  "searchesPer10Sec",
  "syncsPer10Sec",
  "listRowsPer10Sec",
  "syncRowsPer10Sec",
  "requestsPer10Sec",
  "pagesPer10Sec",
  "guestWritesPer10Sec",
  "writesPerMinute",
  "writesPer10Sec",
  "signInsPerMinute",
];

const WRONG = "a sign-in with a wrong password";

const MEDIUM = "pic000000500000";
const OWNER = "user00000000042";

let place: Place;
let me: SignedIn;
beforeAll(async () => {
  place = await openPlace(100_000, MEDIA, { searchable: true });
  const { server, superuser } = place;
  me = await signUp(server);
  await sql(
    server,
    superuser,
    `INSERT INTO comments (id, mediaId, userId, username, text, createdAt, updatedAt)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
     SELECT printf('com%012d', i), '${MEDIUM}', printf('user%011d', i), 'person' || i, 'Words ' || i,
       strftime('%Y-%m-%d %H:%M:%S.000Z', 1790000000 + i, 'unixepoch'), '' FROM n`,
  );
  const limits = Object.fromEntries(LIMITS.map((name) => [name, 1_000_000]));
  await send("PATCH", "/api/collections/settings/records/app", { limits }, superuser);
  await server.restart();
}, 1_800_000);
afterAll(() => place?.server.stop());

async function send(method: string, path: string, body?: unknown, token = ""): Promise<number> {
  const { status, body: answer } = await place.server.api(method, path, body, token || undefined);
  if (status >= 500) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
  return status;
}

const list = (name: string, query: Record<string, string | number>) =>
  `/api/collections/${name}/records?${new URLSearchParams(
    Object.entries(query).map(([key, value]) => [key, String(value)]),
  )}`;
const most = { perPage: 500 };
const tests = (length: number) => Array.from({ length }, (_, i) => `caption!='no${i}'`);

const READS: [name: string, path: string][] = [
  ["newest 500 media", list("media", { ...most, sort: "-createdAt,-id" })],
  ["popular 500 media", list("media", { ...most, sort: "-likes,-views,-createdAt,-id" })],
  [
    "popular videos from the 49,500th on",
    list("media", {
      ...most,
      page: 100,
      filter: "type='video'",
      sort: "-likes,-views,-createdAt,-id",
    }),
  ],
  [
    "one person's media by ten conditions",
    list("media", { ...most, filter: [`userId='${OWNER}'`, ...tests(9)].join(" && ") }),
  ],
  [
    "newest 500 media, and what hangs on them, which is left out",
    list("media", { ...most, expand: "comments_via_mediaId.userId" }),
  ],
  [
    "5,000 comments, the last page",
    list("comments", { ...most, page: 10, filter: `mediaId='${MEDIUM}'`, sort: "-createdAt,-id" }),
  ],
  [
    "5,000 comments by their text",
    list("comments", { ...most, filter: `mediaId='${MEDIUM}'`, sort: "-text" }),
  ],
  [
    "5,000 comments that contain",
    list("comments", { ...most, filter: `mediaId='${MEDIUM}' && text~'nothing'` }),
  ],
  ["most followed 500 profiles", list("profiles", { ...most, sort: "-followers,-id" })],
  ["a profile by its name", list("profiles", { filter: "username='person4242'" })],
  [
    "500 media by their ids",
    list("media", {
      ...most,
      filter: Array.from(
        { length: 130 },
        (_, i) => `id='pic${String(i * 7_000 + 1).padStart(12, "0")}'`,
      ).join(" || "),
    }),
  ],
  ["the first page of the feed", "/api/sync"],
  ["the largest page of the feed", "/api/sync?since=0&limit=100000"],
  ["the feed from the middle on", `/api/sync?since=${MEDIA / 2}&limit=100000`],
  ...[
    "caption",
    "moderate length",
    "person4242",
    "zzzzqqq",
    "a",
    "e 1",
    "#none",
    "on4 of 99",
    "caption moderate length person4242 99",
  ].flatMap((words): [string, string][] => [
    [`a search for "${words}"`, `/api/search?q=${encodeURIComponent(words)}&limit=120`],
    [
      `a search for videos, "${words}"`,
      `/api/search?q=${encodeURIComponent(words)}&limit=120&type=video`,
    ],
  ]),
  ["a search for two hundred letters", `/api/search?q=${"ab c".repeat(50)}&limit=120`],
];

const REFUSED: [name: string, path: string][] = [
  [
    "a filter over relations",
    list("media", { filter: "comments_via_mediaId.mediaId.caption~'a'" }),
  ],
  ["an order without an index", list("media", { sort: "caption" })],
  ["a random order", list("media", { sort: "@random" })],
  ["a filter that reads all", list("media", { filter: "caption~'a'" })],
  [
    "one person's media by a hundred conditions",
    list("media", { ...most, filter: [`userId='${OWNER}'`, ...tests(99)].join(" && ") }),
  ],
  ["an unknown address", "/api/nothing"],
  ["sessions, without a token", "/api/account/sessions"],
];

/** Mean of several, the first of which is left out. */
async function cost(ask: (round: number) => Promise<unknown>): Promise<number> {
  await ask(0);
  const spent = await cpuOf(place.server.pid, async () => {
    for (let round = 1; round <= ROUNDS; round += 1) await ask(round);
  });
  return spent / ROUNDS;
}

function judge(name: string, spent: number, limit: number): void {
  process.stdout.write(`${name}: ${(spent * 1_000).toFixed(1)} ms of CPU (<= ${limit * 1_000})\n`);
  expect.soft(spent, name).toBeLessThanOrEqual(limit);
}

test("what may be read", async () => {
  for (const [name, path] of READS) {
    const spent = await cost(async () =>
      expect([name, await send("GET", path)]).toEqual([name, 200]),
    );
    judge(name, spent, MOST);
  }
}, 600_000);

test("what may be read, signed in", async () => {
  for (const [name, path] of READS.filter((_, i) => i % 2 === 0)) {
    const spent = await cost(async () =>
      expect([name, await send("GET", path, undefined, me.token)]).toEqual([name, 200]),
    );
    judge(`${name}, signed in`, spent, MOST);
  }
}, 600_000);

test("what is refused", async () => {
  for (const [name, path] of REFUSED) {
    const spent = await cost(async () =>
      expect(await send("GET", path), name).toBeGreaterThanOrEqual(400),
    );
    judge(name, spent, MOST_REFUSED);
  }
}, 600_000);

test("what may be written", async () => {
  const record = (name: string, body: object) =>
    send("POST", `/api/collections/${name}/records`, body, me.token);
  const medium = (round: number) => `pic${String(round * 1_000).padStart(12, "0")}`;
  const WRITES: Record<string, (round: number) => Promise<number>> = {
    "a comment": (round) =>
      record("comments", {
        mediaId: MEDIUM,
        userId: me.id,
        text: `${"Word ".repeat(190)}${round}`,
      }),
    "a like": (round) => record("likes", { mediaId: medium(round + 1), userId: me.id }),
    "a report": (round) =>
      record("reports", { mediaId: medium(round + 1), userId: me.id, reason: "A reason" }),
    "a follow": (round) =>
      record("follows", {
        followerId: me.id,
        followingId: `user${String(round + 1).padStart(11, "0")}`,
      }),
    "a new name": (round) =>
      send(
        "PATCH",
        `/api/collections/users/records/${me.id}`,
        { username: `name${round}` },
        me.token,
      ),
    "a view": (round) => send("POST", `/api/media/${medium(round + 1)}/view`, {}, me.token),
    [WRONG]: (round) =>
      send("POST", "/api/collections/users/auth-with-password", {
        identity: `no${round}@example.com`,
        password: "Wrong-Password-1",
      }),
  };
  for (const [name, ask] of Object.entries(WRITES)) {
    const spent = await cost(async (round) =>
      expect([name, (await ask(round)) < 300]).toEqual([name, name !== WRONG]),
    );
    judge(name, spent, MOST);
  }
}, 600_000);
