/** JPEG pictures of as many pixels as phones make, without anybody holding such a picture decoded. */

const BAND = 64;

/** A band of colours and noise as a JPEG in base64. Runs in a page. */
async function drawBand(width: number, height: number, noise: number): Promise<string> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("no canvas");
  const image = context.createImageData(width, height);
  for (let i = 0; i < image.data.length; i += 4) {
    const x = (i / 4) % width;
    const grain = Math.random() * noise;
    image.data.set([(x * 255) / width, 120 + grain, 200 - grain, 255], i);
  }
  context.putImageData(image, 0, 0);
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.8 });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** The script that makes the band; the answer goes to `hugeJpeg`. Noise is what takes bytes: 0 to 60. */
export const bandScript = (width: number, noise: number): string =>
  `(${drawBand})(${width}, ${BAND}, ${noise})`;

/**
 * The band over and over: each is a restart interval, which a decoder begins afresh. `height` counts
 * in bands.
 */
export function hugeJpeg(base64: string, bands: number): Buffer {
  const band = Buffer.from(base64, "base64");
  const head: Buffer[] = [band.subarray(0, 2)];
  let at = 2;
  for (;;) {
    const [marker, length] = [band[at + 1], band.readUInt16BE(at + 2)];
    const segment = Buffer.from(band.subarray(at, at + 2 + length));
    at += 2 + length;
    if (marker === 0xda) {
      const scan = band.subarray(at, band.length - 2);
      const rows = Array.from({ length: bands }, (_, i) =>
        i + 1 < bands ? [scan, Buffer.of(0xff, 0xd0 + (i % 8))] : [scan],
      );
      return Buffer.concat([...head, segment, ...rows.flat(), Buffer.of(0xff, 0xd9)]);
    }
    if (marker !== undefined && marker >= 0xc0 && marker <= 0xc2) {
      segment.writeUInt16BE(BAND * bands, 5);
      head.push(segment, intervals(segment));
    } else head.push(segment);
  }
}

/** Says that a restart follows each band. */
function intervals(frame: Buffer): Buffer {
  const sampling = frame[11] ?? 0x11;
  const [across, down] = [8 * (sampling >> 4), 8 * (sampling & 15)];
  const units = Math.ceil(frame.readUInt16BE(7) / across) * (BAND / down);
  return Buffer.from([0xff, 0xdd, 0, 4, units >> 8, units & 0xff]);
}
