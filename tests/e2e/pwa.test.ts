/** The built app as a browser installs it: manifest, icons, precache, and a start of every route without a server. */

import { readFile } from "node:fs/promises";
import { inRoot } from "@scripts/checkout.mjs";
import { type App, openLastingProfile, type Profile, startApp } from "@tests/support/browser";
import { untilControlled } from "@tests/support/until-controlled";
import { afterAll, beforeAll, expect, test } from "vitest";

interface Picture {
  src: string;
  sizes: string;
  type: string;
  purpose?: string;
  form_factor?: string;
}
interface Manifest {
  id: string;
  scope: string;
  start_url: string;
  display: string;
  icons: Picture[];
  screenshots: Picture[];
  shortcuts: { url: string; icons: Picture[] }[];
  protocol_handlers: { protocol: string; url: string }[];
}

let app: App;
let profile: Profile;
let manifest: Manifest;

beforeAll(async () => {
  app = await startApp();
  // In a context of a shared browser, which is as a private window, nothing can be installed.
  profile = await openLastingProfile();
  manifest = JSON.parse(await readFile(inRoot("public/manifest.webmanifest"), "utf8"));
  await profile.page.goto(app.url);
  await untilControlled(profile.page);
});
afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

test("the browser finds nothing against installing it", async () => {
  const cdp = await profile.context.newCDPSession(profile.page);
  const { installabilityErrors } = await cdp.send("Page.getInstallabilityErrors");
  expect(installabilityErrors).toEqual([]);
  const { errors, url } = await cdp.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  expect(url).toBe(`${app.url}/manifest.webmanifest`);
  await cdp.detach();
});

test("the manifest stands for the whole app, under an identity of its own", () => {
  expect(manifest).toMatchObject({ id: "/", scope: "/", start_url: "/", display: "standalone" });
  const purposes = manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`);
  for (const size of ["192x192", "512x512"]) {
    expect(purposes).toContain(`${size} any`);
    expect(purposes).toContain(`${size} maskable`);
  }
});

test("every picture of the manifest is served, of the type and size it states", async () => {
  const shortcuts = manifest.shortcuts.flatMap(({ icons }) => icons);
  for (const picture of [...manifest.icons, ...shortcuts, ...(manifest.screenshots ?? [])]) {
    const found = await profile.page.evaluate(async (src) => {
      const response = await fetch(src);
      const blob = await response.blob();
      const image = new Image();
      image.src = URL.createObjectURL(blob);
      await image.decode();
      const size = `${image.naturalWidth}x${image.naturalHeight}`;
      return { status: response.status, type: blob.type, size };
    }, picture.src);
    const size = picture.sizes === "any" ? found.size : picture.sizes;
    expect(found).toEqual({ status: 200, type: picture.type, size });
  }
});

test("a link of our own scheme leads to its page, and nowhere else", async () => {
  const { page } = profile;
  const schemes = JSON.stringify(manifest.protocol_handlers);
  expect(schemes).toBe('[{"protocol":"web+augenblick","url":"/open?link=%s"}]');
  const open = (link: string) => page.goto(`${app.url}/open?link=${encodeURIComponent(link)}`);
  await open("web+augenblick:terms");
  await page.getByTestId("legal-terms").waitFor();
  expect(page.url()).toBe(`${app.url}/terms`);
  await open("web+augenblick:https://example.com/");
  await page.getByTestId("not-found").waitFor();
  expect(new URL(page.url()).origin).toBe(app.url);
});

test("after one visit every route starts without a server", async () => {
  const { page } = profile;
  await untilControlled(page);
  await app.stop();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  for (const path of [
    "/",
    "/login",
    "/signup",
    "/reset-password",
    "/upload",
    "/outbox",
    "/device",
    "/view/x-abcdefghijklmno",
    "/terms",
    "/privacy",
    "/open?link=web%2Baugenblick%3Aterms",
    "/nowhere",
  ]) {
    await page.goto(app.url + path);
    // The shell of index.html has no such id: this is the route itself, drawn by React.
    await page.locator("#main :is(h1, form, [data-testid])").first().waitFor();
    expect(await page.getByTestId("crash").count()).toBe(0);
  }
  expect(faults).toEqual([]);
  await app.restart();
});
