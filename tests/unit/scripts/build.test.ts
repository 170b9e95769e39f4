import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { keepEarlierParts } from "@scripts/build.mjs";
import { inRoot } from "@scripts/checkout.mjs";
import { build as bundle } from "esbuild";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "augenblick-build-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const dist = () => path.join(folder, "dist");

/** What a build does with its parts, without building. */
async function build(...names: string[]): Promise<string[]> {
  const fresh = path.join(folder, "fresh");
  await mkdir(fresh, { recursive: true });
  for (const name of names) await writeFile(path.join(fresh, name), `built: ${name}`);
  await keepEarlierParts({ from: dist(), to: fresh, list: path.join(folder, "versions.json") });
  await rm(dist(), { recursive: true, force: true });
  await rename(fresh, dist());
  return (await readdir(dist())).sort();
}

test("the parts of the last three versions stay beside those of the newest, and no longer", async () => {
  expect(await build("page-1.js", "same.js")).toEqual(["page-1.js", "same.js"]);
  expect(await build("page-2.js", "same.js")).toEqual(["page-1.js", "page-2.js", "same.js"]);
  await build("page-3.js", "same.js");
  expect(await build("page-4.js", "new.js")).toEqual([
    "new.js",
    "page-1.js",
    "page-2.js",
    "page-3.js",
    "page-4.js",
    "same.js",
  ]);
  expect(await build("page-5.js", "new.js")).not.toContain("page-1.js");
  expect(await readFile(path.join(dist(), "page-2.js"), "utf8")).toBe("built: page-2.js");
});

test("building the same once more pushes no version out", async () => {
  await build("page-1.js");
  await build("page-2.js");
  for (let again = 0; again < 4; again++) await build("page-2.js");
  expect(await build("page-2.js")).toEqual(["page-1.js", "page-2.js"]);
});

test("what lies there from before any list was written counts as one version", async () => {
  await mkdir(dist());
  await writeFile(path.join(dist(), "page-0.js"), "built: page-0.js");
  expect(await build("page-1.js")).toEqual(["page-0.js", "page-1.js"]);
});

test("neither the build nor a start needs the folder of the tests, which an image does not have", async () => {
  const { metafile } = await bundle({
    entryPoints: [inRoot("vite.config.ts"), inRoot("scripts/start.mjs")],
    absWorkingDir: inRoot("."),
    outdir: inRoot(".cache/nowhere"),
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    write: false,
    metafile: true,
  });
  const read = Object.keys(metafile.inputs);
  expect(read).toContain("scripts/vite-lean.ts");
  expect(read.filter((file) => file.startsWith("tests/"))).toEqual([]);
});
