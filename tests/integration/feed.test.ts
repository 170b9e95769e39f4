/** The change feed: nothing missed, nothing leaked, and what happens when the history changes. */
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { raiseLimits } from "@tests/integration/rules/stage";
import { mediaFixture } from "@tests/support/media-fixtures";
import {
  newFolder,
  type PocketBase,
  RATES,
  type SignedIn,
  signUp,
  startPocketBase,
} from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import { upload } from "@tests/support/tus";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conversationId, pairId } from "@/domain/ids";

interface Row {
  id: string;
  seq: number;
  [field: string]: unknown;
}
interface Page {
  epoch: string;
  checkpoint: number;
  more: boolean;
  reset?: boolean;
  changes: Record<string, { documents: Row[]; deleted: string[] }>;
}

let server: PocketBase;
let superuser: SignedIn;
let people: SignedIn[];
let ann: SignedIn;
let bob: SignedIn;
let eve: SignedIn;
let admin: SignedIn;

beforeAll(async () => {
  server = await startPocketBase();
  const limits = { ...RATES, writesPerMinute: 1_000_000, uploadsPerHour: 10_000 };
  superuser = await raiseLimits(server, limits);
  people = [];
  for (let i = 0; i < 4; i++) people.push(await signUp(server));
  [ann, bob, eve, admin] = people as [SignedIn, SignedIn, SignedIn, SignedIn];
  await server.api(
    "PATCH",
    `/api/collections/users/records/${admin.id}`,
    { isAdmin: true },
    superuser.token,
  );
});
afterAll(() => server?.stop());

const records = (collection: string): string => `/api/collections/${collection}/records`;
const sync = (query: string, who?: SignedIn) =>
  server.api("GET", `/api/sync?${query}`, undefined, who?.token);

async function head(): Promise<{ epoch: string; checkpoint: number }> {
  return (await sync("since=head")).body;
}

/** A replica as simple as can be: it does what the contract asks of a client, and nothing more. */
class Follower {
  readonly rows = new Map<string, Map<string, Row>>();
  checkpoint: number;
  pages = 0;
  private readonly who: SignedIn | undefined;
  private readonly limit: number;

  constructor(who: SignedIn | undefined, checkpoint = 0, limit = 500) {
    this.who = who;
    this.checkpoint = checkpoint;
    this.limit = limit;
  }

  of(collection: string): Map<string, Row> {
    const known = this.rows.get(collection) ?? new Map<string, Row>();
    this.rows.set(collection, known);
    return known;
  }

  async pull(): Promise<boolean> {
    const answer = await sync(`since=${this.checkpoint}&limit=${this.limit}`, this.who);
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    const page = answer.body as Page;
    let size = 0;
    for (const [collection, { documents, deleted }] of Object.entries(page.changes)) {
      for (const id of deleted) this.of(collection).delete(id);
      for (const row of documents) {
        if (row.seq <= this.checkpoint || row.seq > page.checkpoint) {
          throw new Error(`${collection} ${row.id} at ${row.seq} is outside its page`);
        }
        this.of(collection).set(row.id, row);
      }
      size += documents.length + deleted.length;
    }
    if (size > this.limit) throw new Error(`a page of ${size}`);
    if (page.checkpoint < this.checkpoint) throw new Error("the feed went back");
    this.checkpoint = page.checkpoint;
    this.pages += 1;
    return page.more;
  }

  async drain(): Promise<this> {
    while (await this.pull());
    return this;
  }
}

let count = 0;
async function newMedia(who: SignedIn): Promise<string> {
  count += 1;
  const form = new FormData();
  form.set("id", `media${String(count).padStart(10, "0")}`);
  form.set("uploadId", await upload(server, who.token, mediaFixture("photo.jpg")));
  const { status, body } = await server.api("POST", "/api/media", form, who.token);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.id;
}
const follow = (a: SignedIn, b: SignedIn) =>
  server.api(
    "POST",
    records("follows"),
    { id: pairId(a.id, b.id), followerId: a.id, followingId: b.id },
    a.token,
  );
const block = (a: SignedIn, b: SignedIn) =>
  server.api(
    "POST",
    records("blocks"),
    { id: pairId(a.id, b.id), blockerId: a.id, blockedId: b.id },
    a.token,
  );
const like = (who: SignedIn, media: string) =>
  server.api(
    "POST",
    records("likes"),
    { id: pairId(media, who.id), mediaId: media, userId: who.id },
    who.token,
  );
const comment = (who: SignedIn, media: string, text: string) =>
  server.api("POST", records("comments"), { mediaId: media, userId: who.id, text }, who.token);
async function startChat(a: SignedIn, b: SignedIn): Promise<string> {
  const id = conversationId(a.id, b.id);
  await server.api("POST", records("conversations"), { id, participants: [a.id, b.id] }, a.token);
  return id;
}
const say = (who: SignedIn, conversation: string, message: string) =>
  server.api(
    "POST",
    records("messages"),
    { conversationId: conversation, senderId: who.id, message, type: "text" },
    who.token,
  );
const remove = (who: SignedIn, collection: string, id: string) =>
  server.api("DELETE", `${records(collection)}/${id}`, undefined, who.token);

test("the feed is compressed for who takes it so, and plain for others", async () => {
  const asked = (encoding: string) =>
    fetch(`${server.url}/api/sync?since=0`, { headers: { "accept-encoding": encoding } });
  const [compressed, plain] = await Promise.all([asked("gzip"), asked("identity")]);
  expect(compressed.headers.get("content-encoding")).toBe("gzip");
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(await compressed.json()).toEqual(await plain.json());
});

describe("what it answers", () => {
  test("since=head names the place and nothing else", async () => {
    const { status, body } = await sync("since=head", ann);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(["checkpoint", "epoch"]);
  });

  test("nothing new is an empty page at the same place", async () => {
    const { epoch, checkpoint } = await head();
    const { body } = await sync(`since=${checkpoint}&epoch=${epoch}`, ann);
    expect(body).toEqual({ epoch, checkpoint, more: false, isAdmin: false, changes: {} });
  });

  test.each(["since=-1", "since=abc", "since=1.5", "since=1&limit=0", "since=1&limit=x"])(
    "%s is 400",
    async (query) => {
      const { status, body } = await sync(query);
      expect([status, body.code]).toEqual([400, "invalid"]);
    },
  );

  test("a bad token is 401, never an empty page", async () => {
    for (const query of ["since=head", "since=0", "since=999999999"]) {
      const { status, body } = await server.api("GET", `/api/sync?${query}`, undefined, "nonsense");
      expect([status, body.code]).toEqual([401, "unauthenticated"]);
    }
  });

  test("the token of a suspended account is 401", async () => {
    const mal = await signUp(server);
    await server.api(
      "PATCH",
      `${records("users")}/${mal.id}`,
      { isBlocked: true },
      superuser.token,
    );
    expect((await sync("since=0", mal)).status).toBe(401);
  });

  test("a page of one at a time gives the same as one large page", async () => {
    await newMedia(ann);
    await follow(ann, bob);
    await say(ann, await startChat(ann, bob), "hello");
    const [small, large] = [new Follower(ann, 0, 1), new Follower(ann, 0, 1_000)];
    await small.drain();
    await large.drain();
    expect(small.rows).toEqual(large.rows);
    expect(small.pages).toBeGreaterThan(10);
  });

  test("a limit of more than 1,000 is 1,000", async () => {
    await sql(
      server,
      superuser.token,
      `INSERT INTO comments (id, mediaId, userId, username, text, createdAt, updatedAt, seq)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
       SELECT printf('seed%011d', i), (SELECT id FROM media LIMIT 1), '${ann.id}', '', 'text ' || i,
         '2026-01-01 00:00:00.000Z', '2026-01-01 00:00:00.000Z', 0 FROM n`,
    );
    const { body } = await sync("since=0&limit=100000");
    const sizes = Object.values((body as Page).changes).map(({ documents }) => documents.length);
    expect(sizes.reduce((a, b) => a + b, 0)).toBe(1_000);
    expect(body.more).toBe(true);
  });

  test("rows are those of the record API", async () => {
    const media = await newMedia(ann);
    await like(ann, media);
    await comment(bob, media, 'schön "wie" \\ <b>\u0001</b> 😀\nzwei');
    await block(ann, admin);
    const names = ["media", "profiles", "comments", "settings", "likes", "follows"];
    const own = await new Follower(ann).drain();
    for (const collection of [...names, "blocks", "conversations", "messages"]) {
      const where = `${records(collection)}?perPage=500&sort=-seq`;
      const list = await server.api("GET", where, undefined, ann.token);
      expect([collection, list.body.items.length > 0]).toEqual([collection, true]);
      for (const item of list.body.items) expect(own.of(collection).get(item.id)).toEqual(item);
    }
    await remove(ann, "blocks", pairId(ann.id, admin.id));
  });
});

describe("what it removes", () => {
  test("a medium takes its comments and likes along, for everyone who may know", async () => {
    const media = await newMedia(ann);
    const { body: said } = await comment(bob, media, "schön");
    await like(bob, media);
    const [guest, his, others] = [new Follower(undefined), new Follower(bob), new Follower(eve)];
    for (const one of [guest, his, others]) await one.drain();
    expect(his.of("likes").has(pairId(media, bob.id))).toBe(true);
    await remove(ann, "media", media);
    const likeTombs = async (who?: SignedIn): Promise<string[]> =>
      ((await sync(`since=${guest.checkpoint}`, who)).body as Page).changes["likes"]?.deleted ?? [];
    expect(await likeTombs(bob)).toEqual([pairId(media, bob.id)]);
    expect(await likeTombs(eve)).toEqual([]);
    expect(await likeTombs()).toEqual([]);
    for (const one of [guest, his, others]) {
      await one.drain();
      expect(one.of("media").has(media)).toBe(false);
      expect(one.of("comments").has(said.id)).toBe(false);
    }
    expect(his.of("likes").has(pairId(media, bob.id))).toBe(false);
  });

  test("an unfollow reaches both ends and nobody else, an unblock only the blocker", async () => {
    await follow(bob, eve);
    await block(eve, admin);
    const { checkpoint } = await head();
    await remove(bob, "follows", pairId(bob.id, eve.id));
    await remove(eve, "blocks", pairId(eve.id, admin.id));
    const tombs = async (who?: SignedIn) => {
      const { changes } = (await sync(`since=${checkpoint}`, who)).body as Page;
      return [changes["follows"]?.deleted ?? [], changes["blocks"]?.deleted ?? []];
    };
    const [followId, blockId] = [pairId(bob.id, eve.id), pairId(eve.id, admin.id)];
    expect(await tombs(bob)).toEqual([[followId], []]);
    expect(await tombs(eve)).toEqual([[followId], [blockId]]);
    for (const who of [ann, admin, undefined]) expect(await tombs(who)).toEqual([[], []]);
  });

  test("what comes back is not removed again", async () => {
    const media = await newMedia(ann);
    const id = pairId(media, bob.id);
    const his = await new Follower(bob).drain();
    await like(bob, media);
    await remove(bob, "likes", id);
    await like(bob, media);
    const { changes } = (await sync(`since=${his.checkpoint}`, bob)).body as Page;
    expect(changes["likes"]).toMatchObject({ deleted: [], documents: [{ id }] });
  });

  test("a deleted message comes without its text", async () => {
    const chat = await startChat(ann, bob);
    const { body } = await say(ann, chat, "a secret that was taken back");
    const his = await new Follower(bob).drain();
    await server.api("PATCH", `${records("messages")}/${body.id}`, { deleted: true }, ann.token);
    const answer = await sync(`since=${his.checkpoint}`, bob);
    expect(JSON.stringify(answer.body)).not.toContain("a secret");
    await his.drain();
    expect(his.of("messages").get(body.id)).toMatchObject({ deleted: true, message: "" });
  });

  test("a conversation that an admin deletes goes from both replicas, with its messages", async () => {
    const [kim, lee] = [await signUp(server), await signUp(server)];
    const chat = await startChat(kim, lee);
    await say(kim, chat, "one");
    const replicas = [await new Follower(kim).drain(), await new Follower(lee).drain()];
    for (const one of replicas) expect(one.of("messages").size).toBe(1);
    expect((await remove(admin, "conversations", chat)).status).toBe(204);
    for (const one of replicas) {
      await one.drain();
      expect([one.of("conversations").size, one.of("messages").size]).toEqual([0, 0]);
    }
  });
});

describe("who sees what", () => {
  test("guests, strangers and admins get public rows and their own, and nothing of others", async () => {
    const chat = await startChat(ann, bob);
    await say(ann, chat, "for bob alone");
    await block(ann, eve);
    await follow(ann, bob);
    await like(ann, await newMedia(bob));
    const [guest, others, adminView] = [
      await new Follower(undefined).drain(),
      await new Follower(eve).drain(),
      await new Follower(admin).drain(),
    ];
    expect([...guest.rows.keys()].sort()).toEqual(["comments", "media", "profiles", "settings"]);
    const superView = await new Follower(superuser).drain();
    expect([...superView.rows.keys()].sort()).toEqual([
      "comments",
      "media",
      "profiles",
      "settings",
    ]);
    for (const [who, one] of [
      [eve, others],
      [admin, adminView],
    ] as const) {
      const text = JSON.stringify([...one.rows].map(([name, rows]) => [name, [...rows.values()]]));
      expect(text).not.toContain("for bob alone");
      expect(text).not.toContain("@example.com");
      const foreign = (collection: string) =>
        [...one.of(collection).values()].filter(
          (row) => !JSON.stringify(row).includes(`"${who.id}"`),
        );
      for (const name of [
        "likes",
        "follows",
        "blocks",
        "conversations",
        "messages",
        "notifications",
        "saves",
      ]) {
        expect([name, foreign(name)]).toEqual([name, []]);
      }
    }
    expect([...others.of("blocks").values()].filter((row) => row["blockerId"] === ann.id)).toEqual(
      [],
    );
    for (const row of adminView.of("media").values()) expect(row).not.toHaveProperty("reports");
  });

  test("a profile holds nothing that is private", async () => {
    const { body } = await sync("since=0&limit=1000");
    const fields = new Set(
      (body as Page).changes["profiles"]?.documents.flatMap((row) => Object.keys(row)),
    );
    for (const secret of ["email", "isAdmin", "chatDisabled", "tokenKey", "password"]) {
      expect([secret, fields.has(secret)]).toEqual([secret, false]);
    }
    expect(fields.has("seq")).toBe(true);
  });

  test("what two people do in private moves a third one's place, and shows him nothing", async () => {
    const chat = await startChat(ann, bob);
    const { checkpoint } = await head();
    await say(ann, chat, "psst");
    const { body } = await sync(`since=${checkpoint}`, eve);
    expect(body.checkpoint).toBeGreaterThan(checkpoint);
    expect([body.more, body.changes]).toEqual([false, {}]);
  });
});

describe("many at once", () => {
  test("12 writers and 4 pulling clients: nothing is missed, stale or leaked", async () => {
    const writersOf = [...people];
    const media = [await newMedia(ann), await newMedia(bob)];
    const chats = await Promise.all([startChat(ann, bob), startChat(eve, admin)]);
    await remove(ann, "blocks", pairId(ann.id, eve.id));
    const start = (await head()).checkpoint;
    const followers = people.map((who) => new Follower(who, 0, 37));
    const guest = new Follower(undefined, 0, 37);
    let working = true;
    const acts: ((who: SignedIn, n: number) => Promise<unknown>)[] = [
      (who, n) => comment(who, media[n % 2] ?? "", `comment ${n}`),
      (who, n) => like(who, media[n % 2] ?? ""),
      (who, n) => remove(who, "likes", pairId(media[n % 2] ?? "", who.id)),
      (who, n) => follow(who, people[n % 4] ?? ann),
      (who, n) => remove(who, "follows", pairId(who.id, people[n % 4]?.id ?? "")),
      (who, n) =>
        server.api("PATCH", `${records("users")}/${who.id}`, { bio: `bio ${n}` }, who.token),
      (who) => say(who, chats[who === ann || who === bob ? 0 : 1] ?? "", `message ${Date.now()}`),
      async (who) => {
        const own = await server.api(
          "GET",
          `${records("comments")}?filter=${encodeURIComponent(`userId='${who.id}'`)}&perPage=1&sort=-seq`,
        );
        const id = own.body.items?.[0]?.id;
        return id && remove(who, "comments", id);
      },
    ];
    const writers = Array.from({ length: 12 }, async (_, w) => {
      const who = writersOf[w % 4] ?? ann;
      // As many acts on a slow machine as on a fast one.
      for (let k = 0; k < 48; k++) await acts[(w + 7 * k) % acts.length]?.(who, w + 7 * k);
    });
    const pollers = [...followers, guest].map(async (one) => {
      while (working) {
        await one.pull();
        await delay(3);
      }
    });
    await Promise.all(writers);
    working = false;
    await Promise.all(pollers);
    for (const one of [...followers, guest]) await one.drain();

    const end = (await head()).checkpoint;
    expect(end - start).toBeGreaterThan(200);
    const truth = async (table: string, where = "TRUE") =>
      new Map(
        (
          await sql(
            server,
            superuser.token,
            `SELECT id, seq FROM ${table} WHERE ${where} ORDER BY id LIMIT 1000`,
          )
        ).map((row) => [String(row["id"]), Number(row["seq"])]),
      );
    const seqs = (one: Follower, collection: string) =>
      new Map(
        [...one.of(collection).values()]
          .sort((a, b) => (a.id < b.id ? -1 : 1))
          .map((row) => [row.id, row.seq]),
      );
    const publics = { media: "media", profiles: "users" };
    for (const [collection, table] of Object.entries(publics)) {
      const expected = await truth(table);
      for (const one of [...followers, guest]) {
        expect(seqs(one, collection)).toEqual(expected);
      }
    }
    const comments = await truth("comments", "id NOT LIKE 'seed%'");
    for (const one of [...followers, guest]) {
      const own = new Map([...seqs(one, "comments")].filter(([id]) => !id.startsWith("seed")));
      expect(own).toEqual(comments);
    }
    for (const [i, who] of people.entries()) {
      const one = followers[i] as Follower;
      const me = `'${who.id}'`;
      const mine = {
        likes: `userId = ${me}`,
        follows: `followerId = ${me} OR followingId = ${me}`,
        blocks: `blockerId = ${me}`,
        conversations: `userA = ${me} OR userB = ${me}`,
        messages: `senderId = ${me} OR recipientId = ${me}`,
      };
      for (const [collection, where] of Object.entries(mine)) {
        expect([collection, seqs(one, collection)]).toEqual([
          collection,
          await truth(collection, where),
        ]);
      }
    }
  });
});

describe("history", () => {
  test("another epoch, a place beyond the head and one below the floor all say: begin again", async () => {
    const { epoch, checkpoint } = await head();
    const begin = { epoch, checkpoint, more: false, reset: true, isAdmin: false, changes: {} };
    expect((await sync(`since=1&epoch=other`, ann)).body).toEqual(begin);
    expect((await sync(`since=${checkpoint + 1}&epoch=${epoch}`, ann)).body).toEqual(begin);
    expect((await sync(`since=1&epoch=${epoch}`, ann)).body.reset).toBeUndefined();
    const media = await newMedia(ann);
    await remove(ann, "media", media);
    await newMedia(ann);
    await sql(
      server,
      superuser.token,
      `UPDATE _tombs SET at = at - 91 * 86400 WHERE coll = 'media' AND rid = '${media}'`,
    );
    await server.api("POST", "/api/crons/pruneTombstones", undefined, superuser.token);
    const floor = async (): Promise<number> =>
      Number((await sql(server, superuser.token, "SELECT floor FROM _seq"))[0]?.["floor"]);
    await expect.poll(floor).toBeGreaterThan(checkpoint);
    const low = await floor();
    expect((await sync(`since=${low - 1}&epoch=${epoch}`, ann)).body.reset).toBe(true);
    expect((await sync(`since=${low}&epoch=${epoch}`, ann)).body.reset).toBeUndefined();
    const gone = await sql(server, superuser.token, "SELECT * FROM _tombs WHERE seq <= 1");
    expect(gone).toEqual([]);
  });

  test("tombstones younger than 90 days stay", async () => {
    const [old, young] = [await newMedia(ann), await newMedia(ann)];
    await remove(ann, "media", old);
    const { checkpoint } = await head();
    await remove(ann, "media", young);
    for (const [id, days] of [
      [old, 91],
      [young, 89],
    ] as const) {
      const age = `UPDATE _tombs SET at = at - ${days} * 86400 WHERE rid = '${id}'`;
      await sql(server, superuser.token, age);
    }
    await server.api("POST", "/api/crons/pruneTombstones", undefined, superuser.token);
    const left = () => sql(server, superuser.token, `SELECT * FROM _tombs WHERE rid = '${old}'`);
    await expect.poll(left).toEqual([]);
    const { changes } = (await sync(`since=${checkpoint}`)).body as Page;
    expect(changes["media"]?.deleted).toEqual([young]);
  });

  const untilUp = async (): Promise<void> => {
    await expect
      .poll(() =>
        fetch(`${server.url}/api/health`).then(
          (r) => r.status,
          () => 0,
        ),
      )
      .toBe(200);
  };
  const word = (): string => readFileSync(`${server.dataDir}.boot`, "utf8");

  test("a restart keeps the epoch, also after kill -9, and changes the word each time", async () => {
    const { epoch } = await head();
    const words = new Set<string>();
    for (const end of ["stop", "kill", "stop"] as const) {
      await server[end]();
      await server.restart();
      expect((await head()).epoch).toBe(epoch);
      words.add(word());
    }
    expect(words.size).toBe(3);
  });

  test("a restored backup has a new epoch, and its rows come afresh", async () => {
    const before = await head();
    const made = await server.api("POST", "/api/backups", { name: "one.zip" }, superuser.token);
    expect(made.status).toBe(204);
    expect((await head()).epoch).toBe(before.epoch);
    const lost = await newMedia(ann);
    const far = (await head()).checkpoint;
    const restored = await server.api(
      "POST",
      "/api/backups/one.zip/restore",
      undefined,
      superuser.token,
    );
    expect(restored.status).toBe(204);
    await expect
      .poll(() =>
        head().then(
          ({ epoch }) => epoch,
          () => before.epoch,
        ),
      )
      .not.toBe(before.epoch);
    await untilUp();
    const after = await head();
    expect(after.checkpoint).toBeLessThan(far);
    const { body } = await sync(`since=${before.checkpoint}&epoch=${before.epoch}`);
    expect(body.reset).toBe(true);
    const rows = await sql(server, superuser.token, `SELECT id FROM media WHERE id = '${lost}'`);
    expect(rows).toEqual([]);
    await server.restart();
    expect((await head()).epoch).toBe(after.epoch);
  });

  test("a first start needs no word, and its second start keeps the epoch", async () => {
    const fresh = await startPocketBase({ dataDir: newFolder() });
    const epochOf = async () => (await fresh.api("GET", "/api/sync?since=head")).body.epoch;
    const first = await epochOf();
    expect(existsSync(`${fresh.dataDir}.boot`)).toBe(false);
    await fresh.restart();
    expect(await epochOf()).toBe(first);
    expect(existsSync(`${fresh.dataDir}.boot`)).toBe(true);
    await fresh.stop();
  });
});

test("the feed tells an account that its chat is closed, and that it is open again", async () => {
  const told = async () =>
    (await server.api("GET", "/api/sync?since=0", undefined, ann.token)).body;
  expect(await told()).not.toHaveProperty("chatDisabled");
  const close = (chatDisabled: boolean) =>
    server.api(
      "PATCH",
      `/api/collections/users/records/${ann.id}`,
      { chatDisabled },
      superuser.token,
    );
  await close(true);
  expect(await told()).toMatchObject({ chatDisabled: true });
  await close(false);
  expect(await told()).not.toHaveProperty("chatDisabled");
});
