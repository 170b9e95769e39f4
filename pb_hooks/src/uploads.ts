/**
 * tus 1.0.0 under `/api/uploads`: resumable uploads of one account. A row in `uploads` says whose and how large; the
 * bytes lie in partial-files. Whoever is not the owner meets 404. Finishing is another route's (media, photo messages).
 */
import { VIDEO_MAX_BYTES } from "@/domain/limits";
import { authOf, findRecord } from "./acting";
import { algorithms, type Checksum, matchesChecksum, parseChecksum } from "./checksums";
import { refuseTooMany, takeOne } from "./limits";
import {
  appendBody,
  createPartial,
  partialSize,
  removePartial,
  truncatePartial,
} from "./partial-files";
import { NOT_FOUND, type Refusal, refuse } from "./refuse";
import * as tus from "./tus-protocol";
import { withUploadLock } from "./upload-lock";
import { diskFault, isDiskFull, quotaFault, sizeFault } from "./upload-quota";

/** A device that was offline for some days can still go on where it stopped. */
const LIFETIME_MS = 7 * 24 * 3_600_000;

const INVALID: Refusal = { status: 400, code: "invalid", message: "Invalid upload request." };

/** For whom a superuser uploads: an import brings what belongs to others. */
const ACTING_HEADER = "X-Acting-User";

/** The account of the request, or null when it was answered already. */
export function uploaderOf(e: core.RequestEvent): core.Record | null {
  const acting = e.hasSuperuserAuth()
    ? findRecord(e.app, "users", tus.header(e, ACTING_HEADER))
    : null;
  const auth = acting ?? authOf(e);
  if (!auth) {
    refuse(e, { status: 401, code: "unauthenticated", message: "Please sign in." });
    return null;
  }
  if (auth.collection().name !== "users") {
    refuse(e, { status: 403, code: "forbidden", message: "Only a user can upload." });
    return null;
  }
  if (auth.getBool("isBlocked")) {
    refuse(e, { status: 403, code: "suspended", message: "This account is suspended." });
    return null;
  }
  return auth;
}

export const isExpired = (upload: core.Record): boolean =>
  upload.getDateTime("expiresAt").unix() * 1000 < Date.now();

/** The row `id` when `owner` made it, otherwise null. */
export function findUpload(app: CoreApp, id: string, owner: string): core.Record | null {
  const upload = findRecord(app, "uploads", id);
  return upload?.getString("owner") === owner ? upload : null;
}

/** The caller's upload that the path names; null when the answer is given already. */
function uploadOfRequest(e: core.RequestEvent): core.Record | null {
  if (!tus.speaksTus(e)) return null;
  tus.tusHeaders(e);
  const owner = uploaderOf(e);
  if (!owner) return null;
  const upload = findUpload(e.app, e.request?.pathValue("id") ?? "", owner.id);
  if (!upload || isExpired(upload) || partialSize(e.app, upload.id) < 0) {
    refuse(e, upload && isExpired(upload) ? tus.EXPIRED : NOT_FOUND);
    return null;
  }
  return upload;
}

const expires = (upload: core.Record): string =>
  new Date(upload.getDateTime("expiresAt").unix() * 1000).toUTCString();

/** `OPTIONS`: what this server speaks; to a page of another origin also what it may send, as PocketBase does elsewhere. */
export function uploadOptions(e: core.RequestEvent): void {
  const headers = tus.tusHeaders(e);
  headers.set("Tus-Version", tus.TUS_VERSION);
  headers.set("Tus-Extension", tus.EXTENSIONS);
  headers.set("Tus-Max-Size", String(VIDEO_MAX_BYTES));
  headers.set("Tus-Checksum-Algorithm", algorithms().join(","));
  if (tus.header(e, "Origin") !== "") {
    headers.set("Access-Control-Allow-Origin", "*");
    headers.set("Access-Control-Allow-Methods", "POST,HEAD,PATCH,DELETE");
    headers.set("Access-Control-Allow-Headers", tus.header(e, "Access-Control-Request-Headers"));
  }
  e.noContent(204);
}

interface Announced {
  size: number;
  metadata: Record<string, string>;
}

function parseAnnounced(e: core.RequestEvent): Announced | Refusal {
  const size = tus.wholeNumber(tus.header(e, "Upload-Length"));
  const metadata = tus.parseMetadata(tus.header(e, "Upload-Metadata"));
  if (size < 0 || metadata === null) return INVALID;
  return sizeFault(size, metadata["filetype"] ?? "") ?? { size, metadata };
}

/** The new row, or what speaks against it. Counting and creating are one transaction: no burst slips through. */
function createUpload(app: CoreApp, owner: string, announced: Announced): core.Record | Refusal {
  const { size, metadata } = announced;
  const full = diskFault(app, size);
  if (full) return full;
  let made: core.Record | Refusal = INVALID;
  app.runInTransaction((tx) => {
    const fault = quotaFault(tx, owner, size);
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

const isRefusal = (made: core.Record | Announced | Refusal): made is Refusal => "status" in made;

/** `POST /api/uploads`: begins an upload, with its first bytes when the request carries some. */
export function createTusUpload(e: core.RequestEvent): void {
  if (!tus.speaksTus(e)) return;
  const headers = tus.tusHeaders(e);
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
  const upload = createUpload(e.app, owner.id, announced);
  if (isRefusal(upload)) {
    refuse(e, upload);
    return;
  }
  headers.set("Location", `/api/uploads/${upload.id}`);
  headers.set("Upload-Expires", expires(upload));
  if (tus.header(e, "Content-Type") === tus.BODY_TYPE && tus.bodyLength(e) !== 0) {
    receive(e, upload, 0, 201);
  } else {
    e.noContent(201);
  }
}

/** `HEAD /api/uploads/{id}`: how far it is. */
export function readTusUpload(e: core.RequestEvent): void {
  const upload = uploadOfRequest(e);
  if (!upload) return;
  const headers = tus.tusHeaders(e);
  headers.set("Upload-Offset", String(partialSize(e.app, upload.id)));
  headers.set("Upload-Length", String(upload.getInt("size")));
  headers.set("Upload-Expires", expires(upload));
  e.noContent(200);
}

/** `PATCH /api/uploads/{id}`: more bytes at the end. */
export function appendTusUpload(e: core.RequestEvent): void {
  const upload = uploadOfRequest(e);
  if (!upload) return;
  if (tus.header(e, "Content-Type") !== tus.BODY_TYPE) {
    refuse(e, { ...INVALID, status: 415, message: `Content-Type must be ${tus.BODY_TYPE}.` });
    return;
  }
  const offset = tus.wholeNumber(tus.header(e, "Upload-Offset"));
  if (offset < 0) refuse(e, INVALID);
  else receive(e, upload, offset, 204);
}

/** Writes the request's body at `offset` and answers `status` with the new offset. */
function receive(e: core.RequestEvent, upload: core.Record, offset: number, status: number): void {
  const length = tus.bodyLength(e);
  const sent = tus.header(e, "Upload-Checksum");
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
  const headers = tus.tusHeaders(e);
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
    // What came before the sender fell silent counts, unless it was to be checked as a whole.
    if (checksum) truncatePartial(e.app, id, offset);
    if (isDiskFull(error)) return tus.DISK_FULL;
    e.app.logger().info("upload cut short", "id", id, "error", String(error));
    return { ...INVALID, message: "The request ended early." };
  }
  if (checksum && !matchesChecksum(e.app, id, offset, checksum)) {
    truncatePartial(e.app, id, offset);
    return { status: 460, code: "invalid", message: "Checksum mismatch." };
  }
  return null;
}

/** After the row of an upload went, by whatever way: its bytes go too. Bytes without a row are swept in the end. */
export function removeUploadBytes(e: core.RecordEvent): void {
  if (e.record) removePartial(e.app, e.record.id);
  e.next();
}

/** `DELETE /api/uploads/{id}`. */
export function deleteTusUpload(e: core.RequestEvent): void {
  const upload = uploadOfRequest(e);
  if (!upload) return;
  const fault = withUploadLock(e, upload.id, () => {
    e.app.delete(upload);
    return null;
  });
  if (fault) refuse(e, fault);
  else e.noContent(204);
}
