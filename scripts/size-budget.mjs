/**
 * How much the app may cost (docs/architecture.md): in gzip bytes of JavaScript the entry, and all
 * that showing the gallery needs; in Brotli bytes all that is put aside, and the worker that sends.
 * Reads what the build wrote about its chunks, and its files.
 */
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { CHUNKS_FILE } from "./build.mjs";
import { DIST_DIR } from "./checkout.mjs";

const KB = 1024;
const ENTRY_MAX = 110 * KB;
const GALLERY_MAX = 235 * KB;
const ASIDE_MAX = 400 * KB;
/** The worker that sends while the app is closed, Brotli. It loads when a page is calm. */
const SENDER_MAX = 110 * KB;

/** Modules that the gallery loads when asked for: its route, and the data with RxDB. */
const GALLERY_LOADS = [
  /^src\/routes\/(?:gallery|home)[^/]*$/,
  /^src\/data\/(?:browser-client|create-client)\.ts$/,
];

/** Libraries that may not delay the first paint. */
const LATER = [
  { name: "RxDB", pattern: /node_modules\/rxdb\// },
  { name: "Dexie", pattern: /node_modules\/dexie\// },
  { name: "tus", pattern: /node_modules\/tus-js-client\// },
  { name: "a coder of videos", pattern: /node_modules\/mediabunny\// },
];

/** The converter's worker alone has these, and it is no chunk of the page. */
const DECODERS = /node_modules\/(?:libheif-js|utif2)\//;

/** @typedef {import("./build.mjs").Chunk} Chunk */

/**
 * The chunks and everything they import statically.
 * @param {Chunk[]} all @param {Chunk[]} from @returns {Set<Chunk>}
 */
function closure(all, from) {
  const byFile = new Map(all.map((chunk) => [chunk.file, chunk]));
  const seen = new Set(from);
  for (const chunk of seen) {
    for (const file of chunk.imports) {
      const imported = byFile.get(file);
      if (imported !== undefined) seen.add(imported);
    }
  }
  return seen;
}

const weight = (/** @type {Iterable<Chunk>} */ chunks) =>
  [...chunks].reduce((sum, chunk) => sum + chunk.gzip, 0);

/**
 * @param {Chunk[]} chunks
 * @returns {{ entry: number, gallery: number, faults: string[] }} sizes in bytes, and a sentence
 *   for each broken promise
 */
export function measureSizes(chunks) {
  const entry = closure(
    chunks,
    chunks.filter((chunk) => chunk.isEntry),
  );
  const loads = chunks.filter((chunk) => GALLERY_LOADS.some((load) => load.test(chunk.facade)));
  const gallery = closure(chunks, [...entry, ...loads]);
  const sizes = { entry: weight(entry), gallery: weight(gallery) };
  const faults = [];
  if (entry.size === 0) faults.push("The build names no entry.");
  if (sizes.entry > ENTRY_MAX) faults.push(overweight("The entry", sizes.entry, ENTRY_MAX));
  if (sizes.gallery > GALLERY_MAX) {
    faults.push(overweight("All that the gallery needs", sizes.gallery, GALLERY_MAX));
  }
  for (const { name, pattern } of LATER) {
    const holder = [...entry].find((chunk) => chunk.modules.some((id) => pattern.test(id)));
    if (holder !== undefined) faults.push(`${name} is in ${holder.file}, which the entry needs.`);
  }
  const decoding = chunks.find((chunk) => chunk.modules.some((id) => DECODERS.test(id)));
  if (decoding) faults.push(`A decoder of pictures is in ${decoding.file}, a script of the page.`);
  // A gallery without its data would pass every limit: then the patterns above are out of date.
  const hasData = [...gallery].some((chunk) =>
    chunk.modules.some((id) => LATER[0]?.pattern.test(id)),
  );
  if (!hasData) faults.push("No chunk of the gallery holds RxDB: GALLERY_LOADS is out of date.");
  return { ...sizes, faults };
}

/** @param {string} what @param {number} bytes @param {number} limit */
const overweight = (what, bytes, limit) =>
  `${what} is ${(bytes / KB).toFixed(1)} KB of gzipped JavaScript; at most ${limit / KB} KB are allowed.`;

/**
 * What the service worker puts aside for everybody, by its own list.
 * @param {string} worker the text of sw.js
 */
export const putAside = (worker) =>
  [...worker.matchAll(/\{[^{}]*"url":"([^"]+)"[^{}]*\}/g)].flatMap(([entry, url = ""]) =>
    entry.includes('"rare"') ? [] : [url],
  );

/**
 * @param {string} worker the text of sw.js
 * @param {(url: string) => Promise<number>} bytesOf as the file is sent
 */
export async function measureAside(worker, bytesOf) {
  const urls = putAside(worker);
  const sizes = await Promise.all(urls.map(bytesOf));
  const aside = sizes.reduce((sum, bytes) => sum + bytes, 0);
  const faults = [];
  if (urls.length === 0) faults.push("The service worker puts nothing aside.");
  if (aside > ASIDE_MAX) {
    faults.push(
      `What is put aside is ${(aside / KB).toFixed(1)} KB (Brotli); at most ${ASIDE_MAX / KB} KB are allowed.`,
    );
  }
  return { aside, faults };
}

/** The server compresses by gzip what the build has not compressed. @param {string} url */
async function sentBytes(url) {
  const file = path.join(DIST_DIR, url);
  const small = await stat(`${file}.br`).catch(() => null);
  return small?.size ?? gzipSync(await readFile(file)).length;
}

/** Measures the last build. */
export async function checkSizes() {
  const sizes = measureSizes(JSON.parse(await readFile(CHUNKS_FILE, "utf8")));
  const worker = await readFile(path.join(DIST_DIR, "sw.js"), "utf8");
  const { aside, faults } = await measureAside(worker, sentBytes);
  const sender = await sentBytes("sender.js");
  if (sender > SENDER_MAX) {
    faults.push(
      `The worker that sends is ${(sender / KB).toFixed(1)} KB (Brotli); at most ${SENDER_MAX / KB} KB are allowed.`,
    );
  }
  return { ...sizes, aside, faults: [...sizes.faults, ...faults] };
}
