/** What the page and the renditions worker say to each other. */
import type { ErrorCode } from "@/domain/error-codes";
import type { DetectedFile } from "@/domain/media-files";

/** The pictures made from a picture. */
export interface Renditions {
  thumbnail: Blob | null;
  /** Null where the file itself is small enough to be shown in the feed. */
  preview: Blob | null;
  /** Base64, or "". */
  thumbhash: string;
  /** Why there is none, or null. */
  fault: RenditionFault | null;
}

/** Specification §8, "Thumbnails". */
export type RenditionFault = "image_load_failed" | "canvas_unavailable" | "thumbnail_failed";

export function noRenditions(fault: RenditionFault): Renditions {
  return { thumbnail: null, preview: null, thumbhash: "", fault };
}

export interface CleanFile extends Renditions {
  /** Checked, and without metadata. */
  file: Blob;
  detected: DetectedFile;
  /** Pixels as shown; 0 for videos. */
  width: number;
  height: number;
}

export type WorkerRequest =
  /** Check, strip, and for photos the renditions. `shrink`: re-encode a photo until it fits. */
  | { id: number; task: "clean"; file: Blob; shrink: boolean }
  /** Renditions of one frame, which the worker then closes. */
  | { id: number; task: "draw"; frame: ImageBitmap }
  /** The same preview in fewer bytes. */
  | { id: number; task: "lighten"; preview: Blob };

export type WorkerAnswer =
  | { id: number; answer: "clean"; clean: CleanFile }
  | { id: number; answer: "drawn"; renditions: Renditions }
  | { id: number; answer: "lightened"; preview: Blob }
  | { id: number; answer: "refused"; code: ErrorCode };
