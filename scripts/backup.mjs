/**
 * `npm run backup`: one archive of database and files while the place runs, whether those lie on
 * the disk or in a bucket. Unpacked into an empty folder it is a data folder that has its files on
 * the disk. Writers wait while the databases are copied; files come after, for no file ever
 * changes. What is deleted meanwhile may be missing.
 */
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { ensureInstalled, runCommand, say, stopSignal, UserError } from "./checkout.mjs";
import { attributesOf, bucketStore, diskStore } from "./file-stores.mjs";
import { openBucket, readS3Settings } from "./s3.mjs";
import { missingFiles, readServerSettings, runPocketBaseCommand } from "./server.mjs";

const USAGE = `npm run backup -- --to FILE.tar   database and files in one archive, while the place runs`;

const DATABASES = ["data.db", "auxiliary.db"];

/** @typedef {import("tar-stream").Pack} Pack */

/** @param {Pack} pack @param {string} name @param {Uint8Array | string} bytes */
const add = (pack, name, bytes) =>
  new Promise((resolve, reject) => {
    pack.entry({ name, mode: 0o600 }, Buffer.from(bytes), (error) =>
      error ? reject(error) : resolve(null),
    );
  });

/** @param {Pack} pack @param {string} file @param {string} name */
async function addDatabase(pack, file, name) {
  const { size } = await stat(file);
  await pipeline(createReadStream(file), pack.entry({ name, mode: 0o600, size }));
}

/**
 * Where the copied database says that files are.
 * @param {string} dataDir @param {import("./server.mjs").Outcome} copied
 */
async function storeOf(dataDir, { s3: setting }) {
  if (!setting?.enabled) return diskStore(path.join(dataDir, "storage"));
  const s3 = readS3Settings();
  if (s3?.bucket !== setting.bucket || s3.endpoint !== setting.endpoint)
    throw new UserError(
      `Files are in the bucket ${setting.bucket} at ${setting.endpoint}: set S3_ENDPOINT and the others.`,
    );
  return bucketStore(await openBucket(s3));
}

/**
 * Streams everything into the archive, and answers which files there were.
 * @param {{ dataDir: string, staging: string, file: string }} places
 * @param {import("./server.mjs").Outcome} copied @param {AbortSignal} signal
 */
async function write({ dataDir, staging, file }, copied, signal) {
  const store = await storeOf(dataDir, copied);
  const { pack: createPack } = await import("tar-stream");
  const pack = createPack();
  const written = pipeline(pack, createWriteStream(file, { mode: 0o600, flush: true }));
  /** @type {Set<string>} */
  const files = new Set();
  const fill = async () => {
    for (const name of DATABASES) await addDatabase(pack, path.join(staging, name), name);
    for (const collection of copied.collections ?? []) {
      for await (const { key } of store.list(collection)) {
        signal.throwIfAborted();
        const found = await store.read(key);
        if (found === null) continue;
        await add(pack, `storage/${key}`, found.bytes);
        await add(pack, `storage/${key}.attrs`, attributesOf(found));
        files.add(key);
      }
    }
    pack.finalize();
  };
  await Promise.all([fill().catch((error) => pack.destroy(error)), written]);
  return files;
}

/** @param {string} folder @param {string[]} command */
async function run(folder, ...command) {
  const answer = await runPocketBaseCommand(folder, command);
  if (answer.outcome === "done") return answer;
  throw new UserError(`The database could not be copied: ${answer.reason}`);
}

/** @param {import("./checkout.mjs").Given} given */
async function main({ values }) {
  if (values["to"] === undefined) throw new UserError(`Say where to.\n\n${USAGE}`);
  const target = path.resolve(String(values["to"]));
  if (existsSync(target)) throw new UserError(`${target} is there already: name another file.`);
  const { dataDir } = readServerSettings();
  if (!path.relative(dataDir, target).startsWith(".."))
    throw new UserError(`${target} lies in the data folder: name a file elsewhere.`);
  await ensureInstalled();
  process.umask(0o077);
  await mkdir(path.dirname(target), { recursive: true });
  const signal = stopSignal();
  const staging = await mkdtemp(`${target}-`);
  const part = path.join(staging, "part");
  try {
    await run(dataDir, "copy-databases", staging);
    const copied = await run(staging, "as-backup");
    const files = await write({ dataDir, staging, file: part }, copied, signal);
    const places = { dataDir, copy: staging };
    const { length: missing } = await missingFiles((key) => files.has(key), places);
    await rename(part, target);
    const { size } = await stat(target);
    const rows = Object.entries(copied.counts ?? {}).map(([table, count]) => `${count} ${table}`);
    say(`${target}: ${rows.join(", ")}, ${files.size} files, ${Math.ceil(size / 1_048_576)} MB.`);
    if (missing > 0)
      throw new UserError(
        `${missing} files are missing there: they were not found where they are.`,
      );
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

const text = { type: /** @type {const} */ ("string") };
await runCommand(USAGE, main, { options: { to: text } });
