/**
 * The form that finishes an upload, parsed and checked. Sizes and types of files are read from
 * their bytes.
 */

import { refusalOf } from "@hooks/http/refusals";
import { readBody } from "@hooks/http/request";
import type { ReadBytes } from "@/domain/bytes";
import type { Refusal } from "@/domain/error-codes";
import { isId } from "@/domain/ids";
import { RENDITION_MAX_BYTES, RENDITION_MAX_PIXELS } from "@/domain/limits";
import {
  DETECT_BYTES,
  type DetectedFile,
  detectFile,
  fileFault,
  isAnimatedWebp,
} from "@/domain/media-files";
import { holdsMetadata } from "@/domain/metadata";
import { statedPixels } from "@/domain/pictures";
import { mediaTextFault, parseTags } from "@/domain/texts";

/** The text field `name` of the request's form, "" where it is missing. */
export const formText = (e: core.RequestEvent, name: string): string =>
  e.request?.formValue(name) ?? "";

/** For two renditions over a slow line. */
const FORM_SECONDS = 90;

/** The ids of the row to create and of its upload. The first look at a form reads all of it. */
export function readIds(e: core.RequestEvent): { id: string; uploadId: string } | Refusal {
  const id = readBody(e, FORM_SECONDS, () => formText(e, "id"));
  const uploadId = formText(e, "uploadId");
  return isId(id) && isId(uploadId) ? { id, uploadId } : refusalOf("invalid", "Invalid id.");
}

/**
 * The types that each may have. The specification asks for JPEG thumbnails (§7); a WebP preview has
 * less than half the bytes of a JPEG.
 */
const RENDITION_TYPES = {
  thumbnail: { contentTypes: ["image/jpeg"], words: "a JPEG" },
  preview: {
    contentTypes: ["image/jpeg", "image/webp"],
    words: "a JPEG or a WebP that stands still",
  },
};

export interface Rendition {
  file: filesystem.File;
  /** From the bytes, without a dot. */
  extension: string;
}

/** The picture in the form's file field `name`; null where there is none. */
export function readRendition(
  e: core.RequestEvent,
  name: keyof typeof RENDITION_TYPES,
): { rendition: Rendition | null } | Refusal {
  const file = uploadedFile(e, name);
  if (!file) return { rendition: null };
  const tooLarge = { ...refusalOf("too_large", `${name} is too large.`), status: 413 };
  if (file.size > RENDITION_MAX_BYTES) return tooLarge;
  const { contentTypes, words } = RENDITION_TYPES[name];
  const still = readStill(file);
  if (still === null || !contentTypes.includes(still.contentType)) {
    return refusalOf("file_type", `${name} must be ${words}.`);
  }
  if (still.pixels > RENDITION_MAX_PIXELS) return tooLarge;
  if (hasMetadata(file, still)) return refusalOf("metadata");
  return { rendition: { file, extension: still.extension } };
}

function uploadedFile(e: core.RequestEvent, name: string): filesystem.File | null {
  try {
    return e.findUploadedFiles(name)[0] ?? null;
  } catch {
    // The form has no such field.
    return null;
  }
}

/** The methods that the generated types leave out. */
interface Seekable {
  seek: (offset: number, whence: number) => number;
  close: () => void;
}

/** A buffer is searched by Go; in PocketBase's own list of bytes each byte costs a call. */
export const readerOf =
  (file: Pick<Seekable, "seek">): ReadBytes =>
  (offset, length) => {
    file.seek(offset, 0);
    return Buffer.from(toBytes(file, length));
  };

/** Runs `run` with a reader for the bytes of `file`. */
export function withBytes<T>(file: filesystem.File, run: (read: ReadBytes) => T): T {
  const reader = file.reader.open() as unknown as Seekable;
  try {
    return run(readerOf(reader));
  } finally {
    reader.close();
  }
}

/** The type and size of a still picture; null for other, incomplete or animated files. */
const readStill = (file: filesystem.File): (DetectedFile & { pixels: number }) | null =>
  withBytes(file, (read) => {
    const head = read(0, DETECT_BYTES);
    const detected = detectFile(head);
    if (detected === null || fileFault(read, file.size, detected) !== null) return null;
    if (isAnimatedWebp(head)) return null;
    return { ...detected, pixels: statedPixels(read, file.size, detected) };
  });

export const hasMetadata = (file: filesystem.File, detected: DetectedFile): boolean =>
  withBytes(file, (read) => holdsMetadata(read, file.size, detected));

export interface MediaText {
  caption: string;
  tags: string[];
  alt: string;
  width: number;
  height: number;
  duration: number;
  thumbhash: string;
  originalFilename: string;
}

export const TAGS_INVALID: Refusal = refusalOf("invalid", "Tags must be a list of texts.");
const THUMBHASH = /^[A-Za-z0-9+/=]{1,100}$/;

/** The texts and numbers of a medium, or the first rule that they break. */
export function readMediaText(e: core.RequestEvent): MediaText | Refusal {
  const caption = formText(e, "caption").trim();
  const alt = formText(e, "alt").trim();
  const tags = readTags(formText(e, "tags"));
  const fault = mediaTextFault({ caption, tags: tags ?? [], alt });
  if (fault !== null) return refusalOf(fault);
  if (tags === null) return TAGS_INVALID;
  const thumbhash = formText(e, "thumbhash");
  return {
    caption,
    tags,
    alt,
    width: Math.round(positiveNumber(formText(e, "width"))),
    height: Math.round(positiveNumber(formText(e, "height"))),
    duration: positiveNumber(formText(e, "duration")),
    thumbhash: THUMBHASH.test(thumbhash) ? thumbhash : "",
    originalFilename: Array.from(formText(e, "originalFilename").slice(0, 510))
      .slice(0, 255)
      .join(""),
  };
}

/** Length of the JSON: far above thirty long tags, and too short for a list of millions. */
export const TAGS_MAX_LENGTH = 20_000;

/** A JSON list of texts, or null. */
function readTags(text: string): string[] | null {
  if (text.length > TAGS_MAX_LENGTH) return null;
  if (text.trim() === "") return [];
  try {
    const list: unknown = JSON.parse(text);
    const isTexts = Array.isArray(list) && list.every((tag) => typeof tag === "string");
    return isTexts ? parseTags(list) : null;
  } catch {
    return null;
  }
}

/** Larger widths, heights and durations make no sense and are stored as unknown. */
const NUMBER_MAX = 1_000_000;

/** 0 where `text` is no sensible number. */
function positiveNumber(text: string): number {
  const value = Number(text);
  return value > 0 && value <= NUMBER_MAX ? value : 0;
}
