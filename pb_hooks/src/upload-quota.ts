/** What one account may have under way, and what the disk still takes. */
import { IMAGE_MAX_BYTES, VIDEO_MAX_BYTES } from "@/domain/limits";
import { freeDiskBytes } from "./free-disk";
import { limitOf } from "./limits";
import type { Refusal } from "./refuse";
import { DISK_FULL, QUOTA } from "./tus-protocol";

export const IMAGE_TOO_LARGE: Refusal = {
  status: 413,
  code: "image_too_large",
  message: "Image is too large (max. 5MB)",
};
export const VIDEO_TOO_LARGE: Refusal = {
  status: 413,
  code: "video_too_large",
  message: "Video is too large (max. 200MB)",
};
export const FILE_EMPTY: Refusal = {
  status: 400,
  code: "file_empty",
  message: "The file is empty.",
};

/** What speaks against a file of `size` bytes, going by the type that the client names; the bytes decide later. */
export function sizeFault(size: number, filetype: string): Refusal | null {
  if (size === 0) return FILE_EMPTY;
  if (filetype.startsWith("image/") && size > IMAGE_MAX_BYTES) return IMAGE_TOO_LARGE;
  return size > VIDEO_MAX_BYTES ? VIDEO_TOO_LARGE : null;
}

interface Open {
  n: number;
  bytes: number;
}

/** What speaks against another upload of `size` bytes by `owner`. Ask within the transaction that makes it. */
export function quotaFault(app: CoreApp, owner: string, size: number): Refusal | null {
  const open = new DynamicModel({ n: 0, bytes: 0 }) as unknown as Open;
  app
    .db()
    .newQuery(
      "SELECT count(*) AS n, COALESCE(sum(size), 0) AS bytes FROM uploads WHERE owner = {:owner}",
    )
    .bind({ owner })
    .one(open);
  const tooMany = open.n >= limitOf(app, "openUploads");
  return tooMany || open.bytes + size > limitOf(app, "openUploadBytes") ? QUOTA : null;
}

/** What speaks against `size` more bytes on the disk that holds the data. */
export function diskFault(app: CoreApp, size: number): Refusal | null {
  const free = freeDiskBytes(app.dataDir());
  return free !== null && free - size < limitOf(app, "minFreeDiskBytes") ? DISK_FULL : null;
}

/** Whether a write failed because the disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  /no space left|disk quota exceeded|disk is full/i.test(String(error));
