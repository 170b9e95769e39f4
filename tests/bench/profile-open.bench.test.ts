/**
 * Opening the profile of somebody with 500 media on a device that holds them, against the gallery's first row on the same
 * device: both from the replica, by a link within the running app and by their address, with the CPU slowed four times.
 */
import { ProfilePage } from "@tests/e2e/pages/profile-page";
import { type App, openLastingProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import { seedMedia } from "@tests/support/seed-media";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROUNDS = 9;
const MEDIA = 500;
const SHOWN = 8;
const MINUTE = 60_000;

let app: App;
let profile: Profile;
let ben: SignedIn;

beforeAll(async () => {
  app = await startApp();
  const operator = await createSuperuser(app);
  ben = await signUp(app, { username: "ben.karlsson" });
  profile = await openLastingProfile({ viewport: { width: 390, height: 844 } });
  const older = Array.from({ length: MEDIA - SHOWN }, (_, i) => ({
    id: `m${String(i).padStart(14, "0")}`,
    caption: `Morning ${i}`,
    age: i + 10,
  }));
  await seedMedia(app, operator.token, ben.id, older);
  // The first screen of both has real pictures.
  const photo = await drawPhoto(profile.context, 40, { width: 600, height: 600 });
  for (let i = 0; i < SHOWN; i++) {
    const form = new FormData();
    const fields = {
      userId: ben.id,
      type: "photo",
      caption: `New ${i}`,
      tags: "[]",
      width: 600,
      height: 600,
    };
    for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
    for (const part of ["file", "thumbnail"])
      form.set(part, new File([new Uint8Array(photo)], "a.jpg", { type: "image/jpeg" }));
    const path = "/api/collections/media/records";
    expect((await app.api("POST", path, form, operator.token)).status).toBe(200);
  }
}, 5 * MINUTE);
afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

/** Milliseconds from the click to the first two painted pictures of the page that it leads to. */
const opened = (page: Page, link: string, place: string): Promise<number> =>
  page.evaluate(
    ([selector, path]) =>
      new Promise<number>((resolve) => {
        const begun = performance.now();
        document.querySelector<HTMLElement>(selector ?? "")?.click();
        const look = () => {
          const painted = [
            ...document.querySelectorAll<HTMLImageElement>(".shell-card img"),
          ].filter((img) => img.complete && img.naturalWidth > 0);
          if (location.pathname === path && painted.length >= 2) resolve(performance.now() - begun);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    [link, place] as const,
  );

/** Milliseconds from the start of a new page to two painted pictures that the app, and not a snapshot, drew. */
async function started(url: string, drawn: string): Promise<number> {
  const page = await profile.context.newPage();
  const devtools = await profile.context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.addInitScript((selector) => {
    const look = () => {
      const painted = [...document.querySelectorAll<HTMLImageElement>(selector)].filter(
        (img) => img.complete && img.naturalWidth > 0,
      );
      if (painted.length >= 2) Object.assign(window, { firstRow: performance.now() });
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, drawn);
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForFunction(() => "firstRow" in window);
  const at = await page.evaluate(() => (window as never as { firstRow: number }).firstRow);
  await page.close();
  return at;
}

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

test(
  "a profile with 500 media opens from the replica about as fast as the gallery",
  async () => {
    const { page } = profile;
    const user = new ProfilePage(page);
    await user.openUser(app.url, ben.record.username);
    // Everything of theirs comes to the device, as it does when somebody looks through it all.
    while (await user.showMore.isVisible().catch(() => false)) {
      const before = await user.listed();
      if (before >= 60) break;
      await user.showMore.click();
      await expect.poll(() => user.listed(), { timeout: MINUTE }).toBeGreaterThan(before);
    }
    const devtools = await profile.context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    const own = `/user/${ben.record.username}`;
    const [galleries, profiles]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      galleries.push(await opened(page, ".shell-brand", "/"));
      profiles.push(await opened(page, `a[href="${own}"]`, own));
    }
    const ratio = median(profiles) / median(galleries);
    process.stdout.write(
      `profile of ${MEDIA} media: first row after ${median(profiles).toFixed(0)} ms, the gallery's after ${median(galleries).toFixed(0)} ms, ratio ${ratio.toFixed(2)} (<= 1.5)\n`,
    );
    expect(ratio).toBeLessThanOrEqual(1.5);
  },
  5 * MINUTE,
);

test(
  "by its address it shows its first row about as soon as the gallery shows the replica's",
  async () => {
    const [galleries, profiles]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      galleries.push(await started(`${app.url}/`, '[data-source="live"] article img'));
      const address = `${app.url}/user/${ben.record.username}`;
      profiles.push(await started(address, '[data-testid="person-media"] article img'));
    }
    const ratio = median(profiles) / median(galleries);
    process.stdout.write(
      `profile of ${MEDIA} media by its address: first row after ${median(profiles).toFixed(0)} ms, the gallery's from the replica after ${median(galleries).toFixed(0)} ms, ratio ${ratio.toFixed(2)} (<= 1.5)\n`,
    );
    expect(ratio).toBeLessThanOrEqual(1.5);
  },
  5 * MINUTE,
);
