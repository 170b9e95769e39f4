/** What may be a profile picture, judged by its bytes (specification §5; data contract "users"). */
import type { ErrorCode } from "./error-codes";
import { PHOTO_MAX_PIXELS, PROFILE_PICTURE_MAX_BYTES } from "./limits";
import {
  DETECT_BYTES,
  type DetectedFile,
  detectFile,
  fileFault,
  type ReadBytes,
} from "./media-files";
import { statedPixels } from "./picture-size";

/** What the picture is, or what is wrong with it. `size` in bytes. */
export function judgeProfilePicture(
  read: ReadBytes,
  size: number,
): { detected: DetectedFile } | { code: ErrorCode } {
  if (size === 0) return { code: "file_empty" };
  if (size > PROFILE_PICTURE_MAX_BYTES) return { code: "too_large" };
  const detected = detectFile(read(0, DETECT_BYTES));
  if (detected?.kind !== "photo") return { code: "file_type" };
  const fault = fileFault(read, size, detected);
  if (fault !== null) return { code: fault };
  if (statedPixels(read, size, detected) > PHOTO_MAX_PIXELS) return { code: "too_large" };
  return { detected };
}

/** The specification's sentences (§5); the service and the server answer with them, the page is silent. */
export function profilePictureText(code: ErrorCode): string | undefined {
  if (code === "too_large") return "Profilbild darf maximal 2MB groß sein.";
  if (code === "file_type") return "Nur Bilddateien sind als Profilbild erlaubt.";
  return undefined;
}
