/** The tus 1.0.0 protocol: headers, version, metadata. Touches neither files nor the database. */
import { refusalOf, refuse } from "@hooks/http/refusals";
import { headerOf } from "@hooks/http/request";
import type { Refusal } from "@/domain/error-codes";

export const TUS_VERSION = "1.0.0";
export const EXTENSIONS = "creation,creation-with-upload,termination,expiration,checksum";
export const BODY_TYPE = "application/offset+octet-stream";

/** Characters kept of a metadata value. */
const VALUE_MAX = 500;

/** The keys of our client (specification §7), and the usual two of tus clients. */
const METADATA_KEYS = ["filename", "filetype", "originalName", "uploader", "time"];

/** Sets the headers of every tus answer. */
export function tusHeaders(e: core.RequestEvent): http.Header {
  const headers = e.response.header();
  headers.set("Tus-Resumable", TUS_VERSION);
  headers.set("Cache-Control", "no-store");
  return headers;
}

/** Bytes that the request announces; -1 where it does not. */
export const bodyLength = (e: core.RequestEvent): number => e.request?.contentLength ?? -1;

/** True when the client speaks our version; answers 412 otherwise. */
export function speaksTus(e: core.RequestEvent): boolean {
  if (headerOf(e, "Tus-Resumable") === TUS_VERSION) return true;
  tusHeaders(e).set("Tus-Version", TUS_VERSION);
  refuse(e, { ...refusalOf("invalid", "Unsupported tus version."), status: 412 });
  return false;
}

/** The known keys of `Upload-Metadata`, or null when it is malformed. */
export function parseMetadata(text: string): Record<string, string> | null {
  const found: Record<string, string> = {};
  if (text.trim() === "") return found;
  for (const pair of text.split(",")) {
    const [key = "", value = "", ...more] = pair.trim().split(" ");
    if (key === "" || more.length > 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) return null;
    if (METADATA_KEYS.includes(key)) {
      found[key] = Buffer.from(value, "base64").toString("utf8").slice(0, VALUE_MAX);
    }
  }
  return found;
}

export const LOCKED: Refusal = {
  ...refusalOf("conflict", "This upload is being written to."),
  status: 423,
};
export const EXPIRED: Refusal = { ...refusalOf("gone", "This upload has expired."), status: 410 };
