/** Finishing uploads to media, and views: what is stored, what is refused, and that nothing is left behind. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { type FixtureName, mediaFixture } from "@tests/support/media-fixtures";
import {
  type Answer,
  createSuperuser,
  type PocketBase,
  type SignedIn,
  signUp,
  startPocketBase,
} from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import { beginUpload, offsetOf, sendPiece, upload } from "@tests/support/tus";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conversationId, ID_LENGTH, pairId } from "@/domain/ids";

const MB = 1_048_576;

/** Forms of one account that are read at the same time (abuse/half-sent.test.ts). */
const AT_ONCE = 6;

let server: PocketBase;
let superuser: SignedIn;
let ann: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  server = await startPocketBase();
  superuser = await createSuperuser(server);
  ann = await signUp(server);
  bob = await signUp(server);
  const limits = { uploadsPerHour: 10_000, openUploads: 1_000, openUploadBytes: 10_000 * MB };
  await server.api("PATCH", "/api/collections/settings/records/app", { limits }, superuser.token);
});
afterAll(() => server?.stop());

const newId = (): string =>
  Array.from(randomBytes(ID_LENGTH), (byte) => (byte % 36).toString(36)).join("");

interface Form {
  id?: string;
  uploadId?: string;
  tags?: string;
  thumbnail?: Uint8Array;
  preview?: Uint8Array;
  [field: string]: string | Uint8Array | undefined;
}

function formOf(fields: Form): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ id: newId(), ...fields })) {
    if (value === undefined) continue;
    if (typeof value === "string") form.set(name, value);
    else form.set(name, new Blob([value as BlobPart]), `${name}.js`);
  }
  return form;
}

const finish = (fields: Form, who = ann): Promise<Answer> =>
  server.api("POST", "/api/media", formOf(fields), who.token);

async function finishBytes(bytes: Uint8Array, fields: Form = {}): Promise<Answer> {
  return finish({ uploadId: await upload(server, ann.token, bytes), ...fields });
}

const mediaRows = async (): Promise<number> =>
  Number((await sql(server, superuser.token, "SELECT count(*) AS n FROM media"))[0]?.["n"]);
const partial = (id: string): string => path.join(`${server.dataDir}_uploads`, id);
async function storedFolders(): Promise<string[]> {
  const [row] = await sql(
    server,
    superuser.token,
    "SELECT id FROM _collections WHERE name = 'media'",
  );
  const folder = path.join(server.dataDir, "storage", String(row?.["id"]));
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Runs `act` and expects that no row, no stored file and no folder came of it. */
async function expectNothingStored(act: () => Promise<unknown>): Promise<void> {
  const before = [await mediaRows(), (await storedFolders()).length];
  await act();
  expect([await mediaRows(), (await storedFolders()).length]).toEqual(before);
}

describe("what is stored", () => {
  test.each<[FixtureName, string, string, string]>([
    ["photo.jpg", "photo", "jpg", "image/jpeg"],
    ["photo.png", "photo", "png", "image/png"],
    ["photo.gif", "photo", "gif", "image/gif"],
    ["photo.webp", "photo", "webp", "image/webp"],
    ["video.mp4", "video", "mp4", "video/mp4"],
    ["video.mov", "video", "mov", "video/quicktime"],
    ["video.webm", "video", "webm", "video/webm"],
    ["video.m4v", "video", "m4v", "video/x-m4v"],
  ])("%s becomes a %s named .%s", async (name, type, extension, contentType) => {
    const bytes = mediaFixture(name);
    const { status, body } = await finishBytes(bytes, { type: "photo", originalFilename: name });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      type,
      contentType,
      fileSize: bytes.length,
      userId: ann.id,
      username: ann.record.username,
      originalFilename: name,
      likes: 0,
      comments: 0,
      views: 0,
    });
    expect(body.file).toMatch(new RegExp(`^${ann.id}_\\d{13}\\.${extension}$`));
    expect(body).not.toHaveProperty("reports");
    const answer = await fetch(`${server.url}/api/files/media/${body.id}/${body.file}`);
    expect(answer.headers.get("content-type")).toBe(contentType);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
  });

  test.each<[FixtureName, number[]]>([
    ["video.mp4", [64, 48, 1]],
    ["video.mov", [64, 48, 1]],
    ["video.webm", [64, 48, 1]],
  ])("size and length of %s come from the file where the device knew none", async (name, facts) => {
    const { body } = await finishBytes(mediaFixture(name), { width: "0", height: "0" });
    expect([body.width, body.height, Math.round(body.duration)]).toEqual(facts);
    const told = { width: "320", height: "240", duration: "7.5" };
    const other = await finishBytes(mediaFixture(name), told);
    expect(other.body).toMatchObject({ width: 320, height: 240, duration: 7.5 });
  });

  test("no picture is decoded for a thumbnail: the file itself is sent", async () => {
    const bytes = mediaFixture("photo.jpg");
    const { body } = await finishBytes(bytes);
    const where = `${server.url}/api/files/media/${body.id}/${body.file}`;
    for (const thumb of ["100x100", "100x100t", "0x100"]) {
      const answer = await fetch(`${where}?thumb=${thumb}`);
      expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
    }
  });

  test("a GIF that calls itself evil.js is stored and served as a GIF that cannot run", async () => {
    const where = await beginUpload(server, ann.token, mediaFixture("photo.gif").length, {
      filename: "evil.js",
      filetype: "text/javascript",
    });
    await sendPiece(server, ann.token, where, { offset: 0, body: mediaFixture("photo.gif") });
    const { body } = await finish({
      uploadId: path.basename(where),
      originalFilename: "evil.js",
      thumbnail: mediaFixture("photo.jpg"),
    });
    expect(body.file).toMatch(/\.gif$/);
    expect(body.thumbnail).toMatch(new RegExp(`^thumb_${ann.id}_\\d{13}\\.jpg$`));
    for (const name of [body.file, body.thumbnail]) {
      const { headers } = await fetch(`${server.url}/api/files/media/${body.id}/${name}`);
      expect(headers.get("content-type")).toMatch(/^image\//);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toContain("sandbox");
    }
  });

  test("words, figures and renditions come along, and the feed gives the same row", async () => {
    const { body } = await finishBytes(mediaFixture("photo.jpg"), {
      caption: "  Grüße & <b>Küsse</b> 😀 ",
      tags: '["see", " sommer ", "see", "", "a,b", "🌊"]',
      alt: "A lake",
      width: "4032",
      height: "3024",
      duration: "abc",
      thumbhash: "3OcRJYB4d3h/iIeHeEh3eIhw+j2w",
      thumbnail: mediaFixture("photo.jpg"),
      preview: mediaFixture("photo.jpg"),
    });
    expect(body).toMatchObject({
      caption: "Grüße & <b>Küsse</b> 😀",
      tags: ["see", "sommer", "a,b", "🌊"],
      alt: "A lake",
      width: 4032,
      height: 3024,
      duration: 0,
      thumbhash: "3OcRJYB4d3h/iIeHeEh3eIhw+j2w",
    });
    expect(body.preview).toMatch(/^preview_.*\.jpg$/);
    const feed = await server.api("GET", `/api/sync?since=${body.seq - 1}`, undefined, bob.token);
    const row = feed.body.changes.media.documents.find(({ id }: { id: string }) => id === body.id);
    expect(row).toEqual(body);
  });

  test("a preview may be WebP, and is named and served as what it is", async () => {
    const { status, body } = await finishBytes(mediaFixture("photo.jpg"), {
      preview: mediaFixture("photo.webp"),
    });
    expect(status).toBe(200);
    expect(body.preview).toMatch(new RegExp(`^preview_${ann.id}_\\d{13}\\.webp$`));
    const answer = await fetch(`${server.url}/api/files/media/${body.id}/${body.preview}`);
    expect(answer.headers.get("content-type")).toBe("image/webp");
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(mediaFixture("photo.webp"));
  });

  test("what the server alone decides is not taken from the form", async () => {
    const { body } = await finishBytes(mediaFixture("photo.jpg"), {
      userId: bob.id,
      username: "somebody",
      likes: "99",
      views: "99",
      reports: "99",
      seq: "1",
      contentType: "text/html",
      fileSize: "1",
      file: "x.js",
      createdAt: "2001-01-01 00:00:00.000Z",
    });
    expect(body).toMatchObject({
      userId: ann.id,
      username: ann.record.username,
      likes: 0,
      views: 0,
      contentType: "image/jpeg",
      fileSize: mediaFixture("photo.jpg").length,
    });
    expect(body.createdAt.slice(0, 4)).not.toBe("2001");
  });

  test("a video larger than the schema's 5 MB is stored whole", async () => {
    const video = mediaFixture("video.webm");
    const bytes = new Uint8Array(12 * MB);
    bytes.set(video);
    // A WebM void element of the rest: players skip it, and so do the checks.
    const fill = bytes.length - video.length;
    bytes.set([0xec, 0x08], video.length);
    new DataView(bytes.buffer).setUint32(video.length + 2, fill - 9);
    const { status, body } = await finishBytes(bytes);
    expect([status, body.fileSize]).toEqual([200, bytes.length]);
  });

  test("where the storage lies on another disk, the upload is copied", async () => {
    const other = mkdtempSync("/dev/shm/augenblick-");
    const far = await startPocketBase();
    try {
      symlinkSync(other, path.join(far.dataDir, "storage"));
      const carl = await signUp(far);
      const bytes = mediaFixture("photo.jpg");
      const uploadId = await upload(far, carl.token, bytes);
      const form = formOf({ uploadId });
      const { status, body } = await far.api("POST", "/api/media", form, carl.token);
      expect(status).toBe(200);
      const stored = await fetch(`${far.url}/api/files/media/${body.id}/${body.file}`);
      expect(new Uint8Array(await stored.arrayBuffer())).toEqual(bytes);
      expect(existsSync(path.join(`${far.dataDir}_uploads`, uploadId))).toBe(false);
    } finally {
      await far.stop();
      rmSync(other, { recursive: true });
    }
  });

  test("deleting a medium removes every file of it", async () => {
    const { body } = await finishBytes(mediaFixture("photo.jpg"), {
      thumbnail: mediaFixture("photo.jpg"),
    });
    expect(await storedFolders()).toContain(body.id);
    const where = `/api/collections/media/records/${body.id}`;
    expect((await server.api("DELETE", where, undefined, ann.token)).status).toBe(204);
    await expect.poll(storedFolders).not.toContain(body.id);
  });

  test("two files of one millisecond get two names", async () => {
    const ids = await Promise.all(
      Array.from({ length: AT_ONCE }, () => upload(server, ann.token, mediaFixture("photo.jpg"))),
    );
    const all = await Promise.all(ids.map((uploadId) => finish({ uploadId })));
    expect(new Set(all.map(({ body }) => body.file)).size).toBe(AT_ONCE);
  });
});

describe("exactly once", () => {
  test("sent again it answers the same row, though the upload is gone", async () => {
    const id = newId();
    const uploadId = await upload(server, ann.token, mediaFixture("photo.jpg"));
    const first = await finish({ id, uploadId, caption: "one" });
    expect(existsSync(partial(uploadId))).toBe(false);
    expect(await offsetOf(server, ann.token, `/api/uploads/${uploadId}`)).toBe(-1);
    const again = await finish({ id, uploadId, caption: "two" });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await storedFolders()).toContain(id);
  });

  test("many at once make one row", async () => {
    const id = newId();
    const uploadId = await upload(server, ann.token, mediaFixture("photo.jpg"));
    const before = await mediaRows();
    const all = await Promise.all(Array.from({ length: AT_ONCE }, () => finish({ id, uploadId })));
    expect(all.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(200));
    expect(await mediaRows()).toBe(before + 1);
  });

  test("one upload cannot become two media", async () => {
    const uploadId = await upload(server, ann.token, mediaFixture("photo.jpg"));
    const before = await mediaRows();
    const all = await Promise.all(Array.from({ length: 4 }, () => finish({ uploadId })));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    expect(await mediaRows()).toBe(before + 1);
  });

  test("somebody else's id is a conflict, and his row stays as it was", async () => {
    const { body } = await finishBytes(mediaFixture("photo.jpg"), { caption: "mine" });
    const uploadId = await upload(server, bob.token, mediaFixture("photo.png"));
    const answer = await finish({ id: body.id, uploadId, caption: "his" }, bob);
    expect([answer.status, answer.body.code]).toEqual([409, "conflict"]);
    const now = await server.api("GET", `/api/collections/media/records/${body.id}`);
    expect(now.body).toMatchObject({ caption: "mine", userId: ann.id });
  });

  test("an upload whose bytes went with a crash is gone, so that it is begun anew", async () => {
    const uploadId = await upload(server, ann.token, mediaFixture("photo.jpg"));
    rmSync(partial(uploadId));
    const id = newId();
    expect(await finish({ id, uploadId })).toMatchObject({ status: 404 });
    expect(await finishBytes(mediaFixture("photo.jpg"), { id })).toMatchObject({ status: 200 });
  });

  test("a row whose upload was left behind by a crash is answered, and the upload swept", async () => {
    const { body } = await finishBytes(mediaFixture("photo.jpg"));
    const left = await upload(server, ann.token, mediaFixture("photo.jpg"));
    const again = await finish({ id: body.id, uploadId: left });
    expect(again.status).toBe(200);
    expect(existsSync(partial(left))).toBe(false);
  });
});

test("a row that the database refuses leaves the upload as it was, and nothing stored", async () => {
  const uploadId = await upload(server, ann.token, mediaFixture("photo.jpg"));
  const refuse = `CREATE TRIGGER test_refusal BEFORE INSERT ON media BEGIN SELECT RAISE(ABORT, 'no'); END`;
  await sql(server, superuser.token, refuse);
  await expectNothingStored(async () => {
    const { status, body } = await finish({ uploadId, thumbnail: mediaFixture("photo.jpg") });
    expect([status, body.code]).toEqual([500, "server"]);
  });
  await sql(server, superuser.token, "DROP TRIGGER test_refusal");
  expect((await finish({ uploadId })).status).toBe(200);
});

describe("what is refused", () => {
  const truncated = (name: FixtureName): Uint8Array =>
    mediaFixture(name).slice(0, Math.floor(mediaFixture(name).length / 2));
  const fileOf = (name: string): Uint8Array =>
    new Uint8Array(readFileSync(new URL(`../files/${name}`, import.meta.url)));
  const text = (words: string): Uint8Array => new TextEncoder().encode(words);
  const largeJpeg = (): Uint8Array => {
    const bytes = new Uint8Array(5 * MB + 1);
    bytes.set(mediaFixture("photo.jpg"));
    return bytes;
  };

  const vastPng = (): Uint8Array => {
    const bytes = mediaFixture("photo.png").slice();
    // 20,000 by 20,000, as its header states.
    bytes.set([0, 0, 0x4e, 0x20, 0, 0, 0x4e, 0x20], 16);
    return bytes;
  };
  /** A JPEG of 64 by 48 whose frame states 65,535 by 65,535. */
  const vastJpeg = (): Uint8Array => {
    const bytes = mediaFixture("photo.jpg").slice();
    const frame = bytes.findIndex((byte, i) => byte === 0xff && bytes[i + 1] === 0xc0);
    bytes.set([0xff, 0xff, 0xff, 0xff], frame + 5);
    return bytes;
  };

  /** Says in its header that it moves. */
  const movingWebp = (): Uint8Array => {
    const still = Buffer.from(mediaFixture("photo.webp"));
    const header = Buffer.from([
      ...Buffer.from("VP8X"),
      10,
      0,
      0,
      0,
      2,
      0,
      0,
      0,
      63,
      0,
      0,
      47,
      0,
      0,
    ]);
    const moving = Buffer.concat([still.subarray(0, 12), header, still.subarray(12)]);
    moving.writeUInt32LE(moving.length - 8, 4);
    return moving;
  };

  test.each<[string, () => Uint8Array, number, string]>([
    ["an SVG", () => text('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415, "file_type"],
    ["an HTML page", () => text("<!doctype html><script>alert(1)</script>"), 415, "file_type"],
    ["a script", () => text("alert(1)"), 415, "file_type"],
    ["an AVIF picture", () => mediaFixture("picture.avif"), 415, "file_type"],
    ["a sound", () => mediaFixture("sound.m4a"), 415, "file_type"],
    ["sound in a film's file", () => fileOf("sound-alone.mp4"), 400, "file_audio"],
    ["sound in a WebM", () => fileOf("sound-alone.webm"), 400, "file_audio"],
    ["a HEIC photo", () => fileOf("plain.heic"), 415, "file_type"],
    ["a TIFF", () => fileOf("plain.tiff"), 415, "file_type"],
    ["a Matroska video", () => mediaFixture("video.mkv"), 415, "file_type"],
    ["half a JPEG", () => truncated("photo.jpg"), 400, "file_broken"],
    ["half a PNG", () => truncated("photo.png"), 400, "file_broken"],
    ["half an MP4", () => truncated("video.mp4"), 400, "file_broken"],
    ["a photo of 5 MB and a byte", largeJpeg, 413, "image_too_large"],
    ["a small file of 400 million pixels", vastPng, 413, "image_too_large"],
    ["a small file of four billion pixels", vastJpeg, 413, "image_too_large"],
  ])("%s, with nothing left of it", async (_what, bytes, status, code) => {
    const uploadId = await upload(server, ann.token, bytes());
    await expectNothingStored(async () => {
      const { body, ...answer } = await finish({ uploadId, type: "photo" });
      expect([answer.status, body.code]).toEqual([status, code]);
      expect(body).toMatchObject({ status, data: {} });
    });
    expect(existsSync(partial(uploadId))).toBe(false);
  });

  test.each<[string, Form, string]>([
    ["a caption of 10,000 characters", { caption: "x".repeat(10_000) }, "caption_long"],
    [
      "31 tags",
      { tags: JSON.stringify(Array.from({ length: 31 }, (_, i) => `t${i}`)) },
      "tags_many",
    ],
    ["a tag of 51 characters", { tags: JSON.stringify(["x".repeat(51)]) }, "tag_long"],
    ["tags that are no list", { tags: '{"a":1}' }, "invalid"],
    ["tags that are no JSON", { tags: "a,b" }, "invalid"],
    ["a list of numbers for tags", { tags: "[1,2]" }, "invalid"],
    ["1,001 characters of alternative text", { alt: "x".repeat(1_001) }, "text_long"],
    ["an id that is no id", { id: "../../etc" }, "invalid"],
    ["an id with capitals", { id: "ABCDEFGHIJ12345" }, "invalid"],
    ["a thumbnail that is a GIF", { thumbnail: mediaFixture("photo.gif") }, "file_type"],
    ["a thumbnail that is a WebP", { thumbnail: mediaFixture("photo.webp") }, "file_type"],
    ["a preview that is a PNG", { preview: mediaFixture("photo.png") }, "file_type"],
    ["a preview that moves", { preview: movingWebp() }, "file_type"],
    ["half a WebP preview", { preview: mediaFixture("photo.webp").slice(0, 60) }, "file_type"],
    ["a preview that is a page", { preview: new TextEncoder().encode("<html>") }, "file_type"],
    ["a preview of four billion pixels", { preview: vastJpeg() }, "too_large"],
    ["half a thumbnail", { thumbnail: mediaFixture("photo.jpg").slice(0, 700) }, "file_type"],
    ["a preview of more than 2 MB", { preview: new Uint8Array(2 * MB + 1) }, "too_large"],
  ])("%s, and the upload waits for a better try", async (_what, fields, code) => {
    const uploadId = await upload(server, ann.token, mediaFixture("photo.jpg"));
    await expectNothingStored(async () => {
      const { body } = await finish({ uploadId, ...fields });
      expect(body.code).toBe(code);
    });
    expect((await finish({ uploadId })).status).toBe(200);
  });

  test("an upload that is not complete", async () => {
    const bytes = mediaFixture("photo.jpg");
    const where = await beginUpload(server, ann.token, bytes.length);
    const head = bytes.subarray(0, 500);
    await sendPiece(server, ann.token, where, { offset: 0, body: head });
    await expectNothingStored(async () => {
      const { status, body } = await finish({ uploadId: path.basename(where) });
      expect([status, body.code]).toEqual([409, "conflict"]);
    });
    expect(await offsetOf(server, ann.token, where)).toBe(500);
  });

  test("somebody else's upload, exactly as one that does not exist", async () => {
    const uploadId = await upload(server, ann.token, mediaFixture("photo.jpg"));
    await expectNothingStored(async () => {
      const foreign = await finish({ uploadId }, bob);
      const missing = await finish({ uploadId: newId() }, bob);
      expect(foreign.status).toBe(404);
      expect(foreign.body).toEqual(missing.body);
    });
    expect(existsSync(partial(uploadId))).toBe(true);
  });

  test("a visitor, a bad token, a superuser and a suspended account", async () => {
    const eve = await signUp(server);
    const uploadId = await upload(server, eve.token, mediaFixture("photo.jpg"));
    await server.api(
      "PATCH",
      `/api/collections/users/records/${eve.id}`,
      { isBlocked: true },
      superuser.token,
    );
    await expectNothingStored(async () => {
      const form = () => formOf({ uploadId });
      expect((await server.api("POST", "/api/media", form())).status).toBe(401);
      expect((await server.api("POST", "/api/media", form(), "nonsense")).status).toBe(401);
      expect((await server.api("POST", "/api/media", form(), superuser.token)).status).toBe(403);
      expect([401, 403]).toContain((await finish({ uploadId }, eve)).status);
    });
  });

  test("PocketBase's own create route takes no media", async () => {
    await expectNothingStored(async () => {
      const form = formOf({ userId: ann.id, type: "photo", file: mediaFixture("photo.jpg") });
      const { status } = await server.api(
        "POST",
        "/api/collections/media/records",
        form,
        ann.token,
      );
      expect(status).toBe(403);
    });
  });
});

describe("photo messages", () => {
  let chat: string;
  let carl: SignedIn;
  const records = (collection: string): string => `/api/collections/${collection}/records`;
  beforeAll(async () => {
    carl = await signUp(server);
    chat = conversationId(ann.id, bob.id);
    const conversation = { id: chat, participants: [ann.id, bob.id] };
    await server.api("POST", records("conversations"), conversation, ann.token);
  });

  async function send(fields: Form, who = ann, bytes = mediaFixture("photo.png")): Promise<Answer> {
    const uploadId = await upload(server, who.token, bytes);
    const form = formOf({ conversationId: chat, uploadId, ...fields });
    return server.api("POST", "/api/messages/photo", form, who.token);
  }

  test("a photo arrives in the chat, once, for its two people alone", async () => {
    const id = newId();
    const uploadId = await upload(server, ann.token, mediaFixture("photo.png"));
    const thumbnail = mediaFixture("photo.jpg");
    const form = () =>
      formOf({
        id,
        uploadId,
        conversationId: chat,
        message: " look ",
        timestamp: "1700000000",
        thumbnail,
      });
    const all = await Promise.all(
      [1, 2, 3].map(() => server.api("POST", "/api/messages/photo", form(), ann.token)),
    );
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { body } = all[0] as Answer;
    expect(body).toMatchObject({
      id,
      type: "photo",
      message: "look",
      senderId: ann.id,
      recipientId: bob.id,
      read: false,
      deleted: false,
    });
    expect(body.image).toMatch(new RegExp(`^${ann.id}_\\d{13}\\.png$`));
    const where = `/api/files/messages/${id}/${body.image}`;
    expect((await fetch(server.url + where)).status).toBe(404);
    const read = async (who: SignedIn): Promise<(number | string | null)[]> => {
      const { body: file } = await server.api("POST", "/api/files/token", {}, who.token);
      const answer = await fetch(`${server.url}${where}?token=${file.token}`);
      const { headers } = answer;
      return [answer.status, headers.get("cache-control"), headers.get("content-type")];
    };
    for (const who of [ann, bob]) {
      expect(await read(who)).toEqual([200, "private, no-store", "image/png"]);
    }
    expect((await read(carl))[0]).toBe(404);
    const row = await server.api(
      "GET",
      `${records("conversations")}/${chat}`,
      undefined,
      bob.token,
    );
    expect(row.body).toMatchObject({
      lastMessage: "Photo",
      lastMessageType: "photo",
      messageCount: 1,
    });
  });

  test("with the id of a message that is no such photo is a conflict, and the upload waits", async () => {
    const said = { conversationId: chat, senderId: ann.id, message: "words" };
    const text = await server.api("POST", records("messages"), said, ann.token);
    const uploadId = await upload(server, ann.token, mediaFixture("photo.png"));
    const form = () => formOf({ id: text.body.id, conversationId: chat, uploadId });
    const answer = await server.api("POST", "/api/messages/photo", form(), ann.token);
    expect([answer.status, answer.body.code]).toEqual([409, "conflict"]);
    expect(existsSync(partial(uploadId))).toBe(true);
  });

  test.each([
    ["a page", "<!doctype html><html><body><script>alert(1)</script></body></html>"],
    ["a drawing", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    [
      "a drawing with its preamble",
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
    ],
    ["a script that begins like a GIF", "GIF89a=1;alert(1)//"],
  ])("%s that calls itself a photo is refused, and nothing of it is stored", async (_, text) => {
    const id = newId();
    const answer = await send({ id }, ann, Uint8Array.from(Buffer.from(text)));
    const isGif = text.startsWith("GIF");
    expect(answer.body.code).toBe(isGif ? "file_broken" : "file_type");
    const row = await server.api("GET", `${records("messages")}/${id}`, undefined, superuser.token);
    expect(row.status).toBe(404);
  });

  test("only a photo, of at most 5 MB, that is whole", async () => {
    const large = new Uint8Array(5 * MB + 1);
    large.set(mediaFixture("photo.jpg"));
    const codes = [];
    for (const bytes of [
      mediaFixture("video.mp4"),
      large,
      mediaFixture("photo.jpg").slice(0, 900),
    ]) {
      codes.push((await send({}, ann, bytes)).body.code);
    }
    expect(codes).toEqual(["file_type", "image_too_large", "file_broken"]);
  });

  test("a stranger, a blocked one and a banned one are refused, and the upload waits", async () => {
    const stranger = await send({}, carl);
    expect([stranger.status, stranger.body.code]).toEqual([403, "not_participant"]);
    const unknown = await send({ conversationId: conversationId(carl.id, ann.id) }, carl);
    expect([unknown.status, unknown.body.code]).toEqual([404, "no_conversation"]);
    const block = { id: pairId(bob.id, ann.id), blockerId: bob.id, blockedId: ann.id };
    await server.api("POST", records("blocks"), block, bob.token);
    const blocked = await send({});
    expect([blocked.status, blocked.body.code]).toEqual([403, "blocked"]);
    await server.api("DELETE", `${records("blocks")}/${block.id}`, undefined, bob.token);
    const ban = (chatDisabled: boolean) =>
      server.api("PATCH", `${records("users")}/${ann.id}`, { chatDisabled }, superuser.token);
    await ban(true);
    const banned = await send({});
    expect([banned.status, banned.body.code]).toEqual([403, "chat_disabled"]);
    await ban(false);
    expect((await send({})).status).toBe(200);
  });

  test("text beyond 4,000 characters, a bad id and a visitor are refused", async () => {
    expect((await send({ message: "x".repeat(4_001) })).body.code).toBe("text_long");
    expect((await send({ id: "x" })).body.code).toBe("invalid");
    expect((await send({ conversationId: "../x" })).body.code).toBe("invalid");
    const form = formOf({ conversationId: chat, uploadId: newId() });
    expect((await server.api("POST", "/api/messages/photo", form)).status).toBe(401);
  });
});

test("admins see how often a medium was reported, in lists and alone; nobody else does", async () => {
  const { body } = await finishBytes(mediaFixture("photo.jpg"));
  const boss = await signUp(server);
  const user = `/api/collections/users/records/${boss.id}`;
  await server.api("PATCH", user, { isAdmin: true }, superuser.token);
  const report = { id: `${body.id}_${bob.id}`, mediaId: body.id, userId: bob.id, reason: "spam" };
  await server.api("POST", "/api/collections/reports/records", report, bob.token);
  const reports = async (who?: SignedIn): Promise<unknown[]> => {
    const where = "/api/collections/media/records";
    const filter = encodeURIComponent(`id = '${body.id}'`);
    const list = await server.api("GET", `${where}?filter=${filter}`, undefined, who?.token);
    const view = await server.api("GET", `${where}/${body.id}`, undefined, who?.token);
    return [list.body.items[0].reports, view.body.reports];
  };
  expect(await reports(boss)).toEqual([1, 1]);
  for (const who of [ann, bob, undefined]) {
    expect(await reports(who)).toEqual([undefined, undefined]);
  }
});

describe("views", () => {
  beforeAll(() =>
    server.api(
      "PATCH",
      "/api/collections/settings/records/app",
      { limits: { viewsPerHour: 1_000 } },
      superuser.token,
    ),
  );
  let media: string;
  beforeAll(async () => {
    media = (await finishBytes(mediaFixture("photo.jpg"))).body.id;
  });
  const view = (session: unknown, token?: string, id = media): Promise<Answer> =>
    server.api("POST", `/api/media/${id}/view`, { session }, token);
  const seqOf = async (): Promise<number> =>
    (await server.api("GET", `/api/collections/media/records/${media}`)).body.seq;

  test("each viewer and each anonymous session counts once, the owner never", async () => {
    const seq = await seqOf();
    expect((await view("session-a1")).body).toEqual({ views: 1 });
    expect((await view("session-a1")).body).toEqual({ views: 1 });
    expect((await view("session-b2")).body).toEqual({ views: 2 });
    expect((await view("session-c3", bob.token)).body).toEqual({ views: 3 });
    expect((await view("session-d4", bob.token)).body).toEqual({ views: 3 });
    expect((await view("session-e5", ann.token)).body).toEqual({ views: 3 });
    expect(await seqOf()).toBe(seq);
  });

  test("many at once are counted one by one", async () => {
    const before = (await view("session-a1")).body.views;
    // No more at once than one address may have waiting (turns.ts).
    for (const from of [0, 15])
      await Promise.all(Array.from({ length: 15 }, (_, i) => view(`burst-${from + i}-session`)));
    await Promise.all(Array.from({ length: 10 }, () => view("the-same-session")));
    expect((await view("session-a1")).body.views).toBe(before + 31);
  });

  test("after half an hour the same viewer counts again", async () => {
    const before = (await view("session-a1")).body.views;
    await sql(
      server,
      superuser.token,
      `UPDATE _views SET at = at - 1801 WHERE media = '${media}' AND viewer = 'session:session-a1'`,
    );
    expect((await view("session-a1")).body.views).toBe(before + 1);
  });

  test("every ten minutes rows with new counts come into the feed, once", async () => {
    const head = (await server.api("GET", "/api/sync?since=head")).body.checkpoint;
    await view(`fresh-${newId()}`);
    const announce = () =>
      server.api("POST", "/api/crons/announceViews", undefined, superuser.token);
    const changed = async (): Promise<number> =>
      (await server.api("GET", `/api/sync?since=${head}`)).body.changes.media?.documents.length ??
      0;
    expect(await changed()).toBe(0);
    await announce();
    await expect.poll(changed).toBe(1);
    const seq = await seqOf();
    await announce();
    await expect
      .poll(() => sql(server, superuser.token, "SELECT count(*) AS n FROM _views_dirty"))
      .toEqual([{ n: "0" }]);
    expect(await seqOf()).toBe(seq);
  });

  test.each([
    ["no session", undefined],
    ["a short session", "abc"],
    ["a session that is no word", "a b c d e f g h"],
    ["a session that is no text", { a: 1 }],
  ])("%s is refused", async (_what, session) => {
    expect((await view(session)).status).toBe(400);
  });

  test("an unknown medium is 404 and a bad token 401", async () => {
    expect((await view("session-a1", undefined, newId())).status).toBe(404);
    expect((await view("session-a1", undefined, "..%2f")).status).toBe(404);
    expect((await view("session-a1", "nonsense")).status).toBe(401);
  });
});
