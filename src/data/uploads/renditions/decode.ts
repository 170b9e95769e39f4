/** One decode of a picture, at the size that its use needs. Runs in a worker. */
import type { Bytes } from "./bytes";
import type { Drawable } from "./draw";
import { isSideways } from "./orientation";
import type { PictureHeader } from "./strip-jpeg";

export interface Decoded extends Drawable {
  close: () => void;
}

export interface Encoded {
  file: Blob;
  header: PictureHeader;
  /** The whole of a JPEG, where it was read already. */
  jpeg: Bytes | null;
}

/**
 * Decodes to `edge` pixels or more on the longest side, less where the picture is smaller. Null where this browser
 * cannot decode it. `edge` Infinity asks for the whole picture.
 */
export async function decodePicture(encoded: Encoded, edge: number): Promise<Decoded | null> {
  const { file, header, jpeg } = encoded;
  const scale = Math.min(1, edge / Math.max(header.width, header.height, 1));
  if (scale < 1 && jpeg !== null) {
    const reduced = await decodeReduced(jpeg, header, scale);
    if (reduced) return reduced;
  }
  return decodeBitmap(file, header, scale);
}

/** A JPEG can be decoded at a part of its size, in a part of the time, where the browser lets us. */
async function decodeReduced(
  jpeg: Bytes,
  header: PictureHeader,
  scale: number,
): Promise<Decoded | null> {
  if (typeof ImageDecoder === "undefined") return null;
  // Decoders know eighths and take the next smaller one of any other wish; halves of halves are the fast ones.
  const part = 2 ** Math.ceil(Math.log2(Math.max(scale, 1 / 8)));
  const decoder = new ImageDecoder({
    data: jpeg,
    type: "image/jpeg",
    desiredWidth: Math.ceil(header.width * part),
    desiredHeight: Math.ceil(header.height * part),
  });
  try {
    const { image } = await decoder.decode();
    return {
      source: image,
      width: image.displayWidth,
      height: image.displayHeight,
      close: () => image.close(),
    };
  } catch {
    // The other decoder has the last word.
    return null;
  } finally {
    decoder.close();
  }
}

async function decodeBitmap(
  file: Blob,
  header: PictureHeader,
  scale: number,
): Promise<Decoded | null> {
  try {
    const bitmap = await createImageBitmap(file, resizeTo(header, scale));
    return {
      source: bitmap,
      width: bitmap.width,
      height: bitmap.height,
      close: () => bitmap.close(),
    };
  } catch {
    // Not decodable here: the caller decides what that means.
    return null;
  }
}

function resizeTo(header: PictureHeader, scale: number): ImageBitmapOptions {
  if (scale >= 1 || header.width === 0) return {};
  const [width, height] = shownSize(header);
  return {
    resizeWidth: Math.max(1, Math.round(width * scale)),
    resizeHeight: Math.max(1, Math.round(height * scale)),
    resizeQuality: "high",
  };
}

/** Width and height as the picture is shown. */
export function shownSize(header: PictureHeader): [width: number, height: number] {
  const { width, height, orientation } = header;
  return isSideways(orientation) ? [height, width] : [width, height];
}
