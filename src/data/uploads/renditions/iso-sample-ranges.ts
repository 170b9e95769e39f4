/** Where the samples of one track lie in an ISO file, from its sample tables. */
import { type IsoBox, readBox } from "@/domain/media-files";
import { uint32 } from "./bytes";
import type { ReadVideo } from "./video-edits";

export interface ByteRange {
  at: number;
  length: number;
}

/** More than 200 MB of metadata can hold; a crafted table ends here. */
const MAX_SAMPLES = 5_000_000;

/** One range per chunk of the track, in the file's own offsets. Empty where the tables are not there. */
export function sampleRanges(read: ReadVideo, trak: IsoBox): ByteRange[] {
  const stbl = boxAt(read, trak, ["mdia", "minf", "stbl"]);
  if (stbl === null) return [];
  const offsets = chunkOffsets(read, stbl);
  const perChunk = samplesPerChunk(read, stbl, offsets.length);
  const sizes = sampleSizes(read, stbl);
  let sample = 0;
  return offsets.map((at, chunk) => {
    let length = 0;
    for (let n = perChunk[chunk] ?? 0; n > 0 && sample < MAX_SAMPLES; n--)
      length += sizes(sample++);
    return { at, length };
  });
}

function boxAt(read: ReadVideo, inside: IsoBox, path: readonly string[]): IsoBox | null {
  const [type, ...rest] = path;
  if (type === undefined) return inside;
  for (let at = inside.body; at + 8 <= inside.end; ) {
    const box = readBox(read, at, inside.end);
    if (box === null) return null;
    if (box.type === type) return boxAt(read, box, rest);
    at = box.end;
  }
  return null;
}

/** The table's numbers behind its version and flags. */
function tableOf(read: ReadVideo, stbl: IsoBox, type: string): ((index: number) => number) | null {
  const box = boxAt(read, stbl, [type]);
  if (box === null) return null;
  const bytes = read(box.body + 4, box.end - box.body - 4);
  return (index) => uint32(bytes, index * 4);
}

function chunkOffsets(read: ReadVideo, stbl: IsoBox): number[] {
  const short = tableOf(read, stbl, "stco");
  if (short) return Array.from({ length: short(0) }, (_, i) => short(i + 1));
  const long = tableOf(read, stbl, "co64");
  if (!long) return [];
  return Array.from({ length: long(0) }, (_, i) => long(2 * i + 1) * 2 ** 32 + long(2 * i + 2));
}

function samplesPerChunk(read: ReadVideo, stbl: IsoBox, chunks: number): number[] {
  const table = tableOf(read, stbl, "stsc");
  const counts = new Array<number>(chunks).fill(0);
  if (!table) return counts;
  for (let entry = 0; entry < table(0); entry++) {
    // Each entry holds from its first chunk, counted from 1, to the end or the next entry.
    counts.fill(table(3 * entry + 2), Math.max(0, table(3 * entry + 1) - 1));
  }
  return counts;
}

function sampleSizes(read: ReadVideo, stbl: IsoBox): (sample: number) => number {
  const table = tableOf(read, stbl, "stsz");
  if (!table) return () => 0;
  const all = table(0);
  return all > 0 ? () => all : (sample) => (sample < table(1) ? table(sample + 2) : 0);
}
