/**
 * The contract of `client.admin`; types only. Every call asks the server at once. Nothing is
 * replicated or queued: an act that waits on a device could be sent after its admin lost the right.
 *
 * Every call can fail with `network`, `timeout` or `server` (keep what is on screen),
 * `unauthenticated` or `forbidden` (not an admin: the session is refreshed), `suspended` and
 * `rate_limited`. Times are milliseconds since 1970.
 */
import type { Result } from "@/domain/result";
import type * as rows from "./admin-rows";

export type AdminStats = NonNullable<ReturnType<typeof rows.statsOf>>;
export type AdminDay = AdminStats["days"][number];
export type AdminUser = ReturnType<typeof rows.userOf>;
export type AdminConversation = ReturnType<typeof rows.conversationOf>;
export type AdminMessage = ReturnType<typeof rows.messageOf>;
export type AdminMedia = ReturnType<typeof rows.mediaOf>;
export type AdminReport = ReturnType<typeof rows.reportOf>;
export type ReportStatus = AdminReport["status"];
export type AuditRow = ReturnType<typeof rows.auditOf>;
export type AdminText = NonNullable<ReturnType<typeof rows.textFrom>>;
export type AdminAppSettings = NonNullable<ReturnType<typeof rows.appSettingsFrom>>;
export type AdminLimit = AdminAppSettings["limits"][number];

/** One page. `next` is the `after` of the following page, null on the last. */
export interface AdminPage<T> {
  items: T[];
  next: string | null;
  /** Of the whole list without search and filter: the number in the tab's label. */
  total: number;
}

export interface PageQuery {
  /** `next` of the page before; absent for the first. */
  after?: string;
  /** The server sends at most 100 rows, of the audit log 1,000. */
  limit?: number;
}

export type UserSort = "newest" | "oldest" | "username" | "followers" | "media";
export type UserFilter = "all" | "admins" | "suspended" | "chat-disabled";

export interface UserQuery extends PageQuery {
  /** Part of a username or an e-mail address in any case; one or two characters: its beginning. */
  search?: string;
  /** Default `newest`. */
  sort?: UserSort;
  filter?: UserFilter;
}

export interface ConversationQuery extends PageQuery {
  /** Only this person's. */
  userId?: string;
}

/** Oldest first. */
export interface AdminMessages {
  items: AdminMessage[];
  /** The `before` for the older ones; null when there are none. */
  older: string | null;
}

export type MediaFilter = "all" | "photos" | "videos" | "reported";

/** Newest first; `reported`: most reports first. */
export interface MediaQuery extends PageQuery {
  filter?: MediaFilter;
  /** Only this person's. */
  userId?: string;
}

export interface ReportQuery extends PageQuery {
  /** Default `all`: open ones and closed ones, newest first. */
  status?: ReportStatus | "all";
}

export interface AppSettingsChange extends Omit<AdminAppSettings, "limits"> {
  /** Only those that differ from their default; all others return to it. */
  limits: Record<string, number>;
}

export type CleanupTask = "orphaned-files" | "expired-uploads" | "old-tombstones";

export interface CleanupCount {
  items: number;
  /** 0 for tombstones. */
  bytes: number;
}

/** What was counted or removed so far; `percent` of the way through, 0 to 100. */
export interface CleanupProgress extends CleanupCount {
  percent: number;
}

export interface CleanupOptions {
  onProgress?: (progress: CleanupProgress) => void;
  /** Stops between two steps; the answer then counts what was done, and a later run continues. */
  signal?: AbortSignal;
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

export interface AdminClient {
  stats(): Promise<Result<AdminStats>>;
  users(query?: UserQuery): Promise<Result<AdminPage<AdminUser>>>;
  conversations(query?: ConversationQuery): Promise<Result<AdminPage<AdminConversation>>>;
  /** The newest 1,000, or the 1,000 before `before`. Every call is in the audit log. */
  messages(conversationId: string, before?: string): Promise<Result<AdminMessages>>;
  /** Address of a chat photo, good for about two minutes. */
  photoUrl(path: string): Promise<Result<string>>;
  media(query?: MediaQuery): Promise<Result<AdminPage<AdminMedia>>>;
  reports(query?: ReportQuery): Promise<Result<AdminPage<AdminReport>>>;
  text(id: "terms" | "privacy"): Promise<Result<AdminText>>;
  appSettings(): Promise<Result<AdminAppSettings>>;
  audit(query?: AuditQuery): Promise<Result<AdminPage<AuditRow>>>;
  /** Every row that the filter finds, as CSV. Fails where any page fails. */
  exportAudit(
    query: Omit<AuditQuery, "after" | "limit">,
    onProgress?: (rows: number) => void,
  ): Promise<Result<Blob>>;
  /** Counts what `runCleanup` would remove. */
  previewCleanup(task: CleanupTask, options?: CleanupOptions): Promise<Result<CleanupCount>>;
  /** `last_admin` where no other admin could act. */
  setAdmin(userId: string, on: boolean): Promise<Result<null>>;
  /** Ends the person's sessions and keeps their media. `last_admin` as above. */
  setSuspended(userId: string, on: boolean): Promise<Result<null>>;
  setChatDisabled(userId: string, on: boolean): Promise<Result<null>>;
  /** The three deletions also succeed for what is already deleted. */
  deleteMessage(messageId: string): Promise<Result<null>>;
  deleteConversation(conversationId: string): Promise<Result<null>>;
  deleteMedia(mediaId: string): Promise<Result<null>>;
  setReportStatus(reportId: string, status: ReportStatus): Promise<Result<null>>;
  /** `conflict` when somebody saved since `revision` was read; `text_long` above 100 KB. */
  saveText(id: "terms" | "privacy", content: string, revision: number): Promise<Result<AdminText>>;
  /** `conflict` as above; `invalid` for a limit that the server refuses. */
  saveAppSettings(change: AppSettingsChange): Promise<Result<AdminAppSettings>>;
  runCleanup(task: CleanupTask, options?: CleanupOptions): Promise<Result<CleanupCount>>;
}
