/** Files on their way into the queue. What reads and redraws them is loaded when the first one is chosen. */
import type { PreparedMedia } from "@/data/shapes";
import type { ErrorCode } from "@/domain/error-codes";
import { IMAGE_MAX_BYTES, VIDEO_MAX_BYTES } from "@/domain/limits";
import { convertiblePicture, DETECT_BYTES, detectFile } from "@/domain/media-files";
import { failed, type Result } from "@/domain/result";

const load = () => import("@/data/files/prepare");

export const prepareMedia = async (file: File): Promise<Result<PreparedMedia>> =>
  (await load()).prepareMedia(file);

export const shrinkPhoto = async (file: File): Promise<Result<PreparedMedia>> =>
  (await load()).shrinkPhoto(file);

/** Larger than a screen shows, a photo is made smaller before it goes to somebody; the rest only loses its camera data. */
const CHAT_PHOTO_BYTES = 1_048_576;

/** A photo for a chat. Refusals are those of data/uploads/prepare-media, and `file_type` for what is no picture. */
export async function prepareChatPhoto(file: File): Promise<Result<PreparedMedia>> {
  const { prepareMedia: prepare, shrinkPhoto: shrink } = await load();
  const shrunk = file.size > CHAT_PHOTO_BYTES ? await shrink(file) : null;
  // What cannot be made smaller, such as an animation, goes as it is where it fits.
  const answer = shrunk?.success ? shrunk : await prepare(file);
  return answer.success && answer.value.type !== "photo" ? failed("file_type") : answer;
}

/** A first look: what its size and first bytes give away. The whole file is judged when it is prepared. */
export async function firstFault(file: File): Promise<ErrorCode | null> {
  if (file.size === 0) return "file_empty";
  try {
    const head = new Uint8Array(await file.slice(0, DETECT_BYTES).arrayBuffer());
    const detected = detectFile(head);
    if (detected === null) return convertiblePicture(head) === null ? "file_type" : null;
    if (detected.kind === "photo") return file.size > IMAGE_MAX_BYTES ? "image_too_large" : null;
    return file.size > VIDEO_MAX_BYTES ? "video_too_large" : null;
  } catch {
    // The file was moved or deleted after it was chosen.
    return "file_missing";
  }
}
