/**
 * The last three versions of the client, as devices have them, on today's server: each goes through
 * the whole journey. An archive (tar, Brotli) holds what a device puts aside, and the list of
 * common passwords, without which nobody signs up.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { brotliDecompressSync } from "node:zlib";
import { inRoot } from "@scripts/checkout.mjs";
import { takeJourney } from "@tests/support/journey";
import { openChromium } from "@tests/support/playwright-device";
import { startPocketBase, temporaryFolder } from "@tests/support/pocketbase";
import { IS_THOROUGH } from "@tests/support/thorough";
import { extract } from "tar-stream";
import { expect, test } from "vitest";

const ARCHIVES = inRoot("tests/upgrades/clients");
const CLIENTS = readdirSync(ARCHIVES).sort();

async function unpack(archive: string): Promise<string> {
  const folder = temporaryFolder("augenblick-client-");
  const tar = extract();
  tar.on("entry", ({ name }, stream, next) => {
    const target = path.join(folder, name);
    mkdirSync(path.dirname(target), { recursive: true });
    void buffer(stream)
      .then((bytes) => writeFileSync(target, bytes))
      .then(() => next(), next);
  });
  const bytes = brotliDecompressSync(readFileSync(path.join(ARCHIVES, archive)));
  await pipeline(Readable.from(bytes), tar);
  return folder;
}

test("three versions are kept", () => {
  expect(CLIENTS).toHaveLength(3);
});

const [OLDEST = "", , NEWEST = ""] = CLIENTS;

test.each(IS_THOROUGH ? CLIENTS : [OLDEST, NEWEST])(
  "%s does the whole journey on today's server",
  async (archive) => {
    const publicDir = await unpack(archive);
    const app = await startPocketBase({ publicDir });
    const device = await openChromium();
    try {
      await takeJourney(app, device);
      // It was that client to the end, and not today's.
      const [program = ""] =
        /assets\/[\w-]+\.js/.exec(readFileSync(path.join(publicDir, "index.html"), "utf8")) ?? [];
      const shown = () => Promise.resolve(document.documentElement.innerHTML);
      expect(program).not.toBe("");
      expect(await device.run(shown, null)).toContain(program);
    } finally {
      await device.close();
      await app.stop();
    }
  },
);
