/** Several media in one post: what the server takes, keeps and refuses. */
import { mediaFixture } from "@tests/support/media-fixtures";
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { upload } from "@tests/support/tus";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "@/domain/ids";
import { POST_MAX } from "@/domain/limits";
import { must, type Stage, setStage } from "./stage";

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.server.stop());

const id = () => newId(Math.random);

/** Sends a photo, and finishes it with these fields. */
async function send(fields: Record<string, string>, who: SignedIn = stage.ann) {
  const uploadId = await upload(stage.server, who.token, mediaFixture("photo.jpg"));
  return finish({ uploadId, ...fields }, who);
}

function finish(fields: Record<string, string>, who: SignedIn = stage.ann) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ id: id(), ...fields })) form.set(name, value);
  return stage.server.api("POST", "/api/media", form, who.token);
}

const rowsOf = (post: string): Promise<number> =>
  stage.number(`SELECT count(*) FROM media WHERE post = '${post}'`);

describe("a post", () => {
  test("holds up to ten media of one person, each at its place, in whatever order they come", async () => {
    const post = id();
    for (const postIndex of [3, 0, 9, 1]) {
      const { status, body } = await send({ post, postIndex: String(postIndex), caption: "Sea" });
      expect([status, body.post, body.postIndex, body.caption]).toEqual([
        200,
        post,
        postIndex,
        "Sea",
      ]);
    }
    const filter = encodeURIComponent(`post = '${post}'`);
    const { items } = must(await stage.list("media", `filter=${filter}&sort=postIndex`)).body;
    expect(items.map((row: { postIndex: number }) => row.postIndex)).toEqual([0, 1, 3, 9]);
    const feed = must(await stage.server.api("GET", "/api/sync?since=0")).body;
    const inFeed = feed.changes.media.documents.filter(
      (row: { post: string }) => row.post === post,
    );
    expect(inFeed).toHaveLength(4);
  });

  test("whoever knows no posts publishes as ever", async () => {
    const { status, body } = await send({ caption: "Alone" });
    expect([status, body.post, body.postIndex]).toEqual([200, "", 0]);
    expect((await send({ post: "", postIndex: "" })).status).toBe(200);
  });

  test("takes the same medium again without making it twice", async () => {
    const post = id();
    const fields = { id: id(), post, postIndex: "2" };
    const first = must(await send(fields)).body;
    expect(must(await send(fields)).body.id).toBe(first.id);
    expect(await rowsOf(post)).toBe(1);
  });

  test("gives a place free when its medium is deleted", async () => {
    const post = id();
    const { id: gone } = must(await send({ post, postIndex: "4" })).body;
    must(await stage.remove("media", gone, stage.ann));
    expect((await send({ post, postIndex: "4" })).status).toBe(200);
  });
});

describe("what is refused, with nothing stored", () => {
  test.each([
    ["an eleventh medium", { postIndex: String(POST_MAX) }, 400, "post_full"],
    ["a place far out", { postIndex: "123456789" }, 400, "post_full"],
    ["a place below nothing", { postIndex: "-1" }, 400, "invalid"],
    ["half a place", { postIndex: "1.5" }, 400, "invalid"],
    ["a place in words", { postIndex: "first" }, 400, "invalid"],
    ["a place of endless digits", { postIndex: "1".repeat(5000) }, 400, "invalid"],
    ["no place", { postIndex: "" }, 400, "invalid"],
    ["a place in no post", { post: "", postIndex: "1" }, 400, "invalid"],
    ["a short id", { post: "abc", postIndex: "1" }, 400, "invalid"],
    ["an id in capitals", { post: "ABCDEFGHIJKLMNO", postIndex: "1" }, 400, "invalid"],
    ["a long id", { post: "a".repeat(5000), postIndex: "1" }, 400, "invalid"],
    ["an id that is a statement", { post: "' OR 1=1 --    ", postIndex: "1" }, 400, "invalid"],
  ])("%s", async (_, fields, status, code) => {
    const before = await stage.number("SELECT count(*) FROM media");
    const answer = await send({ post: id(), ...fields });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await stage.number("SELECT count(*) FROM media")).toBe(before);
  });

  test("a place that is taken, by one's own other medium", async () => {
    const post = id();
    must(await send({ post, postIndex: "0" }));
    const again = await send({ post, postIndex: "0" });
    expect([again.status, again.body.code]).toEqual([409, "post_taken"]);
    expect(await rowsOf(post)).toBe(1);
  });

  test("somebody else's post, at any place", async () => {
    const post = id();
    must(await send({ post, postIndex: "0" }));
    for (const postIndex of ["0", "1"]) {
      const answer = await send({ post, postIndex }, stage.bob);
      expect([answer.status, answer.body.code]).toEqual([403, "post_foreign"]);
    }
    expect(await rowsOf(post)).toBe(1);
  });

  test("one of many that come for one place in the same moment, but one", async () => {
    const post = id();
    const people = [stage.ann, await signUp(stage.server), stage.ann, await signUp(stage.server)];
    const uploads = await Promise.all(
      people.map((who) => upload(stage.server, who.token, mediaFixture("photo.jpg"))),
    );
    const answers = await Promise.all(
      people.map((who, i) => finish({ uploadId: uploads[i] ?? "", post, postIndex: "5" }, who)),
    );
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers) {
      if (status !== 200) expect(["post_taken", "post_foreign"]).toContain(body.code);
    }
    expect(await rowsOf(post)).toBe(1);
  });

  test("another post later, whoever asks", async () => {
    const post = id();
    const { id: mediaId } = must(await send({ post, postIndex: "1" })).body;
    const change = { post: id(), postIndex: 7 };
    must(await stage.update("media", mediaId, { ...change, caption: "New" }, stage.ann));
    expect(await stage.row("media", mediaId)).toMatchObject({ post, postIndex: 1, caption: "New" });
    expect((await stage.update("media", mediaId, change, stage.superuser)).status).toBe(400);
    // Also by hand in the database.
    expect((await stage.sql(`UPDATE media SET post = '' WHERE id = '${mediaId}'`)).status).toBe(
      400,
    );
    expect(await stage.row("media", mediaId)).toMatchObject({ post, postIndex: 1 });
  });
});

test("asking for a post reads its index alone, and for those in none no more than before", async () => {
  const plan = async (where: string) =>
    (await stage.sql(`EXPLAIN QUERY PLAN SELECT id FROM media WHERE ${where}`)).rows
      .flat()
      .join(" ");
  expect(await plan("(post = 'a' AND post != '')")).toContain("idx_media_post");
  expect((await stage.list("media", `filter=${encodeURIComponent("post = ''")}`)).status).toBe(200);
});
