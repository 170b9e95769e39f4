/** Replies on a device: written without a network too, counted at once, under their comment and gone with it. The others act over the API. */
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
import type { CommentsPage, CommentView } from "@/data/comments/shapes";
import { createDevice } from "./device";
import { found, ready, sent, until } from "./live";
import { createNetwork, cut, type Network } from "./network";
import { signUp } from "./people";

let server: PocketBase;
let superuser: SignedIn;
let owner: SignedIn;
let mediaId: string;
/** The owner's comment. */
let parentId: string;
let network: Network;
let reader: Client;

const COMMENTS = "/api/collections/comments/records";

async function say(text: string, to = ""): Promise<string> {
  const body = { mediaId, userId: owner.id, text, parentId: to };
  const made = await server.api("POST", COMMENTS, body, owner.token);
  expect(made.status).toBe(200);
  return made.body.id;
}

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
  const made = await server.api("POST", "/api/collections/media/records", form, superuser.token);
  mediaId = made.body.id;
  parentId = await say("Where is this?");
  network = createNetwork();
  reader = createDevice(server.url, { fetch: network.fetch }).start();
  await signUp(reader);
  await found(reader.reads.watchMedia(mediaId));
});
afterEach(() => reader?.close());
afterAll(() => server?.stop());

const comments = () => reader.reads.watchComments(mediaId, 30);
const replies = (limit = 30) => reader.reads.watchReplies(mediaId, parentId, limit);
const texts = ({ items }: CommentsPage): string[] => items.map(({ text }) => text);
const parent = (test: (comment: CommentView) => boolean) =>
  ready(comments(), ({ items }) => items.some((one) => one.id === parentId && test(one)));
const counted = (n: number) => found(reader.reads.watchMedia(mediaId), (one) => one.comments === n);
const rows = async (): Promise<string[]> => {
  const filter = encodeURIComponent(`mediaId = "${mediaId}"`);
  const { body } = await server.api("GET", `${COMMENTS}?sort=createdAt,id&filter=${filter}`);
  return body.items.map(({ text }: { text: string }) => text);
};

test("replies stand under their comment, the oldest first, and not among the others", async () => {
  for (const text of ["one", "two", "three"]) await say(text, parentId);
  await reader.sync();
  await parent((one) => one.replies === 3);
  expect(texts(await ready(replies(), ({ items }) => items.length === 3))).toEqual([
    "one",
    "two",
    "three",
  ]);
  expect(texts(await ready(comments()))).toEqual(["Where is this?"]);
  const two = await ready(replies(2), ({ items }) => items.length === 2);
  expect([texts(two), two.hasMore]).toEqual([["two", "three"], true]);
});

test("without a network a reply is counted and stands there at once, to a comment that waits itself too", async () => {
  await parent((one) => one.replies === 0);
  await ready(replies());
  network.intercept = cut;
  await reader.writes.addComment(mediaId, "On Amrum", parentId);
  const [waits] = (await ready(replies(), ({ items }) => items.length === 1)).items;
  expect(waits).toMatchObject({ text: "On Amrum", parentId, pending: expect.anything() });
  await parent((one) => one.replies === 1);
  await counted(2);
  const own = await reader.writes.addComment(mediaId, "And when?");
  if (!own.success) throw new Error(own.error);
  await reader.writes.addComment(mediaId, "In June", own.value.commentId);
  await counted(4);
  const mine = ({ id }: CommentView) => id === own.value.commentId;
  await ready(comments(), ({ items }) => items.find(mine)?.replies === 1);
  network.intercept = null;
  await sent(reader);
  expect(await rows()).toEqual(["Where is this?", "On Amrum", "And when?", "In June"]);
  await ready(replies(), ({ items }) => items[0]?.pending === null && items.length === 1);
  await counted(4);
});

test("a comment is gone with its replies at once, and a reply alone is one less", async () => {
  await say("one", parentId);
  const own = await reader.writes.addComment(mediaId, "mine");
  if (!own.success) throw new Error(own.error);
  await sent(reader);
  await say("two", own.value.commentId);
  const reply = await reader.writes.addComment(mediaId, "three", own.value.commentId);
  if (!reply.success) throw new Error(reply.error);
  await sent(reader);
  await reader.sync();
  const isMine = ({ id }: CommentView) => id === own.value.commentId;
  const page = await ready(comments(), ({ items }) => items.find(isMine)?.replies === 2);
  await counted(5);
  network.intercept = cut;
  const answer = { parentId: own.value.commentId, replies: 0 };
  await reader.writes.deleteComment(mediaId, reply.value.commentId, answer);
  await ready(comments(), ({ items }) => items.find(isMine)?.replies === 1);
  await counted(4);
  const shown = page.items.find(isMine);
  await reader.writes.deleteComment(mediaId, own.value.commentId, { ...shown, replies: 1 });
  await ready(comments(), ({ items }) => !items.some(isMine));
  await counted(2);
  network.intercept = null;
  await sent(reader);
  await counted(2);
  expect(await rows()).toEqual(["Where is this?", "one"]);
});

test("a reply to what was deleted meanwhile ends quietly, and nothing of it stays", async () => {
  await parent(() => true);
  network.intercept = cut;
  await reader.writes.addComment(mediaId, "Too late", parentId);
  await server.api("DELETE", `${COMMENTS}/${parentId}`, undefined, owner.token);
  network.intercept = null;
  await sent(reader);
  await until(comments(), (now) => now.state === "ready" && now.value.items.length === 0);
  expect(await rows()).toEqual([]);
  // Nor is it sent again because the medium is still there.
  await reader.sync();
  await sent(reader);
  const posts = network.seen.filter(({ method, path }) => method === "POST" && path === COMMENTS);
  expect(posts).toHaveLength(1);
  await counted(0);
});

test("which comment a reply answers is known of what is here, of what waits, and of what is asked for", async () => {
  const reply = await say("one", parentId);
  expect(await ready(reader.reads.watchParent(reply))).toBe(parentId);
  expect(await ready(reader.reads.watchParent(parentId))).toBe("");
  expect(await ready(reader.reads.watchParent(""))).toBe("");
  expect(await ready(reader.reads.watchParent("nobody000000000"))).toBe("");
  network.intercept = cut;
  const own = await reader.writes.addComment(mediaId, "two", parentId);
  if (!own.success) throw new Error(own.error);
  expect(await ready(reader.reads.watchParent(own.value.commentId))).toBe(parentId);
});

test("a server of an earlier version, which knows no replies, is asked for its comments", async () => {
  await say("Second");
  network.intercept = async (request, send) => {
    const isOld = request.path.includes("/comments/records") && request.path.includes("parentId");
    const refusal = { status: 400, code: "invalid", message: "No such filter", data: {} };
    return isOld ? Response.json(refusal, { status: 400 }) : send();
  };
  expect(texts(await ready(comments(), ({ items }) => items.length === 2))).toEqual([
    "Second",
    "Where is this?",
  ]);
});
