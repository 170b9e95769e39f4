/** Opens the painter (`scripts/demo-paint`) in a headless Chromium and orders pictures from it. */
import { findChromium, inRoot } from "./checkout.mjs";

/** WebCodecs need a secure context, which a page of localhost is; no server is there. */
const PAGE = "http://localhost/studio";

async function bundle() {
  const { build } = await import("esbuild");
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
  // Loaded here, because packages may be missing when a script starts.
  const { chromium } = await import("playwright-core");
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
    paint: async (/** @type {import("./demo-paint/studio").Order} */ order) => {
      const painted = await page.evaluate((it) => window.paintPicture(it), order);
      const bytes = (/** @type {"file" | "thumbnail" | "preview"} */ name) =>
        Buffer.from(painted[name], "base64");
      const files = { file: bytes("file"), thumbnail: bytes("thumbnail") };
      return { ...painted, ...files, preview: bytes("preview") };
    },
    close: () => browser.close(),
  };
}
