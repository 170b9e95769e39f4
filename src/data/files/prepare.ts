/** Prepares a chosen file in a worker; the page takes a video's poster frame. Load it lazily. */
import type { PreparedMedia } from "@/data/shapes";
import type { ErrorCode } from "@/domain/error-codes";
import { IMAGE_MAX_BYTES, VIDEO_MAX_BYTES } from "@/domain/limits";
import { convertiblePicture, DETECT_BYTES } from "@/domain/media-files";
import { ok, type Result } from "@/domain/result";
import { playsEverywhere, type VideoFacts } from "@/domain/video-facts";
import { type VideoOffer, videoPlan, videoThatFits } from "@/domain/what-fits";
import { copyInWorker, planInWorker, type ShrinkWatch, shrinkInWorker } from "./shrink-video";
import { readVideoFacts } from "./video-poster";
import {
  cleanInWorker,
  convertInWorker,
  drawInWorker,
  judgeInWorker,
  lookInWorker,
  reduceInWorker,
  showInWorker,
} from "./worker-client";
import { type CleanFile, noRenditions, type PictureLook, type Renditions } from "./worker-tasks";

/**
 * Refuses with `file_empty`, `file_type`, `file_raw`, `file_heic`, `file_unreadable` (other
 * pictures that can only be shown elsewhere), `converter_missing` (it is not on this device yet,
 * and there is no network), `file_audio`, `file_broken`, `file_missing`, `image_too_large`,
 * `too_many_pixels`, `animation_too_large`, `cannot_shrink` or `video_too_large`. A rendition that
 * cannot be made is null, with the reason in `renditionFault`.
 */
export const prepareMedia = (file: Blob): Promise<Result<PreparedMedia>> => prepare(file, false);

/** The same after shrinking a photo that is too large; only on request (resolution 66). */
export const shrinkPhoto = (file: Blob): Promise<Result<PreparedMedia>> => prepare(file, true);

async function prepare(file: Blob, shrink: boolean): Promise<Result<PreparedMedia>> {
  const cleaned = await cleanWhole(file, shrink);
  if (!cleaned.success) return cleaned;
  const { detected, file: clean, width, height, duration, ...renditions } = cleaned.value;
  const common = {
    file: clean,
    type: detected.kind,
    contentType: detected.contentType,
    originalFilename: file instanceof File ? file.name : "",
  };
  if (detected.kind === "photo") {
    return ok({ ...common, width, height, duration, ...withFault(renditions) });
  }
  const { frame, ...shown } = await readVideoFacts(clean);
  // Without a decoder a browser knows no size, and often no length.
  const size = shown.width > 0 ? shown : { width, height };
  const poster = frame ? await drawInWorker(frame) : noRenditions("image_load_failed");
  const facts = { width: size.width, height: size.height, duration: shown.duration || duration };
  return ok({ ...common, ...facts, ...withFault(poster) });
}

/** Whether a picture fits once it is stripped; or what makes it too large, or broken. */
export const judgePicture = (file: Blob): Promise<Result<PictureLook>> => judgeInWorker(file);

/** What shows the whole picture: itself or a small one. `file_broken` where none can be drawn. */
export const smallPicture = (file: Blob): Promise<Result<Blob>> => showInWorker(file);

export interface VideoLook {
  /** Whether all browsers show it. */
  playsEverywhere: boolean;
  /** Null for one that fits. */
  tooLarge: VideoOffer | null;
}

/** What there is to say of a video; or what makes it none that can be sent. */
export async function lookAtVideo(file: Blob): Promise<Result<VideoLook>> {
  const seen = await lookInWorker(file);
  if (!seen.success) return seen;
  const facts = seen.value;
  const tooLarge = facts.bytes > VIDEO_MAX_BYTES ? await offerFor(file, facts) : null;
  return ok({ playsEverywhere: playsEverywhere(facts), tooLarge });
}

/** Null for one whose pictures and sound fit. */
async function offerFor(file: Blob, facts: VideoFacts): Promise<VideoOffer | null> {
  const fits = videoThatFits(facts);
  const plan = await planInWorker(file);
  if (plan.success) {
    if (plan.value === "copy") return null;
    return { fits, way: { edge: Math.min(plan.value.width, plan.value.height) } };
  }
  const isKnown = facts.duration > 0 && facts.width > 0;
  if (isKnown && videoPlan(facts) === null) return { fits, way: "too_long" };
  return { fits, way: plan.error === "converter_missing" ? "missing" : "not_here" };
}

/** The same after making a video smaller, which takes minutes. Fails also with `canceled`. */
export async function shrinkVideo(file: File, watch: ShrinkWatch): Promise<Result<PreparedMedia>> {
  const made = await shrinkInWorker(file, watch);
  return made.success ? prepareMedia(new File([made.value], file.name)) : made;
}

/**
 * With the converter where this browser has no decoder of its own for the picture, and without what
 * lies beside the films of a video that would be too large with it.
 */
async function cleanWhole(file: Blob, shrink: boolean): Promise<Result<CleanFile>> {
  const cleaned = await cleanInWorker(file, shrink);
  if (!cleaned.success && cleaned.error === "video_too_large") {
    const films = await copyInWorker(file);
    return films.success ? cleanInWorker(films.value, false) : cleaned;
  }
  if (cleaned.success || !UNDECODED.includes(cleaned.error)) return cleaned;
  const format = convertiblePicture(
    new Uint8Array(await file.slice(0, DETECT_BYTES).arrayBuffer()),
  );
  if (format !== "heic" && format !== "tiff") return cleaned;
  const jpeg = await convertInWorker({ file, format, shrink });
  if (!jpeg.success) return jpeg;
  return cleanInWorker(jpeg.value, jpeg.value.size > IMAGE_MAX_BYTES);
}

const UNDECODED: readonly ErrorCode[] = ["file_heic", "file_unreadable"];

/** For a chat, where a photo keeps its shape: its thumbnail is not cut to a square. */
export async function withWholeThumbnail(media: PreparedMedia): Promise<PreparedMedia> {
  const reduced = await reduceInWorker(media.preview ?? media.file);
  return reduced.success ? { ...media, thumbnail: reduced.value } : media;
}

const withFault = ({ fault, ...made }: Renditions) =>
  fault === null ? made : { ...made, renditionFault: fault };
