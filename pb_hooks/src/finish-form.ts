/**
 * What a client sends to finish an upload, taken apart and checked. Everything in it is a claim; sizes and types of
 * files are found out in finish-file.
 */

import { isId } from "@/domain/ids";
import { ALT_MAX, CAPTION_MAX, RENDITION_MAX_BYTES, RENDITION_MAX_PIXELS } from "@/domain/limits";
import {
  DETECT_BYTES,
  type DetectedFile,
  detectFile,
  fileFault,
  isAnimatedWebp,
} from "@/domain/media-files";
import { statedPixels } from "@/domain/picture-size";
import { parseTags, tagsFault } from "@/domain/tags";
import type { Refusal } from "./refuse";
import { refusalOf } from "./refused";

/** Widths, heights and durations beyond this are nonsense and stored as unknown. */
const NUMBER_MAX = 1_000_000;
const THUMBHASH = /^[A-Za-z0-9+/=]{1,100}$/;

export const isRefusal = (value: object): value is Refusal => "code" in value && "status" in value;

/** The text field `name` of the request's form, "" where it is missing. */
export const formText = (e: core.RequestEvent, name: string): string =>
  e.request?.formValue(name) ?? "";

/** The two ids that every finishing request carries, or what is wrong with them. */
export function readIds(e: core.RequestEvent): { id: string; uploadId: string } | Refusal {
  const [id, uploadId] = [formText(e, "id"), formText(e, "uploadId")];
  return isId(id) && isId(uploadId) ? { id, uploadId } : refusalOf("invalid", "Invalid id.");
}

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

function measure(text: string): number {
  const value = Number(text);
  return value > 0 && value <= NUMBER_MAX ? value : 0;
}

/** A JSON list of texts, or null. */
function readTags(text: string): string[] | null {
  if (text.trim() === "") return [];
  try {
    const list: unknown = JSON.parse(text);
    const isTexts = Array.isArray(list) && list.every((tag) => typeof tag === "string");
    return isTexts ? parseTags(list) : null;
  } catch {
    return null;
  }
}

/** The words and figures around a medium, or the first rule that they break. */
export function readMediaText(e: core.RequestEvent): MediaText | Refusal {
  const caption = formText(e, "caption").trim();
  const alt = formText(e, "alt").trim();
  const tags = readTags(formText(e, "tags"));
  if (caption.length > CAPTION_MAX) return refusalOf("caption_long");
  if (tags === null) return refusalOf("invalid", "Tags must be a list of texts.");
  const fault = tagsFault(tags);
  if (fault) return refusalOf(fault);
  if (alt.length > ALT_MAX) return refusalOf("text_long");
  const thumbhash = formText(e, "thumbhash");
  return {
    caption,
    tags,
    alt,
    width: Math.round(measure(formText(e, "width"))),
    height: Math.round(measure(formText(e, "height"))),
    duration: measure(formText(e, "duration")),
    thumbhash: THUMBHASH.test(thumbhash) ? thumbhash : "",
    originalFilename: Array.from(formText(e, "originalFilename")).slice(0, 255).join(""),
  };
}

/** What each may be: the specification wants JPEG thumbnails (§7), and a WebP preview has less than half the bytes of a JPEG. */
const RENDITION_TYPES = {
  thumbnail: { contentTypes: ["image/jpeg"], words: "a JPEG" },
  preview: {
    contentTypes: ["image/jpeg", "image/webp"],
    words: "a JPEG or a WebP that stands still",
  },
};

export interface Rendition {
  file: filesystem.File;
  /** Without a dot, from the bytes. */
  extension: string;
}

/** The picture in the form's part `name`; null where there is none. */
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
  const { pixels, extension } = still;
  return pixels > RENDITION_MAX_PIXELS ? tooLarge : { rendition: { file, extension } };
}

function uploadedFile(e: core.RequestEvent, name: string): filesystem.File | null {
  try {
    return e.findUploadedFiles(name)[0] ?? null;
  } catch {
    // The form has no such part.
    return null;
  }
}

/** The methods that the generated types leave out. */
interface Seekable {
  seek: (offset: number, whence: number) => number;
  close: () => void;
}

/** What the file is; null where it is none of ours, a part of one, or moves. */
function readStill(file: filesystem.File): (DetectedFile & { pixels: number }) | null {
  const reader = file.reader.open() as unknown as Seekable;
  try {
    const read = (offset: number, length: number): number[] => {
      reader.seek(offset, 0);
      return toBytes(reader, length);
    };
    const head = read(0, DETECT_BYTES);
    const detected = detectFile(head);
    if (detected === null || fileFault(read, file.size, detected) !== null) return null;
    if (isAnimatedWebp(head)) return null;
    return { ...detected, pixels: statedPixels(read, file.size, detected) };
  } finally {
    reader.close();
  }
}
