/**
 * Makes the pictures of this folder that no browser draws: `node tests/files/make-pictures.mjs`
 * with ffmpeg (with libx265), exiftool and cjxl on the machine. All of it is our own drawing.
 * HEIC is written box by box, because encoders write few of the forms that phones write.
 */
import { readFileSync } from "node:fs";
import {
  ascii,
  at,
  box,
  ffmpeg,
  fullBox,
  keep,
  kept,
  profileOf,
  run,
  u8,
  u16,
  u32,
} from "./parts.mjs";

/** @param {Buffer} stream Annex B @returns {Buffer[]} */
function nalUnits(stream) {
  /** @type {number[]} */
  const starts = [];
  for (let i = 0; i + 3 < stream.length; i++) {
    if (stream[i] === 0 && stream[i + 1] === 0 && stream[i + 2] === 1) starts.push(i + 3);
  }
  return starts.map((start, i) => {
    let end = (starts[i + 1] ?? stream.length + 3) - 3;
    while (stream[end - 1] === 0) end -= 1;
    return stream.subarray(start, end);
  });
}

const drawing = (/** @type {string} */ colours, /** @type {string} */ size) =>
  `color=black:s=${size}:d=1,format=gbrp,${colours}`;

/** One HEVC picture: its configuration and its data. */
const hevc = (/** @type {string} */ colours, /** @type {string} */ size, format = "yuv420p") =>
  encoded(drawing(colours, size), format);

/** @param {string} source a filter of ffmpeg @param {string} format */
function encoded(source, format, quality = 16) {
  const file = at("picture.hevc");
  const depth = format.endsWith("10le") ? 10 : 8;
  ffmpeg(
    ...["-f", "lavfi", "-i", source, "-frames:v", "1"],
    ...["-vf", "scale=out_color_matrix=bt709:out_range=pc", "-pix_fmt", format],
    ...["-color_range", "pc", "-colorspace", "bt709", "-c:v", "libx265"],
    ...[
      "-x265-params",
      `keyint=1:info=0:log-level=0:repeat-headers=1:crf=${quality}:range=full`,
      file,
    ],
  );
  const units = nalUnits(readFileSync(file));
  const typeOf = (/** @type {Buffer} */ unit) => ((unit[0] ?? 0) >> 1) & 0x3f;
  const headers = [32, 33, 34].map((type) => units.filter((unit) => typeOf(unit) === type));
  const slices = units.filter((unit) => typeOf(unit) < 32);
  // The profile stands at the same place in every sequence header, but for escaping bytes.
  const sequence = Buffer.from(
    (headers[1]?.[0]?.toString("hex") ?? "").replace(/000003/g, "0000"),
    "hex",
  );
  const arrays = headers.map((list, i) =>
    Buffer.concat([
      u8(0x80 | (32 + i)),
      u16(list.length),
      ...list.flatMap((unit) => [u16(unit.length), unit]),
    ]),
  );
  const configuration = box(
    "hvcC",
    ...[u8(1), sequence.subarray(3, 15), u16(0xf000), u8(0xfc), u8(0xfd)],
    ...[u8(0xf8 | (depth - 8)), u8(0xf8 | (depth - 8)), u16(0), u8(0x0f), u8(3)],
    ...arrays,
  );
  const data = Buffer.concat(slices.flatMap((unit) => [u32(unit.length), unit]));
  return { configuration, data, depth };
}

/**
 * @typedef {{ type: string, data: Buffer, inIndex?: boolean, hidden?: boolean, content?: string,
 *   properties?: Buffer[] }} Item
 * @typedef {{ type: string, from: number, to: number[] }} Reference
 */

/** @param {Item[]} items the first is the picture @param {Reference[]} references */
function heif(items, references) {
  const distinct = [
    ...new Map(
      items.flatMap(({ properties = [] }) => properties).map((one) => [one.toString("hex"), one]),
    ).values(),
  ];
  const indexOf = (/** @type {Buffer} */ property) =>
    1 + distinct.findIndex((one) => one.equals(property));
  const essential = (/** @type {Buffer} */ property) =>
    /hvcC|irot|imir|clap/.test(property.toString("latin1", 4, 8)) ? 0x80 : 0;
  const described = items.map((item, i) => ({ ...item, id: i + 1 }));
  const inside = described.filter(({ inIndex }) => inIndex);
  const beside = described.filter(({ inIndex }) => !inIndex);
  const offsets = new Map();
  let offset = 0;
  for (const item of inside) {
    offsets.set(item.id, offset);
    offset += item.data.length;
  }
  const meta = (/** @type {number} */ start) => {
    let place = start;
    const placed = new Map();
    for (const { id, data } of beside) {
      // The same data stand there once.
      if (!placed.has(data)) {
        placed.set(data, place);
        place += data.length;
      }
      offsets.set(id, placed.get(data));
    }
    return fullBox(
      "meta",
      0,
      0,
      fullBox("hdlr", 0, 0, u32(0), ascii("pict"), Buffer.alloc(13)),
      fullBox("pitm", 0, 0, u16(1)),
      fullBox(
        "iloc",
        1,
        0,
        u8(0x44),
        u8(0),
        u16(items.length),
        ...described.map(({ id, inIndex, data }) =>
          Buffer.concat([
            u16(id),
            u16(inIndex ? 1 : 0),
            u16(0),
            u16(1),
            u32(offsets.get(id)),
            u32(data.length),
          ]),
        ),
      ),
      fullBox(
        "iinf",
        0,
        0,
        u16(items.length),
        ...described.map(({ id, type, hidden, content }) =>
          fullBox(
            "infe",
            2,
            hidden ? 1 : 0,
            u16(id),
            u16(0),
            ascii(type),
            u8(0),
            ...(content ? [ascii(`${content}\0`)] : []),
          ),
        ),
      ),
      ...(references.length === 0
        ? []
        : [
            fullBox(
              "iref",
              0,
              0,
              ...references.map(({ type, from, to }) =>
                box(type, u16(from), u16(to.length), ...to.map(u16)),
              ),
            ),
          ]),
      box(
        "iprp",
        box("ipco", ...distinct),
        fullBox(
          "ipma",
          0,
          0,
          u32(described.filter(({ properties }) => properties).length),
          ...described
            .filter(({ properties }) => properties)
            .map(({ id, properties = [] }) =>
              Buffer.concat([
                u16(id),
                u8(properties.length),
                ...properties.map((one) => u8(essential(one) | indexOf(one))),
              ]),
            ),
        ),
      ),
      ...(inside.length === 0 ? [] : [box("idat", ...inside.map(({ data }) => data))]),
    );
  };
  const head = box("ftyp", ascii("heic"), u32(0), ascii("mif1heic"));
  const start = head.length + meta(0).length + 8;
  return Buffer.concat([
    head,
    meta(start),
    box("mdat", ...new Set(beside.map(({ data }) => data))),
  ]);
}

const sized = (/** @type {number} */ width, /** @type {number} */ height) =>
  fullBox("ispe", 0, 0, u32(width), u32(height));
const depthOf = (/** @type {number} */ bits) =>
  fullBox("pixi", 0, 0, u8(3), u8(bits), u8(bits), u8(bits));
/** BT.709 or Display P3 by number, sRGB's curve, full range. */
const colours = (/** @type {number} */ primaries) =>
  box("colr", ascii("nclx"), u16(primaries), u16(13), u16(1), u8(0x80));
const rotated = (/** @type {number} */ quarters) => box("irot", u8(quarters));
const mirrored = box("imir", u8(1));

/** A TIFF block that says how to turn the picture, where it was taken and when. */
function exif(/** @type {number} */ orientation) {
  const tiff = Buffer.concat([
    ascii("MM\0*"),
    u32(8),
    u16(2),
    u16(0x0112),
    u16(3),
    u32(1),
    u16(orientation),
    u16(0),
    u16(0x0132),
    u16(2),
    u32(20),
    u32(38),
    u32(0),
    ascii("2024:05:06 07:08:09\0"),
  ]);
  return Buffer.concat([u32(6), ascii("Exif\0\0"), tiff]);
}

const WIDTH = 192;
const HEIGHT = 128;
const drawn = (
  /** @type {string} */ red,
  /** @type {string} */ green,
  /** @type {string} */ blue,
) => `geq=r='${red}':g='${green}':b='${blue}'`;
/** Red on the left, blue on the right. */
const HALVES = drawn("if(lt(X,W/2),255,0)", "0", "if(lt(X,W/2),0,255)");
const one = (/** @type {string} */ colour) =>
  colour === "red" ? drawn("255", "0", "0") : drawn("0", "0", "255");

/** @param {ReturnType<typeof hevc>} picture @param {Buffer[]} more @returns {Item} */
const coded = (picture, width = WIDTH, height = HEIGHT, ...more) => ({
  type: "hvc1",
  data: picture.data,
  properties: [picture.configuration, sized(width, height), depthOf(picture.depth), ...more],
});

const halves = hevc(HALVES, `${WIDTH}x${HEIGHT}`);
const srgb = colours(1);
keep("plain.heic", heif([coded(halves, WIDTH, HEIGHT, srgb)], []));
keep(
  "ten-bit.heic",
  heif([coded(hevc(HALVES, `${WIDTH}x${HEIGHT}`, "yuv420p10le"), WIDTH, HEIGHT, srgb)], []),
);
keep("turned.heic", heif([coded(halves, WIDTH, HEIGHT, srgb, rotated(1))], []));
keep("mirrored.heic", heif([coded(halves, WIDTH, HEIGHT, srgb, mirrored)], []));
// As an iPhone held upright writes it: both say the same, and only the box counts.
keep(
  "turned-twice-said.heic",
  heif(
    [coded(halves, WIDTH, HEIGHT, srgb, rotated(3)), { type: "Exif", data: exif(6), hidden: true }],
    [{ type: "cdsc", from: 2, to: [1] }],
  ),
);
keep(
  "turned-by-exif-alone.heic",
  heif(
    [coded(halves, WIDTH, HEIGHT, srgb), { type: "Exif", data: exif(6), hidden: true }],
    [{ type: "cdsc", from: 2, to: [1] }],
  ),
);
{
  const half = 96;
  const tiles = ["red", "blue", "red", "blue"].map((colour) => ({
    ...coded(hevc(one(colour), "96x64"), half, 64, srgb),
    hidden: true,
  }));
  const grid = {
    type: "grid",
    data: Buffer.concat([u8(0), u8(0), u8(1), u8(1), u16(WIDTH - 8), u16(HEIGHT - 4)]),
    inIndex: true,
    properties: [sized(WIDTH - 8, HEIGHT - 4), depthOf(8), srgb, rotated(1)],
  };
  keep("grid.heic", heif([grid, ...tiles], [{ type: "dimg", from: 1, to: [2, 3, 4, 5] }]));
}
{
  const grey = hevc(drawn("X", "X", "X"), "96x64", "yuv420p");
  const auxiliary = (/** @type {string} */ urn) => fullBox("auxC", 0, 0, ascii(`${urn}\0`));
  const depth = { ...coded(grey, 96, 64, auxiliary("urn:mpeg:hevc:2015:auxid:2")), hidden: true };
  const gain = {
    ...coded(grey, 96, 64, auxiliary("urn:com:apple:photo:2020:aux:hdrgainmap")),
    hidden: true,
  };
  const thumbnail = { ...coded(hevc(HALVES, "96x64"), 96, 64, srgb), hidden: true };
  const xmp = ascii(
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta>',
  );
  keep(
    "portrait-and-live.heic",
    heif(
      [
        coded(halves, WIDTH, HEIGHT, srgb),
        depth,
        gain,
        thumbnail,
        { type: "Exif", data: exif(1), hidden: true },
        { type: "mime", data: xmp, hidden: true, content: "application/rdf+xml" },
      ],
      [
        { type: "auxl", from: 2, to: [1] },
        { type: "auxl", from: 3, to: [1] },
        { type: "thmb", from: 4, to: [1] },
        { type: "cdsc", from: 5, to: [1] },
        { type: "cdsc", from: 6, to: [1] },
      ],
    ),
  );
}

const profile = box("colr", ascii("prof"), profileOf("Display P3"));
const soft = hevc(
  drawn("if(lt(X,W/2),200,60)", "60", "if(lt(X,W/2),60,200)"),
  `${WIDTH}x${HEIGHT}`,
);
keep("p3-by-profile.heic", heif([coded(soft, WIDTH, HEIGHT, profile)], []));
keep("p3-by-number.heic", heif([coded(soft, WIDTH, HEIGHT, colours(12))], []));

// As large as phones', of tiles like a phone's: one tile of noisy detail stands in all places.
{
  const edge = 512;
  const noisy = encoded(
    `mandelbrot=size=${edge}x${edge}:rate=1,noise=alls=14:allf=t`,
    "yuv420p",
    32,
  );
  const tile = { ...coded(noisy, edge, edge, srgb), hidden: true };
  for (const [name, width, height] of /** @type {const} */ ([
    ["twelve-megapixels.heic", 4032, 3024],
    ["hundred-megapixels.heic", 12_000, 9_000],
  ])) {
    const [columns, rows] = [Math.ceil(width / edge), Math.ceil(height / edge)];
    const size = [u8(rows - 1), u8(columns - 1), u16(width), u16(height)];
    const data = Buffer.concat([u8(0), u8(0), ...size]);
    const properties = [sized(width, height), depthOf(8), srgb, rotated(3)];
    const tiles = Array.from({ length: rows * columns }, () => tile);
    const to = tiles.map((_tile, i) => i + 2);
    const grid = { type: "grid", data, inIndex: true, properties };
    keep(name, heif([grid, ...tiles], [{ type: "dimg", from: 1, to }]));
  }
}

const picture = at("halves.png");
const make = (/** @type {string} */ name, /** @type {string[]} */ ...args) =>
  ffmpeg("-i", picture, ...args, kept(name));
ffmpeg("-f", "lavfi", "-i", drawing(HALVES, `${WIDTH}x${HEIGHT}`), "-frames:v", "1", picture);
make("plain.bmp");
make("plain.tiff", "-compression_algo", "raw", "-pix_fmt", "rgb24");
make("lzw.tiff", "-compression_algo", "lzw", "-pix_fmt", "rgb24");
make("sixteen-bit.tiff", "-compression_algo", "deflate", "-pix_fmt", "rgb48le");
make("turned.tiff", "-compression_algo", "lzw", "-pix_fmt", "rgb24");
run("exiftool", "-q", "-overwrite_original", "-n", "-Orientation=6", kept("turned.tiff"));
run("cjxl", "--quiet", picture, kept("plain.jxl"));

const large = at("many-pixels.png");
ffmpeg("-f", "lavfi", "-i", drawing(HALVES, "9000x7300"), "-frames:v", "1", large);
run("cjxl", "--quiet", "-e", "3", large, kept("many-pixels.jxl"));
