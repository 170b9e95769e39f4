/** Closing the comments on one's own medium: who may, what it ends, and that it opens again. */
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { codeOf, must, type Stage, setStage } from "./rules/stage";

let stage: Stage;
let ann: SignedIn;
let bob: SignedIn;
let eve: SignedIn;
/** Ann's. */
let mediaId: string;
/** Bob's comment on it. */
let id: string;

beforeAll(async () => {
  stage = await setStage();
  ({ ann, bob } = stage);
  eve = await signUp(stage.server);
});
beforeEach(async () => {
  mediaId = await stage.media(ann);
  id = must(await say(bob)).body.id;
});
afterAll(() => stage.server.stop());

const say = (who: SignedIn, parentId = "") =>
  stage.create("comments", { mediaId, userId: who.id, text: "Wo ist das?", parentId }, who);
const close = (commentsClosed: unknown) => stage.update("media", mediaId, { commentsClosed }, ann);

test("where its owner has closed the comments nobody writes one, nor a reply, himself included", async () => {
  const { checkpoint } = (await stage.server.api("GET", "/api/sync?since=head")).body;
  expect(must(await close(true)).body).toMatchObject({ commentsClosed: true });
  const { changes } = (await stage.server.api("GET", `/api/sync?since=${checkpoint}`)).body;
  expect(changes.media.documents).toMatchObject([{ id: mediaId, commentsClosed: true }]);
  for (const who of [bob, eve, ann, stage.admin]) {
    expect(await codeOf(say(who))).toBe("403 comments_closed");
    expect(await codeOf(say(who, id))).toBe("403 comments_closed");
  }
  expect(await stage.row("media", mediaId)).toMatchObject({ comments: 1 });
  must(await close(false));
  must(await say(eve));
  must(await say(ann, id));
});

test("what was written stays: it can be read, changed, deleted, and is liked", async () => {
  must(await close(true));
  must(await stage.create("likes", { mediaId, userId: eve.id }, eve));
  must(await stage.update("comments", id, { text: "Wo war das?" }, bob));
  expect(must(await stage.list("comments", "perPage=500")).body.items).toContainEqual(
    expect.objectContaining({ id, text: "Wo war das?" }),
  );
  must(await stage.remove("comments", id, ann));
});

test("nobody else closes them, and a value that is none closes nothing", async () => {
  for (const who of [bob, eve, stage.admin, undefined]) {
    const answer = await stage.update("media", mediaId, { commentsClosed: true }, who);
    expect(answer.status).toBe(404);
  }
  for (const value of [null, "", [], {}, "maybe"]) await close(value);
  expect(await stage.row("media", mediaId)).toMatchObject({ commentsClosed: false });
  must(await say(eve));
});

test("what is imported was written before", async () => {
  must(await close(true));
  const row = { mediaId, userId: bob.id, text: "Importiert", parentId: "" };
  must(await stage.create("comments", row, stage.superuser));
});
