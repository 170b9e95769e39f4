/**
 * What an administrator asks and does: `client.admin`. Types only. Everything here asks the server at once; nothing is
 * replicated or queued, because a moderation act that waits in a device would be done by whoever is no admin any more.
 *
 * Failures everywhere: `network`, `timeout`, `server` (no answer: say so, keep what is on screen), `unauthenticated` and
 * `forbidden` (no admin, or no longer: the session is refreshed meanwhile), `suspended`, `rate_limited`.
 * Times are milliseconds since 1970.
 */
import type { MediaKind } from "@/domain/media-files";
import type { Result } from "@/domain/result";

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
  /** Rows at most; the server's own limit is 100 (audit: 1,000). */
  limit?: number;
}

export interface AdminTotals {
  users: number;
  admins: number;
  suspended: number;
  media: number;
  photos: number;
  videos: number;
  likes: number;
  comments: number;
  conversations: number;
  messages: number;
  reports: number;
  openReports: number;
}

/** What came into being on one day (UTC) and still stands. */
export interface AdminDay {
  /** `2026-11-21`. */
  day: string;
  users: number;
  media: number;
  photos: number;
  videos: number;
  likes: number;
  comments: number;
  messages: number;
  reports: number;
}

export interface AdminStats {
  totals: AdminTotals;
  /** The last 30 days, oldest first, today last; none is left out. */
  days: AdminDay[];
}

export interface AdminUser {
  id: string;
  username: string;
  email: string;
  isAdmin: boolean;
  /** Suspended. */
  isBlocked: boolean;
  chatDisabled: boolean;
  followers: number;
  following: number;
  mediaCount: number;
  profileThumbnailUrl: string;
  createdAt: number;
}

export type UserSort = "newest" | "oldest" | "username" | "followers" | "media";
export type UserFilter = "all" | "admins" | "suspended" | "chat-disabled";

export interface UserQuery extends PageQuery {
  /** Part of a username or an e-mail address, whatever the case; one or two characters: its beginning. */
  search?: string;
  /** Default `newest`. */
  sort?: UserSort;
  filter?: UserFilter;
}

/** `username` is "" where the account is gone ('Unknown User'). */
export interface AdminParticipant {
  id: string;
  username: string;
}

export interface AdminConversation {
  id: string;
  participants: [AdminParticipant, AdminParticipant];
  messageCount: number;
  lastMessage: string;
  /** Null: no message yet. */
  lastMessageAt: number | null;
  createdAt: number;
}

export interface ConversationQuery extends PageQuery {
  /** Only this person's. */
  userId?: string;
}

export interface AdminMessage {
  id: string;
  senderId: string;
  /** "" where the account is gone. */
  senderUsername: string;
  /** "" when deleted. */
  text: string;
  type: "text" | "photo";
  /** For `photoUrl`; "" when there is none. */
  imagePath: string;
  thumbnailPath: string;
  sentAt: number;
  deleted: boolean;
}

/** Oldest first. */
export interface AdminMessages {
  items: AdminMessage[];
  /** The `before` that brings older ones; null when there are none. */
  older: string | null;
}

export interface AdminMedia {
  id: string;
  userId: string;
  username: string;
  caption: string;
  type: MediaKind;
  url: string;
  /** Falls back to `url` for photos and to "" for videos. */
  thumbnailUrl: string;
  thumbhash: string;
  width: number;
  height: number;
  likes: number;
  comments: number;
  views: number;
  /** Distinct reporters. */
  reports: number;
  createdAt: number;
}

export type MediaFilter = "all" | "photos" | "videos" | "reported";

/** Newest first; `reported`: most reports first. */
export interface MediaQuery extends PageQuery {
  filter?: MediaFilter;
  /** Only this person's. */
  userId?: string;
}

export type ReportStatus = "open" | "resolved" | "dismissed";

export interface AdminReport {
  id: string;
  /** 'Meldung #n': given once, in the order of coming in. */
  number: number;
  reason: string;
  status: ReportStatus;
  reporterId: string;
  /** "" where nobody knows it any more. */
  reporterUsername: string;
  mediaId: string;
  /** False: the medium is gone, and what follows is the snapshot of the moment it was reported. */
  mediaExists: boolean;
  caption: string;
  type: MediaKind;
  ownerId: string;
  ownerUsername: string;
  /** Whether the owner's account is suspended; false also where it is gone. */
  ownerIsBlocked: boolean;
  ownerExists: boolean;
  /** "" when the medium is gone. */
  url: string;
  thumbnailUrl: string;
  /** Base64; all that is kept of a picture that is gone. "" for reports without one. */
  thumbhash: string;
  width: number;
  height: number;
  createdAt: number;
  /** When it was judged last; equals `createdAt` while open. */
  updatedAt: number;
}

export interface ReportQuery extends PageQuery {
  /** Default `all`: open ones and closed ones, newest first. */
  status?: ReportStatus | "all";
}

export interface AdminText {
  /** HTML as the server stored it, which is after its sanitising. */
  content: string;
  lastUpdated: number | null;
  /** Send it back with `saveText`. */
  revision: number;
}

/** A limit that may be changed; `value` is null while the default counts. */
export interface AdminLimit {
  name: string;
  value: number | null;
  default: number;
  /** The smallest value the server takes. */
  min: number;
}

export interface AdminAppSettings {
  /** "" for the built-in name. */
  productName: string;
  requireMutualFollow: boolean;
  limits: AdminLimit[];
  revision: number;
}

export interface AppSettingsChange {
  productName: string;
  requireMutualFollow: boolean;
  /** Only those that differ from the default; the rest falls back to it. */
  limits: Record<string, number>;
  revision: number;
}

export interface AdminReads {
  stats(): Promise<Result<AdminStats>>;
  users(query?: UserQuery): Promise<Result<AdminPage<AdminUser>>>;
  conversations(query?: ConversationQuery): Promise<Result<AdminPage<AdminConversation>>>;
  /** The newest 1,000, or 1,000 older ones. Each look is written into the audit book. */
  messages(conversationId: string, before?: string): Promise<Result<AdminMessages>>;
  /** Address of a chat photo, good for about two minutes. */
  photoUrl(path: string): Promise<Result<string>>;
  media(query?: MediaQuery): Promise<Result<AdminPage<AdminMedia>>>;
  reports(query?: ReportQuery): Promise<Result<AdminPage<AdminReport>>>;
  /** The text as it stands on the server now. */
  text(id: "terms" | "privacy"): Promise<Result<AdminText>>;
  appSettings(): Promise<Result<AdminAppSettings>>;
  audit(query?: AuditQuery): Promise<Result<AdminPage<AuditRow>>>;
  /** Every row that the filter finds as CSV (UTF-8, a first line of names). Fails where any page fails. */
  exportAudit(
    query: Omit<AuditQuery, "after" | "limit">,
    onProgress?: (rows: number) => void,
  ): Promise<Result<Blob>>;
  /** Counts what `runCleanup` would remove. */
  previewCleanup(task: CleanupTask, options?: CleanupOptions): Promise<Result<CleanupCount>>;
}

export interface AdminActs {
  /** `last_admin` for the last one who can act. */
  setAdmin(userId: string, on: boolean): Promise<Result<null>>;
  /** Suspends (true) or takes it back. Their sessions end; their media stay. `last_admin` as above. */
  setSuspended(userId: string, on: boolean): Promise<Result<null>>;
  setChatDisabled(userId: string, on: boolean): Promise<Result<null>>;
  /** What is gone already counts as deleted, here and below. */
  deleteMessage(messageId: string): Promise<Result<null>>;
  deleteConversation(conversationId: string): Promise<Result<null>>;
  deleteMedia(mediaId: string): Promise<Result<null>>;
  setReportStatus(reportId: string, status: ReportStatus): Promise<Result<null>>;
  /** `conflict` when somebody saved since `revision` was read; `text_long` above 100 KB. */
  saveText(id: "terms" | "privacy", content: string, revision: number): Promise<Result<AdminText>>;
  /** `conflict` as above; `invalid` for a limit the server does not take. */
  saveAppSettings(change: AppSettingsChange): Promise<Result<AdminAppSettings>>;
  runCleanup(task: CleanupTask, options?: CleanupOptions): Promise<Result<CleanupCount>>;
}

export interface AdminClient extends AdminReads, AdminActs {}

/** The panel's cleanup and its audit book (see admin-api.ts). Types only; times are milliseconds since 1970. */

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
