/**
 * A chosen file made ready to be queued: judged by its bytes, freed of metadata, with its renditions. Nothing here
 * blocks the page; a video's poster frame is all that the main thread sees. Load it lazily: only uploading needs it.
 */
import type { PreparedMedia } from "@/data/shapes";
import { ok, type Result } from "@/domain/result";
import { readVideoFacts } from "./video-poster";
import { cleanInWorker, drawInWorker, noRenditions, type Renditions } from "./worker-client";

/**
 * Refusals: `file_empty`, `file_type`, `file_heic` (or AVIF, where this browser cannot decode it), `file_broken`, `file_missing`, `image_too_large`, `video_too_large`. A rendition that
 * cannot be made is null, with its reason in `renditionFault`; the file is good all the same.
 */
export async function prepareMedia(file: Blob): Promise<Result<PreparedMedia>> {
  return prepare(file, false);
}

/** The same for a photo that is too large, after shrinking it until it fits (resolution 66: only when asked to). */
export async function shrinkPhoto(file: Blob): Promise<Result<PreparedMedia>> {
  return prepare(file, true);
}

async function prepare(file: Blob, shrink: boolean): Promise<Result<PreparedMedia>> {
  const cleaned = await cleanInWorker(file, shrink);
  if (!cleaned.success) return cleaned;
  const { detected, file: clean, width, height, ...renditions } = cleaned.value;
  const common = {
    file: clean,
    type: detected.kind,
    contentType: detected.contentType,
    originalFilename: file instanceof File ? file.name : "",
  };
  if (detected.kind === "photo") {
    return ok({ ...common, width, height, duration: 0, ...withFault(renditions) });
  }
  const { frame, ...facts } = await readVideoFacts(clean);
  const poster = frame ? await drawPoster(frame) : noRenditions("image_load_failed");
  return ok({ ...common, ...facts, ...withFault(poster) });
}

async function drawPoster(frame: ImageBitmap): Promise<Renditions> {
  const drawn = await drawInWorker(frame);
  return drawn.success ? drawn.value : noRenditions("thumbnail_failed");
}

function withFault({ fault, ...made }: Renditions) {
  return fault === null ? made : { ...made, renditionFault: fault };
}
