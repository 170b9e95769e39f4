/** The panel's cleanup and its audit book (see admin-api.ts). Types only; times are milliseconds since 1970. */
import type { PageQuery } from "./admin-api";

export type CleanupTask = "orphaned-files" | "expired-uploads" | "old-tombstones";

export interface CleanupCount {
  items: number;
  /** 0 for tombstones. */
  bytes: number;
}

/** `percent` 0 to 100 of the way through; `found` is what was counted, or removed, so far. */
export interface CleanupProgress extends CleanupCount {
  percent: number;
}

export interface CleanupOptions {
  onProgress?: (progress: CleanupProgress) => void;
  /** Stops between two steps; the answer is then what was done so far, and a later run goes on. */
  signal?: AbortSignal;
}

/** `actor` is a user's id with its name beside it, or `superuser:` and an address. */
export interface AuditRow {
  id: string;
  actor: string;
  /** "" for superusers and for accounts that are gone. */
  actorUsername: string;
  /** `media.delete`, `users.update`, `conversations.read`, `settings.update`, … */
  action: string;
  /** Id of what was acted on. */
  target: string;
  /** Username of an account, or number of a report, where `target` is one that still stands; else "". */
  targetLabel: string;
  details: Record<string, unknown>;
  createdAt: number;
}

export interface AuditQuery extends PageQuery {
  /** Part of the acting person's username or address, or the id. */
  actor?: string;
  /** An action, or its first part: `media` finds `media.delete`. */
  action?: string;
  target?: string;
  /** Inclusive. */
  from?: number;
  /** Exclusive. */
  to?: number;
}
