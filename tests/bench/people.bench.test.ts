/**
 * People on a busy server: counters under 200 concurrent follows, unfollows, blocks and account deletions equal the rows at
 * every sampled moment; and how long other writers wait while a large account is deleted, against the moments before.
 */
import { mediaFixture } from "@tests/support/media-fixtures";
import {
  createSuperuser,
  type PocketBase,
  type SignedIn,
  signUp,
  startPocketBase,
} from "@tests/support/pocketbase";
import { seededRandom } from "@tests/support/seeded-random";
import { sql } from "@tests/support/sql";
import { afterAll, beforeAll, expect, test } from "vitest";

const USERS = 50;
const OPERATIONS = 200;
const DELETIONS = 10;
const ROUNDS = 3;
const MEDIA = 500;
const LIKES = 5000;
const MESSAGES = 2000;
const FANS = 5;
const WRITERS = 4;
/** Of the time before each deletion in which the usual is measured, milliseconds. */
const USUAL_MS = 3000;
const MINUTE = 60_000;

let server: PocketBase;
let operator: SignedIn;

beforeAll(async () => {
  server = await startPocketBase();
  operator = await createSuperuser(server);
  const limits = { signupsPer10Min: 10_000, writesPerMinute: 1_000_000, writesPer10Sec: 1_000_000 };
  await must("PATCH", "/api/collections/settings/records/app", { limits }, operator);
});
afterAll(async () => {
  await server?.stop();
});

async function must(method: string, path: string, body: unknown, who: SignedIn) {
  const answer = await server.api(method, path, body, who.token);
  if (answer.status >= 300)
    throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
const records = (name: string) => `/api/collections/${name}/records`;
const run = (query: string) => sql(server, operator.token, query);
const count = async (query: string) => Number((await run(`SELECT (${query}) AS n`))[0]?.["n"]);

async function people(many: number): Promise<SignedIn[]> {
  const all: SignedIn[] = [];
  for (let i = 0; i < many; i += 10) {
    const some = Array.from({ length: Math.min(10, many - i) }, () => signUp(server));
    all.push(...(await Promise.all(some)));
  }
  return all;
}

/** People whose counters are not their rows; one statement sees one moment. */
const BENT = `SELECT count(*) FROM users u WHERE
  followers != (SELECT count(*) FROM follows WHERE followingId = u.id) OR
  following != (SELECT count(*) FROM follows WHERE followerId = u.id) OR
  mediaCount != (SELECT count(*) FROM media WHERE userId = u.id)`;

test(
  "counters equal their rows at every moment of 200 concurrent changes by 50 people",
  async () => {
    const all = await people(USERS);
    const random = seededRandom(5);
    const pick = () => all[Math.floor(random() * all.length)] as SignedIn;
    const leaving = all.slice(0, DELETIONS);
    const change = (i: number): Promise<{ status: number }> => {
      const [me, other] = [pick(), pick()];
      if (i % (OPERATIONS / DELETIONS) === 0) {
        const who = leaving[i / (OPERATIONS / DELETIONS)] as SignedIn;
        return server.api("POST", "/api/account/delete", { password: who.password }, who.token);
      }
      const follow = { followerId: me.id, followingId: other.id };
      if (i % 4 === 1) {
        const block = { blockerId: me.id, blockedId: other.id };
        return server.api("POST", records("blocks"), block, me.token);
      }
      return i % 4 === 2
        ? server.api("DELETE", `${records("follows")}/${me.id}_${other.id}`, undefined, me.token)
        : server.api("POST", records("follows"), follow, me.token);
    };
    for (let i = 0; i < USERS; i++) {
      const follow = { followerId: all[i]?.id, followingId: all[(i + 1) % USERS]?.id };
      await must("POST", records("follows"), follow, all[i] as SignedIn);
    }
    let running = true;
    const bent: number[] = [];
    const sampler = (async () => {
      while (running) bent.push(await count(BENT));
    })();
    const answers = await Promise.all(Array.from({ length: OPERATIONS }, (_, i) => change(i)));
    running = false;
    await sampler;
    bent.push(await count(BENT));
    const failed = answers.filter(({ status }) => status >= 500).length;
    const done = answers.filter(({ status }) => status < 300).length;
    process.stdout.write(
      `counters: ${OPERATIONS} concurrent changes by ${USERS} people, ${done} took place, ${failed} failed; ${bent.length} samples, ${Math.max(...bent)} people off in the worst (<= 0)\n`,
    );
    expect(failed).toBe(0);
    expect(done).toBeGreaterThan(OPERATIONS / 4);
    expect(bent.length).toBeGreaterThan(3);
    expect(Math.max(...bent)).toBe(0);
    expect(
      await count(
        "SELECT count(*) FROM users WHERE id IN ('" +
          leaving.map(({ id }) => id).join("','") +
          "')",
      ),
    ).toBe(0);
  },
  5 * MINUTE,
);

const DATE = "strftime('%Y-%m-%d %H:%M:%fZ', 'now')";

/** An account as the figure names it: media with their files, likes given and got, messages of a chat. */
async function heavyAccount(round: number, fans: readonly SignedIn[]): Promise<SignedIn> {
  const who = await signUp(server);
  const photo = () => new File([mediaFixture("photo.jpg")], "a.jpg", { type: "image/jpeg" });
  for (let i = 0; i < MEDIA; i += 10) {
    await Promise.all(
      Array.from({ length: 10 }, () => {
        const form = new FormData();
        const fields = { userId: who.id, type: "photo", caption: "One of many", tags: "[]" };
        for (const [name, value] of Object.entries(fields)) form.set(name, value);
        form.set("file", photo());
        form.set("thumbnail", photo());
        return must("POST", records("media"), form, operator);
      }),
    );
  }
  const got = `SELECT m.id || '_' || u.id, m.id, u.id, ${DATE}, 0 FROM media m, users u
    WHERE m.userId = '${who.id}' AND u.id IN ('${fans.map(({ id }) => id).join("','")}')`;
  const given = `SELECT id || '_${who.id}', id, '${who.id}', ${DATE}, 0 FROM media
    WHERE userId = '${fans[0]?.id}' LIMIT ${LIKES - MEDIA * FANS}`;
  for (const rows of [got, given]) {
    await run(`INSERT INTO likes (id, mediaId, userId, createdAt, seq) ${rows}`);
  }
  const chat = await must(
    "POST",
    records("conversations"),
    { participants: [who.id, fans[0]?.id] },
    who,
  );
  await run(`INSERT INTO messages (id, conversationId, senderId, message, type, timestamp, createdAt, updatedAt, seq)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MESSAGES})
    SELECT printf('m${round}%013d', i), '${chat.id}', '${who.id}', 'Message ' || i, 'text', 1790000000 + i, ${DATE}, ${DATE}, 0 FROM n`);
  expect(await count(`SELECT count(*) FROM media WHERE userId = '${who.id}'`)).toBe(MEDIA);
  const likes = `SELECT count(*) FROM likes WHERE userId = '${who.id}' OR mediaId IN (SELECT id FROM media WHERE userId = '${who.id}')`;
  expect(await count(likes)).toBe(LIKES);
  expect(await count(`SELECT count(*) FROM messages WHERE senderId = '${who.id}'`)).toBe(MESSAGES);
  return who;
}

/** Writers that go on until they are stopped; how long each write took, and whether any failed. */
function startWriting(writers: readonly SignedIn[], mediaIds: readonly string[]) {
  const took: { at: number; ms: number }[] = [];
  let failures = 0;
  let running = true;
  const write = async (who: SignedIn, n: number) => {
    for (let i = 0; running; i++) {
      const mediaId = mediaIds[(i * writers.length + n) % mediaIds.length];
      const at = performance.now();
      const body = { mediaId, userId: who.id, text: `Comment ${i}` };
      const { status } = await server.api("POST", records("comments"), body, who.token);
      took.push({ at, ms: performance.now() - at });
      if (status !== 200) failures += 1;
    }
  };
  const all = Promise.all(writers.map(write));
  return {
    took,
    failures: () => failures,
    stop: () => {
      running = false;
      return all;
    },
  };
}

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test(
  "deleting an account with 500 media, 5,000 likes and 2,000 messages holds nobody up for long",
  async () => {
    const [fans, writers] = [await people(FANS), await people(WRITERS)];
    const fan = fans[0] as SignedIn;
    await run(`INSERT INTO media (id, userId, username, caption, tags, type, file, createdAt, updatedAt, seq)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${LIKES - MEDIA * FANS})
      SELECT printf('p%014d', i), '${fan.id}', '', 'Liked', '[]', 'photo', 'a.jpg', ${DATE}, ${DATE}, 0 FROM n`);
    const mediaIds = Array.from({ length: 200 }, (_, i) => `p${String(i + 1).padStart(14, "0")}`);
    const ratios: number[] = [];
    const deletions: number[] = [];
    const worst: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const who = await heavyAccount(round, fans);
      const writing = startWriting(writers, mediaIds);
      await wait(USUAL_MS);
      const from = performance.now();
      const goodbye = { password: who.password };
      const answer = await server.api("POST", "/api/account/delete", goodbye, who.token);
      const until = performance.now();
      await writing.stop();
      expect(answer.status).toBe(204);
      expect(writing.failures()).toBe(0);
      const usual = writing.took.filter(({ at, ms }) => at + ms < from).map(({ ms }) => ms);
      const meanwhile = writing.took
        .filter(({ at, ms }) => at < until && at + ms > from)
        .map(({ ms }) => ms);
      ratios.push(median(meanwhile) / median(usual));
      deletions.push(until - from);
      worst.push(Math.max(...meanwhile));
      for (const left of [
        `SELECT count(*) FROM media WHERE userId = '${who.id}'`,
        `SELECT count(*) FROM likes WHERE userId = '${who.id}'`,
        `SELECT count(*) FROM users WHERE id = '${who.id}'`,
      ]) {
        expect(await count(left)).toBe(0);
      }
      expect(await count(`SELECT count(*) FROM messages WHERE senderId = '${who.id}'`)).toBe(
        MESSAGES,
      );
      expect(await count(BENT)).toBe(0);
    }
    process.stdout.write(
      `deleting an account of ${MEDIA} media, ${LIKES} likes, ${MESSAGES} messages: ${median(deletions).toFixed(0)} ms; other writers' median meanwhile ${median(ratios).toFixed(2)} x the usual (<= 5), the longest wait ${Math.max(...worst).toFixed(0)} ms, none failed\n`,
    );
    expect(median(ratios)).toBeLessThanOrEqual(5);
  },
  10 * MINUTE,
);
