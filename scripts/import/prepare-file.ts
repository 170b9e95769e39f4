/** A file of the export as it is sent: judged by its bytes, and without what tells about the person who took it. */

import { readPictureHeader, stripPicture } from "@/data/files/strip-picture";
import { stripVideo } from "@/data/files/strip-video";
import { IMAGE_MAX_BYTES, RENDITION_MAX_BYTES, VIDEO_MAX_BYTES } from "@/domain/limits";
import { DETECT_BYTES, type DetectedFile, detectFile, fileFault } from "@/domain/media-files";

type Bytes = Uint8Array<ArrayBuffer>;

export interface PreparedFile {
  bytes: Uint8Array;
  detected: DetectedFile;
  /** Pixels; 0 for videos and where the header does not say. */
  width: number;
  height: number;
}

/** The file, or a sentence that says why it does not come. */
export async function prepareFile(bytes: Bytes): Promise<PreparedFile | string> {
  const detected = detectFile(bytes.subarray(0, DETECT_BYTES));
  if (detected === null) return "its file is no picture or video that is stored here";
  const read = (offset: number, length: number): Bytes => bytes.subarray(offset, offset + length);
  if (fileFault(read, bytes.length, detected) !== null) return "its file is broken";
  const isPhoto = detected.kind === "photo";
  if (bytes.length > (isPhoto ? IMAGE_MAX_BYTES : VIDEO_MAX_BYTES)) {
    return isPhoto ? "its picture is larger than 5 MB" : "its video is larger than 200 MB";
  }
  try {
    const clean = isPhoto
      ? stripPicture(bytes, detected.contentType)
      : stripVideo(read, new Blob([bytes]), detected);
    const size = isPhoto ? shownSize(bytes, detected.contentType) : { width: 0, height: 0 };
    return { bytes: new Uint8Array(await clean.arrayBuffer()), detected, ...size };
  } catch {
    // Its place and time could not be found for certain, and must not be published.
    return "its file could not be cleaned of place and time";
  }
}

/** Pixels as it is shown: from the fifth orientation on a camera lay on its side. */
function shownSize(bytes: Bytes, contentType: string): { width: number; height: number } {
  const { width, height, orientation } = readPictureHeader(bytes, contentType);
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

/** The small picture of a record, where it is one that can be taken over. */
export async function prepareThumbnail(bytes: Bytes): Promise<Uint8Array | null> {
  if (bytes.length > RENDITION_MAX_BYTES) return null;
  const prepared = await prepareFile(bytes);
  const usable = typeof prepared !== "string" && prepared.detected.contentType === "image/jpeg";
  return usable ? prepared.bytes : null;
}
