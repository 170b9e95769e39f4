/**
 * Writes a ZIP archive without compressing: photos and videos are compressed already. The parts stay blobs, so that the
 * browser may keep them on its disk. Beyond 4 GB or 65,535 entries the 64-bit records of the format are added.
 */
interface Entry {
  name: Uint8Array<ArrayBuffer>;
  crc: number;
  size: number;
  /** Where its header begins, bytes. */
  at: number;
  time: number;
  date: number;
}

export interface Zip {
  /** `name` with slashes for folders; an existing one is not replaced. */
  add(name: string, content: Blob | string): Promise<void>;
  finish(): Blob;
}

const UTF8_NAMES = 0x0800;
const MOST_32 = 0xffffffff;
const MOST_16 = 0xffff;
const VERSION = 20;
const VERSION_64 = 45;

export function createZip(now: Date): Zip {
  const parts: BlobPart[] = [];
  const entries: Entry[] = [];
  let at = 0;
  const put = (part: Uint8Array<ArrayBuffer> | Blob, size: number) => {
    parts.push(part);
    at += size;
  };
  const [time, date] = dosTime(now);
  return {
    async add(name, content) {
      const blob = typeof content === "string" ? new Blob([content]) : content;
      const entry = {
        name: bytesOf(name),
        crc: await crc32(blob),
        size: blob.size,
        at,
        time,
        date,
      };
      entries.push(entry);
      const head = localHeader(entry);
      put(head, head.length);
      put(blob, blob.size);
    },
    finish() {
      const start = at;
      for (const entry of entries) {
        const record = centralRecord(entry);
        put(record, record.length);
      }
      const end = endOfArchive(entries.length, start, at - start);
      put(end, end.length);
      return new Blob(parts, { type: "application/zip" });
    },
  };
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Little-endian numbers: pairs of how many bytes and what. */
function pack(...fields: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]) {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [bytes]) => sum + bytes, 0)));
  let offset = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(offset, value, true);
    else if (bytes === 4) view.setUint32(offset, value, true);
    else view.setBigUint64(offset, BigInt(value), true);
    offset += bytes;
  }
  return new Uint8Array(view.buffer);
}

function joined(...parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** What a local header and a central record have in common. */
const common = ({ crc, size, name, time, date }: Entry, extra: number) =>
  pack(
    [2, UTF8_NAMES],
    [2, 0],
    [2, time],
    [2, date],
    [4, crc],
    [4, size],
    [4, size],
    [2, name.length],
    [2, extra],
  );

const localHeader = (entry: Entry) =>
  joined(pack([4, 0x04034b50], [2, VERSION]), common(entry, 0), entry.name);

function centralRecord(entry: Entry) {
  const far = entry.at >= MOST_32;
  const version = far ? VERSION_64 : VERSION;
  const extra = far ? pack([2, 1], [2, 8], [8, entry.at]) : new Uint8Array(0);
  return joined(
    pack([4, 0x02014b50], [2, version], [2, version]),
    common(entry, extra.length),
    pack([2, 0], [2, 0], [2, 0], [4, 0], [4, far ? MOST_32 : entry.at]),
    entry.name,
    extra,
  );
}

function endOfArchive(count: number, start: number, size: number) {
  const end = pack(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, Math.min(count, MOST_16)],
    [2, Math.min(count, MOST_16)],
    [4, Math.min(size, MOST_32)],
    [4, Math.min(start, MOST_32)],
    [2, 0],
  );
  if (count < MOST_16 && start < MOST_32) return end;
  const whole = pack(
    [4, 0x06064b50],
    [8, 44],
    [2, VERSION_64],
    [2, VERSION_64],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, size],
    [8, start],
  );
  return joined(whole, pack([4, 0x07064b50], [4, 0], [8, start + size], [4, 1]), end);
}

function dosTime(now: Date): readonly [time: number, date: number] {
  const time = (now.getHours() << 11) | (now.getMinutes() << 5) | (now.getSeconds() >> 1);
  const year = Math.max(0, now.getFullYear() - 1980);
  return [time, (year << 9) | ((now.getMonth() + 1) << 5) | now.getDate()];
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Read in pieces: a video never lies in memory whole. */
async function crc32(blob: Blob): Promise<number> {
  if (blob.size === 0) return 0;
  const reader = blob.stream().getReader();
  let crc = MOST_32;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return (crc ^ MOST_32) >>> 0;
    for (const byte of value) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  }
}
