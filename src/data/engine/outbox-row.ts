/**
 * The outbox row, one intent of the user's, and the upload row, how far its file is.
 *
 *     pending ─► sending ─► acked ─► kept ─► removed
 *       ▲ │        │ └────► refused ─► discarded, or pending again
 *       │ ▼        ▼
 *      paused    pending again
 *
 * `acked`: the server has it, and the pull has not brought it back yet; `kept`: the pull has, and
 * the row stays for a day in case the server loses it (engine/keep). Only the leading tab, or the
 * worker that sends where there is none, moves a row along; the user adds, pauses, retries and
 * discards. These rows are on users' devices: migrate, never rename.
 */
import type { ErrorCode } from "@/domain/error-codes";
import { anything, count, defineSchema, id, type RowOf, text } from "./rows";

export const ROW_STATES = ["pending", "sending", "acked", "refused", "paused", "kept"] as const;
export type RowState = (typeof ROW_STATES)[number];

const outboxColumns = {
  id: id(),
  kind: text(),
  lane: text(),
  /** What it is about; a newer toggle of the same target replaces an unsent one. */
  target: text(),
  state: text(),
  /** What the kind needs; its shape is checked when it is read. */
  body: anything(),
  /** Ascending within a device, also while the clock does not move. */
  place: count(),
  createdAt: count(),
  attempts: count(),
  /** Milliseconds since 1970: before it is tried; when "kept", until it goes. */
  nextAt: count(),
  /** Milliseconds of online time spent on it (resolution 41). */
  spent: count(),
  bytes: count(),
  /** Why the last try failed, or ""; "gone" where it ended because its subject is gone. */
  code: text(),
  message: text(),
};

export type OutboxRow = RowOf<typeof outboxColumns> & {
  state: RowState;
  code: ErrorCode | "";
};

/** Raise it with every change of a row or body; the kind's `upgrade` converts older rows. */
const OUTBOX_VERSION = 1;

export const outboxSchema = defineSchema<OutboxRow>(outboxColumns, [], OUTBOX_VERSION);

const uploadColumns = {
  id: id(),
  uploadUrl: text(),
  sentBytes: count(),
  totalBytes: count(),
};

/** Where a resumable upload is, so that it goes on after a reload. */
export type UploadRow = RowOf<typeof uploadColumns>;

export const uploadsSchema = defineSchema<UploadRow>(uploadColumns);
