/** Preparing files in a real browser: what is refused, what is taken out, what is made. */

import { openProfile, type Profile } from "@tests/support/browser";
import { type FixtureName, mediaFixture } from "@tests/support/media-fixtures";
import { serveTestPage, type TestPage } from "@tests/support/test-page";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

interface Prepared {
  error: string | null;
  fileType: string;
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
    import { prepareMedia, shrinkPhoto } from "@/data/uploads/prepare-media";
    const size = async (blob: Blob | null) => {
      if (blob === null) return "";
      const bitmap = await createImageBitmap(blob);
      return blob.type + " " + bitmap.width + "x" + bitmap.height;
    };
    const calls = { prepareMedia, shrinkPhoto };
    Object.assign(window, {
      async prepare(how: keyof typeof calls, name: string) {
        const bytes = await (await fetch("/given")).arrayBuffer();
        const result = await calls[how](new File([bytes], name));
        if (!result.success) return { error: result.error };
        const { value } = result;
        await fetch("/made", { method: "POST", body: value.file });
        return {
          ...value,
          file: undefined,
          error: null,
          fileType: value.file.type,
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
async function prepare(bytes: Uint8Array, name = "a.bin", how = "prepareMedia") {
  let made = Buffer.alloc(0);
  site.files["given"] = bytes;
  site.onPost = (body) => {
    made = body;
  };
  const call = `prepare(${JSON.stringify(how)}, ${JSON.stringify(name)})`;
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
      preview: "",
      width: 64,
      height: 48,
      duration: 0,
      renditionFault: null,
    });
    expect(Buffer.from(prepared.thumbhash, "base64").length).toBeGreaterThan(4);
  });
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
});
