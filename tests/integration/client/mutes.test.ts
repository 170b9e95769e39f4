/** People and words that one mutes: hidden at once, without a network, and back when unmuted. */
import {
  createSuperuser,
  type PocketBase,
  type SignedIn,
  startPocketBase,
  signUp as takePart,
} from "@tests/support/pocketbase";
import { seedMedia } from "@tests/support/seed-media";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Client } from "@/data/client";
import type { FeedPage, FeedQuery } from "@/data/shapes";
import { createDevice } from "./device";
import { ready, sent, until } from "./live";
import { createNetwork, cut, type Network } from "./network";
import { signUp } from "./people";

let server: PocketBase;
let superuser: SignedIn;
let ann: SignedIn;
let ben: SignedIn;
let network: Network;
let reader: Client;
let me: Awaited<ReturnType<typeof signUp>>;

const LATEST: FeedQuery = { filter: "all", sort: "latest", limit: 30 };
const idOf = (name: string): string => name.padEnd(15, "0");

beforeAll(async () => {
  server = await startPocketBase();
  superuser = await createSuperuser(server);
  [ann, ben] = [await takePart(server), await takePart(server)];
  await seedMedia(server, superuser.token, ann.id, [
    { id: idOf("ann1"), caption: "Modern art", age: 1 },
    { id: idOf("ann2"), caption: "A party", age: 2 },
  ]);
  await seedMedia(server, superuser.token, ben.id, [
    { id: idOf("ben1"), caption: "Harbour", age: 3 },
  ]);
});
beforeEach(async () => {
  network = createNetwork();
  reader = createDevice(server.url, { fetch: network.fetch }).start();
  me = await signUp(reader);
});
afterEach(() => reader?.close());
afterAll(() => server?.stop());

const captions = ({ items }: FeedPage): string => items.map(({ caption }) => caption).join();
const feed = (query: FeedQuery = LATEST) => reader.reads.watchFeed(query);
const ALL = "Modern art,A party,Harbour";
const rows = async (): Promise<Record<string, string>[]> =>
  (
    await server.api(
      "GET",
      `/api/collections/blocks/records?filter=${encodeURIComponent(`blockerId='${me.id}'`)}`,
      undefined,
      superuser.token,
    )
  ).body.items;

test("whoever is muted is gone from the gallery at once, but not from the own page, and comes back", async () => {
  await ready(feed(), (page) => captions(page) === ALL);
  await reader.sync();
  network.intercept = cut;
  await reader.writes.muteUser(ann.id, true);
  await ready(feed(), (page) => captions(page) === "Harbour");
  await ready(feed({ ...LATEST, sort: "popular" }), (page) => captions(page) === "Harbour");
  await ready(feed({ ...LATEST, userId: ann.id }), (page) => captions(page).startsWith("Modern"));
  await ready(reader.reads.watchRelation(ann.id), ({ muted, blocked }) => muted && !blocked);
  await ready(reader.reads.watchPeople("muted", 10), ({ total }) => total === 1);
  await ready(reader.reads.watchPeople("blocked", 10), ({ total }) => total === 0);
  network.intercept = null;
  await sent(reader);
  expect(await rows()).toMatchObject([{ mutedId: ann.id, blockedId: "" }]);
  // By the server's row alone, too.
  await ready(feed(), (page) => captions(page) === "Harbour");
  await reader.writes.muteUser(ann.id, false);
  await ready(feed(), (page) => captions(page) === ALL);
  await sent(reader);
  expect(await rows()).toEqual([]);
});

test("whoever is followed and muted is not in 'Following'", async () => {
  await reader.writes.followUser(ann.id);
  await reader.writes.followUser(ben.id);
  await sent(reader);
  const following = feed({ ...LATEST, sort: "following" });
  await ready(following, (page) => captions(page) === ALL);
  await reader.writes.muteUser(ann.id, true);
  await ready(following, (page) => captions(page) === "Harbour");
});

test("a muted word hides what others wrote with it, and nothing of one's own", async () => {
  const mediaId = idOf("ben1");
  const say = (who: SignedIn, text: string) =>
    server.api(
      "POST",
      "/api/collections/comments/records",
      { mediaId, userId: who.id, text },
      who.token,
    );
  await say(ann, "I like ART");
  await say(ann, "I like parties");
  await reader.writes.addComment(mediaId, "My art");
  await sent(reader);
  const comments = reader.reads.watchComments(mediaId, 20);
  await ready(comments, ({ items }) => items.length === 3);
  await reader.writes.muteWord("Art", true);
  await until(reader.reads.watchMutedWords(), (words) => words.join() === "Art");
  await ready(feed(), (page) => captions(page) === "A party,Harbour");
  const texts = await ready(comments, ({ items }) => items.length === 2);
  expect(texts.items.map(({ text }) => text).sort()).toEqual(["I like parties", "My art"]);
  await sent(reader);
  expect(await rows()).toMatchObject([{ word: "Art", mutedId: "" }]);
  expect(await reader.writes.muteWord("  ", true)).toMatchObject({ error: "text_empty" });
  await reader.writes.muteWord("ART", false);
  await ready(feed(), (page) => captions(page) === ALL);
  await sent(reader);
  expect(await rows()).toEqual([]);
});

test("nobody hears of what a muted person did, until that ends", async () => {
  const follow = { followerId: ann.id, followingId: me.id };
  await server.api("POST", "/api/collections/follows/records", follow, ann.token);
  const news = reader.reads.watchNotifications(20);
  await reader.sync();
  await ready(news, ({ items }) => items.length === 1);
  await reader.writes.muteUser(ann.id, true);
  await ready(news, ({ items }) => items.length === 0);
  await reader.writes.muteUser(ann.id, false);
  await ready(news, ({ items }) => items.length === 1);
});
