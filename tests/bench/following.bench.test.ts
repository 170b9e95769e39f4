/**
 * A community that answers, with 100,000 people, 1,000,000 media, 2,000,000 follows and 5,000,000
 * notifications: what those whom one follows post, for somebody who follows 2,000, against a read by
 * id; the media of a tag that 100,000 have; and what a like costs that tells somebody, against one
 * that tells nobody. All in one run.
 */
import { id, instant, openPlace, type Place } from "@tests/support/large-place";
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, expect, test } from "vitest";

const PEOPLE = 100_000;
const MEDIA = 1_000_000;
const FOLLOWS = 2_000_000;
const NOTIFICATIONS = 5_000_000;
const FOLLOWED = 2_000;
const MINE = 2_000;
const TAGS = 10;
const ROUNDS = 9;
const REQUESTS = 30;
const READS_MOST = 10;
const LIKE_MOST = 1.5;

let place: Place;
let me: SignedIn;

const user = (number: string) => id("user", number);

beforeAll(async () => {
  place = await openPlace(PEOPLE, MEDIA, {
    add: async (server, fill) => {
      me = await signUp(server);
      const [who, whom] = [
        user(`1 + i % ${PEOPLE}`),
        user(`1 + (i + 1 + i / ${PEOPLE} * 37) % ${PEOPLE}`),
      ];
      const columns = "follows (id, followerId, followingId, createdAt, seq)";
      await fill(FOLLOWS, columns, `${who} || '_' || ${whom}, ${who}, ${whom}, ${instant("i")}, i`);
      const mine = user(`i * ${PEOPLE / FOLLOWED}`);
      await fill(
        FOLLOWED,
        columns,
        `'${me.id}_' || ${mine}, '${me.id}', ${mine}, ${instant("i")}, ${FOLLOWS} + i`,
      );
      await fill(
        NOTIFICATIONS,
        "notifications (id, userId, kind, actorId, mediaId, createdAt, seq)",
        `'like_' || ${id("pic", `i % ${MEDIA}`)} || '_' || ${id("act", "i")}, ${user(`1 + i % ${PEOPLE}`)},
         'like', ${user(`1 + i * 7 % ${PEOPLE}`)}, ${id("pic", `i % ${MEDIA}`)}, ${instant("i")}, i`,
      );
      await fill(
        MEDIA,
        "_media_tags (tag, createdAt, mediaId, userId, written)",
        `'tag' || (i % ${TAGS}), ${instant("i")}, ${id("pic", "i")}, ${user(`1 + i % ${PEOPLE}`)}, 'Tag'`,
      );
      await fill(
        MINE,
        "media (id, userId, username, caption, tags, type, file, createdAt, updatedAt, seq)",
        `${id("mine", "i")}, '${me.id}', 'me', 'Mine ' || i, '[]', 'photo', 'p.jpg',
         ${instant(`${MEDIA} + i`)}, ${instant(`${MEDIA} + i`)}, ${MEDIA} + i`,
      );
    },
  });
  const names = [
    "listsPer10Sec",
    "listRowsPer10Sec",
    "requestsPer10Sec",
    "writesPerMinute",
    "writesPer10Sec",
  ];
  const limits = Object.fromEntries(names.map((name) => [name, 1_000_000]));
  const { server, superuser } = place;
  await server.api("PATCH", "/api/collections/settings/records/app", { limits }, superuser);
  await server.restart();
}, 3_600_000);
afterAll(() => place?.server.stop());

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

async function send(method: string, path: string, body?: unknown): Promise<void> {
  const { status, body: answer } = await place.server.api(method, path, body, me.token);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
}

type Ask = (number: number) => Promise<void>;

/** How many times what the second takes the first does: they take turns, so that a busy minute meets both. */
async function compare(name: string, [first, second]: [Ask, Ask], most: number): Promise<void> {
  const took = async (ask: Ask, round: number) => {
    const begun = performance.now();
    for (let at = 0; at < REQUESTS; at++) await ask(round * REQUESTS + at + 1);
    return (performance.now() - begun) / REQUESTS;
  };
  const [some, others]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    some.push(await took(first, round));
    others.push(await took(second, round));
  }
  const [one, other] = [median(some), median(others)];
  const ratio = one / other;
  process.stdout.write(
    `${name}: ${one.toFixed(2)} ms against ${other.toFixed(2)} ms, ratio ${ratio.toFixed(2)} (<= ${most})\n`,
  );
  expect.soft(ratio, name).toBeLessThanOrEqual(most);
}

const pic = (number: number) => `pic${String(number).padStart(12, "0")}`;
const read: Ask = (number) => send("GET", `/api/collections/media/records/${pic(number * 3_000)}`);
const like = (medium: (number: number) => string): Ask => {
  return (number) => {
    const mediaId = medium(number);
    const row = { id: `${mediaId}_${me.id}`, mediaId, userId: me.id };
    return send("POST", "/api/collections/likes/records", row);
  };
};

test("what the followed post, against a read by id", async () => {
  const { body } = await place.server.api("GET", "/api/following/media", undefined, me.token);
  expect([body.items.length, body.more]).toEqual([30, true]);
  await compare("the first page", [() => send("GET", "/api/following/media"), read], READS_MOST);
  const last = body.items.at(-1);
  const next = new URLSearchParams({ before: last.createdAt, beforeId: last.id });
  await compare(
    "a later page",
    [() => send("GET", `/api/following/media?${next}`), read],
    READS_MOST,
  );
  await compare(
    "whom to follow",
    [() => send("GET", "/api/following/suggested"), read],
    READS_MOST,
  );
}, 600_000);

test("the media of a tag, against a read by id", async () => {
  const tag = "/api/tags/tag3/media";
  const { body } = await place.server.api("GET", tag, undefined, me.token);
  expect([body.items.length, body.more]).toEqual([30, true]);
  const ask = (query: string) => () => send("GET", `${tag}?${query}`);
  await compare("the newest of a tag", [ask(""), read], READS_MOST);
  await compare("a later page", [ask(`${new URLSearchParams(body.next)}`), read], READS_MOST);
  await compare("the most liked of a tag", [ask("sort=popular"), read], READS_MOST);
}, 600_000);

test("a like that tells somebody, against one that tells nobody", async () => {
  const mine = (number: number) => `mine${String(number).padStart(11, "0")}`;
  const told = like((number) => pic(number * 1_001));
  await compare("a like", [told, like(mine)], LIKE_MOST);
}, 600_000);
