/** Photos as cameras and phones leave them: with place, time, comments and a way up. */
export const SECRET = "GPS 48.1234 N 11.5678 E";

export const ascii = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (c) => c.charCodeAt(0));

export const joinBytes = (...parts: Uint8Array[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat(parts));

/** A little-endian TIFF block with an orientation and, behind its entries, the secret. */
export function tiffWithSecret(orientation: number): Uint8Array<ArrayBuffer> {
  const directory = [2, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0];
  const description = [0x0e, 1, 2, 0, SECRET.length, 0, 0, 0, 38, 0, 0, 0];
  const header = [0x49, 0x49, 42, 0, 8, 0, 0, 0];
  return joinBytes(
    Uint8Array.of(...header, ...directory, ...description, 0, 0, 0, 0),
    ascii(SECRET),
  );
}

/** A JPEG segment with its length. */
export function segment(marker: number, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const length = data.length + 2;
  return joinBytes(Uint8Array.of(0xff, marker, length >> 8, length & 255), data);
}

/** `photo` with everything that tells about the person. */
export function jpegWithSecrets(photo: Uint8Array, orientation: number): Uint8Array<ArrayBuffer> {
  return joinBytes(
    photo.subarray(0, 2),
    segment(0xe1, joinBytes(ascii("Exif\0\0"), tiffWithSecret(orientation))),
    segment(0xe1, ascii(`http://ns.adobe.com/xap/1.0/\0<x>${SECRET}</x>`)),
    segment(0xe2, ascii(`MPF\0${SECRET}`)),
    segment(0xed, ascii(`Photoshop 3.0\0${SECRET}`)),
    segment(0xfe, ascii(SECRET)),
    photo.subarray(2),
    ascii(`a motion photo's video ${SECRET}`),
  );
}
