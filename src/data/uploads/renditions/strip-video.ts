/** Place, time and titles out of a video, in place: nothing moves, so no table of offsets has to be rewritten. */
import type { DetectedFile } from "@/domain/media-files";
import { isoVideoEdits } from "./strip-iso-video";
import { webmEdits } from "./strip-webm";
import { applyEdits, type ReadVideo } from "./video-edits";

/** The clean file, made of slices of the given one: it is not read into memory. */
export function stripVideo(read: ReadVideo, file: Blob, detected: DetectedFile): Blob {
  const isWebm = detected.contentType === "video/webm";
  const edits = isWebm ? webmEdits(read, file.size) : isoVideoEdits(read, file.size);
  return applyEdits(file, edits, detected.contentType);
}
