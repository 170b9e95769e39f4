/** The feed for a device that names the media it holds: what it leaves out, and what never. */

import { cpuOf } from "@tests/support/cpu";
import {
  createSuperuser,
  type PocketBase,
  RATES,
  type SignedIn,
  signUp,
  startPocketBase,
} from "@tests/support/pocketbase";
import { seedMedia } from "@tests/support/seed-media";
import { seededRandom } from "@tests/support/seeded-random";
import { sql } from "@tests/support/sql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MARKS_MAX, markOf } from "@/domain/feed-window";
import { pairId } from "@/domain/ids";

interface Row {
  id: string;
  userId: string;
  createdAt: string;
  likes: number;
  seq: number;
}

let server: PocketBase;
let superuser: SignedIn;
let ann: SignedIn;
let bob: SignedIn;

const HOUR = 3_600_000;
/** Made `n` hours ago; every tenth is Ann's. */
const idOf = (n: number): string => `old${String(n).padStart(12, "0")}`;
const OLD = Array.from({ length: 60 }, (_, at) => at + 1);

beforeAll(async () => {
  server = await startPocketBase();
  superuser = await createSuperuser(server);
  [ann, bob] = [await signUp(server), await signUp(server)];
  const limits = { ...RATES, writesPerMinute: 1_000_000 };
  await server.api("PATCH", "/api/collections/settings/records/app", { limits }, superuser.token);
  const seeds = (isAnns: boolean) =>
    OLD.filter((n) => (n % 10 === 0) === isAnns).map((n) => ({ id: idOf(n), caption: "", age: n }));
  await seedMedia(server, superuser.token, ann.id, seeds(true));
  await seedMedia(server, superuser.token, bob.id, seeds(false));
});
afterAll(() => server?.stop());

const run = (query: string) => sql(server, superuser.token, query);
const sync = (query: string, who?: SignedIn) =>
  server.api("GET", `/api/sync?${query}`, undefined, who?.token);
const head = async (): Promise<number> => (await sync("since=head")).body.checkpoint;
const named = (from: number, marks = ""): string => `mediaFrom=${from}&mediaMarks=${marks}`;
/** Between the 20 newest of the old media and the others. */
const at = (hours: number): number => Date.now() - hours * HOUR - HOUR / 2;

const likeOf = (who: SignedIn, mediaId: string) => ({
  id: pairId(mediaId, who.id),
  mediaId,
  userId: who.id,
});
async function like(who: SignedIn, mediaId: string): Promise<void> {
  const path = "/api/collections/likes/records";
  const { status } = await server.api("POST", path, likeOf(who, mediaId), who.token);
  if (status !== 200) throw new Error(`a like: ${status}`);
}
/** Answers its id. */
async function comment(who: SignedIn, mediaId: string): Promise<string> {
  const row = { mediaId, userId: who.id, text: "A word" };
  const path = "/api/collections/comments/records";
  const { status, body } = await server.api("POST", path, row, who.token);
  if (status !== 200) throw new Error(`a comment: ${status}`);
  return body.id;
}
/** On which media the comments of a page are. */
async function commentedOf(query: string, who?: SignedIn): Promise<string[]> {
  const { body } = await sync(query, who);
  const documents: { mediaId: string }[] = body.changes.comments?.documents ?? [];
  return documents.map(({ mediaId }) => mediaId).sort();
}
/** Gives media new numbers, as announced views do. */
const touch = (...numbers: number[]) =>
  run(`UPDATE media SET seq = 0 WHERE id IN (${numbers.map((n) => `'${idOf(n)}'`).join(", ")})`);

async function mediaOf(query: string, who?: SignedIn): Promise<string[]> {
  const { status, body } = await sync(query, who);
  expect([status, body.more]).toEqual([200, false]);
  return (body.changes.media?.documents ?? []).map(({ id }: Row) => id).sort();
}

describe("a window", () => {
  test("leaves out what is older and not marked, and the checkpoint goes on past it", async () => {
    const since = await head();
    await touch(5, 25, 26, 30, 40);
    const window = named(at(20), markOf(idOf(26)));
    expect(await mediaOf(`since=${since}&${window}`, bob)).toEqual([5, 25, 26].map(idOf));
    expect(await mediaOf(`since=${since}&${window}`, ann)).toEqual([5, 26, 30, 40].map(idOf));
    expect(await mediaOf(`since=${since}&${window}`)).toEqual([5, 26].map(idOf));
    expect(await mediaOf(`since=${since}`)).toEqual([5, 25, 26, 30, 40].map(idOf));
    const { body } = await sync(`since=${since}&${named(Date.now())}`);
    expect([body.checkpoint, body.more, body.changes]).toEqual([await head(), false, {}]);
  });

  test("is no wider or narrower by a millisecond", async () => {
    const [{ createdAt } = { createdAt: "" }] = (await run(
      `SELECT createdAt FROM media WHERE id = '${idOf(8)}'`,
    )) as { createdAt: string }[];
    const exact = Date.parse(createdAt.replace(" ", "T"));
    const since = await head();
    await touch(8);
    expect(await mediaOf(`since=${since}&${named(exact)}`)).toEqual([idOf(8)]);
    expect(await mediaOf(`since=${since}&${named(exact + 1)}`)).toEqual([]);
  });

  test("leaves out a like anywhere, but not the like itself for whoever gave it", async () => {
    const since = await head();
    await like(ann, idOf(33));
    const { changes } = (await sync(`since=${since}&${named(at(20))}`, ann)).body;
    expect(changes.likes.documents.map(({ mediaId }: { mediaId: string }) => mediaId)).toEqual([
      idOf(33),
    ]);
    expect(changes.media).toBeUndefined();
  });

  test("never leaves out a deletion", async () => {
    const since = await head();
    await run(`DELETE FROM media WHERE id = '${idOf(59)}'`);
    const { changes } = (await sync(`since=${since}&${named(Date.now() + HOUR)}`)).body;
    expect(changes.media).toEqual({ documents: [], deleted: [idOf(59)] });
  });

  test("brings the medium that is made last, whoever asks", async () => {
    const since = await head();
    await seedMedia(server, superuser.token, bob.id, [
      { id: "new000000000001", caption: "", age: 0 },
    ]);
    expect(await mediaOf(`since=${since}&${named(at(0.0))}`)).toEqual(["new000000000001"]);
  });

  test("says nothing where a medium was dated back, or came old: all are told of it", async () => {
    let since = await head();
    const past = "UPDATE media SET createdAt = '2020-01-01 00:00:00.000Z'";
    await run(`${past} WHERE id = '${idOf(7)}'`);
    await touch(25);
    expect(await mediaOf(`since=${since}&${named(at(20))}`)).toEqual([7, 25].map(idOf));
    since = await head();
    await touch(7);
    expect(await mediaOf(`since=${since}&${named(at(20))}`)).toEqual([]);
    await seedMedia(server, superuser.token, bob.id, [
      { id: "imported0000001", caption: "", age: 900 },
    ]);
    expect(await mediaOf(`since=${since}&${named(at(20))}`)).toEqual(["imported0000001", idOf(7)]);
  });

  test("that is about comments, too, leaves out those on other media, but for one's own", async () => {
    const since = await head();
    const media = [idOf(5), idOf(26), idOf(30), idOf(41), idOf(42)];
    for (const mediaId of media) await comment(bob, mediaId);
    await comment(ann, idOf(43));
    const window = `since=${since}&${named(at(20), markOf(idOf(26)))}`;
    const [five, marked, owned, other, another] = media;
    expect(await commentedOf(`${window}&comments=held`)).toEqual([five, marked]);
    expect(await commentedOf(`${window}&comments=held`, ann)).toEqual([
      ...[five, marked, owned],
      idOf(43),
    ]);
    const all = [five, marked, owned, other, another, idOf(43)];
    expect(await commentedOf(`${window}&comments=held`, bob)).toEqual(all);
    expect(await commentedOf(window)).toEqual(all);
    expect(await commentedOf(`since=${since}&comments=held`)).toEqual(all);
    const { body } = await sync(`since=${since}&${named(Date.now())}&comments=held`);
    expect([body.checkpoint, body.more, body.changes]).toEqual([await head(), false, {}]);
    expect((await sync(`${window}&comments=none`)).status).toBe(400);
  });

  test("that is about comments never leaves out that one is deleted", async () => {
    const id = await comment(bob, idOf(44));
    const since = await head();
    await run(`DELETE FROM comments WHERE id = '${id}'`);
    const { changes } = (await sync(`since=${since}&${named(Date.now())}&comments=held`)).body;
    expect(changes.comments).toEqual({ documents: [], deleted: [id] });
  });

  test.each([
    ["no instant", "mediaFrom=&mediaMarks=abc"],
    ["a negative one", "mediaFrom=-1"],
    ["one that no date has", "mediaFrom=999999999999999"],
    ["words", "mediaFrom=yesterday"],
    ["half a mark", "mediaFrom=1&mediaMarks=ab"],
    ["other signs", "mediaFrom=1&mediaMarks=a%25_"],
    ["capitals", "mediaFrom=1&mediaMarks=ABC"],
    ["a mark too many", `mediaFrom=1&mediaMarks=${"abc".repeat(MARKS_MAX + 1)}`],
  ])("with %s is 400", async (_, query) => {
    const { status, body } = await sync(`since=0&${query}`);
    expect([status, body.code]).toEqual([400, "invalid"]);
  });

  test("with as many marks as may be is taken, by a member and by a guest", async () => {
    const marks = "abc".repeat(MARKS_MAX);
    for (const who of [ann, undefined]) {
      expect((await sync(`since=0&${named(1, marks)}`, who)).status).toBe(200);
    }
  });
});

/** A device as simple as can be, which looks at media beside the feed, and forgets some. */
class Device {
  readonly rows = new Map<string, Row>();
  checkpoint = 0;
  private readonly who: SignedIn | undefined;
  private readonly from: number;

  constructor(who: SignedIn | undefined, from: number) {
    this.who = who;
    this.from = from;
  }

  wants(row: Row): boolean {
    return timeOf(row) >= this.from;
  }

  begin(checkpoint: number, media: readonly Row[]): void {
    this.checkpoint = checkpoint;
    for (const row of media) if (this.wants(row)) this.rows.set(row.id, row);
  }

  async pull(limit: number): Promise<void> {
    const older = [...this.rows.values()].filter((row) => !this.wants(row));
    const marks = older.map(({ id }) => markOf(id)).join("");
    for (let more = true; more; ) {
      const query = `since=${this.checkpoint}&limit=${limit}&${named(this.from, marks)}`;
      const { status, body } = await sync(query, this.who);
      if (status !== 200 || body.checkpoint < this.checkpoint) throw new Error(`${status}`);
      for (const id of body.changes.media?.deleted ?? []) this.rows.delete(id);
      for (const row of body.changes.media?.documents ?? []) this.rows.set(row.id, row);
      ({ checkpoint: this.checkpoint, more } = body);
    }
  }

  async look(id: string): Promise<void> {
    const { status, body } = await server.api("GET", `/api/collections/media/records/${id}`);
    if (status === 200) this.rows.set(id, body);
  }
}

const timeOf = ({ createdAt }: Row): number => Date.parse(createdAt.replace(" ", "T"));

const listMedia = async (): Promise<Row[]> =>
  (await server.api("GET", "/api/collections/media/records?perPage=500")).body.items;

test("whatever changes: what a device holds, should hold or owns is right after each pull", async () => {
  const random = seededRandom(7);
  const any = () => idOf(1 + Math.floor(random() * 58));
  const devices = [new Device(ann, at(20)), new Device(bob, at(3)), new Device(undefined, at(45))];
  const start = await head();
  const before = await listMedia();
  for (const device of devices) device.begin(start, before);
  for (let step = 0; step < 40; step++) {
    await run(`UPDATE media SET caption = '${step}' WHERE id IN ('${any()}', '${any()}')`);
    if (step % 8 === 7) await run(`DELETE FROM media WHERE id = '${any()}'`);
    for (const device of devices) {
      if (random() < 0.5) await device.look(any());
      if (random() < 0.7) await device.pull(1 + Math.floor(random() * 4));
    }
  }
  const truth = new Map((await listMedia()).map((row) => [row.id, row]));
  for (const device of devices) {
    await device.pull(500);
    expectRight(device, truth);
  }
});

function expectRight(device: Device, truth: ReadonlyMap<string, Row>): void {
  for (const [id, row] of device.rows) expect(row).toEqual(truth.get(id));
  const wanted = [...truth.values()].filter((row) => device.wants(row));
  expect(wanted.length).toBeGreaterThan(0);
  for (const { id } of wanted) expect(device.rows.has(id)).toBe(true);
}

test("a page that leaves nearly all out ends soon, and costs little", async () => {
  const triggers = (await run(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN ('media', 'comments')",
  )) as { name: string; sql: string }[];
  for (const { name } of triggers) await run(`DROP TRIGGER ${name}`);
  const since = await head();
  const many = 40_000;
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many})`;
  const past = "'2019-01-01 00:00:00.000Z'";
  await run(`INSERT INTO media (id, userId, type, file, caption, createdAt, updatedAt, seq)
    ${numbers} SELECT printf('many%011d', i), '${bob.id}', 'photo', 'a.jpg', printf('%.500c', 'x'),
      ${past}, ${past}, ${since} + i FROM n`);
  await run(`INSERT INTO comments (id, mediaId, userId, text, createdAt, updatedAt, seq)
    ${numbers} SELECT printf('many%011d', i), printf('many%011d', i), '${bob.id}', 'A word',
      ${past}, ${past}, ${since} + ${many} + i FROM n`);
  await run(`UPDATE _seq SET v = v + 2 * ${many}`);
  for (const { sql: text } of triggers) await run(text);
  const window = `${named(at(20), "zzz".repeat(MARKS_MAX))}&comments=held`;
  let [checkpoint, pages] = [since, 0];
  const cpu = await cpuOf(server.pid, async () => {
    for (let more = true; more; pages++) {
      const { body } = await sync(`since=${checkpoint}&limit=1000&${window}`);
      expect(body.changes).toEqual({});
      ({ checkpoint, more } = body);
    }
  });
  expect(checkpoint).toBe(since + 2 * many);
  expect(pages).toBe(16);
  process.stdout.write(`40,000 media and comments left out: ${cpu.toFixed(2)} CPU-s\n`);
  // As documents they are a gigabyte's work: eighty pages of a thousand.
  expect(cpu).toBeLessThan(3);
});
