/** What the scripts of this folder share: programs, numbers in bytes, boxes, the drawing, a profile. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const work = mkdtempSync(path.join(tmpdir(), "files-"));
process.once("exit", () => rmSync(work, { recursive: true }));

/** A file of this folder. */
export const kept = (/** @type {string} */ name) => path.join(here, name);
/** A file that is gone when the script ends. */
export const at = (/** @type {string} */ name) => path.join(work, name);
export const bytesOf = (/** @type {string} */ name) => readFileSync(kept(name));
/** @param {string} name @param {Uint8Array[]} parts */
export const keep = (name, ...parts) => writeFileSync(kept(name), Buffer.concat(parts));

/** @param {string} file @param {string[]} args */
export const run = (file, ...args) =>
  execFileSync(file, args, { stdio: ["ignore", "pipe", "inherit"] });

/** @param {string[]} args */
export const ffmpeg = (...args) => run("ffmpeg", "-v", "error", "-y", ...args);
/** The same bytes whenever it is made. @param {string} name @param {string[]} args */
export const film = (name, ...args) =>
  ffmpeg(
    ...args,
    ...["-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact"],
    name.includes("/") ? name : kept(name),
  );
/** @param {string[]} args */
export const convert = (...args) => run("convert", ...args);
/** @param {string} name @param {string[]} args */
export const tag = (name, ...args) =>
  run("exiftool", "-q", "-q", "-m", "-overwrite_original", "-n", ...args, kept(name));

/** @param {number} value @param {number} length */
export const uint = (value, length) => {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(value, 0, length);
  return bytes;
};
export const u8 = (/** @type {number} */ value) => uint(value, 1);
export const u16 = (/** @type {number} */ value) => uint(value, 2);
export const u32 = (/** @type {number} */ value) => uint(value, 4);
export const ascii = (/** @type {string} */ text) => Buffer.from(text, "latin1");
/** Least significant byte first. @param {number} value @param {number} length */
export const little = (value, length) => uint(value, length).reverse();

/** @param {string} type @param {Uint8Array[]} parts */
export const box = (type, ...parts) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(8 + body.length), ascii(type), body]);
};
/** @param {string} type @param {number} version @param {number} flags @param {Uint8Array[]} parts */
export const fullBox = (type, version, flags, ...parts) =>
  box(type, u8(version), uint(flags, 3), ...parts);

/** `bytes` with `more` at that place. @param {Buffer} bytes @param {number} place @param {Uint8Array[]} more */
export const insert = (bytes, place, ...more) =>
  Buffer.concat([bytes.subarray(0, place), ...more, bytes.subarray(place)]);

/** Red, green, blue and yellow quarters, upright: the size of all plain pictures here. */
export function quarters(width = 64, height = 48, [red, green, blue, yellow] = INKS) {
  const file = at(`quarters-${width}-${height}-${red}.png`);
  const size = ["-size", `${width / 2}x${height / 2}`];
  convert(
    ...["(", ...size, `xc:${red}`, `xc:${green}`, "+append", ")"],
    ...["(", ...size, `xc:${blue}`, `xc:${yellow}`, "+append", ")"],
    ...["-append", "-strip", `png24:${file}`],
  );
  return file;
}
const INKS = ["#dc1e1e", "#1ec81e", "#1e1edc", "#e6dc1e"];

/** Where all that locates was taken: 48.1234 north, 11.5678 east. */
export const PLACE = [
  "-GPSLatitude=48.1234",
  "-GPSLatitudeRef=N",
  "-GPSLongitude=11.5678",
  "-GPSLongitudeRef=E",
];

const fixed = (/** @type {number} */ value) => u32((Math.round(value * 65536) + 2 ** 32) % 2 ** 32);
const xyz = (/** @type {number[]} */ ...values) =>
  Buffer.concat([ascii("XYZ "), u32(0), ...values.map(fixed)]);

/** @typedef {[number, number, number]} Xyz */
/** @type {Record<"Display P3" | "Wide RGB", [Xyz, Xyz, Xyz]>} primaries, adapted to D50 */
const PRIMARIES = {
  "Display P3": [
    [0.51512, 0.2412, -0.00105],
    [0.29198, 0.69225, 0.04189],
    [0.1571, 0.06657, 0.78407],
  ],
  // Those of Adobe RGB (1998).
  "Wide RGB": [
    [0.60974, 0.31111, 0.01947],
    [0.20528, 0.62567, 0.06087],
    [0.14919, 0.06322, 0.74457],
  ],
};

/** An ICC profile with a plain gamma. @param {keyof typeof PRIMARIES} title */
export function profileOf(title) {
  const curve = Buffer.concat([ascii("curv"), u32(0), u32(1), u16(Math.round(2.2 * 256)), u16(0)]);
  const name = ascii(title);
  const [red, green, blue] = PRIMARIES[title];
  /** @type {[string, Buffer][]} */
  const tags = [
    [
      "desc",
      Buffer.concat([
        ascii("desc"),
        u32(0),
        u32(name.length + 1),
        name,
        Buffer.alloc(1 + 4 + 4 + 2 + 1 + 67 + ((4 - ((name.length + 91) % 4)) % 4)),
      ]),
    ],
    ["cprt", Buffer.concat([ascii("text"), u32(0), ascii("CC0\0")])],
    ["wtpt", xyz(0.9642, 1, 0.8249)],
    ["rXYZ", xyz(...red)],
    ["gXYZ", xyz(...green)],
    ["bXYZ", xyz(...blue)],
    ["rTRC", curve],
    ["gTRC", curve],
    ["bTRC", curve],
  ];
  let offset = 128 + 4 + tags.length * 12;
  const table = tags.map(([name4, { length }]) => {
    const entry = Buffer.concat([ascii(name4), u32(offset), u32(length)]);
    offset += length;
    return entry;
  });
  const head = Buffer.concat([
    u32(offset),
    u32(0),
    u32(0x02400000),
    ascii("mntrRGB XYZ "),
    Buffer.alloc(12),
    ascii("acsp"),
    Buffer.alloc(28),
    fixed(0.9642),
    fixed(1),
    fixed(0.8249),
    Buffer.alloc(48),
  ]);
  return Buffer.concat([head, u32(tags.length), ...table, ...tags.map(([, data]) => data)]);
}

/** @param {keyof typeof PRIMARIES} title @returns a file that holds it */
export function profileFile(title) {
  const file = at(`${title}.icc`);
  writeFileSync(file, profileOf(title));
  return file;
}
