/**
 * `client.admin`, loaded on first use. Every call asks the server at once. Nothing is replicated or
 * queued: an act that waits on a device could be sent after its admin lost the right.
 *
 * Every call can fail with `network`, `timeout` or `server` (keep what is on screen),
 * `unauthenticated` or `forbidden` (not an admin: the session is refreshed), `suspended` and
 * `rate_limited`. Times are milliseconds since 1970.
 */
import { isRecord, toFailure } from "@/data/engine/answers";
import { parseList } from "@/data/engine/lists";
import { type Remote, type RequestOptions, records } from "@/data/engine/remote";
import { countOf, type RawRecord, textOf } from "@/data/engine/rows";
import type { ReportKind } from "@/domain/reports";
import { failed, ok, type Result } from "@/domain/result";
import { UNCACHED } from "@/media-cache/cache";
import * as rows from "./admin-rows";

export type AdminStats = NonNullable<ReturnType<typeof rows.statsOf>>;
export type AdminDay = AdminStats["days"][number];
export type AdminHealth = NonNullable<ReturnType<typeof rows.healthOf>>;
export type AdminUser = ReturnType<typeof rows.userOf>;
export type AdminConversation = ReturnType<typeof rows.conversationOf>;
export type AdminMessage = ReturnType<typeof rows.messageOf>;
export type AdminMedia = ReturnType<typeof rows.mediaOf>;
export type AdminContextMessage = ReturnType<typeof rows.contextMessageOf>;
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
  after?: string;
  /** The server sends at most 100 rows, of the audit log 1,000. */
  limit?: number;
}

export type UserSort = "newest" | "oldest" | "username" | "followers" | "media";
export type UserFilter = "all" | "admins" | "suspended" | "chat-disabled";

export interface UserQuery extends PageQuery {
  /** Part of a username or an e-mail address in any case; one or two characters: its beginning. */
  search?: string;
  sort?: UserSort;
  filter?: UserFilter;
}

export interface ConversationQuery extends PageQuery {
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
  userId?: string;
}

export interface ReportQuery extends PageQuery {
  /** Default `all`: open ones and closed ones, newest first. */
  status?: ReportStatus | "all";
  /** Default `all`. */
  kind?: ReportKind | "all";
}

export interface AppSettingsChange extends Omit<AdminAppSettings, "limits" | "mail" | "appUrl"> {
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

type AuditFilter = Omit<AuditQuery, keyof PageQuery>;

export interface AuditQuery extends PageQuery {
  /** Part of the acting person's username or address, or the id. */
  actor?: string;
  /** An action, or its first part: `media` finds `media.delete`. */
  action?: string;
  target?: string;
  from?: number;
  /** Exclusive. */
  to?: number;
}

interface AdminDeps {
  remote: Pick<Remote, "request" | "address">;
  refresh: () => Promise<unknown>;
  now: () => number;
}

type TextId = "terms" | "privacy";
type Address = (path: string) => string;
type Ask = (path: string, options?: RequestOptions) => Promise<Result<unknown>>;

const MESSAGES_PAGE = 1_000;
const AUDIT_PAGE = 1_000;
/** File tokens live for two minutes; one is used again for half of that. */
const TOKEN_MS = 60_000;
const LOST_RIGHTS = ["unauthenticated", "forbidden", "suspended"];

export type AdminClient = ReturnType<typeof createAdmin>;

export function createAdmin(deps: AdminDeps) {
  const ask: Ask = async (path, options) => {
    const answer = await deps.remote.request(path, options);
    if (answer.kind === "accepted") return ok(answer.body);
    const failure = toFailure(answer);
    if (LOST_RIGHTS.includes(failure.error)) await deps.refresh();
    return failure;
  };
  const address: Address = (path) => (path.startsWith("/") ? deps.remote.address(path) : path);
  return { ...createReads(ask, deps, pageReader(ask, address)), ...createActs(ask) };
}

const createReads = (ask: Ask, deps: AdminDeps, page: ReturnType<typeof pageReader>) => ({
  stats: async () => parsed(await ask("/api/admin/stats"), rows.statsOf),
  health: async () => parsed(await ask("/api/admin/health"), rows.healthOf),
  users: ({ search, ...query }: UserQuery = {}) =>
    page("users", { ...query, q: search }, rows.userOf),
  conversations: (query: ConversationQuery = {}) =>
    page("conversations", query, rows.conversationOf),
  /** The newest 1,000, or the 1,000 before `before`. Every call is in the audit log. */
  async messages(conversationId: string, before?: string): Promise<Result<AdminMessages>> {
    const where = `conversations/${encodeURIComponent(conversationId)}/messages`;
    const read = await page(where, { after: before, limit: MESSAGES_PAGE }, rows.messageOf);
    if (!read.success) return read;
    return ok({ items: read.value.items.reverse(), older: read.value.next });
  },
  photoUrl: photoUrls(ask, deps),
  media: (query: MediaQuery = {}) => page("media", query, rows.mediaOf),
  reports: (query: ReportQuery = {}) => page("reports", query, rows.reportOf),
  /** The messages up to a reported one, as they were then. Every call is in the audit log. */
  async reportContext(id: string): Promise<Result<AdminContextMessage[]>> {
    const answer = await ask(`/api/admin/reports/${encodeURIComponent(id)}/context`);
    return parsed(answer, (body) => parseList(body)?.map(rows.contextMessageOf) ?? null);
  },
  text: async (id: TextId) => parsed(await ask(records("settings", id)), rows.textFrom),
  appSettings: async () => parsed(await ask("/api/admin/settings"), rows.appSettingsFrom),
  audit: (query: AuditQuery = {}) => page("audit", query, rows.auditOf),
  exportAudit: (query: AuditFilter, onProgress?: (rows: number) => void) =>
    auditCsv((part) => page("audit", part, rows.auditOf), query, onProgress),
  previewCleanup: (task: CleanupTask, options?: CleanupOptions) => sweep(ask, "GET", task, options),
});

const createActs = (ask: Ask) => ({
  /** `last_admin` where no other admin could act. */
  setAdmin: (userId: string, on: boolean) => change(ask, "users", userId, { isAdmin: on }),
  /**
   * Ends the person's sessions and keeps their media. `last_admin` as above. `until`: when it ends
   * by itself, milliseconds; 0 for never.
   */
  setSuspended: (userId: string, on: boolean, until = 0) =>
    change(ask, "users", userId, {
      isBlocked: on,
      ...(until > 0 && { blockedUntil: new Date(until).toISOString() }),
    }),
  /** Tells them so in their notifications. `text_empty`, `text_long`, `self`. */
  warn: async (userId: string, text: string) =>
    done(
      await ask(`/api/admin/users/${encodeURIComponent(userId)}/warning`, {
        method: "POST",
        body: { text },
      }),
    ),
  setChatDisabled: (userId: string, on: boolean) =>
    change(ask, "users", userId, { chatDisabled: on }),
  /** The deletions also succeed for what is already deleted. */
  deleteMessage: async (id: string) =>
    goneIsDone(await change(ask, "messages", id, { deleted: true })),
  deleteComment: (id: string) => remove(ask, "comments", id),
  deleteConversation: (id: string) => remove(ask, "conversations", id),
  /** `reason`: for the owner. */
  deleteMedia: (id: string, reason = "") => remove(ask, "media", id, reason),
  setReportStatus: (id: string, status: ReportStatus) => change(ask, "reports", id, { status }),
  /** `conflict` when somebody saved since `revision` was read; `text_long` above 100 KB. */
  saveText: async (id: TextId, content: string, revision: number) =>
    parsed(await save(ask, "settings", id, { content, revision }), rows.textFrom),
  /** `conflict` as above; `invalid` for a limit that the server refuses. */
  async saveAppSettings(body: AppSettingsChange): Promise<Result<AdminAppSettings>> {
    const saved = await save(ask, "settings", "app", { ...body });
    return saved.success ? parsed(await ask("/api/admin/settings"), rows.appSettingsFrom) : saved;
  },
  runCleanup: (task: CleanupTask, options?: CleanupOptions) => sweep(ask, "POST", task, options),
});

const save = (ask: Ask, collection: string, id: string, body: Record<string, unknown>) =>
  ask(records(collection, encodeURIComponent(id)), { method: "PATCH", body });

const change = async (...saved: Parameters<typeof save>) => done(await save(...saved));

async function remove(ask: Ask, collection: string, id: string, reason = "") {
  const path = records(collection, encodeURIComponent(id));
  const body = reason === "" ? {} : { body: { reason } };
  return goneIsDone(done(await ask(path, { method: "DELETE", ...body })));
}

const done = (result: Result<unknown>): Result<null> => (result.success ? ok(null) : result);

const goneIsDone = (result: Result<null>): Result<null> =>
  !result.success && (result.error === "not_found" || result.error === "gone") ? ok(null) : result;

function parsed<T>(result: Result<unknown>, parse: (body: unknown) => T | null): Result<T> {
  if (!result.success) return result;
  const value = parse(result.value);
  return value === null ? failed("network") : ok(value);
}

function pageReader(ask: Ask, address: Address) {
  return async <T>(
    list: string,
    query: object,
    rowOf: (row: RawRecord, address: Address) => T,
  ): Promise<Result<AdminPage<T>>> => {
    return parsed(await ask(`/api/admin/${list}`, { query: { ...query } }), (body) => {
      if (!isRecord(body) || !Array.isArray(body["items"])) return null;
      const items = body["items"].filter(isRecord).filter((row) => textOf(row, "id") !== "");
      const next = textOf(body, "next") || null;
      return {
        items: items.map((row) => rowOf(row, address)),
        next,
        total: countOf(body, "total"),
      };
    });
  };
}

/** Addresses of chat photos. The token in them works for anybody, so it is short-lived. */
function photoUrls(ask: Ask, { remote, now }: AdminDeps) {
  let held: { token: string; at: number } | null = null;
  return async (path: string): Promise<Result<string>> => {
    if (path === "") return failed("not_found");
    if (held === null || now() - held.at > TOKEN_MS) {
      const answer = await ask("/api/files/token", { method: "POST" });
      if (!answer.success) return answer;
      const token = isRecord(answer.value) ? textOf(answer.value, "token") : "";
      if (token === "") return failed("network");
      held = { token, at: now() };
    }
    return ok(`${remote.address(path)}?${UNCACHED}=1&token=${encodeURIComponent(held.token)}`);
  };
}

/** Runs a cleanup: GET counts, POST removes. Each answer names the start of the next step. */
async function sweep(
  ask: Ask,
  method: "GET" | "POST",
  task: CleanupTask,
  { onProgress, signal }: CleanupOptions = {},
): Promise<Result<CleanupCount>> {
  const sum = { items: 0, bytes: 0 };
  let after = "";
  while (signal?.aborted !== true) {
    const step = await ask(`/api/admin/cleanup/${task}`, { method, query: { after } });
    if (!step.success) return step;
    if (!isRecord(step.value) || typeof step.value["items"] !== "number") return failed("network");
    sum.items += countOf(step.value, "items");
    sum.bytes += countOf(step.value, "bytes");
    onProgress?.({ ...sum, percent: countOf(step.value, "percent") });
    after = textOf(step.value, "next");
    if (after === "") break;
  }
  return ok(sum);
}

const CSV_HEAD = "time,actor,actorUsername,action,target,targetLabel,details";

/** A spreadsheet would run a text that begins like this as a formula. */
const harmless = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const csvCell = (text: string): string => `"${harmless(text).replaceAll('"', '""')}"`;

export function csvLine(row: AuditRow): string {
  const { actor, actorUsername, action, target, targetLabel } = row;
  const time = new Date(row.createdAt).toISOString();
  const details = JSON.stringify(row.details);
  const cells = [time, actor, actorUsername, action, target, targetLabel, details];
  return cells.map(csvCell).join(",");
}

/** The audit log as CSV (RFC 4180, UTF-8, ISO 8601). Any failed page fails the whole. */
export async function auditCsv(
  read: (query: AuditQuery) => Promise<Result<AdminPage<AuditRow>>>,
  query: AuditFilter,
  onProgress?: (rows: number) => void,
): Promise<Result<Blob>> {
  const lines = [CSV_HEAD];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof read>> = await read({
      ...query,
      limit: AUDIT_PAGE,
      ...(after === null ? {} : { after }),
    });
    if (!page.success) return page;
    lines.push(...page.value.items.map(csvLine));
    onProgress?.(lines.length - 1);
    after = page.value.next;
  } while (after !== null);
  return ok(new Blob([`${lines.join("\r\n")}\r\n`], { type: "text/csv;charset=utf-8" }));
}
