/** Prepares a chosen file in a worker; the page takes a video's poster frame. Load it lazily. */
import type { PreparedMedia } from "@/data/shapes";
import { ok, type Result } from "@/domain/result";
import { readVideoFacts } from "./video-poster";
import { cleanInWorker, drawInWorker, noRenditions, type Renditions } from "./worker-client";

/**
 * Refuses with `file_empty`, `file_type`, `file_heic` (also AVIF that this browser cannot decode),
 * `file_broken`, `file_missing`, `image_too_large` or `video_too_large`. A rendition that cannot be
 * made is null, with the reason in `renditionFault`.
 */
export const prepareMedia = (file: Blob): Promise<Result<PreparedMedia>> => prepare(file, false);

/** The same after shrinking a photo that is too large; only on request (resolution 66). */
export const shrinkPhoto = (file: Blob): Promise<Result<PreparedMedia>> => prepare(file, true);

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
  const poster = frame ? await drawInWorker(frame) : noRenditions("image_load_failed");
  return ok({ ...common, ...facts, ...withFault(poster) });
}

const withFault = ({ fault, ...made }: Renditions) =>
  fault === null ? made : { ...made, renditionFault: fault };
