/** Opens the painter (`scripts/demo-paint`) in a headless Chromium and orders pictures from it. */
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { findChromium, inRoot } from "./checkout.mjs";

/** WebCodecs need a secure context, which a page of localhost is; no server is there. */
const PAGE = "http://localhost/studio";

/**
 * @typedef {{ file: Buffer, contentType: string, thumbnail: Buffer, preview: Buffer, previewType:
 *   string, thumbhash: string }} Picture
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

export async function openStudio() {
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
  });
  const page = await browser.newPage();
  const empty = { contentType: "text/html", body: "<!doctype html>" };
  await page.route("**/*", (route) => route.fulfill(empty));
  await page.goto(PAGE);
  await page.addScriptTag({ content: await bundle() });
  return {
    /** @param {import("./demo-paint/studio").Order} order @returns {Promise<Picture>} */
    paint: async (order) => {
      const painted = await page.evaluate((it) => window.paintPicture(it), order);
      const bytes = (/** @type {string} */ text) => Buffer.from(text, "base64");
      const { file, thumbnail, preview } = painted;
      return {
        ...painted,
        file: bytes(file),
        thumbnail: bytes(thumbnail),
        preview: bytes(preview),
      };
    },
    close: () => browser.close(),
  };
}
