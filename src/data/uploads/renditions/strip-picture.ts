/** Metadata out of a picture without decoding it, and what its header says. By detected type. */
import type { Bytes } from "./bytes";
import { readGifHeader, stripGif } from "./strip-gif";
import { type PictureHeader, readJpegHeader, stripJpeg } from "./strip-jpeg";
import { readPngHeader, stripPng } from "./strip-png";
import { readWebpHeader, stripWebp } from "./strip-webp";

interface PictureFormat {
  strip: (bytes: Bytes) => Bytes[];
  readHeader: (bytes: Bytes) => PictureHeader;
}

const FORMATS: Record<string, PictureFormat> = {
  "image/jpeg": { strip: stripJpeg, readHeader: readJpegHeader },
  "image/png": { strip: stripPng, readHeader: readPngHeader },
  "image/webp": { strip: stripWebp, readHeader: readWebpHeader },
  "image/gif": { strip: stripGif, readHeader: readGifHeader },
};

function formatOf(contentType: string): PictureFormat {
  const format = FORMATS[contentType];
  if (!format) throw new Error(`no picture format of ours: ${contentType}`);
  return format;
}

/** The same picture, bit for bit, without what tells about the person who took it. */
export function stripPicture(bytes: Bytes, contentType: string): Blob {
  return new Blob(formatOf(contentType).strip(bytes), { type: contentType });
}

export function readPictureHeader(bytes: Bytes, contentType: string): PictureHeader {
  return formatOf(contentType).readHeader(bytes);
}
