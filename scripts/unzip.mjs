/** Reads one file out of a zip archive in memory. Enough for PocketBase's release archives: no encryption, no zip64. */
import { inflateRawSync } from "node:zlib";

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;

/** @param {Buffer} zip */
function directoryOf(zip) {
  for (let at = zip.length - 22; at >= 0; at--) {
    if (zip.readUInt32LE(at) === END_OF_DIRECTORY) {
      return { entries: zip.readUInt16LE(at + 10), offset: zip.readUInt32LE(at + 16) };
    }
  }
  throw new Error("The archive is not a zip file.");
}

/**
 * @param {Buffer} zip
 * @param {number} at where the local header begins
 * @param {{ method: number, size: number }} entry
 */
function contentAt(zip, at, entry) {
  const start = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
  const bytes = zip.subarray(start, start + entry.size);
  if (entry.method === STORED) return bytes;
  if (entry.method === DEFLATED) return inflateRawSync(bytes);
  throw new Error(`The archive uses compression method ${entry.method}.`);
}

/**
 * @param {Buffer} zip
 * @param {string} name the file's path inside the archive
 * @returns {Buffer}
 */
export function readFromZip(zip, name) {
  const directory = directoryOf(zip);
  let at = directory.offset;
  for (let i = 0; i < directory.entries; i++) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error("The archive is damaged.");
    const nameLength = zip.readUInt16LE(at + 28);
    if (zip.toString("utf8", at + 46, at + 46 + nameLength) === name) {
      const entry = { method: zip.readUInt16LE(at + 10), size: zip.readUInt32LE(at + 20) };
      return contentAt(zip, zip.readUInt32LE(at + 42), entry);
    }
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error(`The archive holds no file named ${name}.`);
}
