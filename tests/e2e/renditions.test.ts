/** Preparing files in a real browser: what is refused, what is taken out, what is made. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openProfile, type Profile } from "@tests/support/browser";
import { ascii, joinBytes, jpegWithSecrets, SECRET, segment } from "@tests/support/exif";
import { writeHugeVideo } from "@tests/support/huge-video";
import { type FixtureName, mediaFixture } from "@tests/support/media-fixtures";
import { temporaryFolder } from "@tests/support/pocketbase";
import { serveTestPage, type TestPage } from "@tests/support/test-page";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IMAGE_MAX_BYTES, VIDEO_MAX_BYTES } from "@/domain/limits";

interface Prepared {
  error: string | null;
  fileType: string;
  fileSize: number;
  /** Colours at the middle of left, top, right and bottom. */
  thumbnailSides: string[] | null;
  previewSides: string[] | null;
  type: string;
  contentType: string;
  originalFilename: string;
  thumbnail: string;
  preview: string;
  width: number;
  height: number;
  duration: number;
  thumbhash: string;
  renditionFault: string | null;
}

let site: TestPage;
let profile: Profile;
let page: Page;

beforeAll(async () => {
  site = await serveTestPage(`
    import { prepareMedia, shrinkPhoto } from "@/data/files/prepare";
    import { compressPreview } from "@/data/files/pictures";
    import { compressInWorker } from "@/data/files/worker-client";
    const size = async (blob: Blob | null) => {
      if (blob === null) return "";
      const bitmap = await createImageBitmap(blob);
      return blob.type + " " + bitmap.width + "x" + bitmap.height;
    };
    const middle = async (blob: Blob, side: "left" | "right" | "top" | "bottom") => {
      const { width, height, context } = await drawn(blob);
      const x = { left: 0.1, right: 0.9, top: 0.5, bottom: 0.5 }[side] * width;
      const y = { left: 0.5, right: 0.5, top: 0.1, bottom: 0.9 }[side] * height;
      const [red, green, blue] = context.getImageData(x, y, 1, 1).data;
      return red > 200 && blue < 60 ? "red" : blue > 200 && red < 60 ? "blue" : [red, green, blue].join();
    };
    const drawn = async (blob: Blob) => {
      const bitmap = await createImageBitmap(blob);
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext("2d")!;
      context.drawImage(bitmap, 0, 0);
      return { width: bitmap.width, height: bitmap.height, context };
    };
    const sides = async (blob: Blob | null) =>
      blob && Promise.all((["left", "top", "right", "bottom"] as const).map((side) => middle(blob, side)));
    /** A photo that compresses badly. */
    const noise = async (width: number, height: number) => {
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext("2d")!;
      const image = context.createImageData(width, height);
      for (let i = 0; i < image.data.length; i++) image.data[i] = i % 4 === 3 ? 255 : Math.random() * 256;
      context.putImageData(image, 0, 0);
      return canvas.convertToBlob({ type: "image/jpeg", quality: 1 });
    };
    const calls = { prepareMedia, shrinkPhoto };
    /** Black and white stripes of eight pixels, sixteen times as wide as high. */
    const striped = async () => {
      const canvas = new OffscreenCanvas(6400, 400);
      const context = canvas.getContext("2d")!;
      context.fillStyle = "white";
      context.fillRect(0, 0, 6400, 400);
      context.fillStyle = "black";
      for (let x = 0; x < 6400; x += 16) context.fillRect(x, 0, 8, 400);
      return canvas.convertToBlob({ type: "image/jpeg", quality: 0.95 });
    };
    Object.assign(window, {
      async compressed() {
        const picture = await noise(1280, 960);
        const worker = (await compressInWorker(picture)).size / picture.size;
        const { convertToBlob } = OffscreenCanvas.prototype;
        // As a browser does that cannot encode WebP: it gives a PNG without a word.
        OffscreenCanvas.prototype.convertToBlob = function () {
          return convertToBlob.call(this, { type: "image/png" });
        };
        const page = await compressPreview(picture);
        OffscreenCanvas.prototype.convertToBlob = convertToBlob;
        return { worker, type: await size(await compressInWorker(picture)), same: page === picture };
      },
      /** How many pixels of a row of the thumbnail are black or white, and not between. */
      async sharpness() {
        const result = await prepareMedia(new File([await striped()], "panorama.jpg"));
        if (!result.success) throw new Error(result.error);
        const { width, height, context } = await drawn(result.value.thumbnail);
        const { data } = context.getImageData(0, height / 2, width, 1);
        const sharp = data.filter((value, i) => i % 4 === 0 && (value < 60 || value > 195)).length;
        return { width, height, sharp, preview: await size(result.value.preview) };
      },
      async prepare(how: keyof typeof calls, name: string, more: { padTo?: number; noise?: [number, number] }) {
        const given = await (await fetch("/given")).blob();
        const bytes = more.noise ? await noise(...more.noise) : given;
        const padding = Math.max(0, (more.padTo ?? 0) - bytes.size);
        const result = await calls[how](new File([bytes, new Uint8Array(padding)], name));
        if (!result.success) return { error: result.error };
        const { value } = result;
        if (!more.padTo) await fetch("/made", { method: "POST", body: value.file });
        return {
          ...value,
          file: undefined,
          error: null,
          fileType: value.file.type,
          fileSize: value.file.size,
          thumbnailSides: await sides(value.thumbnail),
          previewSides: await sides(value.preview),
          renditionFault: value.renditionFault ?? null,
          thumbnail: await size(value.thumbnail),
          preview: await size(value.preview),
        };
      },
    });
    document.title = "ready";
  `);
  profile = await openProfile();
  page = profile.page;
  await page.goto(site.url);
  await page.waitForFunction(() => document.title === "ready");
});

afterAll(async () => {
  await profile?.close();
  await site?.close();
});

/** Prepares a file in the page. Its bytes travel beside the page, because they may be many. */
async function prepare(
  bytes: Uint8Array,
  name = "a.bin",
  how: "prepareMedia" | "shrinkPhoto" = "prepareMedia",
  more: { padTo?: number; noise?: [width: number, height: number] } = {},
) {
  let made = Buffer.alloc(0);
  site.files["given"] = bytes;
  site.onPost = (body) => {
    made = body;
  };
  const call = `prepare(${[how, name, more].map((part) => JSON.stringify(part)).join(", ")})`;
  const prepared = await page.evaluate<Prepared>(call);
  return { ...prepared, file: new Uint8Array(made) };
}

const PHOTOS: [FixtureName, string][] = [
  ["photo.jpg", "image/jpeg"],
  ["photo.png", "image/png"],
  ["photo.gif", "image/gif"],
  ["photo.webp", "image/webp"],
];

describe("photos", () => {
  test.each(PHOTOS)("%s gets a thumbnail, a thumbhash and its size", async (name, contentType) => {
    const prepared = await prepare(mediaFixture(name), name);
    expect(prepared).toMatchObject({
      error: null,
      type: "photo",
      contentType,
      originalFilename: name,
      thumbnail: "image/jpeg 300x300",
      // This one moves; the others are small enough to be their own preview.
      preview: name === "photo.gif" ? "image/jpeg 64x48" : "",
      width: 64,
      height: 48,
      duration: 0,
      renditionFault: null,
    });
    expect(Buffer.from(prepared.thumbhash, "base64").length).toBeGreaterThan(4);
  });
});

describe("a large photo", () => {
  const halves = () => mediaFixture("halves.jpg");
  /** What stands left, on top, right and at the bottom when the left half was red. */
  const shown: [orientation: number, left: string | null, top: string | null][] = [
    [1, "red", null],
    [2, "blue", null],
    [3, "blue", null],
    [4, "red", null],
    [5, null, "red"],
    [6, null, "red"],
    [7, null, "blue"],
    [8, null, "blue"],
  ];
  const other = (color: string) => (color === "red" ? "blue" : "red");

  test.each(shown)(
    "of orientation %i stands upright everywhere",
    async (orientation, left, top) => {
      const prepared = await prepare(jpegWithSecrets(halves(), orientation));
      const sideways = top !== null;
      expect(prepared).toMatchObject({
        error: null,
        thumbnail: "image/jpeg 300x300",
        preview: sideways ? "image/jpeg 960x1280" : "image/jpeg 1280x960",
        width: sideways ? 1200 : 1600,
        height: sideways ? 1600 : 1200,
      });
      const at = sideways ? 1 : 0;
      const first = left ?? top ?? "";
      for (const sides of [prepared.thumbnailSides, prepared.previewSides]) {
        expect([sides?.[at], sides?.[at + 2]]).toEqual([first, other(first)]);
      }
    },
  );

  test("leaves without EXIF, place or comment", async () => {
    const { file } = await prepare(jpegWithSecrets(halves(), 6));
    expect(Buffer.from(file).includes(SECRET)).toBe(false);
    expect(Buffer.from(file).subarray(-2)).toEqual(Buffer.of(0xff, 0xd9));
  });

  test("over 5 MB is refused as it is, and fits after it was asked to be shrunk", async () => {
    const more = { noise: [2600, 2000] } satisfies { noise: [number, number] };
    const none = new Uint8Array();
    expect((await prepare(none, "big.jpg", "prepareMedia", more)).error).toBe("image_too_large");
    const shrunk = await prepare(none, "big.jpg", "shrinkPhoto", more);
    expect(shrunk).toMatchObject({
      error: null,
      contentType: "image/jpeg",
      fileType: "image/jpeg",
      width: 2560,
      height: 1969,
      thumbnail: "image/jpeg 300x300",
    });
    expect(shrunk.fileSize).toBeLessThanOrEqual(IMAGE_MAX_BYTES);
    expect(shrunk.fileSize).toBeGreaterThan(100_000);
  });

  test("that is shrunk stands upright too", async () => {
    const prepared = await prepare(jpegWithSecrets(halves(), 6), "a.jpg", "shrinkPhoto");
    expect(prepared).toMatchObject({ width: 1200, height: 1600 });
    expect(prepared.thumbnailSides?.[1]).toBe("red");
    expect(Buffer.from(prepared.file).includes(SECRET)).toBe(false);
  });

  /** Over the limit by what a camera may write beside the picture. */
  const heavy = (photo: Uint8Array) => {
    const notes = ascii(SECRET.repeat(2_500));
    const segments = Array.from({ length: 100 }, () => segment(0xfe, notes));
    return joinBytes(photo.subarray(0, 2), ...segments, photo.subarray(2));
  };

  test.each(shown)(
    "over 5 MB of orientation %i stands upright when it is shrunk, and loses EXIF and place",
    async (orientation, left, top) => {
      const photo = heavy(jpegWithSecrets(halves(), orientation));
      expect(photo.length).toBeGreaterThan(IMAGE_MAX_BYTES);
      const prepared = await prepare(photo, "a.jpg", "shrinkPhoto");
      const sideways = top !== null;
      expect(prepared).toMatchObject({
        error: null,
        contentType: "image/jpeg",
        fileType: "image/jpeg",
        thumbnail: "image/jpeg 300x300",
        preview: sideways ? "image/jpeg 960x1280" : "image/jpeg 1280x960",
        width: sideways ? 1200 : 1600,
        height: sideways ? 1600 : 1200,
      });
      const at = sideways ? 1 : 0;
      const first = left ?? top ?? "";
      for (const sides of [prepared.thumbnailSides, prepared.previewSides]) {
        expect([sides?.[at], sides?.[at + 2]]).toEqual([first, other(first)]);
      }
      expect(prepared.fileSize).toBeLessThanOrEqual(IMAGE_MAX_BYTES);
      const file = Buffer.from(prepared.file);
      expect(file.includes(SECRET)).toBe(false);
      expect(file.includes("Exif")).toBe(false);
    },
  );

  test("of 26 megapixels are shrunk to fit as well", async () => {
    const more = { noise: [5200, 5000] } satisfies { noise: [number, number] };
    const shrunk = await prepare(new Uint8Array(), "a.jpg", "shrinkPhoto", more);
    expect(shrunk).toMatchObject({ error: null, contentType: "image/jpeg", width: 2560 });
    expect(shrunk.fileSize).toBeLessThanOrEqual(IMAGE_MAX_BYTES);
  });

  test("of a panorama get a thumbnail as sharp as their pixels", async () => {
    const made = await page.evaluate<{ sharp: number }>("sharpness()");
    expect(made).toMatchObject({ width: 300, height: 300, preview: "image/jpeg 1280x80" });
    expect(made.sharp).toBeGreaterThan(200);
  });

  test("may be AVIF, where the browser can decode it, and becomes a JPEG", async () => {
    const prepared = await prepare(mediaFixture("picture.avif"), "a.avif");
    expect(prepared).toMatchObject({
      error: null,
      contentType: "image/jpeg",
      width: 64,
      height: 48,
    });
  });
});

test("a preview gets lighter as WebP, and stays what it is where the browser cannot encode that", async () => {
  const made = await page.evaluate<{ worker: number; type: string; same: boolean }>("compressed()");
  expect(made.worker).toBeLessThan(0.8);
  expect(made).toMatchObject({ type: "image/webp 1280x960", same: true });
});

describe("what is refused, and why", () => {
  const heic = joinBytes(
    Uint8Array.of(0, 0, 0, 24),
    ascii("ftypheic\0\0\0\0mif1heic"),
    ascii("????"),
  );
  test.each<[string, Uint8Array, string]>([
    ["an empty file", new Uint8Array(), "file_empty"],
    ["an SVG", ascii('<svg xmlns="http://www.w3.org/2000/svg"/>'), "file_type"],
    ["a script named like a photo", ascii("alert(1)"), "file_type"],
    ["sound", mediaFixture("sound.m4a"), "file_type"],
    ["a HEIC without a picture", heic, "file_heic"],
    [
      "a JPEG that breaks off before its picture",
      mediaFixture("halves.jpg").subarray(0, 180),
      "file_broken",
    ],
    ["a truncated MP4", mediaFixture("video.mp4").subarray(0, -1), "file_broken"],
    [
      "a PNG that begins and ends well around nothing that is a picture",
      mediaFixture("photo.png").map((byte, i) => (i > 70 && i < 440 ? 255 - byte : byte)),
      "file_broken",
    ],
  ])("%s", async (_name, bytes, code) => {
    expect((await prepare(bytes, "photo.jpg")).error).toBe(code);
  });
});

test("a video of 200 MB and one byte, of which little is pictures and sound, is prepared without the rest", async () => {
  const padTo = VIDEO_MAX_BYTES + 1;
  const film = mediaFixture("video.mp4");
  const prepared = await prepare(film, "a.mp4", "prepareMedia", { padTo });
  expect(prepared).toMatchObject({ error: null, fileType: "video/mp4" });
  expect(prepared.fileSize).toBeLessThan(2 * film.length);
});

test("a video whose pictures and sound take 200 MB and one byte is refused", async () => {
  const film = join(temporaryFolder("augenblick-film-"), "film.mp4");
  await writeHugeVideo(page.context(), film, { bytes: VIDEO_MAX_BYTES + 1, seconds: 60 });
  const prepared = await prepare(await readFile(film), "film.mp4");
  expect(prepared.error).toBe("video_too_large");
});

test("an animated GIF keeps its frames and how often they repeat, loses its comment, and has renditions that stand still", async () => {
  const prepared = await prepare(mediaFixture("animated.gif"), "boat.gif");
  expect(prepared).toMatchObject({
    error: null,
    fileType: "image/gif",
    thumbnail: "image/jpeg 300x300",
    preview: "image/jpeg 320x200",
  });
  const text = Buffer.from(prepared.file).toString("latin1");
  expect(Buffer.from(mediaFixture("animated.gif")).toString("latin1")).toContain("Elbe");
  expect(text).not.toContain("Elbe");
  expect(text.match(/NETSCAPE2\.0/g)).toHaveLength(1);
  expect(text.split("\x00,\x00")).toHaveLength(3);
});

test("a GIF named like a script is a GIF", async () => {
  const prepared = await prepare(mediaFixture("photo.gif"), "evil.js");
  expect(prepared).toMatchObject({
    error: null,
    contentType: "image/gif",
    fileType: "image/gif",
    originalFilename: "evil.js",
  });
  expect(prepared.file).toEqual(mediaFixture("photo.gif"));
});

describe("videos", () => {
  test.each(["video.mp4", "video.webm", "video-live.webm", "video-with-place.mov"] as const)(
    "%s gets a poster, its length and its size",
    async (name) => {
      const prepared = await prepare(mediaFixture(name), name);
      expect(prepared).toMatchObject({
        error: null,
        type: "video",
        thumbnail: "image/jpeg 300x300",
        preview: "image/jpeg 64x48",
        width: 64,
        height: 48,
      });
      expect(prepared.duration).toBeCloseTo(1, 0);
    },
  );

  test("one of 200 MB is ready, whole, with its poster", async () => {
    const padTo = VIDEO_MAX_BYTES;
    const prepared = await prepare(mediaFixture("video.mp4"), "a.mp4", "prepareMedia", { padTo });
    expect(prepared).toMatchObject({
      error: null,
      fileSize: VIDEO_MAX_BYTES,
      thumbnail: "image/jpeg 300x300",
    });
  });

  test("one that this browser cannot decode is taken without a poster", async () => {
    const video = mediaFixture("video.mp4");
    const codec = Buffer.from(video).indexOf("avc1", Buffer.from(video).indexOf("stsd"));
    video.set(ascii("zzz1"), codec);
    const prepared = await prepare(video);
    expect(prepared).toMatchObject({
      error: null,
      type: "video",
      thumbnail: "",
      thumbhash: "",
      renditionFault: "image_load_failed",
    });
  });
});
