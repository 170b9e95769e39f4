/**
 * The one fact of a picture's EXIF that we keep: which way is up. Everything else in it (place, time, device,
 * a small copy of the picture) stays on the device.
 */
const ORIENTATION_TAG = 0x0112;

/** 1 to 8 as EXIF counts them, from a TIFF block; 1 where it says nothing sensible. */
export function readOrientation(tiff: Uint8Array): number {
  if (tiff.length < 14) return 1;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.length);
  const little = view.getUint16(0) === 0x4949;
  const directory = view.getUint32(4, little);
  if (directory + 2 > tiff.length) return 1;
  const entries = view.getUint16(directory, little);
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + i * 12;
    if (entry + 12 > tiff.length) break;
    if (view.getUint16(entry, little) !== ORIENTATION_TAG) continue;
    const value = view.getUint16(entry + 8, little);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** A TIFF block that says the orientation and nothing else. */
export function orientationTiff(orientation: number): Uint8Array<ArrayBuffer> {
  const header = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8];
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
  return Uint8Array.of(...header, 0, 1, ...entry, 0, 0, 0, 0);
}

/** Whether width and height change places when the picture is shown. */
export const isSideways = (orientation: number): boolean => orientation >= 5;
