/**
 * How much JavaScript the app may cost, in gzip bytes (issue "Figures"; docs/architecture.md): the
 * entry, and everything that showing the gallery needs. Reads what the build wrote about its
 * chunks.
 */
import { readFile } from "node:fs/promises";
import { CHUNKS_FILE } from "./build.mjs";

const KB = 1024;
const ENTRY_MAX = 130 * KB;
const GALLERY_MAX = 260 * KB;

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
  { name: "compression", pattern: /node_modules\/browser-image-compression\// },
];

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

/** Measures the last build. */
export async function checkSizes() {
  return measureSizes(JSON.parse(await readFile(CHUNKS_FILE, "utf8")));
}
