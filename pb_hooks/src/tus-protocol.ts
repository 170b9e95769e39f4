/** The words of tus 1.0.0: headers, versions, metadata. Nothing here touches a file or the database. */
import { type Refusal, refuse } from "./refuse";

export const TUS_VERSION = "1.0.0";
export const EXTENSIONS = "creation,creation-with-upload,termination,expiration,checksum";
export const BODY_TYPE = "application/offset+octet-stream";
/** Kept of a metadata value, characters. */
const VALUE_MAX = 500;
/** What our client sends (specification §7: original name, uploader, time), and tus clients' usual two. */
const METADATA_KEYS = ["filename", "filetype", "originalName", "uploader", "time"];

/** Sets the headers that every answer of the protocol carries. */
export function tusHeaders(e: core.RequestEvent): http.Header {
  const headers = e.response.header();
  headers.set("Tus-Resumable", TUS_VERSION);
  headers.set("Cache-Control", "no-store");
  return headers;
}

/** A request header's text, "" where it is missing. */
export const header = (e: core.RequestEvent, name: string): string =>
  e.request?.header.get(name) ?? "";

/** A whole number of at most 15 digits, or -1. */
export const wholeNumber = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : -1);

/** Bytes that the request announces; -1 when it does not. */
export const bodyLength = (e: core.RequestEvent): number => e.request?.contentLength ?? -1;

/** True when the client speaks our version; answers 412 otherwise. */
export function speaksTus(e: core.RequestEvent): boolean {
  if (header(e, "Tus-Resumable") === TUS_VERSION) return true;
  tusHeaders(e).set("Tus-Version", TUS_VERSION);
  refuse(e, { status: 412, code: "invalid", message: "Unsupported tus version." });
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
  status: 423,
  code: "conflict",
  message: "This upload is being written to.",
};
export const EXPIRED: Refusal = { status: 410, code: "gone", message: "This upload has expired." };
export const DISK_FULL: Refusal = {
  status: 507,
  code: "storage_full",
  message: "Speicherplatz überschritten",
};
export const QUOTA: Refusal = { ...DISK_FULL, status: 413, code: "quota" };
