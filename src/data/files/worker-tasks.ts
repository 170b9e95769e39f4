/** What page and file worker say to each other. */
import type { ErrorCode } from "@/domain/error-codes";
import type { ConvertiblePicture, DetectedFile } from "@/domain/media-files";
import type { Result } from "@/domain/result";
import type { VideoFacts } from "@/domain/video-facts";
import type { ShrinkPlan } from "@/domain/what-fits";

export interface Renditions {
  thumbnail: Blob | null;
  /** Null where the file itself is small enough for the feed. */
  preview: Blob | null;
  /** Base64, or "". */
  thumbhash: string;
  /** Why there is none, or null (specification §8, "Thumbnails"). */
  fault: Extract<ErrorCode, "image_load_failed" | "canvas_unavailable" | "thumbnail_failed"> | null;
}

export const noRenditions = (fault: NonNullable<Renditions["fault"]>): Renditions => ({
  thumbnail: null,
  preview: null,
  thumbhash: "",
  fault,
});

export interface CleanFile extends Renditions {
  file: Blob;
  detected: DetectedFile;
  /** Pixels as shown; 0 when unknown. */
  width: number;
  height: number;
  /** Seconds; 0 for photos and when unknown. */
  duration: number;
}

export interface SeenVideo extends VideoFacts {
  detected: DetectedFile;
  /** Of the file as it is: what may be taken out of one over the limit, see `ShrinkPlan`. */
  bytes: number;
}

export interface PictureLook {
  /** Only its beginning is there, and can be sent. */
  isCut: boolean;
}

export type WorkerTask =
  /** Checks and strips a file, and draws a photo's renditions. `shrink`: re-encode it to fit. */
  | { task: "clean"; file: Blob; shrink: boolean }
  /** Tells whether a picture fits once it is stripped, and whether it is whole. */
  | { task: "judge"; picture: Blob }
  /** Checks a video, and tells what its headers say. */
  | { task: "look"; file: Blob }
  /** Draws the renditions of a video frame, then closes the frame. */
  | { task: "draw"; frame: ImageBitmap }
  | { task: "compress"; preview: Blob }
  /** Strips a video again that waits to be sent. */
  | { task: "strip"; video: Blob }
  /** Draws a picture smaller, as a whole; to `show` it here, a small one is itself. */
  | { task: "reduce" | "show"; picture: Blob };
export type WorkerRequest = WorkerTask & { id: number };

export interface WorkerAnswer {
  id: number;
  result: Result<CleanFile | SeenVideo | Renditions | Blob | PictureLook | null>;
}

/** What page and video shrinker say to each other. */
export interface ShrinkerRequest {
  task: "plan" | "shrink" | "copy";
  file: Blob;
}

/** How far it is, in percent, as often as that changes, and then the end. */
export type ShrinkerAnswer = { progress: number } | { result: Result<ShrinkPlan | Blob> };

/** What page and converter say to each other. */
export interface ConverterRequest {
  id: number;
  file: Blob;
  format: Extract<ConvertiblePicture, "heic" | "tiff">;
  /** Whether one with too many pixels is to be made smaller. */
  shrink: boolean;
}

export interface ConverterAnswer {
  id: number;
  /** A JPEG with all the pixels, or of a smaller copy. */
  result: Result<Blob>;
}
