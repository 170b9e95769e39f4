/**
 * Who uploads without our client gets the same privacy: a file that says where, when or with what it was made is
 * refused wherever it comes in, with the reason, and passes once that is taken out of it.
 */
import { randomBytes } from "node:crypto";
import { cpuOf } from "@tests/support/cpu";
import { ascii, joinBytes, jpegWithSecrets, SECRET, segment } from "@tests/support/exif";
import { type FixtureName, mediaFixture } from "@tests/support/media-fixtures";
import {
  type Answer,
  createSuperuser,
  type PocketBase,
  type SignedIn,
  signUp,
  startPocketBase,
} from "@tests/support/pocketbase";
import { upload } from "@tests/support/tus";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stripPicture } from "@/data/files/strip-picture";
import { stripVideo } from "@/data/files/strip-video";
import { conversationId } from "@/domain/ids";
import { detectFile } from "@/domain/media-files";

type Bytes = Uint8Array<ArrayBuffer>;

let server: PocketBase;
let ann: SignedIn;
let superuser: SignedIn;
let chat: string;
beforeAll(async () => {
  server = await startPocketBase();
  superuser = await createSuperuser(server);
  ann = await signUp(server);
  const bob = await signUp(server);
  const limits = { uploadsPerHour: 10_000, openUploads: 1_000, openUploadBytes: 1e10 };
  await server.api("PATCH", "/api/collections/settings/records/app", { limits }, superuser.token);
  chat = conversationId(ann.id, bob.id);
  const row = { id: chat, participants: [ann.id, bob.id].sort() };
  await server.api("POST", "/api/collections/conversations/records", row, ann.token);
});
afterAll(() => server?.stop());

type Fields = Record<string, string | Uint8Array>;

function formOf(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") form.set(name, value);
    else form.set(name, new Blob([value as BlobPart]), name);
  }
  return form;
}

async function finish(path: string, bytes: Uint8Array, more: Fields = {}): Promise<Answer> {
  const uploadId = await upload(server, ann.token, bytes);
  const id = randomBytes(8).toString("hex").slice(0, 15);
  return server.api("POST", path, formOf({ id, uploadId, ...more }), ann.token);
}

async function stripped(bytes: Bytes): Promise<Bytes> {
  const detected = detectFile(bytes.subarray(0, 64));
  if (detected === null) throw new Error("no file of ours");
  const read = (at: number, length: number) => bytes.subarray(at, at + length);
  const blob =
    detected.kind === "photo"
      ? stripPicture(bytes, detected.contentType)
      : stripVideo(read, new Blob([bytes]), detected);
  return new Uint8Array(await blob.arrayBuffer());
}

const photo = mediaFixture("photo.jpg");
const jpegWith = (part: Uint8Array): Bytes =>
  joinBytes(photo.subarray(0, 2), part, photo.subarray(2));
const after = (name: FixtureName, at: number, part: Uint8Array): Bytes =>
  joinBytes(mediaFixture(name).subarray(0, at), part, mediaFixture(name).subarray(at));
const pngText = Buffer.from(`....tEXt${SECRET}....`, "latin1");
pngText.writeUInt32BE(SECRET.length);
const gifComment = joinBytes(
  Uint8Array.of(0x21, 0xfe, SECRET.length),
  ascii(SECRET),
  Uint8Array.of(0),
);
const webpText = Buffer.from(`XMP ....${SECRET}`, "latin1");
webpText.writeUInt32LE(SECRET.length, 4);
const webp = Buffer.from(joinBytes(mediaFixture("photo.webp"), webpText));
webp.writeUInt32LE(webp.length - 8, 4);

const PICTURES: [string, () => Bytes][] = [
  ["a JPEG with EXIF and all that cameras add", () => jpegWithSecrets(photo, 6)],
  ["a JPEG with a comment", () => jpegWith(segment(0xfe, ascii(SECRET)))],
  [
    "a JPEG with XMP",
    () => jpegWith(segment(0xe1, ascii(`http://ns.adobe.com/xap/1.0/\0${SECRET}`))),
  ],
  ["a JPEG with something behind its end", () => joinBytes(photo, ascii(SECRET))],
  ["a PNG with a text", () => after("photo.png", 33, pngText)],
  [
    "a GIF with a comment",
    () => after("photo.gif", mediaFixture("photo.gif").length - 1, gifComment),
  ],
  ["a WebP with XMP", () => new Uint8Array(webp)],
];
const box = (type: string, body: Uint8Array): Bytes => joinBytes(head(type, 8 + body.length), body);
const FILMS: [string, () => Bytes][] = [
  ...(
    [
      "video-with-place.mp4",
      "video-with-place.mov",
      "video-with-place.webm",
      "video-with-texts.mp4",
      "video-with-texts-fragmented.mp4",
      "video-with-texts.webm",
      "video-with-texts-live.webm",
    ] as const
  ).map((name): [string, () => Bytes] => [name, () => mediaFixture(name)]),
  ["one with words in its padding", () => withBox(box("free", ascii(SECRET)))],
  ["one with a dashcam's list", () => withBox(box("moov", box("gps ", ascii(SECRET))))],
  ["one with a box that nobody knows", () => withBox(box("CAME", ascii(SECRET)))],
];
const withBox = (more: Uint8Array): Bytes => joinBytes(mediaFixture("video.mp4"), more);

describe("is refused with the reason, and passes once it is clean:", () => {
  test.each(PICTURES)("%s, as a medium, a message and a profile picture", async (_what, make) => {
    const bytes = make();
    const clean = await stripped(bytes);
    expect(Buffer.from(clean).includes(SECRET)).toBe(false);
    for (const [path, more] of [
      ["/api/media", {}],
      ["/api/messages/photo", { conversationId: chat }],
    ] as [string, Fields][]) {
      const refused = await finish(path, bytes, more);
      expect([refused.status, refused.body.code]).toEqual([400, "metadata"]);
      expect(refused.body.message).toMatch(/where, when or with what it was made/);
      expect((await finish(path, clean, more)).status).toBe(200);
    }
    for (const field of ["profilePicture", "profileThumbnail"]) {
      const change = (picture: Uint8Array) => {
        const own = `/api/collections/users/records/${ann.id}`;
        return server.api("PATCH", own, formOf({ [field]: picture }), ann.token);
      };
      const refused = await change(bytes);
      expect([refused.status, refused.body.data[field].code]).toEqual([400, "metadata"]);
      expect((await change(clean)).status).toBe(200);
    }
  });

  test.each(FILMS)("%s, as a medium", async (_what, make) => {
    const film = make();
    expect((await finish("/api/media", film)).body).toMatchObject({
      status: 400,
      code: "metadata",
    });
    expect((await finish("/api/media", await stripped(film))).status).toBe(200);
  });

  test.each([
    ["/api/media", "thumbnail", "photo.jpg"],
    ["/api/media", "preview", "photo.jpg"],
    ["/api/media", "thumbnail", "video.mp4"],
    ["/api/messages/photo", "thumbnail", "photo.jpg"],
  ] as const)("a small picture: %s, %s of %s", async (path, field, name) => {
    const send = (small: Uint8Array) =>
      finish(path, mediaFixture(name), { conversationId: chat, [field]: small });
    expect((await send(jpegWithSecrets(photo, 1))).body).toMatchObject({ code: "metadata" });
    expect((await send(photo)).status).toBe(200);
  });
});

test("an import in the name of others is refused too", async () => {
  const as = { authorization: superuser.token, "x-acting-user": ann.id };
  const begun = await fetch(`${server.url}/api/uploads`, {
    method: "POST",
    headers: {
      ...as,
      "tus-resumable": "1.0.0",
      "upload-length": String(jpegWithSecrets(photo, 1).length),
      "content-type": "application/offset+octet-stream",
    },
    body: jpegWithSecrets(photo, 1),
  });
  const uploadId = begun.headers.get("location")?.split("/").pop() ?? "";
  const form = formOf({ id: "importedmedium1", uploadId });
  const answer = await fetch(`${server.url}/api/media`, {
    method: "POST",
    headers: as,
    body: form,
  });
  expect(await answer.json()).toMatchObject({ code: "metadata" });
});

const repeated = (count: number, part: Uint8Array): Bytes =>
  new Uint8Array(Buffer.alloc(count * part.length, part));
const icc = segment(0xe2, ascii("ICC_PROFILE\0"));
const plainExif = segment(
  0xe1,
  joinBytes(
    ascii("Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"),
    Uint8Array.of(6, 0, 0, 0, 0, 0, 0),
  ),
);
const film = mediaFixture("video.webm");
const cluster = Buffer.from(film).indexOf(Buffer.from([0x1f, 0x43, 0xb6, 0x75]));
const head = (type: string, length: number): Buffer => {
  const bytes = Buffer.from(`....${type}`, "latin1");
  bytes.writeUInt32BE(length);
  return bytes;
};
const withIndex = (inside: Uint8Array): Bytes =>
  joinBytes(mediaFixture("video.mp4"), head("moov", 8 + inside.length), inside);
const tracks = repeated(
  2_000,
  joinBytes(head("trak", 8 + 8_000), repeated(1_000, head("mdia", 8))),
);
const fragment = box("traf", repeated(20, box("trun", new Uint8Array(20))));
const dashcam = repeated(100_000, Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 1));
const nested = joinBytes(
  ...Array.from({ length: 20_000 }, (_, i) => head("mdia", 8 * (20_000 - i))),
);

describe("is judged at little cost:", () => {
  test.each<[string, Bytes]>([
    ["a JPEG of 4,900 colour profiles", jpegWith(repeated(4_900, icc))],
    ["a JPEG of 4,900 ways up", jpegWith(repeated(4_900, plainExif))],
    [
      "a GIF of countless extensions",
      after("photo.gif", 781, repeated(1_500_000, Uint8Array.of(0x21, 0xf9, 0))),
    ],
    [
      "a WebM of countless clusters",
      joinBytes(
        film.subarray(0, cluster),
        repeated(500_000, Uint8Array.of(0x1f, 0x43, 0xb6, 0x75, 0x80)),
      ),
    ],
    ["an index of tracks of countless boxes", withIndex(tracks)],
    ["an index of boxes in boxes", withIndex(nested)],
    ["a film of countless paddings", withBox(repeated(4_900, box("free", new Uint8Array(4_000))))],
    ["a film of countless fragments", withBox(repeated(4_900, box("moof", fragment)))],
    ["an index of countless dashcams' blocks", withIndex(box("gps ", dashcam))],
  ])("%s", async (_what, bytes) => {
    const uploadId = await upload(server, ann.token, bytes);
    let answered: Answer | undefined;
    const cost = await cpuOf(server.pid, async () => {
      const form = formOf({ id: randomBytes(8).toString("hex").slice(0, 15), uploadId });
      answered = await server.api("POST", "/api/media", form, ann.token);
    });
    expect(cost).toBeLessThan(1);
    expect(answered?.status).toBeLessThan(500);
  });
});
