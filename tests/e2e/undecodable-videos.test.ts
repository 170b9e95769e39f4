/** Videos that this browser has no decoder for: said before they are sent, and wherever they are met. */
import { readFileSync } from "node:fs";
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { sideways } from "@tests/support/look-at-page";
import { mediaFixture } from "@tests/support/media-fixtures";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAsAda } from "./pages/ada";
import { GalleryPage } from "./pages/gallery-page";
import { type PickedFile, UploadPage } from "./pages/upload-page";

let app: App;
let profile: Profile;

beforeAll(async () => {
  app = await startApp();
  profile = await openAsAda(app);
});

afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

const TYPES: Record<string, string> = {
  mp4: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
  mp3: "audio/mpeg",
};

const picked = (name: string): PickedFile => ({
  name,
  mimeType: TYPES[name.split(".").at(-1) ?? ""] ?? "",
  buffer: readFileSync(new URL(`../files/${name}`, import.meta.url)),
});

const WARNING = "Many browsers can't play this video. You can upload it anyway.";
const CANNOT = "This browser cannot show this video";

test.each([
  ["hevc.mp4", 96, 64, 2],
  ["hevc-upright.mov", 64, 96, 2],
  ["prores.mov", 96, 64, 0.2],
])(
  "%s: the uploader is told, may go on, and its row has size and length",
  async (name, width, height, duration) => {
    const upload = new UploadPage(profile.page);
    await upload.open(app.url);
    await upload.input.setInputFiles([picked(name)]);
    await upload.entry(name).getByText(WARNING, { exact: true }).waitFor();
    await upload.entry(name).locator("svg.lucide-film").waitFor();
    const caption = `Sent as ${name}`;
    await upload.upload([], { caption });
    await profile.page.waitForURL(`${app.url}/`);
    const filter = encodeURIComponent(`caption = '${caption}'`);
    const list = () => app.api("GET", `/api/collections/media/records?filter=${filter}`);
    await expect.poll(async () => (await list()).body.items.length).toBe(1);
    const [row] = (await list()).body.items;
    expect(row).toMatchObject({ type: "video", width, height, thumbnail: "" });
    expect(row.duration).toBeCloseTo(duration, 1);
  },
);

test("one that all browsers show is sent without a warning", async () => {
  const upload = new UploadPage(profile.page);
  await upload.open(app.url);
  const film = {
    name: "film.webm",
    mimeType: "video/webm",
    buffer: Buffer.from(mediaFixture("video.webm")),
  };
  await upload.input.setInputFiles([film]);
  await upload.entry(film.name).getByTestId("entry-ready").waitFor();
  expect(await upload.entry(film.name).innerText()).not.toContain(WARNING);
});

test("sound alone is refused when it is chosen, whatever it is wrapped in", async () => {
  const upload = new UploadPage(profile.page);
  await upload.open(app.url);
  const names = ["sound-alone.mp4", "sound-alone.webm", "sound.mp3"];
  await upload.input.setInputFiles(names.map(picked));
  for (const name of names) {
    const said = upload
      .error(name)
      .getByText("This file holds sound only. Choose a photo or a video");
    await said.waitFor();
  }
});

test("the card shows a film, says that the browser cannot show it, and gives the file", async () => {
  const { page } = profile;
  await page.goto(app.url);
  const gallery = new GalleryPage(page);
  await gallery.untilLive();
  for (const name of ["hevc.mp4", "prores.mov"]) {
    const card = gallery.card(`Sent as ${name}`);
    await card.getByTestId("no-picture").waitFor();
    await card.getByTestId("video-mark").waitFor();
    await card.getByText(CANNOT, { exact: true }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      card.getByRole("button", { name: "Download" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(name);
  }
  expect(await sideways(page)).toBeLessThanOrEqual(0);
});

test.each(["hevc.mp4", "prores.mov"])(
  "the page of %s says it with Download, in full screen too",
  async (name) => {
    const { page } = profile;
    await page.goto(app.url);
    const gallery = new GalleryPage(page);
    await gallery.untilLive();
    await gallery.openMedia(`Sent as ${name}`);
    const stage = page.getByTestId("stage");
    await stage.getByText(CANNOT, { exact: true }).waitFor();
    expect(await stage.locator("video").count()).toBe(0);
    for (const full of [false, true]) {
      if (full) await page.getByTestId("full-screen").click();
      await expect.poll(() => stage.getAttribute("data-full")).toBe(String(full));
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        stage.getByRole("button", { name: "Download" }).click(),
      ]);
      expect(file.suggestedFilename()).toBe(name);
    }
    await page.getByTestId("full-screen").click();
  },
);

test("a video that does not come is not taken for one that cannot be shown", async () => {
  const { page } = profile;
  const upload = new UploadPage(page);
  await upload.open(app.url);
  const film = {
    name: "film.webm",
    mimeType: "video/webm",
    buffer: Buffer.from(mediaFixture("video.webm")),
  };
  await upload.upload([film], { caption: "Lost on the way" });
  await page.waitForURL(`${app.url}/`);
  const filter = encodeURIComponent("caption = 'Lost on the way'");
  const list = () => app.api("GET", `/api/collections/media/records?filter=${filter}`);
  await expect.poll(async () => (await list()).body.items.length).toBe(1);
  const [{ id }] = (await list()).body.items;
  const other = await openProfile();
  try {
    await other.context.route(/\/api\/files\/media\/.*\.webm/, (route) =>
      route.fulfill({ status: 404 }),
    );
    await other.page.goto(`${app.url}/view/${id}`);
    await other.page.getByText("This video can't be played here.").waitFor();
    expect(await other.page.getByText(CANNOT).count()).toBe(0);
  } finally {
    await other.close();
  }
});
