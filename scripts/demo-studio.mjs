/** Opens the painters in a headless Chromium and orders pictures from them. */
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { findChromium } from "./chromium.mjs";
import { inRoot } from "./paths.mjs";

/** WebCodecs need a secure context, which a page of localhost is; nothing listens there. */
const PAGE = "http://localhost/studio";

/**
 * @typedef {import("./demo-paint/studio").PaintingOrder} PaintingOrder
 * @typedef {import("./demo-paint/studio").VideoOrder} VideoOrder
 * @typedef {{ file: Buffer, contentType: string, thumbnail: Buffer, preview: Buffer, previewType: string, thumbhash: string }} Picture
 *
 * @typedef {object} Studio
 * @property {(order: PaintingOrder) => Promise<Picture>} photo
 * @property {(order: VideoOrder) => Promise<Picture>} video
 * @property {(seed: number) => Promise<Picture>} portrait
 * @property {() => Promise<void>} close
 */

async function bundle() {
  const result = await build({
    entryPoints: [inRoot("scripts/demo-paint/studio.ts")],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    alias: { "@": inRoot("src"), "@scripts": inRoot("scripts") },
    logLevel: "silent",
  });
  return result.outputFiles[0]?.text ?? "";
}

/**
 * @param {import("./demo-paint/studio").Painting} painting
 * @returns {Picture}
 */
const unpacked = (painting) => ({
  ...painting,
  file: Buffer.from(painting.file, "base64"),
  thumbnail: Buffer.from(painting.thumbnail, "base64"),
  preview: Buffer.from(painting.preview, "base64"),
});

/** @returns {Promise<Studio>} */
export async function openStudio() {
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
  });
  const page = await browser.newPage();
  await page.route("**/*", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html>" }),
  );
  await page.goto(PAGE);
  await page.addScriptTag({ content: await bundle() });
  return {
    photo: async (order) => unpacked(await page.evaluate((it) => window.studio.photo(it), order)),
    video: async (order) => unpacked(await page.evaluate((it) => window.studio.video(it), order)),
    portrait: async (seed) =>
      unpacked(await page.evaluate((it) => window.studio.portrait(it), seed)),
    close: () => browser.close(),
  };
}
