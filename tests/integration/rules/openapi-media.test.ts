/** The media of docs/openapi.yaml against the running server: every documented answer is met. */
import { createHash } from "node:crypto";
import { documentedAnswers, formOf, meeting } from "@tests/support/api-document";
import { type FixtureName, mediaFixture } from "@tests/support/media-fixtures";
import type { SignedIn } from "@tests/support/pocketbase";
import { metadataHeader, upload } from "@tests/support/tus";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId, pairId } from "@/domain/ids";
import { type Stage, setStage } from "./stage";

let stage: Stage;
let ann: SignedIn;
let bob: SignedIn;
let admin: SignedIn;
beforeAll(async () => {
  stage = await setStage();
  ({ ann, bob, admin } = stage);
});
afterAll(() => stage?.server.stop());

const { meet, met } = meeting(() => stage.server);

const sent = (name: FixtureName, who = ann) => upload(stage.server, who.token, mediaFixture(name));

test("uploads", async () => {
  const tus = { "tus-resumable": "1.0.0" };
  const piece = { ...tus, "content-type": "application/offset+octet-stream" };
  const bytes = new Uint8Array(10);
  const meta = { "upload-metadata": metadataHeader({ filename: "a.jpg" }) };
  await meet("OPTIONS /api/uploads", 204);
  const made = await meet("POST /api/uploads", 201, {
    as: ann,
    headers: { ...tus, ...meta, "upload-length": "10" },
  });
  await meet("POST /api/uploads", 400, { as: ann, headers: tus });
  await meet("POST /api/uploads", 401, { headers: { ...tus, "upload-length": "10" } });
  await meet("POST /api/uploads", 412, { as: ann });
  await meet("POST /api/uploads", 413, {
    as: ann,
    headers: { ...tus, "upload-length": "999999999999" },
  });
  const id = made.headers.get("location")?.split("/").pop() ?? "";
  const path = { id };
  await meet("HEAD /api/uploads/{id}", 200, { as: ann, path, headers: tus });
  await meet("HEAD /api/uploads/{id}", 404, { as: bob, path, headers: tus });
  await meet("HEAD /api/uploads/{id}", 401, { path, headers: tus });
  await meet("OPTIONS /api/uploads/{id}", 204, { path });
  await meet("PATCH /api/uploads/{id}", 415, {
    as: ann,
    path,
    headers: { ...tus, "upload-offset": "0" },
    body: bytes,
  });
  await meet("PATCH /api/uploads/{id}", 400, { as: ann, path, headers: piece, body: bytes });
  await meet("PATCH /api/uploads/{id}", 409, {
    as: ann,
    path,
    headers: { ...piece, "upload-offset": "5" },
    body: bytes.subarray(5),
  });
  await meet("PATCH /api/uploads/{id}", 413, {
    as: ann,
    path,
    headers: { ...piece, "upload-offset": "0" },
    body: new Uint8Array(11),
  });
  await meet("PATCH /api/uploads/{id}", 460, {
    as: ann,
    path,
    headers: {
      ...piece,
      "upload-offset": "0",
      "upload-checksum": `sha256 ${createHash("sha256").update("else").digest("base64")}`,
    },
    body: bytes,
  });
  await meet("PATCH /api/uploads/{id}", 404, {
    as: bob,
    path,
    headers: { ...piece, "upload-offset": "0" },
    body: bytes,
  });
  await meet("PATCH /api/uploads/{id}", 401, {
    path,
    headers: { ...piece, "upload-offset": "0" },
    body: bytes,
  });
  await meet("PATCH /api/uploads/{id}", 412, {
    as: ann,
    path,
    headers: { "upload-offset": "0" },
    body: bytes,
  });
  await meet("PATCH /api/uploads/{id}", 204, {
    as: ann,
    path,
    headers: { ...piece, "upload-offset": "0" },
    body: bytes,
  });
  await meet("DELETE /api/uploads/{id}", 404, { as: bob, path, headers: tus });
  await meet("DELETE /api/uploads/{id}", 401, { path, headers: tus });
  await meet("DELETE /api/uploads/{id}", 204, { as: ann, path, headers: tus });
});

test("media, and what is said about them", async () => {
  const id = newId(Math.random);
  const uploadId = await sent("photo.jpg" as FixtureName);
  const fields = {
    id,
    uploadId,
    caption: "Harbour",
    tags: '["sea"]',
    alt: "",
    type: "photo",
    width: "0",
    height: "0",
    duration: "0",
    thumbhash: "",
    originalFilename: "photo.jpg",
  };
  await meet("POST /api/media", 401, { body: formOf(fields) });
  await meet("POST /api/media", 400, {
    as: ann,
    body: formOf({ ...fields, caption: "x".repeat(2201) }),
  });
  await meet("POST /api/media", 404, {
    as: ann,
    body: formOf({ ...fields, uploadId: newId(Math.random) }),
  });
  await meet("POST /api/media", 200, { as: ann, body: formOf(fields) });
  await meet("POST /api/media", 409, {
    as: bob,
    body: formOf({ ...fields, uploadId: await sent("photo.jpg" as FixtureName, bob) }),
  });
  const post = newId(Math.random);
  const inPost = async (who: SignedIn, postIndex: string) => ({
    ...fields,
    id: newId(Math.random),
    uploadId: await sent("photo.jpg" as FixtureName, who),
    post,
    postIndex,
  });
  await meet("POST /api/media", 200, { as: ann, body: formOf(await inPost(ann, "0")) });
  await meet("POST /api/media", 403, { as: bob, body: formOf(await inPost(bob, "1")) });
  const path = { id };
  await meet("GET /api/collections/media/records", 200, { query: { sort: "-createdAt,-id" } });
  await meet("GET /api/collections/media/records", 400, { query: { filter: "caption ?~ 'x'" } });
  const seen = await meet("GET /api/collections/media/records/{id}", 200, { path });
  await meet("GET /api/collections/media/records/{id}", 404, { path: { id: newId(Math.random) } });
  await meet("PATCH /api/collections/media/records/{id}", 200, {
    path,
    as: ann,
    body: { caption: "The harbour" },
  });
  await meet("PATCH /api/collections/media/records/{id}", 400, {
    path,
    as: ann,
    body: { caption: "x".repeat(2201) },
  });
  await meet("PATCH /api/collections/media/records/{id}", 404, {
    path,
    as: bob,
    body: { caption: "x" },
  });
  await meet("POST /api/media/{id}/view", 200, { path, as: bob, body: { session: "" } });
  await meet("POST /api/media/{id}/view", 400, { path, body: {} });
  await meet("POST /api/media/{id}/view", 404, {
    path: { id: newId(Math.random) },
    as: bob,
    body: { session: "" },
  });
  const file = { collection: "media", record: id, name: seen.body.file };
  await meet("GET /api/files/{collection}/{record}/{name}", 200, { path: file });
  await meet("GET /api/files/{collection}/{record}/{name}", 206, {
    path: file,
    headers: { range: "bytes=0-3" },
  });
  await meet("GET /api/files/{collection}/{record}/{name}", 404, {
    path: { ...file, name: "no.jpg" },
  });
  await meet("GET /api/files/{collection}/{record}/{name}", 416, {
    path: file,
    headers: { range: "bytes=99999999-" },
  });
});

test("what one saves, and its folders", async () => {
  const mediaId = await stage.media(ann);
  const save = { id: pairId(bob.id, mediaId), userId: bob.id, mediaId };
  const folder = { id: pairId(bob.id, newId(Math.random)), userId: bob.id, name: "Harbours" };
  const [made, one] = [
    "POST /api/collections/saves/records",
    "PATCH /api/collections/saves/records/{id}",
  ] as const;
  await meet(made, 200, { as: bob, body: folder });
  await meet(made, 200, { as: bob, body: save });
  await meet(made, 400, { as: bob, body: { ...save, id: "x" } });
  await meet(made, 404, { as: bob, body: { ...save, id: "", mediaId: newId(Math.random) } });
  await meet("GET /api/collections/saves/records", 200, { as: bob });
  await meet("GET /api/collections/saves/records", 401, { as: "dead" });
  const ofBob = { path: { id: folder.id }, as: bob };
  await meet(one, 200, { ...ofBob, body: { name: "Piers" } });
  await meet(one, 400, { ...ofBob, body: { name: " " } });
  await meet(one, 404, { path: { id: folder.id }, as: ann, body: { name: "Mine" } });
  await meet("DELETE /api/collections/saves/records/{id}", 204, ofBob);
  await meet("DELETE /api/collections/saves/records/{id}", 404, ofBob);
});

test("likes, comments and reports", async () => {
  const id = await stage.media(ann, { caption: "The harbour" });
  const path = { id };
  const like = { id: pairId(id, bob.id), mediaId: id, userId: bob.id };
  await meet("POST /api/collections/likes/records", 200, { as: bob, body: like });
  await meet("POST /api/collections/likes/records", 400, { as: bob, body: { ...like, id: "x" } });
  await meet("GET /api/collections/likes/records", 200, { as: bob });
  await meet("GET /api/collections/likes/records", 401, { as: "dead" });
  await meet("DELETE /api/collections/likes/records/{id}", 204, { path: { id: like.id }, as: bob });
  await meet("DELETE /api/collections/likes/records/{id}", 404, { path: { id: like.id }, as: bob });
  const comment = { id: newId(Math.random), mediaId: id, userId: bob.id, text: "Lovely" };
  await meet("POST /api/collections/comments/records", 200, { as: bob, body: comment });
  await meet("POST /api/collections/comments/records", 400, {
    as: bob,
    body: { ...comment, id: newId(Math.random), text: " " },
  });
  await meet("GET /api/collections/comments/records", 200, {
    query: { filter: `mediaId = '${id}'`, sort: "-createdAt,-id" },
  });
  await meet("POST /api/collections/likes/records", 200, {
    as: ann,
    body: { id: pairId(comment.id, ann.id), commentId: comment.id, userId: ann.id },
  });
  await meet("GET /api/collections/comments/records", 200, {
    query: { filter: `mediaId = '${id}' && parentId = ''`, sort: "-likes,-createdAt,-id" },
  });
  const ofBob = { path: { id: comment.id }, as: bob };
  await meet("PATCH /api/collections/comments/records/{id}", 200, {
    ...ofBob,
    body: { text: "Very lovely" },
  });
  await meet("PATCH /api/collections/comments/records/{id}", 400, {
    ...ofBob,
    body: { text: " " },
  });
  await meet("PATCH /api/collections/comments/records/{id}", 404, {
    path: { id: comment.id },
    as: ann,
    body: { text: "Not mine" },
  });
  await meet("DELETE /api/collections/comments/records/{id}", 404, {
    path: { id: newId(Math.random) },
    as: ann,
  });
  await meet("DELETE /api/collections/comments/records/{id}", 204, {
    path: { id: comment.id },
    as: bob,
  });
  const report = { id: pairId(id, bob.id), mediaId: id, userId: bob.id, reason: "Not this" };
  await meet("POST /api/collections/reports/records", 200, { as: bob, body: report });
  await meet("POST /api/collections/reports/records", 400, {
    as: bob,
    body: { ...report, reason: "" },
  });
  await meet("DELETE /api/collections/media/records/{id}", 404, { path, as: bob });
  await meet("DELETE /api/collections/media/records/{id}", 204, { path, as: ann });
});

test("search and the feed", async () => {
  await meet("GET /api/search", 200, { query: { q: "harbour" } });
  await meet("GET /api/sync", 200, { query: { since: "0" } });
  await meet("GET /api/sync", 200, { query: { since: "0" }, as: ann });
  await meet("GET /api/sync", 200, { query: { since: "head" } });
  await meet("GET /api/sync", 200, {
    query: { since: "0", mediaFrom: "1", mediaMarks: "abc", comments: "held" },
  });
  await meet("GET /api/sync", 400, { query: { since: "x" } });
  await meet("GET /api/sync", 401, { query: { since: "0" }, as: "dead" });
});

test("what the followed post, and whom to follow", async () => {
  const follow = { id: pairId(ann.id, bob.id), followerId: ann.id, followingId: bob.id };
  await stage.create("follows", follow, ann);
  await stage.media(bob, { caption: "At sea" });
  await meet("GET /api/following/media", 200, { as: ann });
  await meet("GET /api/following/media", 400, { query: { limit: "x" }, as: ann });
  await meet("GET /api/following/media", 401);
  await meet("GET /api/following/suggested", 200, { as: ann });
  await meet("GET /api/following/suggested", 401);
});

test("the media of a tag", async () => {
  await stage.media(bob, { caption: "At #sea" });
  const at = { path: { tag: "sea" } };
  await meet("GET /api/tags/{tag}/media", 200, at);
  await meet("GET /api/tags/{tag}/media", 200, { ...at, query: { sort: "popular", limit: "1" } });
  await meet("GET /api/tags/{tag}/media", 400, { ...at, query: { sort: "x" } });
  await meet("GET /api/tags/{tag}/media", 401, { ...at, as: "dead" });
});

test("tags and people of the week", async () => {
  await stage.media(bob, { caption: "At #sea" });
  await meet("GET /api/explore", 200);
  await meet("GET /api/explore", 200, { as: ann });
  await meet("GET /api/explore", 401, { as: "dead" });
});

test("one's own lists, and tokens for files", async () => {
  await meet("GET /api/collections/uploads/records", 200, { as: ann });
  await meet("GET /api/collections/reports/records", 200, { as: admin });
  await meet("POST /api/files/token", 401);
  await meet("POST /api/files/token", 200, { as: ann });
});

test("every documented answer was met", () => {
  expect([...met].sort()).toEqual(
    documentedAnswers(
      (tag) => tag === "Media" || tag === "Uploads" || tag === "Search" || tag === "Feed",
    ).sort(),
  );
});
