/** Pictures that we do not store and this browser may not decode: each becomes a JPEG when it is chosen. */
import { readFileSync } from "node:fs";
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { mediaFixture } from "@tests/support/media-fixtures";
import { untilControlled } from "@tests/support/until-controlled";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openAsAda } from "./pages/ada";
import { SignupPage } from "./pages/signup-page";
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

const bytesOf = (name: string): Buffer =>
  name === "picture.avif"
    ? Buffer.from(mediaFixture(name))
    : readFileSync(new URL(`../files/${name}`, import.meta.url));

/** Phones and cameras name HEIC's type; a desktop often knows none. */
const picked = (name: string, buffer = bytesOf(name)): PickedFile => ({
  name,
  mimeType: name.endsWith(".heic") ? "image/heic" : "",
  buffer,
});

interface Stored {
  id: string;
  file: string;
  type: string;
  contentType: string;
  width: number;
  height: number;
  fileSize: number;
  originalFilename: string;
  thumbnail: string;
  thumbhash: string;
}

async function storedAs(caption: string): Promise<Stored> {
  const filter = encodeURIComponent(`caption = '${caption}'`);
  const list = () => app.api("GET", `/api/collections/media/records?filter=${filter}`);
  await expect.poll(async () => (await list()).body.items.length).toBe(1);
  return (await list()).body.items[0];
}

type Colour = [red: number, green: number, blue: number];
const nameOf = ([red, green, blue]: Colour): string =>
  red > 200 && green < 60 && blue < 60
    ? "red"
    : blue > 200 && green < 60 && red < 60
      ? "blue"
      : [red, green, blue].join();

/** Size and colours (left, top, right, bottom) of a picture as a browser shows it. */
async function seen(address: string) {
  const shown = await profile.page.evaluate(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context?.drawImage(image, 0, 0);
    const at = (x: number, y: number) => [
      ...(context?.getImageData(x * width, y * height, 1, 1).data ?? []),
    ];
    const sides = [at(0.1, 0.5), at(0.5, 0.1), at(0.9, 0.5), at(0.5, 0.9)];
    return { size: `${width}x${height}`, sides };
  }, address);
  return { ...shown, sides: shown.sides as unknown as Colour[] };
}

const addressOf = ({ id }: Stored, file: string): string =>
  `${app.url}/api/files/media/${id}/${file}`;

/** Chooses and sends it; `said` is what the form says of it before. */
async function send(name: string) {
  const upload = new UploadPage(profile.page);
  await upload.open(app.url);
  await upload.input.setInputFiles([picked(name)]);
  const ready = upload.entry(name).getByTestId("entry-ready");
  await ready.waitFor();
  const said = await ready.innerText();
  const shown = upload.entry(name).locator("img");
  await expect
    .poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  const caption = `Sent as ${name}`;
  await upload.upload([], { caption });
  await profile.page.waitForURL(`${app.url}/`);
  return { said, stored: await storedAs(caption) };
}

describe("a picture becomes a JPEG, right way up and in its colours", () => {
  const LEFT_RED = { left: "red", right: "blue" };
  const TOP_RED = { top: "red", bottom: "blue" };
  const TOP_BLUE = { top: "blue", bottom: "red" };
  test.each([
    ["plain.heic", "HEIC", "192x128", LEFT_RED],
    ["ten-bit.heic", "HEIC", "192x128", LEFT_RED],
    ["mirrored.heic", "HEIC", "192x128", { left: "blue", right: "red" }],
    ["turned.heic", "HEIC", "128x192", TOP_BLUE],
    ["turned-twice-said.heic", "HEIC", "128x192", TOP_RED],
    ["turned-by-exif-alone.heic", "HEIC", "192x128", LEFT_RED],
    ["grid.heic", "HEIC", "124x184", TOP_BLUE],
    ["portrait-and-live.heic", "HEIC", "192x128", LEFT_RED],
    ["plain.tiff", "TIFF", "192x128", LEFT_RED],
    ["lzw.tiff", "TIFF", "192x128", LEFT_RED],
    ["sixteen-bit.tiff", "TIFF", "192x128", LEFT_RED],
    ["turned.tiff", "TIFF", "128x192", TOP_RED],
    ["plain.bmp", "BMP", "192x128", LEFT_RED],
    ["plain.jxl", "JPEG XL", "192x128", LEFT_RED],
    ["picture.avif", "AVIF", "64x48", {}],
  ])("%s", async (name, format, size, sides) => {
    const { said, stored } = await send(name);
    expect(said).toBe(`Converted from ${format}`);
    const [width, height] = size.split("x").map(Number);
    expect(stored).toMatchObject({
      type: "photo",
      contentType: "image/jpeg",
      width,
      height,
      originalFilename: name,
    });
    expect(stored.fileSize).toBeLessThanOrEqual(5 * 1_048_576);
    for (const file of [stored.file, stored.thumbnail]) {
      const picture = await seen(addressOf(stored, file));
      if (file === stored.file) expect(picture.size).toBe(size);
      const [left = "", top = "", right = "", bottom = ""] = picture.sides.map(nameOf);
      expect({ left, top, right, bottom }).toMatchObject(sides);
    }
  });

  test.each(["p3-by-profile.heic", "p3-by-number.heic"])(
    "%s keeps the colours of Display P3",
    async (name) => {
      const { stored } = await send(name);
      for (const file of [stored.file, stored.thumbnail]) {
        const [left = [0, 0, 0]] = (await seen(addressOf(stored, file))).sides;
        // 200, 60, 60 in Display P3. Read as sRGB it would be those same numbers.
        expect(left[0]).toBeGreaterThan(212);
        expect(left[0]).toBeLessThan(224);
        expect(left[1]).toBeLessThan(50);
      }
    },
  );
});

test("what cannot be decoded is said when it is chosen, with what to do", async () => {
  const upload = new UploadPage(profile.page);
  await upload.open(app.url);
  const plain = bytesOf("plain.heic");
  const broken = picked("broken.heic", plain.subarray(0, plain.length - 40));
  const raw = picked(
    "raw.tiff",
    Buffer.concat([Buffer.from("II*\0\x10\0\0\0CR\x02\0"), Buffer.alloc(60)]),
  );
  const big = picked("big.tiff", Buffer.from("II+\0\x08\0\0\0\x10".padEnd(64, "\0")));
  await upload.input.setInputFiles([broken, raw, big, picked("plain.heic")]);
  await upload
    .error("broken.heic")
    .getByText("This HEIC photo can't be opened here. Please save it as a JPEG first")
    .waitFor();
  await upload
    .error("raw.tiff")
    .getByText("Raw pictures from a camera can't be uploaded. Please save this one as a JPEG first")
    .waitFor();
  await upload
    .error("big.tiff")
    .getByText("This browser can't open this picture. Please save it as a JPEG first")
    .waitFor();
  await upload.entry("plain.heic").getByText("Converted from HEIC").waitFor();
});

/** One bit a pixel, packed: white on the left, black on the right. */
function hugeTiff(width: number, height: number): Buffer {
  const run = (byte: number) => [129, byte];
  const half = width / 8 / 128 / 2;
  const row = [0xff, 0].flatMap((byte) => Array.from({ length: half }, () => run(byte)).flat());
  const strip = Buffer.from(Array.from({ length: height }, () => row).flat());
  const tags = [
    [256, width],
    [257, height],
    [258, 1],
    [259, 32773],
    [262, 1],
    [273, 8 + 2 + 9 * 12 + 4],
    [277, 1],
    [278, height],
    [279, strip.length],
  ] as const;
  const head = Buffer.alloc(8 + 2 + tags.length * 12 + 4);
  head.write("II*\0\x08", "latin1");
  head.writeUInt16LE(tags.length, 8);
  for (const [i, [tag, value]] of tags.entries()) {
    const at = 10 + i * 12;
    head.writeUInt16LE(tag, at);
    head.writeUInt16LE(4, at + 2);
    head.writeUInt32LE(1, at + 4);
    head.writeUInt32LE(value, at + 8);
  }
  return Buffer.concat([head, strip]);
}

describe("one with more than 64 million pixels is made smaller", () => {
  test.each([
    ["huge.tiff", "TIFF", "4096x4000", ["255,255,255", "0,0,0"]],
    // Half of it is more than five megabytes still.
    ["hundred-megapixels.heic", "HEIC", "1920x2560", null],
    ["many-pixels.jxl", "JPEG XL", "2560x2076", ["red", "blue"]],
  ])("%s", async (name, format, size, halves) => {
    const upload = new UploadPage(profile.page);
    await upload.open(app.url);
    const buffer = name === "huge.tiff" ? hugeTiff(8_192, 8_000) : bytesOf(name);
    await upload.input.setInputFiles([picked(name, buffer)]);
    // What the browser decodes itself is made to fit without a question.
    if (!name.endsWith(".jxl")) {
      await upload.error(name).getByText("Image has too many pixels (max. 64 million)").waitFor();
      await upload.entry(name).getByTestId("shrink").click();
    }
    await upload.entry(name).getByText(`Converted from ${format}`).waitFor();
    const inForm = await seen((await upload.entry(name).locator("img").getAttribute("src")) ?? "");
    const caption = `Made smaller: ${name}`;
    await upload.upload([], { caption });
    await profile.page.waitForURL(`${app.url}/`);
    const stored = await storedAs(caption);
    const [width, height] = size.split("x").map(Number);
    expect(stored).toMatchObject({ width, height, contentType: "image/jpeg" });
    const kept = await seen(addressOf(stored, stored.file));
    expect(kept.size).toBe(size);
    for (const { sides } of [inForm, kept]) {
      const [left, top, right, bottom] = sides.map(nameOf);
      if (halves !== null) expect([left, right]).toEqual(halves);
      // Colourful detail everywhere, and no part left white or black.
      else expect(new Set([left, top, right, bottom]).size).toBe(4);
    }
  });
});

test("one with more than 120 million pixels is not", async () => {
  const upload = new UploadPage(profile.page);
  await upload.open(app.url);
  await upload.input.setInputFiles([picked("vast.tiff", hugeTiff(12_288, 10_000))]);
  await upload.entry("vast.tiff").getByTestId("shrink").click();
  await upload
    .error("vast.tiff")
    .getByText("This is too large, and this device can't make it smaller")
    .waitFor();
});

test("an upload that is asked for at once waits until the picture is converted", async () => {
  const upload = new UploadPage(profile.page);
  await upload.open(app.url);
  const files = [picked("twelve-megapixels.heic"), picked("turned.heic")];
  await upload.upload(files, { caption: "Two at once" });
  await profile.page.waitForURL(`${app.url}/`);
  const filter = encodeURIComponent("caption = 'Two at once'");
  const list = () => app.api("GET", `/api/collections/media/records?filter=${filter}`);
  await expect.poll(async () => (await list()).body.items.length).toBe(2);
  const sizes = (await list()).body.items.map(({ width, height }: Stored) => `${width}x${height}`);
  expect(sizes.sort()).toEqual(["128x192", "3024x4032"]);
});

test("the converter is fetched when it is first needed, and works without a network from then on", async () => {
  const other = await openProfile();
  try {
    const { page, context } = other;
    const signup = new SignupPage(page);
    await signup.open(app.url);
    await signup.signUp({
      email: "bob@example.com",
      username: "bob",
      password: "Kirschkuchen-7",
    });
    await untilControlled(page);
    const upload = new UploadPage(page);
    await upload.open(app.url);
    const kept = () =>
      page.evaluate(async () => {
        const names = await caches.keys();
        const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
        return all.flat().filter(({ url }) => /libheif|UTIF/.test(url)).length;
      });
    expect(await kept()).toBe(0);
    await context.setOffline(true);
    await upload.input.setInputFiles([picked("plain.heic")]);
    await upload
      .error("plain.heic")
      .getByText("Converting this photo takes a part of the app that isn't on this device yet")
      .waitFor();
    await context.setOffline(false);
    await upload.entry("plain.heic").getByTestId("remove-entry").click();
    await upload.input.setInputFiles([picked("plain.heic")]);
    await upload.entry("plain.heic").getByText("Converted from HEIC").waitFor();
    await context.setOffline(true);
    await page.reload();
    await upload.submit.waitFor();
    await upload.input.setInputFiles([picked("turned.heic")]);
    await upload.entry("turned.heic").getByText("Converted from HEIC").waitFor();
    expect(await kept()).toBe(2);
  } finally {
    await other.close();
  }
});
