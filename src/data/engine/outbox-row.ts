/**
 * The outbox row, one intent of the user's: pending → sending → acked → kept → gone, or refused; paused while the
 * person holds it back. Only the leading tab moves it; the user adds, pauses, retries and discards. These rows are on users' devices: migrate, never rename.
 */
import type { ErrorCode } from "@/domain/error-codes";
import { anything, count, defineSchema, id, text } from "./rows";

export const ROW_STATES = ["pending", "sending", "acked", "refused", "paused", "kept"] as const;
export type RowState = (typeof ROW_STATES)[number];

export interface OutboxRow {
  id: string;
  kind: string;
  /** Intents of one lane are sent one after another, as they were made. */
  lane: string;
  /** What it is about; a newer toggle of the same target replaces an unsent one. */
  target: string;
  state: RowState;
  /** What the kind needs; its shape is checked when it is read. */
  body: Record<string, unknown>;
  /** Ascending within a device, also where the clock stands still. */
  place: number;
  createdAt: number;
  attempts: number;
  /** Milliseconds since 1970: before it is tried; when "kept", until it goes. */
  nextAt: number;
  /** Milliseconds of online time spent on it (resolution 41). */
  spent: number;
  /** Bytes of its files. */
  bytes: number;
  /** Why the last try failed, "" when none did. */
  code: ErrorCode | "";
  message: string;
}

/** Raise it with every change of a row or of a body, and say in `upgradeOutboxRow` what becomes of older ones. */
const VERSION = 1;

export const outboxSchema = defineSchema<OutboxRow>(
  {
    id: id(),
    kind: text(),
    lane: text(),
    target: text(),
    state: text(),
    body: anything(),
    place: count(),
    createdAt: count(),
    attempts: count(),
    nextAt: count(),
    spent: count(),
    bytes: count(),
    code: text(),
    message: text(),
  },
  [],
  VERSION,
);

/** A row as a store of version `from` held it. Pure; for whatever it makes, the identity stays. */
export const upgradeOutboxRow = (row: OutboxRow, from: number): OutboxRow =>
  from < 1 ? withTimestamp(row) : row;

/** Version 0 did not note when a text was written; the time of its queuing is that time. */
function withTimestamp(row: OutboxRow): OutboxRow {
  if (row.kind !== "message.send" || typeof row.body["timestamp"] === "number") return row;
  return { ...row, body: { ...row.body, timestamp: Math.floor(row.createdAt / 1000) } };
}

/** Where a resumable upload stands, by its intent's id, so that it goes on after a reload. */

export interface UploadRow {
  /** The intent's id. */
  id: string;
  /** Address of the upload on the server. */
  uploadUrl: string;
  sentBytes: number;
  totalBytes: number;
}

export const uploadsSchema = defineSchema<UploadRow>({
  id: id(),
  uploadUrl: text(),
  sentBytes: count(),
  totalBytes: count(),
});
