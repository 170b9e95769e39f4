import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { findChromium, isInstalled } from "@scripts/checkout.mjs";
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

const wanted = {
  "": { version: "0.1.0" },
  "node_modules/a": { version: "1.0.0", integrity: "sha512-a" },
  "node_modules/other-platform": { version: "2.0.0", integrity: "sha512-o", optional: true },
};
const a = { version: "1.0.0", integrity: "sha512-a" };

test.each([
  [
    "everything is there",
    {
      "node_modules/a": a,
      "node_modules/other-platform": { version: "2.0.0", integrity: "sha512-o" },
    },
    true,
  ],
  ["only an optional package of another platform is missing", { "node_modules/a": a }, true],
  ["a package is missing", {}, false],
  ["a package has another version", { "node_modules/a": { ...a, version: "1.0.1" } }, false],
  ["a package has other content", { "node_modules/a": { ...a, integrity: "sha512-b" } }, false],
  ["there is more than asked for", { "node_modules/a": a, "node_modules/b": a }, true],
])("where %s, an installation counts as whole: %s", (_case, present, whole) => {
  expect(isInstalled(wanted, present)).toBe(whole);
});
