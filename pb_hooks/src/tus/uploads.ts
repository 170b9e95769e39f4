/**
 * tus 1.0.0 under `/api/uploads`: resumable uploads of one account. A row in `uploads` holds owner
 * and size; the bytes are in partial-files. Anybody but the owner gets 404. Other routes turn a
 * complete upload into a medium or a photo message (finish).
 */
import { NOT_FOUND, refusalOf, refuse } from "@hooks/http/refusals";
import { authOf, findRecord, headerOf, wholeNumber } from "@hooks/http/request";
import {
  diskFault,
  isDiskFull,
  quotaFault,
  refuseTooMany,
  sizeFault,
  takeOne,
} from "@hooks/limits";
import { isRefusal, type Refusal } from "@/domain/error-codes";
import { VIDEO_MAX_BYTES } from "@/domain/limits";
import {
  algorithms,
  appendBody,
  type Checksum,
  createPartial,
  matchesChecksum,
  parseChecksum,
  partialSize,
  receivedBytes,
  removePartial,
  truncatePartial,
} from "./partial-files";
import { withUploadLock } from "./upload-lock";

const TUS_VERSION = "1.0.0";
const EXTENSIONS = "creation,creation-with-upload,termination,expiration,checksum";
const BODY_TYPE = "application/offset+octet-stream";

/** Characters of the whole header. */
const METADATA_MAX = 8_000;
/** Characters kept of a metadata value. */
const VALUE_MAX = 500;

/** The keys of our client (specification §7), and the usual two of tus clients. */
const METADATA_KEYS = ["filename", "filetype", "originalName", "uploader", "time"];

export const uploadHandlers = {
  /**
   * `OPTIONS`: the protocol that this server speaks. A page of another origin also learns what it
   * may send, as PocketBase answers elsewhere.
   */
  uploadOptions(e: core.RequestEvent): void {
    const headers = tusHeaders(e);
    headers.set("Tus-Version", TUS_VERSION);
    headers.set("Tus-Extension", EXTENSIONS);
    headers.set("Tus-Max-Size", String(VIDEO_MAX_BYTES));
    headers.set("Tus-Checksum-Algorithm", algorithms().join(","));
    if (headerOf(e, "Origin") !== "") {
      headers.set("Access-Control-Allow-Origin", "*");
      headers.set("Access-Control-Allow-Methods", "POST,HEAD,PATCH,DELETE");
      headers.set("Access-Control-Allow-Headers", headerOf(e, "Access-Control-Request-Headers"));
    }
    e.noContent(204);
  },

  /** `POST /api/uploads`: begins an upload, with first bytes when the request carries some. */
  createTusUpload(e: core.RequestEvent): void {
    if (!speaksTus(e)) return;
    const headers = tusHeaders(e);
    const owner = uploaderOf(e);
    if (!owner) return;
    const announced = parseAnnounced(e);
    if (isRefusal(announced)) {
      refuse(e, announced);
      return;
    }
    const wait = e.hasSuperuserAuth() ? 0 : takeOne(e.app, "uploadsPerHour", owner.id);
    if (wait > 0) {
      refuseTooMany(e, wait);
      return;
    }
    const upload = createUpload(e, owner.id, announced);
    if (isRefusal(upload)) {
      refuse(e, upload);
      return;
    }
    headers.set("Location", `/api/uploads/${upload.id}`);
    headers.set("Upload-Expires", expires(upload));
    if (headerOf(e, "Content-Type") === BODY_TYPE && bodyLength(e) !== 0) {
      receive(e, upload, 0, 201);
    } else {
      e.noContent(201);
    }
  },

  /** `HEAD /api/uploads/{id}`: the offset. */
  readTusUpload(e: core.RequestEvent): void {
    const upload = uploadOfRequest(e);
    if (!upload) return;
    const headers = tusHeaders(e);
    headers.set("Upload-Offset", String(partialSize(e.app, upload.id)));
    headers.set("Upload-Length", String(upload.getInt("size")));
    headers.set("Upload-Expires", expires(upload));
    e.noContent(200);
  },

  /** `PATCH /api/uploads/{id}`: more bytes at the end. */
  appendTusUpload(e: core.RequestEvent): void {
    const upload = uploadOfRequest(e);
    if (!upload) return;
    if (headerOf(e, "Content-Type") !== BODY_TYPE) {
      refuse(e, { ...INVALID, status: 415, message: `Content-Type must be ${BODY_TYPE}.` });
      return;
    }
    const offset = wholeNumber(headerOf(e, "Upload-Offset"));
    if (offset < 0) refuse(e, INVALID);
    else receive(e, upload, offset, 204);
  },

  /** Deletes the bytes after the row of an upload was deleted. A sweep finds what is left. */
  removeUploadBytes(e: core.RecordEvent): void {
    if (e.record) removePartial(e.app, e.record.id);
    e.next();
  },

  /** `DELETE /api/uploads/{id}`. */
  deleteTusUpload(e: core.RequestEvent): void {
    const upload = uploadOfRequest(e);
    if (!upload) return;
    const fault = withUploadLock(e, upload.id, () => {
      e.app.delete(upload);
      return null;
    });
    if (fault) refuse(e, fault);
    else e.noContent(204);
  },
};

/** Long enough for a device that was offline for some days. */
const LIFETIME_MS = 7 * 24 * 3_600_000;
const INVALID = refusalOf("invalid", "Invalid upload request.");

/** Names the account that a superuser uploads for: an import brings media of others. */
const OWNER_HEADER = "X-Acting-User";

/** The account that uploads, or null when the request was answered already. */
export function uploaderOf(e: core.RequestEvent): core.Record | null {
  const named = e.hasSuperuserAuth() ? findRecord(e.app, "users", headerOf(e, OWNER_HEADER)) : null;
  const auth = named ?? authOf(e);
  if (!auth) {
    refuse(e, refusalOf("unauthenticated"));
    return null;
  }
  if (auth.collection().name !== "users") {
    refuse(e, refusalOf("forbidden", "Only a user can upload."));
    return null;
  }
  if (auth.getBool("isBlocked")) {
    refuse(e, refusalOf("suspended", "This account is suspended."));
    return null;
  }
  return auth;
}

export const isExpired = (upload: core.Record): boolean =>
  upload.getDateTime("expiresAt").unix() * 1000 < Date.now();

/** The upload `id` when it belongs to `owner`, otherwise null. */
export function findUpload(app: CoreApp, id: string, owner: string): core.Record | null {
  const upload = findRecord(app, "uploads", id);
  return upload?.getString("owner") === owner ? upload : null;
}

/** The caller's upload that the path names; null when the request was answered already. */
function uploadOfRequest(e: core.RequestEvent): core.Record | null {
  if (!speaksTus(e)) return null;
  tusHeaders(e);
  const owner = uploaderOf(e);
  if (!owner) return null;
  const upload = findUpload(e.app, e.request?.pathValue("id") ?? "", owner.id);
  if (!upload || isExpired(upload) || partialSize(e.app, upload.id) < 0) {
    refuse(e, upload && isExpired(upload) ? EXPIRED : NOT_FOUND);
    return null;
  }
  return upload;
}

const expires = (upload: core.Record): string =>
  new Date(upload.getDateTime("expiresAt").unix() * 1000).toUTCString();

interface Announced {
  size: number;
  metadata: Record<string, string>;
}

function parseAnnounced(e: core.RequestEvent): Announced | Refusal {
  const size = wholeNumber(headerOf(e, "Upload-Length"));
  const metadata = parseMetadata(headerOf(e, "Upload-Metadata"));
  if (size < 0 || metadata === null) return INVALID;
  return sizeFault(size, metadata["filetype"] ?? "") ?? { size, metadata };
}

/**
 * The upload that the same request began before, and of which the client never learned, because the
 * answer was lost: browsers send such a request again by themselves. Nothing has come of it.
 */
function findSame(app: CoreApp, owner: string, { size, metadata }: Announced): core.Record | null {
  if (metadata["time"] === undefined) return null;
  const where = "owner = {:owner} && size = {:size} && expiresAt > @now";
  const open = app.findRecordsByFilter("uploads", where, "createdAt", 0, 0, { owner, size });
  const isSame = (upload: core.Record | undefined): boolean => {
    const known = JSON.parse(upload?.getString("metadata") || "{}") as Announced["metadata"];
    return METADATA_KEYS.every((key) => known[key] === metadata[key]);
  };
  return open.find((upload) => isSame(upload) && partialSize(app, upload?.id ?? "") === 0) ?? null;
}

/** The new row, or why there is none. One transaction counts and creates, against bursts. */
function createUpload(
  e: core.RequestEvent,
  owner: string,
  announced: Announced,
): core.Record | Refusal {
  const { app } = e;
  const { size, metadata } = announced;
  const asked = { owner, size, isImport: e.hasSuperuserAuth() };
  let made: core.Record | Refusal = INVALID;
  app.runInTransaction((tx) => {
    const same = findSame(tx, owner, announced);
    if (same !== null) {
      made = same;
      return;
    }
    const fault = diskFault(tx, size, receivedBytes(app)) ?? quotaFault(tx, asked);
    if (fault) {
      made = fault;
      return;
    }
    const upload = new Record(tx.findCollectionByNameOrId("uploads"));
    const expiresAt = new Date(Date.now() + LIFETIME_MS).toISOString();
    upload.load({ owner, size, metadata, expiresAt });
    tx.save(upload);
    createPartial(app, upload.id);
    made = upload;
  });
  return made;
}

/** Writes the request's body at `offset` and answers `status` with the new offset. */
function receive(e: core.RequestEvent, upload: core.Record, offset: number, status: number): void {
  const length = bodyLength(e);
  const sent = headerOf(e, "Upload-Checksum");
  const checksum = sent === "" ? null : parseChecksum(sent, length);
  let fault: Refusal | null = null;
  if (length < 0) fault = { ...INVALID, status: 411, message: "Content-Length is required." };
  else if (offset + length > upload.getInt("size")) {
    fault = { ...INVALID, status: 413, code: "too_large", message: "More bytes than announced." };
  } else if (sent !== "" && checksum === null) {
    fault = { ...INVALID, message: "Unsupported checksum." };
  }
  fault ??= withUploadLock(e, upload.id, () => write(e, { id: upload.id, offset, checksum }));
  if (fault) {
    refuse(e, fault);
    return;
  }
  const headers = tusHeaders(e);
  headers.set("Upload-Offset", String(partialSize(e.app, upload.id)));
  headers.set("Upload-Expires", expires(upload));
  e.noContent(status);
}

interface Piece {
  id: string;
  offset: number;
  checksum: Checksum | null;
}

function write(e: core.RequestEvent, { id, offset, checksum }: Piece): Refusal | null {
  const size = partialSize(e.app, id);
  if (size < 0) return NOT_FOUND;
  if (size !== offset) {
    return { status: 409, code: "conflict", message: `The upload stands at ${size}.` };
  }
  const body = e.request?.body;
  if (!body) return INVALID;
  try {
    appendBody(e.app, id, offset, body as unknown as io.Reader);
  } catch (error) {
    // The bytes before the connection broke count, unless a checksum covers the whole request.
    if (checksum) truncatePartial(e.app, id, offset);
    if (isDiskFull(error)) return refusalOf("storage_full");
    e.app.logger().info("upload cut short", "id", id, "error", String(error));
    return { ...INVALID, message: "The request ended early." };
  }
  if (checksum && !matchesChecksum(e.app, id, offset, checksum)) {
    truncatePartial(e.app, id, offset);
    return { status: 460, code: "invalid", message: "Checksum mismatch." };
  }
  return null;
}

/** Sets the headers of every tus answer. */
function tusHeaders(e: core.RequestEvent): http.Header {
  const headers = e.response.header();
  headers.set("Tus-Resumable", TUS_VERSION);
  headers.set("Cache-Control", "no-store");
  return headers;
}

/** Bytes that the request announces; -1 where it does not. */
const bodyLength = (e: core.RequestEvent): number => e.request?.contentLength ?? -1;

/** True when the client speaks our version; answers 412 otherwise. */
function speaksTus(e: core.RequestEvent): boolean {
  if (headerOf(e, "Tus-Resumable") === TUS_VERSION) return true;
  tusHeaders(e).set("Tus-Version", TUS_VERSION);
  refuse(e, { ...refusalOf("invalid", "Unsupported tus version."), status: 412 });
  return false;
}

/** The known keys of `Upload-Metadata`, or null when it is malformed. */
function parseMetadata(text: string): Record<string, string> | null {
  const found: Record<string, string> = {};
  if (text.trim() === "") return found;
  if (text.length > METADATA_MAX) return null;
  for (const pair of text.split(",")) {
    const [key = "", value = "", ...more] = pair.trim().split(" ");
    if (key === "" || more.length > 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) return null;
    if (METADATA_KEYS.includes(key)) {
      found[key] = Buffer.from(value, "base64").toString("utf8").slice(0, VALUE_MAX);
    }
  }
  return found;
}

export const EXPIRED: Refusal = { ...refusalOf("gone", "This upload has expired."), status: 410 };
