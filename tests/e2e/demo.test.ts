/** `npm run demo`, small: what it makes is what a user could have made, and it never touches a database that is in use. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { inRoot } from "@scripts/checkout.mjs";
import { openProfile } from "@tests/support/browser";
import { freePort, newFolder, startPocketBase } from "@tests/support/pocketbase";
import { expect, test } from "vitest";

async function runDemo(env: Record<string, string>): Promise<{ code: number; printed: string }> {
  const child = spawn(process.execPath, [inRoot("scripts/demo.mjs")], {
    env: { ...process.env, DEMO_PHOTOS: "4", DEMO_VIDEOS: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  const [code] = await once(child, "close");
  return { code, printed };
}

test("the demo fills an empty database through the public API, and refuses one that is not", async () => {
  const dataDir = newFolder();
  const first = await runDemo({ PORT: String(await freePort()), DATA_DIR: dataDir });
  expect(first.printed).toContain("Done.");
  expect(first.code).toBe(0);

  const server = await startPocketBase({ dataDir });
  const list = async (collection: string) =>
    (await server.api("GET", `/api/collections/${collection}/records?perPage=200`)).body.items;
  const [media, profiles] = [await list("media"), await list("profiles")];
  expect(profiles).toHaveLength(12);
  expect(media.map((row: { type: string }) => row.type).sort()).toEqual([
    "photo",
    "photo",
    "photo",
    "photo",
    "video",
  ]);
  const owners = new Map(
    profiles.map((row: { id: string; mediaCount: number }) => [row.id, row.mediaCount]),
  );
  for (const row of media) {
    expect(owners.get(row.userId)).toBeGreaterThan(0);
    expect(row.thumbnail).toMatch(/^thumb_/);
    expect(row.preview).toMatch(/^preview_/);
    expect(Date.parse(row.createdAt.replace(" ", "T"))).toBeLessThan(Date.now() - 60_000);
  }

  // Both passwords that it printed open what it says they open.
  const accounts = [...first.printed.matchAll(/(\S+@demo\.example) {2}(\S+)/g)];
  expect(accounts).toHaveLength(2);
  for (const [i, [, identity, password]] of accounts.entries()) {
    const answer = await server.api("POST", "/api/collections/users/auth-with-password", {
      identity,
      password,
    });
    expect(answer.status).toBe(200);
    expect(answer.body.record.isAdmin).toBe(i === 0);
  }

  // The video plays in a browser, and seeks to its end.
  const video = media.find((row: { type: string }) => row.type === "video");
  const { page, close } = await openProfile();
  await page.goto(`${server.url}/api/health`);
  const seen = await page.evaluate(async (source) => {
    const element = document.createElement("video");
    element.src = source;
    const happens = (name: string) =>
      new Promise((resolve) => element.addEventListener(name, resolve, { once: true }));
    await happens("loadedmetadata");
    element.currentTime = element.duration - 0.2;
    await happens("seeked");
    return { duration: element.duration, at: element.currentTime, width: element.videoWidth };
  }, `${server.url}/api/files/media/${video.id}/${video.file}`);
  expect(seen.duration).toBeCloseTo(video.duration, 0);
  expect(seen.at).toBeGreaterThan(1);
  expect(seen.width).toBe(video.width);
  await close();

  const again = await runDemo({ PORT: String(server.port), DATA_DIR: dataDir });
  expect(again.code).toBe(1);
  expect(again.printed).toMatch(/^The database is not empty, and the demo fills only an empty one/);
  expect(await list("media")).toHaveLength(5);
});
