/** Videos over 200 MB: what is said of them, and how they are made smaller on the device. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inRoot } from "@scripts/checkout.mjs";
import { type App, type Profile, startApp } from "@tests/support/browser";
import { writeHugeVideo } from "@tests/support/huge-video";
import { packetsOf } from "@tests/support/packets";
import { temporaryFolder } from "@tests/support/pocketbase";
import { afterAll, beforeAll, expect, test } from "vitest";
import { VIDEO_MAX_BYTES } from "@/domain/limits";
import { holdsVideoMetadata } from "@/domain/video-metadata";
import { openAsAda, rowsWith } from "./pages/ada";
import { UploadPage } from "./pages/upload-page";

let app: App;
let profile: Profile;
let upload: UploadPage;
let path: string;

beforeAll(async () => {
  app = await startApp();
  profile = await openAsAda(app);
  upload = new UploadPage(profile.page);
  path = join(temporaryFolder("augenblick-film-"), "film.mp4");
  await writeHugeVideo(profile.context, path, {
    bytes: VIDEO_MAX_BYTES + 1_000_000,
    seconds: 1_800,
  });
});

afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

interface Stored {
  id: string;
  collectionId: string;
  file: string;
  type: string;
  fileSize: number;
  width: number;
  height: number;
  duration: number;
}

async function rowWith(caption: string): Promise<Stored> {
  const [row] = await rowsWith<Stored>(app, caption);
  if (row === undefined) throw new Error(`nothing is called ${caption}`);
  return row;
}

test("a video over 200 MB says what fits, is made smaller, can be called off, and is sent small, upright and with its sound", async () => {
  const { page } = profile;
  await upload.open(app.url);
  await upload.input.setInputFiles([path]);
  const entry = upload.entry("film.mp4");
  await upload.error("film.mp4").getByText("Video is too large (max. 200MB)").waitFor();
  await entry.getByText("What fits: about 3 minutes at 1080p.").waitFor();
  const shrink = entry.getByRole("button", { name: "Make it smaller (360p)" });

  await shrink.focus();
  await page.keyboard.press("Enter");
  const bar = entry.getByRole("progressbar", { name: "Shrinking film.mp4" });
  await bar.waitFor();
  await entry.getByTestId("stop-shrinking").focus();
  await page.keyboard.press("Enter");
  await shrink.waitFor();
  await entry.getByText("What fits: about 3 minutes at 1080p.").waitFor();
  expect(await entry.getAttribute("data-state")).toBe("unfit");

  // It may be over before anybody outside the page has asked how far it is.
  await page.evaluate(() => {
    const seen: number[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const now = document.querySelector('[data-testid="shrinking-video"] [role="progressbar"]');
      if (now !== null) seen.push(Number(now.getAttribute("aria-valuenow")));
    }).observe(document, { attributes: true, childList: true, subtree: true });
  });
  await shrink.click();
  const furthest = () =>
    page.evaluate(() => Math.max(...(window as unknown as { seen: number[] }).seen));
  await expect.poll(furthest).toBeGreaterThan(10);
  await upload.upload([], { caption: "Half an hour" });
  await page.waitForURL(`${app.url}/`);
  const row = await rowWith("Half an hour");
  expect(row).toMatchObject({ type: "video", width: 360, height: 640 });
  expect(Math.abs(row.duration - 1_800)).toBeLessThan(5);
  expect(row.fileSize).toBeLessThanOrEqual(VIDEO_MAX_BYTES);
  const stored = await fetch(`${app.url}/api/files/${row.collectionId}/${row.id}/${row.file}`).then(
    async (answer) => new Uint8Array(await answer.arrayBuffer()),
  );
  expect(stored.length).toBe(row.fileSize);
  const text = Buffer.from(stored).toString("latin1");
  expect([text.includes("avc1"), text.includes("mp4a")]).toEqual([true, true]);
  const read = (at: number, length: number) => stored.subarray(at, at + length);
  expect(holdsVideoMetadata(read, stored.length, "video/mp4")).toBe(false);
});

test("a video whose pictures and sound fit is taken as it is, without what makes the file large", async () => {
  const { page } = profile;
  const film = await readFile(inRoot("tests/files/mp4-stereo.mp4"));
  const padding = Buffer.alloc(VIDEO_MAX_BYTES);
  padding.writeUInt32BE(padding.length);
  padding.write("free", 4, "latin1");
  const padded = join(temporaryFolder("augenblick-film-"), "padded.mp4");
  await writeFile(padded, Buffer.concat([film, padding]));
  await upload.open(app.url);
  await upload.input.setInputFiles([padded]);
  await expect.poll(() => upload.entry("padded.mp4").getAttribute("data-state")).toBe("ready");
  await upload.upload([], { caption: "Little in much" });
  await page.waitForURL(`${app.url}/`);
  const row = await rowWith("Little in much");
  expect(row.fileSize).toBeLessThan(2 * film.length);
  const stored = await fetch(`${app.url}/api/files/${row.collectionId}/${row.id}/${row.file}`);
  const packets = await packetsOf(new Uint8Array(await stored.arrayBuffer()));
  expect(packets.length).toBeGreaterThan(0);
  expect(packets).toEqual(await packetsOf(new Uint8Array(film)));
});
