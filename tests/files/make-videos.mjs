/**
 * Makes the videos and the sounds of this folder: `node tests/files/make-videos.mjs` with ffmpeg
 * (with libx264, libx265, libaom and libvpx), ImageMagick and exiftool on the machine. All of it is
 * our own drawing and sound. What cameras write and no program does is put in box by box.
 */
import { readFileSync } from "node:fs";
import {
  ascii,
  box,
  bytesOf,
  ffmpeg,
  film,
  fullBox,
  insert,
  keep,
  kept,
  quarters,
  tag,
  u8,
  u16,
  u32,
} from "./parts.mjs";

const PICTURE = ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=10:duration=2"];
const SOUND = ["-f", "lavfi", "-i", "sine=frequency=440:duration=2:sample_rate=16000"];
const HEVC = [
  ...["-c:v", "libx265", "-tag:v", "hvc1", "-pix_fmt", "yuv420p"],
  ...["-x265-params", "log-level=0:info=0"],
];
const AAC = ["-c:a", "aac", "-b:a", "16k"];
const FASTSTART = ["-movflags", "+faststart"];

film("hevc.mp4", ...PICTURE, ...SOUND, ...HEVC, ...AAC, "-crf", "40", ...FASTSTART);
film("hevc-upright.mov", ...PICTURE, ...HEVC, "-crf", "40");
tag("hevc-upright.mov", "-Rotation=90");
const PRORES = ["-c:v", "prores_ks", "-profile:v", "0", "-pix_fmt", "yuv422p10le"];
film("prores.mov", ...PICTURE, ...PRORES, "-frames:v", "2");
film("sound-alone.mp4", ...SOUND, ...AAC);
film("sound-alone.webm", ...SOUND, "-c:a", "libopus", "-b:a", "8k");
film("sound.mp3", ...SOUND, "-c:a", "libmp3lame", "-b:a", "16k");
film("sound.m4a", ...SOUND, ...AAC, "-f", "ipod");
film("sound.ogg", ...SOUND, "-c:a", "libvorbis", "-ar", "16000");
film("sound.flac", ...SOUND, "-c:a", "flac");
film("sound.wav", ...SOUND, "-t", "0.2");

// Quarters in four colours, and a white spot that falls.

/** @param {string} [size] @returns {string[]} */
const quartersFilm = (size = "96x64") => {
  const [width = 0, height = 0] = size.split("x").map(Number);
  const still = quarters(width, height);
  return [
    ...["-loop", "1", "-framerate", "10", "-t", "2", "-i", still],
    ...["-f", "lavfi", "-t", "2", "-i", "color=white:s=8x8:r=10"],
  ];
};
const FALL = "[0][1]overlay=x=(W-w)/2:y='mod(n*2,H-h)'";
const filter = (before = "", after = "") => ["-filter_complex", `${before}${FALL}${after}`];
const H264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "30", "-preset", "veryfast"];
/** @param {string} name @param {string[]} how */
const silent = (name, ...how) => film(name, ...quartersFilm(), ...filter(), ...how);
/** The sound is the third input. @param {string} name @param {string[]} sound @param {string[]} how */
const heard = (name, sound, ...how) =>
  film(
    name,
    ...quartersFilm(),
    ...sound,
    ...filter("", "[v]"),
    "-map",
    "[v]",
    "-map",
    "2:a",
    ...how,
  );

silent("mp4.mp4", ...H264);
silent("mp4-faststart.mp4", ...H264, ...FASTSTART);
silent("mp4-baseline.mp4", ...H264, "-profile:v", "baseline");
silent("mp4-b-frames.mp4", ...H264, "-bf", "3", "-g", "20", "-preset", "medium");
silent("mp4-444.mp4", ...H264, "-pix_fmt", "yuv444p");
silent("mp4-ten-bit.mp4", ...H264, "-pix_fmt", "yuv420p10le");
silent(
  "mp4-fragments.mp4",
  ...H264,
  "-g",
  "5",
  "-movflags",
  "frag_keyframe+empty_moov+default_base_moof",
);
silent("mp4-dash.mp4", ...H264, "-g", "5", "-movflags", "+dash+frag_keyframe+global_sidx");
silent("mp4-av1.mp4", "-c:v", "libaom-av1", "-crf", "40", "-cpu-used", "8");
silent("mp4-vp9.mp4", "-c:v", "libvpx-vp9", "-crf", "40", "-b:v", "0", "-pix_fmt", "yuv420p");
silent("mp4-part2.mp4", "-c:v", "mpeg4", "-q:v", "5");
silent("mp4-hev1.mp4", ...HEVC, "-tag:v", "hev1", "-crf", "40");
silent("mov-mjpeg.mov", "-c:v", "mjpeg", "-q:v", "6");
silent("mov-animation.mov", "-c:v", "qtrle", "-frames:v", "4");
silent("mov.mov", ...H264);
silent("m4v.m4v", ...H264, "-f", "mp4", "-brand", "M4V ");
silent("3gp.3gp", ...H264, "-profile:v", "baseline");
film("3gp-h263.3gp", ...quartersFilm("176x144"), ...filter(), "-c:v", "h263", "-q:v", "6");
heard("mp4-mono.mp4", SOUND, ...H264, ...AAC);
heard("mp4-stereo.mp4", SOUND, ...H264, ...AAC, "-ac", "2");
heard("mp4-51.mp4", SOUND, ...H264, ...AAC, "-ac", "6");
heard("mp4-ac3.mp4", SOUND, ...H264, "-c:a", "ac3", "-ar", "48000", "-b:a", "32k");
heard("mp4-mp3.mp4", SOUND, ...H264, "-c:a", "libmp3lame", "-b:a", "16k");
heard("mp4-opus.mp4", SOUND, ...H264, "-c:a", "libopus", "-b:a", "8k");
heard("mov-pcm.mov", SOUND, ...H264, "-c:a", "pcm_s16le", "-ar", "8000");
film(
  "mp4-varying.mp4",
  ...quartersFilm(),
  ...filter("", ",select='not(mod(n\\,3))+lt(n\\,6)'"),
  ...["-vsync", "vfr", ...H264],
);
ffmpeg("-ss", "0.5", "-i", kept("mp4-b-frames.mp4"), "-c", "copy", kept("mp4-edit-list.mp4"));
film("mov-time-code.mov", ...quartersFilm(), ...filter(), ...H264, "-timecode", "01:02:03:04");
film("mp4-large-sides.mp4", ...quartersFilm("1920x1080"), ...filter(), ...H264, "-crf", "40");
/** How a film is stored that is shown upright. */
const STORED = { 90: "transpose=2", 180: "hflip,vflip", 270: "transpose=1" };
for (const [degrees, how] of Object.entries(STORED)) {
  for (const kind of ["mp4", "mov"]) {
    const name = `${kind}-turned-${degrees}.${kind}`;
    film(name, ...quartersFilm(), ...filter("", `,${how}`), ...H264);
    tag(name, `-Rotation=${degrees}`);
  }
}

// WebM, and what is no film of ours.

const VP8 = ["-c:v", "libvpx", "-crf", "30", "-b:v", "60k", "-pix_fmt", "yuv420p"];
const VP9 = ["-c:v", "libvpx-vp9", "-crf", "40", "-b:v", "0", "-pix_fmt", "yuv420p"];
const OPUS = ["-c:a", "libopus", "-b:a", "8k"];
silent("webm-vp8.webm", ...VP8);
silent("webm-vp9.webm", ...VP9);
silent("webm-av1.webm", "-c:v", "libaom-av1", "-crf", "40", "-cpu-used", "8");
silent("webm-vp9-ten-bit.webm", ...VP9, "-pix_fmt", "yuv420p10le");
silent("webm-vp9-444.webm", ...VP9, "-pix_fmt", "yuv444p");
heard("webm-opus.webm", SOUND, ...VP9, ...OPUS);
heard("webm-vorbis.webm", SOUND, ...VP8, "-c:a", "libvorbis");
heard("webm-51.webm", SOUND, ...VP9, ...OPUS, "-ac", "6", "-b:a", "48k");
silent("webm-unknown-length.webm", ...VP8, "-live", "1");
silent("webm-cues-first.webm", ...VP9, "-cues_to_front", "1", "-reserve_index_space", "400");
film(
  "webm-clear.webm",
  ...quartersFilm(),
  ...filter("", ",format=yuva420p,colorchannelmixer=aa=0.5"),
  ...[
    "-c:v",
    "libvpx-vp9",
    "-crf",
    "40",
    "-b:v",
    "0",
    "-pix_fmt",
    "yuva420p",
    "-auto-alt-ref",
    "0",
  ],
);
const LOCATED = [
  "-metadata",
  "location=+48.1234+011.5678/",
  "-metadata",
  "GPSPosition=48.1234 N, 11.5678 E",
];
silent("webm-place.webm", ...VP8, ...LOCATED, "-metadata", "title=At 48.1234 N 11.5678 E");
ffmpeg("-i", kept("webm-vp9.webm"), "-c", "copy", kept("mkv.mkv"));
silent("avi.avi", "-c:v", "mpeg4", "-q:v", "5");
silent("flv.flv", "-c:v", "flv", "-q:v", "5");
silent("mpeg-transport.m2ts", ...H264);
silent("mpeg.mpg", "-c:v", "mpeg2video", "-q:v", "5", "-r", "25");
silent("wmv.wmv", "-c:v", "wmv2", "-q:v", "5");
silent("ogv.ogv", "-c:v", "libtheora", "-q:v", "5");
heard("mkv-sound.mkv", SOUND, ...H264, ...AAC);

// Places: as programs write them.

for (const kind of ["mp4", "mov", "3gp"]) {
  // As Android's camera: `©xyz` in `udta`.
  silent(`${kind}-place.${kind}`, ...H264, ...LOCATED);
  silent(`${kind}-place-by-key.${kind}`, ...H264);
  // As iPhones: `com.apple.quicktime.location.ISO6709`.
  tag(`${kind}-place-by-key.${kind}`, "-Keys:GPSCoordinates=48.1234 11.5678 500");
}
silent("mov-place-in-user-data.mov", ...H264);
tag(
  "mov-place-in-user-data.mov",
  "-UserData:GPSCoordinates=48.1234 11.5678 500",
  "-ItemList:Title=Home",
);
silent("mp4-xmp-place.mp4", ...H264);
tag("mp4-xmp-place.mp4", "-XMP:GPSLatitude=48.1234", "-XMP:GPSLongitude=11.5678");

// As cameras write them.

const plain = bytesOf("mp4.mp4");
const moovAt = plain.indexOf("moov") - 4;
const moovEnd = moovAt + plain.readUInt32BE(moovAt);
/** `mp4.mp4`, whose index is at its end, with `more` in the index. @param {Uint8Array[]} more */
const indexed = (...more) => {
  const grown = insert(plain, moovEnd, ...more);
  grown.writeUInt32BE(moovEnd - moovAt + Buffer.concat(more).length, moovAt);
  return grown;
};

/**
 * With a track of samples behind the film.
 * @param {{ handler: string, entry: Buffer, media?: Buffer }} kind @param {Buffer[]} samples
 */
function withTrack({ handler, entry, media = fullBox("nmhd", 0, 0) }, ...samples) {
  const track = (/** @type {number} */ place) => {
    const places = samples.map((_, i) => place + Buffer.concat(samples.slice(0, i)).length);
    const stbl = box(
      "stbl",
      fullBox("stsd", 0, 0, u32(1), entry),
      fullBox("stts", 0, 0, u32(1), u32(samples.length), u32(1000)),
      fullBox("stsc", 0, 0, u32(1), u32(1), u32(1), u32(1)),
      fullBox(
        "stsz",
        0,
        0,
        u32(0),
        u32(samples.length),
        ...samples.map(({ length }) => u32(length)),
      ),
      fullBox("stco", 0, 0, u32(samples.length), ...places.map(u32)),
    );
    const head = [u32(0), u32(0), u32(2), u32(0), u32(2000), Buffer.alloc(16)];
    const matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(u32);
    return box(
      "trak",
      fullBox("tkhd", 0, 7, ...head, ...matrix, u32(0), u32(0)),
      box(
        "mdia",
        fullBox("mdhd", 0, 0, u32(0), u32(0), u32(1000), u32(2000), u32(0)),
        fullBox("hdlr", 0, 0, u32(0), ascii(handler), Buffer.alloc(12), ascii("\0")),
        box("minf", media, box("dinf", fullBox("dref", 0, 0, u32(1), fullBox("url ", 0, 1))), stbl),
      ),
    );
  };
  const place = indexed(track(0)).length + 8;
  return [indexed(track(place)), box("mdat", ...samples)];
}
const entryOf = (/** @type {string} */ format, /** @type {Uint8Array[]} */ ...more) =>
  box(format, Buffer.alloc(6), u16(1), ...more);

{
  // GoPro: key, type, size of one, how many, and the numbers, filled up to four bytes.
  const item = (
    /** @type {string} */ key,
    /** @type {string} */ type,
    /** @type {[number, number]} */ [size, count],
    /** @type {Buffer} */ data,
  ) =>
    Buffer.concat([
      ascii(key),
      type === "\0" ? u8(0) : ascii(type),
      u8(size),
      u16(count),
      data,
      Buffer.alloc((4 - (data.length % 4)) % 4),
    ]);
  const s32 = (/** @type {number[]} */ ...values) =>
    Buffer.concat(values.map((value) => u32(value)));
  const stream = Buffer.concat([
    item("SCAL", "l", [4, 5], s32(10_000_000, 10_000_000, 1000, 1000, 100)),
    item(
      "GPS5",
      "l",
      [20, 2],
      s32(481_234_000, 115_678_000, 500_000, 10, 10, 481_235_000, 115_679_000, 500_000, 10, 10),
    ),
  ]);
  const strm = item("STRM", "\0", [1, stream.length], stream);
  const gpmf = item("DEVC", "\0", [1, strm.length], strm);
  keep(
    "mp4-gopro.mp4",
    ...withTrack({ handler: "meta", entry: entryOf("gpmd", u32(0)) }, gpmf, gpmf),
  );
  keep("mp4-gopro-user-data.mp4", indexed(box("udta", box("GPMF", gpmf))));
}
{
  const double = (/** @type {number} */ value) => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    return bytes;
  };
  const camm = Buffer.concat([
    Buffer.from([0, 0, 5, 0]),
    double(48.1234),
    double(11.5678),
    double(500),
  ]);
  keep("mp4-camm.mp4", ...withTrack({ handler: "camm", entry: entryOf("camm") }, camm, camm));
}
const words = ascii(
  "F/2.8, SS 206.14, ISO 150, EV 0, GPS (11.5678, 48.1234, 15), D 24.26m, H 6.00m, H.S 2.10m/s, V.S 0.00m/s",
);
const caption = Buffer.concat([u16(words.length), words]);
const TEXT_ENTRY = Buffer.concat([u32(0), u16(1), Buffer.alloc(38)]);
const TX3G = entryOf("tx3g", Buffer.concat([u32(0), u8(1), u8(255), Buffer.alloc(24)]));
keep(
  "mp4-drone-text.mp4",
  ...withTrack({ handler: "text", entry: entryOf("text", TEXT_ENTRY) }, caption, caption),
);
keep("mp4-drone-sbtl.mp4", ...withTrack({ handler: "sbtl", entry: TX3G }, caption, caption));
keep(
  "mp4-drone-subt.mp4",
  ...withTrack(
    { handler: "subt", entry: entryOf("stpp", ascii("http://www.w3.org/ns/ttml\0\0\0")) },
    words,
    words,
  ),
);
keep(
  "mp4-unknown-track.mp4",
  ...withTrack({ handler: "prvt", entry: entryOf("prvt") }, words, words),
);
{
  const nmea = "$GPRMC,081836.000,A,4807.4040,N,01134.0680,E,0.0,0.0,060524,,,A*7C\r\n";
  const blackvue = box("gps ", ascii(`[1714983516000]${nmea}[1714983517000]${nmea}`));
  keep("mp4-blackvue-free.mp4", plain, box("free", blackvue));
  keep("mp4-blackvue-skip.mp4", plain, box("skip", blackvue));
  /** As dashcams of Novatek write it, little-endian. */
  const float = (/** @type {number} */ value) => {
    const bytes = Buffer.alloc(4);
    bytes.writeFloatLE(value);
    return bytes;
  };
  const l32 = (/** @type {number} */ value) => u32(value).reverse();
  const block = Buffer.alloc(1024);
  box(
    "free",
    ascii("GPS "),
    l32(0xf0),
    Buffer.alloc(0x20),
    ...[8, 18, 36, 124, 5, 6].map(l32),
    ascii("ANE\0"),
    ...[4807.404, 1134.068, 10, 90].map(float),
  ).copy(block);
  block.writeUInt32BE(block.length, 0);
  /** In the data of the film, behind its pictures. @param {boolean} listed */
  const novatek = (listed) => {
    const data = plain.indexOf("mdat") - 4;
    const end = data + plain.readUInt32BE(data);
    const grown = insert(plain, end, block, block);
    grown.writeUInt32BE(end - data + 2 * block.length, data);
    const list = box(
      "gps ",
      u32(0x101),
      u32(2),
      ...[0, 1].flatMap((i) => [u32(end + i * block.length), u32(block.length)]),
    );
    const index = moovAt + 2 * block.length;
    const whole = listed ? insert(grown, index + moovEnd - moovAt, list) : grown;
    if (listed) whole.writeUInt32BE(moovEnd - moovAt + list.length, index);
    return whole;
  };
  keep("mp4-novatek.mp4", novatek(true));
  keep("mp4-novatek-unlisted.mp4", novatek(false));
}
{
  const loci = fullBox(
    "loci",
    0,
    0,
    u16(0x15c7),
    ascii("Home\0"),
    u8(0),
    ...[11.5678, 48.1234, 500].map((value) => u32(Math.round(value * 65536))),
    ascii("earth\0\0"),
  );
  const xyz = box("\xa9xyz", u16(18), u16(0x15c7), ascii("+48.1234+011.5678/"));
  const old = bytesOf("3gp.3gp");
  const index = old.indexOf("moov") - 4;
  const user = box("udta", loci);
  const larger = Buffer.concat([old, user]);
  larger.writeUInt32BE(old.readUInt32BE(index) + user.length, index);
  keep("3gp-loci.3gp", larger);
  keep("mp4-loci.mp4", indexed(box("udta", loci)));
  const track = plain.indexOf("trak") - 4;
  const end = track + plain.readUInt32BE(track);
  const owned = box("udta", xyz);
  const grown = insert(plain, end, owned);
  for (const outer of [moovAt, track])
    grown.writeUInt32BE(plain.readUInt32BE(outer) + owned.length, outer);
  keep("mp4-place-in-track.mp4", grown);
  keep("mp4-place-at-top.mp4", plain, box("udta", xyz));
  keep("mp4-unknown-in-index.mp4", indexed(box("CAME", words), box("prvt", xyz)));
  keep("mp4-uuid.mp4", plain, box("uuid", Buffer.alloc(16, 7), words));
}

// Tolerance, and what is broken.

keep("mp4-trailer.mp4", plain, ascii("this is no box: GPS 48.1234 N 11.5678 E"));
{
  const mov = bytesOf("mov.mov");
  const old = Buffer.from(mov);
  old.write("wide", 4, "latin1");
  old.fill(0, 8, old.readUInt32BE(0));
  keep("mov-without-ftyp.mov", old);
  const large = plain.indexOf("mdat") - 4;
  const length = plain.readUInt32BE(large);
  // ffmpeg leaves eight bytes of padding in front of it for this.
  const wide = Buffer.from(plain);
  wide.writeUInt32BE(1, large - 8);
  wide.write("mdat", large - 4, "latin1");
  wide.writeUInt32BE(0, large);
  wide.writeUInt32BE(length + 8, large + 4);
  keep("mp4-64-bit-data.mp4", wide);
  const fast = bytesOf("mp4-faststart.mp4");
  const data = fast.indexOf("mdat") - 4;
  const endless = Buffer.from(fast);
  endless.writeUInt32BE(0, data);
  keep("mp4-data-to-end.mp4", endless);
  keep("mp4-without-index.mp4", plain.subarray(0, moovAt));
  keep("mp4-cut.mp4", fast.subarray(0, -200));
  keep("mp4-index-alone.mp4", fast.subarray(0, data));
}
keep("mp4-zeros.mp4", box("ftyp", ascii("isom"), u32(0), ascii("isom")), box("moov"), box("mdat"));
keep("webm-cut.webm", bytesOf("webm-vp9.webm").subarray(0, 180));
keep("webm-cut-late.webm", bytesOf("webm-unknown-length.webm").subarray(0, -300));
keep("webm-head-alone.webm", readFileSync(kept("webm-vp9.webm")).subarray(0, 40));
