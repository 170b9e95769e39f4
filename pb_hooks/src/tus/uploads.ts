/**
 * tus 1.0.0 under `/api/uploads`: resumable uploads of one account. A row in `uploads` holds owner
 * and size; the bytes are in partial-files. Anybody but the owner gets 404. Other routes turn a
 * complete upload into a medium or a photo message (finish).
 */
import { NOT_FOUND, refusalOf, refuse } from "@hooks/http/refusals";
import { authOf, findRecord, headerOf, wholeNumber } from "@hooks/http/request";
import { refuseTooMany, takeOne } from "@hooks/limits";
import { unverifiedFault } from "@hooks/mail";
import { diskFault, isDiskFull, quotaFault, sizeFault } from "@hooks/quotas";
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
  withUploadLock,
} from "./partial-files";

const TUS_VERSION = "1.0.0";
const EXTENSIONS = "creation,creation-with-upload,termination,expiration,checksum";
const BODY_TYPE = "application/offset+octet-stream";
const READABLE = [
  "Location",
  "Retry-After",
  "Tus-Checksum-Algorithm",
  "Tus-Extension",
  "Tus-Max-Size",
  "Tus-Resumable",
  "Tus-Version",
  "Upload-Expires",
  "Upload-Length",
  "Upload-Metadata",
  "Upload-Offset",
].join(", ");
const PREFLIGHT_SECONDS = "86400";

/** Characters of the whole header. */
const METADATA_MAX = 8_000;
/** Characters kept of a metadata value. */
const VALUE_MAX = 500;

/** The keys of our client (specification §7), and the usual two of tus clients. */
const METADATA_KEYS = ["filename", "filetype", "originalName", "uploader", "time"];

export const uploadHandlers = {
  /**
   * Every request for `/api/uploads` and `/api/uploads/{id}`: where a header names its method, the
   * one by which it came counts for nothing.
   */
  answerTus(e: core.RequestEvent): void {
    tusHeaders(e);
    const method = headerOf(e, "X-HTTP-Method-Override") || (e.request?.method ?? "");
    const answers = idOf(e) === "" ? ON_ALL : ON_ONE;
    if (method !== "OPTIONS" && !speaksTus(e)) return;
    const answerIt = answers.get(method);
    if (answerIt) {
      answerIt(e);
      return;
    }
    e.response.header().set("Allow", Array.from(answers.keys()).join(", "));
    refuse(e, { ...INVALID, status: 405, message: "Uploads know no such method." });
  },

  /** Deletes the bytes after the row of an upload was deleted. A sweep finds what is left. */
  removeUploadBytes(e: core.RecordEvent): void {
    if (e.record) removePartial(e.app, e.record.id);
    e.next();
  },
};

type Answer = (e: core.RequestEvent) => void;
const ON_ALL = new Map<string, Answer>([
  ["OPTIONS", tellOptions],
  ["POST", createTusUpload],
]);
const ON_ONE = new Map<string, Answer>([
  ["OPTIONS", tellOptions],
  ["HEAD", readTusUpload],
  ["PATCH", appendTusUpload],
  ["DELETE", deleteTusUpload],
]);

const idOf = (e: core.RequestEvent): string => e.request?.pathValue("id") ?? "";

/**
 * `OPTIONS`: the protocol that this server speaks. A page of another origin also learns what it may
 * send, as PocketBase answers elsewhere.
 */
function tellOptions(e: core.RequestEvent): void {
  const headers = e.response.header();
  headers.set("Tus-Version", TUS_VERSION);
  headers.set("Tus-Extension", EXTENSIONS);
  headers.set("Tus-Max-Size", String(VIDEO_MAX_BYTES));
  headers.set("Tus-Checksum-Algorithm", algorithms().join(","));
  if (headerOf(e, "Origin") !== "") {
    headers.set("Access-Control-Allow-Origin", "*");
    headers.set("Access-Control-Allow-Methods", "POST,HEAD,PATCH,DELETE");
    headers.set("Access-Control-Allow-Headers", headerOf(e, "Access-Control-Request-Headers"));
    headers.set("Access-Control-Max-Age", PREFLIGHT_SECONDS);
  }
  e.noContent(204);
}

/** `POST /api/uploads`: begins an upload, with first bytes when the request carries some. */
function createTusUpload(e: core.RequestEvent): void {
  const owner = uploaderOf(e);
  if (!owner) return;
  const announced = unverifiedFault(e) ?? parseAnnounced(e);
  if (isRefusal(announced)) {
    refuse(e, announced);
    return;
  }
  const carriesBytes = headerOf(e, "Content-Type") === BODY_TYPE && bodyLength(e) !== 0;
  const piece = carriesBytes ? parsePiece(e, 0, announced.size) : null;
  if (isRefusal(piece)) {
    refuse(e, piece);
    return;
  }
  const wait = e.hasSuperuserAuth() ? 0 : takeOne(e.app, "uploadsPerHour", owner.id);
  if (wait > 0) {
    refuseTooMany(e, wait);
    return;
  }
  const made = createUpload(e, owner.id, announced);
  if (isRefusal(made)) {
    refuse(e, made);
    return;
  }
  const { upload, isNew } = made;
  const fault = piece && withUploadLock(e, upload.id, () => write(e, upload.id, piece));
  if (fault) {
    // Its address was never told, so nobody could go on with it.
    if (isNew) e.app.delete(upload);
    refuse(e, fault);
    return;
  }
  const headers = e.response.header();
  headers.set("Location", `/api/uploads/${upload.id}`);
  headers.set("Upload-Expires", expires(upload));
  if (piece) headers.set("Upload-Offset", String(partialSize(e.app, upload.id)));
  e.noContent(201);
}

/** `HEAD /api/uploads/{id}`: the offset. */
function readTusUpload(e: core.RequestEvent): void {
  const upload = uploadOfRequest(e);
  if (!upload) return;
  const headers = e.response.header();
  headers.set("Upload-Offset", String(partialSize(e.app, upload.id)));
  headers.set("Upload-Length", String(upload.getInt("size")));
  const metadata = upload.getString("metadataHeader");
  if (metadata !== "") headers.set("Upload-Metadata", metadata);
  e.noContent(200);
}

/** `PATCH /api/uploads/{id}`: more bytes at the end. */
function appendTusUpload(e: core.RequestEvent): void {
  const upload = uploadOfRequest(e);
  if (!upload) return;
  if (headerOf(e, "Content-Type") !== BODY_TYPE) {
    refuse(e, { ...INVALID, status: 415, message: `Content-Type must be ${BODY_TYPE}.` });
    return;
  }
  const piece = parsePiece(e, wholeNumber(headerOf(e, "Upload-Offset")), upload.getInt("size"));
  const fault = isRefusal(piece)
    ? piece
    : withUploadLock(e, upload.id, () => write(e, upload.id, piece));
  if (fault) {
    refuse(e, fault);
    return;
  }
  e.response.header().set("Upload-Offset", String(partialSize(e.app, upload.id)));
  e.noContent(204);
}

/** `DELETE /api/uploads/{id}`. */
function deleteTusUpload(e: core.RequestEvent): void {
  const upload = uploadOfRequest(e);
  if (!upload) return;
  const fault = withUploadLock(e, upload.id, () => {
    e.app.delete(upload);
    return null;
  });
  if (fault) refuse(e, fault);
  else e.noContent(204);
}

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
  const owner = uploaderOf(e);
  if (!owner) return null;
  const upload = findUpload(e.app, idOf(e), owner.id);
  if (!upload || isExpired(upload) || partialSize(e.app, upload.id) < 0) {
    refuse(e, upload && isExpired(upload) ? EXPIRED : NOT_FOUND);
    return null;
  }
  e.response.header().set("Upload-Expires", expires(upload));
  return upload;
}

const expires = (upload: core.Record): string =>
  new Date(upload.getDateTime("expiresAt").unix() * 1000).toUTCString();

interface Announced {
  size: number;
  metadata: Record<string, string>;
  /** As it came, for whoever asks. */
  metadataHeader: string;
}

function parseAnnounced(e: core.RequestEvent): Announced | Refusal {
  // Pieces of their own would be of no use: we do not join them.
  if (headerOf(e, "Upload-Concat") !== "") return INVALID;
  const size = wholeNumber(headerOf(e, "Upload-Length"));
  const metadataHeader = headerOf(e, "Upload-Metadata");
  const metadata = parseMetadata(metadataHeader);
  if (size < 0 || metadata === null) return INVALID;
  return sizeFault(size, metadata["filetype"] ?? "") ?? { size, metadata, metadataHeader };
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

interface Made {
  upload: core.Record;
  isNew: boolean;
}

/** The row, or why there is none. One transaction counts and creates, against bursts. */
function createUpload(e: core.RequestEvent, owner: string, announced: Announced): Made | Refusal {
  const { app } = e;
  const { size, metadata, metadataHeader } = announced;
  const asked = { owner, size, isImport: e.hasSuperuserAuth() };
  let made: Made | Refusal = INVALID;
  app.runInTransaction((tx) => {
    const same = findSame(tx, owner, announced);
    if (same !== null) {
      made = { upload: same, isNew: false };
      return;
    }
    const fault = diskFault(tx, size, receivedBytes(app)) ?? quotaFault(tx, asked);
    if (fault) {
      made = fault;
      return;
    }
    const upload = new Record(tx.findCollectionByNameOrId("uploads"));
    const expiresAt = new Date(Date.now() + LIFETIME_MS).toISOString();
    upload.load({ owner, size, metadata, metadataHeader, expiresAt });
    tx.save(upload);
    createPartial(app, upload.id);
    made = { upload, isNew: true };
  });
  return made;
}

interface Piece {
  offset: number;
  /** Bytes that may come. */
  most: number;
  checksum: Checksum | null;
}

const TOO_MANY: Refusal = {
  ...INVALID,
  status: 413,
  code: "too_large",
  message: "More bytes than announced, or than can be checked.",
};

/** What a request brings for an upload of `size` bytes, or why it need not be read. */
function parsePiece(e: core.RequestEvent, offset: number, size: number): Piece | Refusal {
  const sent = headerOf(e, "Upload-Checksum");
  const checksum = sent === "" ? null : parseChecksum(sent);
  if (offset < 0) return INVALID;
  if (sent !== "" && checksum === null) return { ...INVALID, message: "Unsupported checksum." };
  const most = Math.max(0, Math.min(size - offset, checksum?.most ?? size));
  return offset > size || bodyLength(e) > most ? TOO_MANY : { offset, most, checksum };
}

/** Appends the piece, or says why not. */
function write(e: core.RequestEvent, id: string, piece: Piece): Refusal | null {
  const { offset, most, checksum } = piece;
  const size = partialSize(e.app, id);
  if (size < 0) return NOT_FOUND;
  if (size !== offset) {
    return { status: 409, code: "conflict", message: `The upload stands at ${size}.` };
  }
  const fault = append(e, id, piece);
  const isTooMuch = partialSize(e.app, id) > offset + most;
  const isWhole = fault === null && !isTooMuch;
  const isWrong = isWhole && checksum !== null && !matchesChecksum(e.app, id, offset, checksum);
  // The bytes before the connection broke count, unless a checksum covers the whole request.
  if (isTooMuch || isWrong || (fault && checksum)) truncatePartial(e.app, id, offset);
  if (isTooMuch) return TOO_MANY;
  return isWrong ? { status: 460, code: "invalid", message: "Checksum mismatch." } : fault;
}

function append(e: core.RequestEvent, id: string, { offset, most }: Piece): Refusal | null {
  try {
    appendBody(e, { id, offset, most });
    return null;
  } catch (error) {
    if (isDiskFull(error)) return refusalOf("storage_full");
    e.app.logger().info("upload cut short", "id", id, "error", String(error));
    return { ...INVALID, message: "The request ended early." };
  }
}

/** The headers of every tus answer; those that it may carry, for pages of another origin. */
function tusHeaders(e: core.RequestEvent): void {
  const headers = e.response.header();
  headers.set("Tus-Resumable", TUS_VERSION);
  headers.set("Cache-Control", "no-store");
  if (headerOf(e, "Origin") !== "") headers.set("Access-Control-Expose-Headers", READABLE);
}

/** Bytes that the request announces; -1 where it comes in chunks and says nothing. */
const bodyLength = (e: core.RequestEvent): number => e.request?.contentLength ?? -1;

/** True when the client speaks our version; answers 412 otherwise. */
function speaksTus(e: core.RequestEvent): boolean {
  if (headerOf(e, "Tus-Resumable") === TUS_VERSION) return true;
  e.response.header().set("Tus-Version", TUS_VERSION);
  refuse(e, { ...refusalOf("invalid", "Unsupported tus version."), status: 412 });
  return false;
}

/** The known keys of `Upload-Metadata`, or null when it is malformed. */
function parseMetadata(text: string): Record<string, string> | null {
  const found: Record<string, string> = {};
  if (text.length > METADATA_MAX) return null;
  if (text.trim() === "") return found;
  const keys = new Set<string>();
  // Some clients end the list with a comma.
  for (const pair of text.trim().replace(/,$/, "").split(",")) {
    const [key = "", value = "", ...more] = pair.trim().split(" ");
    const isSound = /^[!-~]+$/.test(key) && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
    if (!isSound || more.length > 0 || keys.has(key)) return null;
    keys.add(key);
    if (METADATA_KEYS.includes(key)) {
      found[key] = Buffer.from(value, "base64").toString("utf8").slice(0, VALUE_MAX);
    }
  }
  return found;
}

export const EXPIRED: Refusal = { ...refusalOf("gone", "This upload has expired."), status: 410 };
