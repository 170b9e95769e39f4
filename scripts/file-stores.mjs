/**
 * The two places where files can lie, as `npm run storage` and `npm run backup` see them:
 * PocketBase's folder on the disk, and a bucket. A file's key is `<collection>/<record>/<name>` in
 * both. Beside each file on the disk lies another one with what a bucket keeps in an object's
 * headers.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";

/**
 * @typedef {{ bytes: Buffer, contentType: string, originalName: string }} StoredFile
 *
 * @typedef {{ key: string, stat: () => Promise<{ size: number, changed: number }> }} FoundFile
 *   `changed` in milliseconds
 *
 * @typedef {{
 *   name: string,
 *   list: (collection: string) => AsyncGenerator<FoundFile>,
 *   read: (key: string) => Promise<StoredFile | null>,
 *   write: (key: string, file: StoredFile) => Promise<void>,
 *   holds: (key: string, file: StoredFile) => Promise<boolean>,
 *   remove: (key: string) => Promise<void> }} FileStore `holds` compares checksums of all bytes
 */

const AT_ONCE = 4;
/** Above this size one file at a time is worked on: it is held in memory, and so is its copy. */
const LARGE_BYTES = 16 * 1_048_576;

/**
 * Works on a few files at once. After one failure it begins no other, and throws it when those
 * under way have ended.
 * @param {AsyncIterable<FoundFile>} files @param {(key: string) => Promise<void>} work
 * @param {AbortSignal} [signal] its reason is such a failure
 */
export async function forEachFile(files, work, signal) {
  const source = files[Symbol.asyncIterator]();
  let hasFailed = false;
  let large = Promise.resolve();
  const workInTurn = (/** @type {string} */ key) => {
    const turn = large.then(() => (hasFailed ? undefined : work(key)));
    large = turn.catch(() => undefined);
    return turn;
  };
  const worker = async () => {
    for (let next = await source.next(); !next.done && !hasFailed; next = await source.next()) {
      signal?.throwIfAborted();
      const { key, stat: look } = next.value;
      await ((await look()).size > LARGE_BYTES ? workInTurn(key) : work(key));
    }
  };
  const workers = Array.from({ length: AT_ONCE }, () =>
    worker().catch((error) => {
      hasFailed = true;
      throw error;
    }),
  );
  for (const ended of await Promise.allSettled(workers))
    if (ended.status === "rejected") throw ended.reason;
}

const digest = (/** @type {string} */ kind, /** @type {Uint8Array} */ bytes) =>
  createHash(kind).update(bytes).digest("hex");

/** @param {unknown} error */
const isMissing = (error) =>
  error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR"].includes(String(error.code));

/** @template T @param {Promise<T>} work @returns {Promise<T | null>} */
const orNull = (work) =>
  work.catch((error) => {
    if (isMissing(error)) return null;
    throw error;
  });

/** PocketBase's own names. @param {StoredFile} file */
export const attributesOf = ({ contentType, originalName }) =>
  JSON.stringify({
    "user.cache_control": "",
    "user.content_disposition": "",
    "user.content_encoding": "",
    "user.content_language": "",
    "user.content_type": contentType,
    "user.metadata": { "original-filename": originalName },
    md5: null,
  });

const isFile = (/** @type {string} */ name) =>
  !name.endsWith(".attrs") && !name.endsWith(".part") && !name.startsWith("thumbs_");

/** A bucket takes any name, and this one becomes a path. @param {string} key */
const isKey = (key) => /^[\w-]+\/[\w-]+\/[\w*+=#-][\w*+=#.-]*$/.test(key);

/** @param {string} folder PocketBase's `storage` @returns {FileStore} */
export function diskStore(folder) {
  const placeOf = (/** @type {string} */ key) => path.join(folder, key);

  /** @param {string} key */
  async function read(key) {
    const bytes = await orNull(readFile(placeOf(key)));
    if (bytes === null) return null;
    const text = await orNull(readFile(`${placeOf(key)}.attrs`, "utf8"));
    const attributes = text === null ? {} : JSON.parse(text);
    return {
      bytes,
      contentType: attributes["user.content_type"] || "application/octet-stream",
      originalName: attributes["user.metadata"]?.["original-filename"] ?? path.basename(key),
    };
  }

  return {
    name: "the disk",
    async *list(collection) {
      for (const row of ((await orNull(readdir(placeOf(collection)))) ?? []).sort()) {
        const names = (await orNull(readdir(placeOf(`${collection}/${row}`)))) ?? [];
        for (const name of names.filter(isFile)) {
          const key = `${collection}/${row}/${name}`;
          const look = async () => {
            const found = await orNull(stat(placeOf(key)));
            return { size: found?.size ?? 0, changed: found?.mtimeMs ?? 0 };
          };
          yield { key, stat: look };
        }
      }
    },
    read,
    async write(key, file) {
      await mkdir(path.dirname(placeOf(key)), { recursive: true });
      await writeFile(`${placeOf(key)}.attrs`, attributesOf(file));
      await writeFile(`${placeOf(key)}.part`, file.bytes, { flush: true });
      await rename(`${placeOf(key)}.part`, placeOf(key));
    },
    holds: async (key, { bytes }) => (await read(key))?.bytes.equals(bytes) === true,
    async remove(key) {
      const place = placeOf(key);
      const thumbs = path.join(path.dirname(place), `thumbs_${path.basename(key)}`);
      for (const one of [place, `${place}.attrs`, thumbs])
        await rm(one, { recursive: true, force: true });
      // It stays while other files are in it.
      for (const one of [path.dirname(place), path.dirname(path.dirname(place))])
        await rmdir(one).catch(() => undefined);
    },
  };
}

/** @param {import("./s3.mjs").Bucket} bucket @returns {FileStore} */
export function bucketStore(bucket) {
  return {
    name: "the bucket",
    async *list(collection) {
      for await (const { key, ...found } of bucket.list(`${collection}/`)) {
        if (isKey(key) && isFile(path.basename(key))) yield { key, stat: async () => found };
      }
    },
    async read(key) {
      const found = await bucket.get(key);
      if (found === null) return null;
      const { headers } = found.answer;
      const name = headers.get("x-amz-meta-original-filename");
      return {
        bytes: found.bytes,
        contentType: headers.get("content-type") ?? "application/octet-stream",
        originalName: name === null ? path.basename(key) : decodeURIComponent(name),
      };
    },
    async write(key, { bytes, contentType, originalName }) {
      await bucket.put(key, bytes, {
        "content-type": contentType,
        "x-amz-meta-original-filename": encodeURIComponent(originalName),
      });
    },
    async holds(key, { bytes }) {
      const head = await bucket.head(key);
      if (head === null || head.size !== bytes.length) return false;
      if (head.etag === digest("md5", bytes)) return true;
      // Sent in parts, or encrypted there: its mark is another one.
      const found = await bucket.get(key);
      return found !== null && digest("sha256", found.bytes) === digest("sha256", bytes);
    },
    async remove(key) {
      await bucket.remove(key);
    },
  };
}
