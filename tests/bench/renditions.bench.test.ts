/** Renditions of a 12-megapixel photo against browser-image-compression making the thumbnail alone, in one run. */
import { readFile } from "node:fs/promises";
import { inRoot } from "@scripts/checkout.mjs";
import { openLastingProfile, type Profile } from "@tests/support/browser";
import { ascii, joinBytes, SECRET, segment, tiffWithSecret } from "@tests/support/exif";
import { serveTestPage, type TestPage } from "@tests/support/test-page";
import { afterAll, beforeAll, expect, test } from "vitest";

const RUNS = 15;

const SOURCE = `
import compress from "browser-image-compression";
import { prepareMedia, shrinkPhoto } from "@/data/files/prepare";

/** A picture with sky, leaves and grain: it compresses about as well as a photo does. */
async function draw(grain: number, quality: number): Promise<Blob> {
  const [width, height] = [4000, 3000];
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  const sky = context.createLinearGradient(0, 0, 0, height);
  sky.addColorStop(0, "#38bdf8");
  sky.addColorStop(1, "#fde68a");
  context.fillStyle = sky;
  context.fillRect(0, 0, width, height);
  for (let i = 0; i < 4000; i++) {
    context.fillStyle = "hsl(" + (i * 37) % 360 + " 60% 45% / 60%)";
    context.beginPath();
    context.arc((i * 7919) % width, (i * 104729) % height, 10 + (i * 31) % 60, 0, 7);
    context.fill();
  }
  const image = context.getImageData(0, 0, width, height);
  for (let i = 0; i < image.data.length; i++) if (i % 4 !== 3) image.data[i]! += (Math.random() - 0.5) * grain;
  context.putImageData(image, 0, 0);
  return canvas.convertToBlob({ type: "image/jpeg", quality });
}

const photos = new Map<string, File>();
const tasks: number[] = [];
new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
  .observe({ type: "longtask" });

const ways = {
  prepare: async (photo: File) => {
    const made = await prepareMedia(photo);
    if (!made.success || made.value.preview === null || made.value.thumbhash === "") throw new Error("not made");
  },
  shrink: async (photo: File) => {
    const made = await shrinkPhoto(photo);
    if (!made.success || made.value.thumbnail === null) throw new Error("not made");
  },
  compression: (photo: File) =>
    compress(photo, {
      // Its shorter side is then the thumbnail's edge; the crop is not even asked of it.
      maxWidthOrHeight: 400,
      initialQuality: 0.8,
      fileType: "image/jpeg",
      useWebWorker: true,
      libURL: location.origin + "/compression.js",
    }),
};

Object.assign(window, {
  async make(name: string, grain: number, quality: number, metadata: string) {
    const drawn = await draw(grain, quality);
    const bytes = Uint8Array.from(atob(metadata), (c) => c.charCodeAt(0));
    photos.set(name, new File([drawn.slice(0, 2), bytes, drawn.slice(2)], name + ".jpg", { type: "image/jpeg" }));
    return photos.get(name)!.size;
  },
  async run(way: keyof typeof ways, name: string) {
    await new Promise((resolve) => requestIdleCallback(resolve));
    tasks.length = 0;
    const start = performance.now();
    await ways[way](photos.get(name)!);
    const ms = performance.now() - start;
    // Entries arrive with the next task.
    await new Promise((resolve) => setTimeout(resolve));
    return { ms, longest: Math.max(0, ...tasks) };
  },
});
document.title = "ready";
`;

interface Run {
  ms: number;
  longest: number;
}

let site: TestPage;
let browser: Profile;

beforeAll(async () => {
  site = await serveTestPage(SOURCE);
  const library = "node_modules/browser-image-compression/dist/browser-image-compression.js";
  site.files["compression.js"] = await readFile(inRoot(library));
  browser = await openLastingProfile();
  await browser.page.goto(site.url);
  await browser.page.waitForFunction(() => document.title === "ready");
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** Bytes of a photo in the page, as a phone makes it: with EXIF and a place in it. */
function make(name: string, grain: number, quality: number): Promise<number> {
  const exif = segment(0xe1, joinBytes(ascii("Exif\0\0"), tiffWithSecret(1)));
  const metadata = joinBytes(exif, segment(0xfe, ascii(SECRET)));
  const base64 = Buffer.from(metadata).toString("base64");
  return browser.page.evaluate<number>(
    `make(${JSON.stringify(name)}, ${grain}, ${quality}, ${JSON.stringify(base64)})`,
  );
}

/** Both ways in turn, so that what the machine does beside it falls on both. */
async function compare(way: "prepare" | "shrink", name: string) {
  const ours: Run[] = [];
  const theirs: Run[] = [];
  const run = (how: string) => browser.page.evaluate<Run>(`run("${how}", "${name}")`);
  await run(way);
  await run("compression");
  for (let i = 0; i < RUNS; i++) {
    ours.push(await run(way));
    theirs.push(await run("compression"));
  }
  // The fastest run of each is the one that the machine disturbed least.
  const times = (runs: Run[]) => Math.min(...runs.map(({ ms }) => ms));
  const ratio = times(ours) / times(theirs);
  const longest = Math.max(...ours.map((one) => one.longest));
  process.stdout.write(
    `renditions, ${way}: ${times(ours).toFixed(0)} ms, compression's thumbnail alone ` +
      `${times(theirs).toFixed(0)} ms, ratio ${ratio.toFixed(2)}, longest task ${longest.toFixed(0)} ms\n`,
  );
  return { ratio, longest };
}

test("everything a photo needs takes no longer than the thumbnail alone, off the main thread", async () => {
  expect(await make("fits", 12, 0.82)).toBeLessThan(5 * 1_048_576);
  const { ratio, longest } = await compare("prepare", "fits");
  expect(ratio).toBeLessThanOrEqual(1);
  expect(longest).toBeLessThanOrEqual(50);
});

test("a photo that must be re-encoded takes at most 1.6 times as long", async () => {
  expect(await make("large", 40, 0.95)).toBeGreaterThan(5 * 1_048_576);
  const { ratio, longest } = await compare("shrink", "large");
  expect(ratio).toBeLessThanOrEqual(1.6);
  expect(longest).toBeLessThanOrEqual(50);
});
