/** Reads an archive that does not compress, as any program does: by the directory at its end. Checks every checksum. */
import { crc32 } from "node:zlib";

const CENTRAL = 0x02014b50;

/** The entries by the archive's own directory, as any program reads it: from the end. */
export async function readZip(archive: Blob): Promise<Map<string, { crc: number; bytes: Buffer }>> {
  const all = Buffer.from(await archive.arrayBuffer());
  const end = all.lastIndexOf(Buffer.from("504b0506", "hex"));
  const entries = new Map<string, { crc: number; bytes: Buffer }>();
  let at = all.readUInt32LE(end + 16);
  for (let i = 0; i < all.readUInt16LE(end + 10); i++) {
    if (all.readUInt32LE(at) !== CENTRAL) throw new Error(`no directory entry at ${at}`);
    const [nameLength, extra] = [all.readUInt16LE(at + 28), all.readUInt16LE(at + 30)];
    const [size, local] = [all.readUInt32LE(at + 24), all.readUInt32LE(at + 42)];
    const name = all.toString("utf8", at + 46, at + 46 + nameLength);
    const start = local + 30 + all.readUInt16LE(local + 26) + all.readUInt16LE(local + 28);
    const [crc, bytes] = [all.readUInt32LE(at + 16), all.subarray(start, start + size)];
    if (crc32(bytes) !== crc) throw new Error(`wrong checksum of ${name}`);
    entries.set(name, { crc, bytes });
    at += 46 + nameLength + extra;
  }
  return entries;
}
