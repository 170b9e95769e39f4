/** Comments of an opened medium: pulled, followed, queued, and gone with what they stood on. The others act over the API. */
import { mediaFixture } from "@tests/support/media-fixtures";
import {
  createSuperuser,
  type PocketBase,
  type SignedIn,
  startPocketBase,
  signUp as takePart,
} from "@tests/support/pocketbase";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Client } from "@/data/client";
import type { CommentsPage } from "@/data/comments/shapes";
import { createDevice } from "./device";
import { found, ready, until } from "./live";
import { createNetwork, cut, type Network } from "./network";
import { signUp } from "./people";

let server: PocketBase;
let superuser: SignedIn;
let owner: SignedIn;
let mediaId: string;
let network: Network;
let reader: Client;
let readerId: string;

beforeAll(async () => {
  server = await startPocketBase();
  superuser = await createSuperuser(server);
  owner = await takePart(server);
});
beforeEach(async () => {
  const form = new FormData();
  form.set("userId", owner.id);
  form.set("type", "photo");
  form.set("file", new Blob([mediaFixture("photo.jpg")], { type: "image/jpeg" }), "photo.jpg");
  mediaId = (await server.api("POST", records("media"), form, superuser.token)).body.id;
  network = createNetwork();
  reader = createDevice(server.url, { fetch: network.fetch }).start();
  readerId = (await signUp(reader)).id;
});
afterEach(() => reader?.close());
afterAll(() => server?.stop());

const records = (collection: string, id = ""): string =>
  `/api/collections/${collection}/records${id === "" ? "" : `/${id}`}`;

/** A comment of the owner's; its id. */
async function comment(text: string): Promise<string> {
  const body = { mediaId, userId: owner.id, text };
  const made = await server.api("POST", records("comments"), body, owner.token);
  expect(made.status).toBe(200);
  return made.body.id;
}

const stored = async (): Promise<string[]> => {
  const filter = encodeURIComponent(`mediaId = '${mediaId}'`);
  const { body } = await server.api("GET", `${records("comments")}?filter=${filter}`);
  return body.items.map(({ text }: { text: string }) => text);
};

const texts = ({ items }: CommentsPage): string[] => items.map(({ text }) => text);

test("an own comment stands at once and then as the server's; others' come and go by the feed, newest first", async () => {
  const comments = reader.reads.watchComments(mediaId, 30);
  expect(texts(await ready(comments))).toEqual([]);
  await reader.writes.addComment(mediaId, "  First  ");
  await ready(comments, (page) => texts(page).join() === "First");
  await ready(comments, ({ items }) => items[0]?.pending === null);
  const second = await comment("Second");
  await ready(comments, (page) => texts(page).join() === "Second,First");
  await server.api("DELETE", records("comments", second), undefined, owner.token);
  const [mine] = (await ready(comments, (page) => texts(page).join() === "First")).items;
  await reader.writes.deleteComment(mediaId, mine?.id ?? "");
  await ready(comments, ({ items }) => items.length === 0);
  await expect.poll(stored).toEqual([]);
});

test("as many as asked for are shown, and older ones when more are asked for", async () => {
  for (const text of ["one", "two", "three"]) await comment(text);
  const two = await ready(
    reader.reads.watchComments(mediaId, 2),
    ({ items }) => items.length === 2,
  );
  expect(texts(two)).toEqual(["three", "two"]);
  expect(two.hasMore).toBe(true);
  const all = await ready(
    reader.reads.watchComments(mediaId, 4),
    ({ items }) => items.length === 3,
  );
  expect(all.hasMore).toBe(false);
});

test("without a network they are those of before; what is written waits among them, and is sent once", async () => {
  await comment("Before");
  const comments = reader.reads.watchComments(mediaId, 30);
  await ready(comments, (page) => texts(page).join() === "Before");
  network.intercept = cut;
  await reader.writes.addComment(mediaId, "From the tunnel");
  const [waits] = (await ready(comments, ({ items }) => items.length === 2)).items;
  expect(waits).toMatchObject({ text: "From the tunnel" });
  expect(waits?.pending).not.toBeNull();
  network.intercept = null;
  await reader.outbox.drain();
  const back = await ready(comments, ({ items }) => items.every(({ pending }) => pending === null));
  expect(texts(back)).toEqual(["From the tunnel", "Before"]);
  expect((await stored()).sort()).toEqual(["Before", "From the tunnel"]);
});

test("a new name is on what is here as soon as the profile brings it, without a network too", async () => {
  await comment("Signed");
  const comments = reader.reads.watchComments(mediaId, 30);
  await ready(comments, (page) => texts(page).join() === "Signed");
  await found(reader.reads.watchMedia(mediaId));
  const username = `renamed-${mediaId}`;
  const me = { path: records("users", owner.id), token: owner.token };
  expect((await server.api("PATCH", me.path, { username }, me.token)).status).toBe(200);
  await reader.sync();
  network.intercept = cut;
  await ready(comments, ({ items }) => items[0]?.username === username);
  await found(reader.reads.watchMedia(mediaId), (medium) => medium.username === username);
  const search = reader.reads.watchSearch({ text: `@${username}`, filter: "all", limit: 5 });
  await ready(search, ({ items }) => items.some(({ id }) => id === mediaId));
});

test("an answer from before a new name does not bring the old one back", async () => {
  const old = owner.record["username"];
  await comment("Signed");
  await found(reader.reads.watchMedia(mediaId));
  const username = `again-${mediaId}`;
  const path = records("users", owner.id);
  expect((await server.api("PATCH", path, { username }, owner.token)).status).toBe(200);
  await reader.sync();
  await found(reader.reads.watchProfile(owner.id), (profile) => profile.username === username);
  network.intercept = async (request, send) => {
    const answer = await send();
    if (!request.path.includes("/comments/records")) return answer;
    const text = (await answer.text()).replaceAll(username, String(old));
    return new Response(text, { status: answer.status, headers: answer.headers });
  };
  const page = await ready(
    reader.reads.watchComments(mediaId, 30),
    ({ items }) => items.length > 0,
  );
  expect(page.items[0]?.username).toBe(username);
});

test("comments that could never be asked for are not known to be none", async () => {
  await found(reader.reads.watchMedia(mediaId), ({ comments }) => comments === 0);
  await comment("Unseen");
  await reader.sync();
  await found(reader.reads.watchMedia(mediaId), ({ comments }) => comments === 1);
  // The feed brought it; on a device that never had it there is only the count.
  const fresh = createNetwork();
  await reader.close();
  reader = createDevice(server.url, { fetch: fresh.fetch }).start();
  await found(reader.reads.watchMedia(mediaId), ({ comments }) => comments === 1);
  fresh.intercept = cut;
  const comments = reader.reads.watchComments(mediaId, 30);
  await until(comments, ({ state }) => state === "failed");
  fresh.intercept = null;
  await reader.sync();
  await ready(comments, (page) => texts(page).join() === "Unseen");
});

test("an edit stands at once, without a network too, and is the server's then; one that comes too late is taken back and said", async () => {
  const comments = reader.reads.watchComments(mediaId, 30);
  await ready(comments);
  const said = await reader.writes.addComment(mediaId, "Frist");
  if (!said.success) throw new Error(said.error);
  const { commentId } = said.value;
  await ready(comments, ({ items }) => items[0]?.pending === null);
  network.intercept = cut;
  await reader.writes.editComment(mediaId, commentId, "Fist");
  await reader.writes.editComment(mediaId, commentId, " First ");
  const [waits] = (await ready(comments, (page) => texts(page).join() === "First")).items;
  expect(waits).toMatchObject({ isEdited: true, pending: expect.anything() });
  network.intercept = null;
  await reader.outbox.drain();
  await ready(comments, ({ items }) => items[0]?.pending === null && items[0].isEdited);
  expect(await stored()).toEqual(["First"]);
  expect(await reader.writes.editComment(mediaId, commentId, " ")).toMatchObject({
    error: "text_empty",
  });
  const old = { createdAt: "2024-01-01 00:00:00.000Z" };
  await server.api("PATCH", records("comments", commentId), old, superuser.token);
  await reader.writes.editComment(mediaId, commentId, "Too late");
  const outbox = reader.outbox.watch();
  const { items } = await until(outbox, (queue) => queue.items[0]?.state === "refused");
  expect(items[0]).toMatchObject({ code: "edit_late" });
  await ready(comments, (page) => texts(page).join() === "First");
  expect(await stored()).toEqual(["First"]);
});

test("a like of a comment stands at once, without a network too, and moves none of those on screen", async () => {
  const ids = [await comment("one"), await comment("two"), await comment("three")];
  const byLikes = reader.reads.watchComments(mediaId, 30, "liked");
  expect(texts(await ready(byLikes, ({ items }) => items.length === 3))).toEqual([
    "three",
    "two",
    "one",
  ]);
  network.intercept = cut;
  await reader.writes.setCommentLike(mediaId, ids[0] ?? "", true);
  const { items } = await ready(byLikes, (page) => page.items.some(({ liked }) => liked));
  expect(items.map(({ text, likes }) => `${text} ${likes}`)).toEqual(["three 0", "two 0", "one 1"]);
  network.intercept = null;
  await reader.outbox.drain();
  await reader.sync();
  const ofServer = async (name: string, id: string) =>
    (await server.api("GET", records(name, id))).body.likes;
  expect([await ofServer("comments", ids[0] ?? ""), await ofServer("media", mediaId)]).toEqual([
    1, 0,
  ]);
  const later = reader.reads.watchComments(mediaId, 29, "liked");
  await ready(later, (page) => texts(page).join() === "one,three,two");
  await reader.writes.addComment(mediaId, "four");
  await ready(later, (page) => texts(page).join() === "four,one,three,two");
  await reader.writes.setCommentLike(mediaId, ids[0] ?? "", false);
  await ready(later, (page) => page.items.every(({ liked, likes }) => !liked && likes === 0));
});

test("where the comments are closed one stays in sight with its reason, and goes once they are open", async () => {
  const comments = reader.reads.watchComments(mediaId, 30);
  await ready(comments);
  const set = async (commentsClosed: boolean) => {
    const path = records("media", mediaId);
    const { status } = await server.api("PATCH", path, { commentsClosed }, superuser.token);
    expect(status).toBe(200);
    await reader.sync();
    await found(reader.reads.watchMedia(mediaId), (one) => one.commentsClosed === commentsClosed);
  };
  await set(true);
  await reader.writes.addComment(mediaId, "Hello?");
  const [one] = (await ready(comments, ({ items }) => items[0]?.pending?.state === "refused"))
    .items;
  expect(one?.pending).toMatchObject({ code: "comments_closed" });
  await set(false);
  await reader.outbox.retry(one?.pending?.intentId ?? "");
  await ready(comments, ({ items }) => items[0]?.pending === null);
  expect(await stored()).toEqual(["Hello?"]);
});

test("a comment and a like for what was deleted meanwhile end quietly", async () => {
  await found(reader.reads.watchMedia(mediaId));
  network.intercept = cut;
  await reader.writes.addComment(mediaId, "Too late");
  await reader.writes.setLike(mediaId, true);
  const outbox = reader.outbox.watch();
  await until(outbox, ({ waiting }) => waiting === 2);
  await server.api("DELETE", records("media", mediaId), undefined, owner.token);
  network.intercept = null;
  await reader.outbox.drain();
  await until(outbox, (queue) => queue.ready && queue.items.length === 0);
  await until(reader.reads.watchMedia(mediaId), ({ state }) => state === "gone");
});

test("one that the server refuses stays in sight with its reason, until it is sent or discarded", async () => {
  const comments = reader.reads.watchComments(mediaId, 30);
  await ready(comments);
  const id = `${owner.id}_${readerId}`;
  const block = { id, blockerId: owner.id, blockedId: readerId };
  await server.api("POST", records("blocks"), block, owner.token);
  await reader.writes.addComment(mediaId, "Hello?");
  await reader.writes.addComment(mediaId, "Anybody?");
  const refused = await ready(
    comments,
    ({ items }) => items.length === 2 && items.every(({ pending }) => pending?.state === "refused"),
  );
  expect(refused.items[0]?.pending).toMatchObject({ code: "blocked" });
  await reader.outbox.discard(refused.items[0]?.pending?.intentId ?? "");
  await ready(comments, (page) => texts(page).join() === "Hello?");
  await server.api("DELETE", records("blocks", id), undefined, owner.token);
  await reader.outbox.retry(refused.items[1]?.pending?.intentId ?? "");
  await ready(comments, ({ items }) => items[0]?.pending === null);
  expect(await stored()).toEqual(["Hello?"]);
});
