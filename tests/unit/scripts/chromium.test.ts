import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { findChromium } from "@scripts/chromium.mjs";
import { temporaryFolder } from "@tests/support/pocketbase";
import { expect, test } from "vitest";

test("Chromium is found on the path, or where CHROMIUM_BIN says", async () => {
  const folder = temporaryFolder();
  const program = path.join(folder, "chromium");
  await writeFile(program, "");
  await expect(findChromium({ PATH: folder })).rejects.toThrow("Chromium is missing");
  await chmod(program, 0o755);
  expect(await findChromium({ PATH: `/nonexistent:${folder}` })).toBe(program);
  expect(await findChromium({ PATH: "", CHROMIUM_BIN: program })).toBe(program);
});

test("where it is missing, one sentence says what to install", async () => {
  await expect(findChromium({ PATH: temporaryFolder() })).rejects.toThrow(
    'Chromium is missing: install it (on Debian "apt-get install chromium") or set CHROMIUM_BIN to its path.',
  );
  await expect(findChromium({ CHROMIUM_BIN: "/nonexistent" })).rejects.toThrow(
    "CHROMIUM_BIN names /nonexistent, which is not a program that can be run.",
  );
});
