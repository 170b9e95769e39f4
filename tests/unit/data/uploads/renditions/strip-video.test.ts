import { readFileSync } from "node:fs";
import { TABLE } from "@tests/files/table";
import { ascii, joinBytes, SECRET } from "@tests/support/exif";
import { type FixtureName, mediaFixture } from "@tests/support/media-fixtures";
import { packetsOf } from "@tests/support/packets";
import { describe, expect, test } from "vitest";
import { applyEdits, stripVideo } from "@/data/files/strip-video";
import type { Bytes } from "@/domain/bytes";
import { detectFile, fileFault } from "@/domain/media-files";

/** The stripped file, and how many bytes of the given one were read for it. */
async function strip(bytes: Bytes) {
  const detected = detectFile(bytes.subarray(0, 64));
  if (detected === null) throw new Error("no video");
  let bytesRead = 0;
  const read = (at: number, length: number) => {
    bytesRead += Math.min(length, bytes.length - at);
    return bytes.subarray(at, at + length);
  };
  const blob = stripVideo(read, new Blob([bytes]), detected);
  expect(blob.type).toBe(detected.contentType);
  const stripped = new Uint8Array(await blob.arrayBuffer());
  const fault = fileFault(
    (at, length) => stripped.subarray(at, at + length),
    stripped.length,
    detected,
  );
  expect(fault).toBeNull();
  return { stripped, bytesRead };
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

const box = (type: string, ...parts: Uint8Array[]): Bytes => {
  const body = joinBytes(...parts);
  const head = new Uint8Array(8);
  new DataView(head.buffer).setUint32(0, 8 + body.length);
  head.set(ascii(type), 4);
  return joinBytes(head, body);
};

/** `video`, whose index is at its end, with `more` in the box that `path` leads to. */
function within(video: Bytes, path: string[], more: Bytes): Bytes {
  const found = Buffer.from(video);
  let at = 0;
  const sizes = path.map((type) => {
    at = found.indexOf(type, at);
    return at - 4;
  });
  const last = sizes[sizes.length - 1] ?? 0;
  const end = last + found.readUInt32BE(last);
  const grown = joinBytes(video.subarray(0, end), more, video.subarray(end));
  const view = new DataView(grown.buffer);
  for (const size of sizes) view.setUint32(size, view.getUint32(size) + more.length);
  return grown;
}

describe("an MP4 or MOV", () => {
  const personal: [FixtureName, string][] = [
    ["video-with-place.mp4", "secret"],
    ["video-with-place.mov", "+48.1234"],
  ];
  test.each(personal)(
    "%s loses what it says about the person and keeps its length, its offsets and its pictures",
    async (name, words) => {
      const video = mediaFixture(name);
      expect(text(video)).toContain(words);
      const { stripped } = await strip(video);
      expect(text(stripped)).not.toContain(words);
      expect(text(stripped)).not.toContain("udta");
      expect(stripped.length).toBe(video.length);
      expect(await packetsOf(stripped)).toEqual(await packetsOf(video));
    },
  );

  test("that was stripped before stays byte for byte", async () => {
    const { stripped } = await strip(mediaFixture("video-with-place.mp4"));
    expect((await strip(stripped)).stripped).toEqual(stripped);
  });

  test("loses the time at which it was recorded", async () => {
    const video = mediaFixture("video.mp4");
    const times = Buffer.from(video).indexOf("mvhd") + 8;
    video.fill(0xdc, times, times + 8);
    const { stripped } = await strip(video);
    expect([...stripped.subarray(times, times + 8)]).toEqual(new Array(8).fill(0));
  });

  test("loses the boxes that makers put beside it", async () => {
    const maker = joinBytes(Uint8Array.of(0, 0, 0, 8 + SECRET.length), ascii(`uuid${SECRET}`));
    const { stripped } = await strip(joinBytes(mediaFixture("video.mp4"), maker));
    expect(text(stripped)).not.toContain(SECRET);
    expect(stripped.length).toBe(mediaFixture("video.mp4").length + maker.length);
  });

  const handlers = ["meta", "sbtl", "text", "subt", "camm"];
  const captioned: FixtureName[] = ["video-with-texts.mp4", "video-with-texts-fragmented.mp4"];
  test.each(captioned.flatMap((name) => handlers.map((handler) => [name, handler] as const)))(
    "%s loses its track of %s with its samples, and no more",
    async (name, handler) => {
      const video = mediaFixture(name);
      expect(text(video)).toContain("48.9999");
      video.set(ascii(handler), Buffer.from(video).indexOf("sbtl"));
      const { stripped } = await strip(video);
      expect(text(stripped)).not.toContain("48.1234");
      expect(text(stripped)).not.toContain("48.9999");
      expect(text(stripped).match(/trak/g)).toHaveLength(1);
      expect(stripped.length).toBe(video.length);
      expect(await packetsOf(stripped)).toEqual(await packetsOf(video));
    },
  );

  const inner = ["moov", "trak", "mdia", "minf", "stbl"];
  const places = inner.map((_, i) => inner.slice(0, i + 1));
  test.each(
    ["gps ", "free", "skip", "udta", "meta", "uuid", "\xa9xyz", "CAME"].flatMap((type) =>
      places.map((path) => [type, path] as const),
    ),
  )("loses %j in %j", async (type, path) => {
    const plain = mediaFixture("video.mov");
    const video = within(plain, path, box(type, ascii(SECRET)));
    const { stripped } = await strip(video);
    expect(text(stripped)).not.toContain(SECRET);
    expect(stripped.length).toBe(video.length);
    expect(await packetsOf(stripped)).toEqual(await packetsOf(plain));
  });

  test("loses what is written into padding, of any length", async () => {
    const secret = new Uint8Array(3_000_000);
    secret.set(ascii(SECRET), 2_999_000);
    const plain = mediaFixture("video.mp4");
    for (const type of ["free", "skip", "wide"]) {
      const { stripped } = await strip(joinBytes(plain, box(type, secret)));
      expect(text(stripped)).not.toContain(SECRET);
      expect(stripped.subarray(0, plain.length)).toEqual(plain);
      expect(stripped.length).toBe(plain.length + 8 + secret.length);
    }
  });

  test("loses the blocks in its data that a dashcam's list points to, and no film", async () => {
    const plain = mediaFixture("video.mp4");
    const block = joinBytes(ascii("\0\0\0\x40freeGPS "), ascii(SECRET.padEnd(52, ".")));
    const data = box("mdat", block, ascii("nothing else"));
    const at = plain.length + 8;
    const list = new Uint8Array(8 + 3 * 8);
    const view = new DataView(list.buffer);
    const entries = [
      [at, block.length],
      [at + block.length, 12],
      [0xfffffff0, 64],
    ] as const;
    entries.forEach(([from, length], i) => {
      view.setUint32(8 + 8 * i, from);
      view.setUint32(12 + 8 * i, length);
    });
    // The index is behind the data of the picture, so the new data keep their place.
    const moov = box("moov", box("gps ", list));
    const video = joinBytes(plain, data, moov);
    const { stripped } = await strip(video);
    expect(text(stripped)).not.toContain(SECRET);
    expect(text(stripped)).not.toContain("gps ");
    expect(await packetsOf(stripped)).toEqual(await packetsOf(plain));
  });

  const collected = (name: string): Bytes =>
    new Uint8Array(readFileSync(new URL(`../../../../files/${name}`, import.meta.url)));

  test("loses the blocks in its data to which nothing points", async () => {
    const video = collected("mp4-novatek-unlisted.mp4");
    expect(text(video)).toContain("freeGPS ");
    const { stripped } = await strip(video);
    expect(text(stripped)).not.toContain("GPS ");
    expect(stripped.length).toBe(video.length);
    expect(await packetsOf(stripped)).toEqual(await packetsOf(video));
  });

  test("keeps all its data where a table does not tell of all samples", async () => {
    const video = collected("mp4-novatek-unlisted.mp4");
    const sizes = Buffer.from(video).indexOf("stsz");
    const view = new DataView(video.buffer);
    view.setUint32(sizes + 12, view.getUint32(sizes + 12) + 1);
    const { stripped } = await strip(video);
    const data = Buffer.from(video).indexOf("mdat") - 4;
    const end = data + view.getUint32(data);
    expect(stripped.subarray(data, end)).toEqual(video.subarray(data, end));
  });

  test("keeps sound whose table counts frames instead of bytes", async () => {
    const video = collected("mov-pcm.mov");
    const { stripped } = await strip(video);
    const data = Buffer.from(video).indexOf("mdat");
    const end = Buffer.from(video).indexOf("moov") - 4;
    expect(stripped.subarray(data, end)).toEqual(video.subarray(data, end));
  });

  test("loses what follows its last box and is none", async () => {
    for (const name of ["video.mp4", "video.mov", "video-fragmented.mp4"] as const) {
      const plain = mediaFixture(name);
      for (const trailer of [ascii(`this is no box ${SECRET}`), ascii("abc")]) {
        const { stripped } = await strip(joinBytes(plain, trailer));
        expect(stripped).toEqual((await strip(plain)).stripped);
      }
    }
  });

  test("of the days before ftyp is a MOV, and loses as much", async () => {
    const modern = mediaFixture("video-with-place.mov");
    const old = modern.slice();
    old.set(ascii("wide"), 4);
    old.fill(0, 8, 20);
    expect(detectFile(old.subarray(0, 64))?.contentType).toBe("video/quicktime");
    const { stripped } = await strip(old);
    expect(text(stripped)).not.toContain("+48.1234");
    const index = Buffer.from(old).indexOf("moov");
    expect(stripped.subarray(0, index)).toEqual(old.subarray(0, index));
  });

  test("of many megabytes is not read but for its index", async () => {
    const video = mediaFixture("video-with-place.mp4");
    const large = joinBytes(
      video.subarray(0, 32),
      Uint8Array.of(2, 0, 0, 0),
      ascii("free"),
      new Uint8Array(2 ** 25 - 8),
      video.subarray(32),
    );
    const { bytesRead } = await strip(large);
    expect(bytesRead).toBeLessThan(200_000);
  });
});

describe("a WebM", () => {
  const plain: FixtureName[] = ["video.webm", "video-live.webm"];

  test("loses title and tags in place", async () => {
    const video = mediaFixture("video-with-place.webm");
    expect(text(video)).toContain(SECRET);
    const { stripped } = await strip(video);
    expect(text(stripped)).not.toContain(SECRET);
    expect(stripped.length).toBe(video.length);
    expect(await packetsOf(stripped)).toEqual(await packetsOf(video));
  });

  const captioned: FixtureName[] = ["video-with-texts.webm", "video-with-texts-live.webm"];
  test.each(captioned)("%s loses its captions, and nothing else", async (name) => {
    const video = mediaFixture(name);
    expect(text(video)).toContain("48.9999");
    const { stripped } = await strip(video);
    expect(text(stripped)).not.toContain("48.1234");
    expect(text(stripped)).not.toContain("48.9999");
    expect(stripped.length).toBe(video.length);
    expect(await packetsOf(stripped)).toEqual(await packetsOf(video));
  });

  const element = (id: number[], body: Uint8Array) =>
    joinBytes(Uint8Array.of(...id, 0x80 | body.length), body);
  test.each([
    ["chapters", [0x10, 0x43, 0xa7, 0x70]],
    ["an attachment", [0x19, 0x41, 0xa4, 0x69]],
    ["padding", [0xec]],
    ["an element that nobody knows", [0x1a, 0xaa, 0xaa, 0xaa]],
  ])("loses %s", async (_what, id) => {
    // Before the first cluster, of a segment whose end is unknown.
    const plain = mediaFixture("video-live.webm");
    const at = Buffer.from(plain).indexOf(Buffer.from([0x1f, 0x43, 0xb6, 0x75]));
    const secret = element(id, ascii(SECRET));
    const video = joinBytes(plain.subarray(0, at), secret, plain.subarray(at));
    const { stripped } = await strip(video);
    expect(text(stripped)).not.toContain(SECRET);
    expect(stripped.length).toBe(video.length);
    expect(await packetsOf(stripped)).toEqual(await packetsOf(plain));
  });

  test.each(plain)("%s that was stripped before stays byte for byte", async (name) => {
    const { stripped } = await strip(mediaFixture(name));
    expect((await strip(stripped)).stripped).toEqual(stripped);
  });
});

const films = Object.entries(TABLE).filter(([, row]) => "kind" in row && row.kind === "film");

test.each(films.map(([name]) => name))(
  "%s of the collection: every packet stays, and no place",
  async (name) => {
    const film = new Uint8Array(
      readFileSync(new URL(`../../../../files/${name}`, import.meta.url)),
    );
    const { stripped } = await strip(film);
    expect(text(stripped)).not.toMatch(/48.1234|11.5678|4807\.4|GPS /);
    expect(await packetsOf(stripped)).toEqual(await packetsOf(film));
  },
);

test("an edit that overlaps another or the end of the file is left out", async () => {
  const file = new Blob([ascii("0123456789")]);
  const edits = [
    { at: 2, end: 5, head: ascii("abc") },
    { at: 4, end: 7, head: ascii("xyz") },
    { at: 8, end: 12, head: ascii("long") },
  ];
  expect(await applyEdits(file, edits, "video/mp4").text()).toBe("01abc56789");
});
