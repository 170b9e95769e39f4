/** `client.admin`, loaded on first use. A refusal for lack of rights refreshes the session. */
import { isRecord, toFailure } from "@/data/engine/answers";
import type { Remote, RequestOptions } from "@/data/engine/remote";
import { countOf, type RawRecord, textOf } from "@/data/engine/rows";
import { failed, ok, type Result } from "@/domain/result";
import { UNCACHED } from "@/media-cache/cache";
import type {
  AdminClient,
  AdminPage,
  AuditQuery,
  AuditRow,
  CleanupCount,
  CleanupOptions,
  CleanupTask,
} from "./admin-client";
import {
  appSettingsFrom,
  auditOf,
  conversationOf,
  mediaOf,
  messageOf,
  reportOf,
  statsOf,
  textFrom,
  userOf,
} from "./admin-rows";

interface AdminDeps {
  remote: Pick<Remote, "request" | "address">;
  /** Asks the server who is signed in. */
  refresh: () => Promise<unknown>;
  /** Milliseconds since 1970. */
  now: () => number;
}

type Ask = (path: string, options?: RequestOptions) => Promise<Result<unknown>>;

const MESSAGES_PAGE = 1_000;
const AUDIT_PAGE = 1_000;
/** File tokens live for two minutes; one is used again for half of that. */
const TOKEN_MS = 60_000;
const LOST_RIGHTS = ["unauthenticated", "forbidden", "suspended"];

export function createAdmin(deps: AdminDeps): AdminClient {
  const ask: Ask = async (path, options) => {
    const answer = await deps.remote.request(path, options);
    if (answer.kind === "accepted") return ok(answer.body);
    const failure = toFailure(answer);
    if (LOST_RIGHTS.includes(failure.error)) await deps.refresh();
    return failure;
  };
  return { ...createReads(ask, deps), ...createActs(ask) };
}

type Reads = Omit<AdminClient, keyof ReturnType<typeof createActs>>;

function createReads(ask: Ask, deps: AdminDeps): Reads {
  const address = (path: string) => (path.startsWith("/") ? deps.remote.address(path) : path);
  const page = pageReader(ask);
  const audit: AdminClient["audit"] = (query = {}) => page("audit", query, auditOf);
  return {
    stats: async () => parsed(await ask("/api/admin/stats"), statsOf),
    users: ({ search, ...query } = {}) =>
      page("users", { ...query, q: search }, (row) => userOf(row, address)),
    conversations: (query = {}) => page("conversations", query, conversationOf),
    async messages(conversationId, before) {
      const where = `conversations/${encodeURIComponent(conversationId)}/messages`;
      const read = await page(where, { after: before, limit: MESSAGES_PAGE }, messageOf);
      if (!read.success) return read;
      return ok({ items: read.value.items.reverse(), older: read.value.next });
    },
    photoUrl: photoUrls(ask, deps),
    media: (query = {}) => page("media", query, (row) => mediaOf(row, address)),
    reports: (query = {}) => page("reports", query, (row) => reportOf(row, address)),
    text: async (id) => parsed(await ask(`/api/collections/settings/records/${id}`), textFrom),
    appSettings: async () => parsed(await ask("/api/admin/settings"), appSettingsFrom),
    audit,
    exportAudit: (query, onProgress) => auditCsv(audit, query, onProgress),
    previewCleanup: (task, options) => sweep(ask, "GET", task, options),
  };
}

function createActs(ask: Ask) {
  const record = (collection: string, id: string) =>
    `/api/collections/${collection}/records/${encodeURIComponent(id)}`;
  const save = (collection: string, id: string, body: Record<string, unknown>) =>
    ask(record(collection, id), { method: "PATCH", body });
  const change = async (...saved: Parameters<typeof save>) => done(await save(...saved));
  const remove = async (collection: string, id: string) =>
    goneIsDone(done(await ask(record(collection, id), { method: "DELETE" })));
  return {
    setAdmin: (userId, on) => change("users", userId, { isAdmin: on }),
    setSuspended: (userId, on) => change("users", userId, { isBlocked: on }),
    setChatDisabled: (userId, on) => change("users", userId, { chatDisabled: on }),
    deleteMessage: async (id) => goneIsDone(await change("messages", id, { deleted: true })),
    deleteConversation: (conversationId) => remove("conversations", conversationId),
    deleteMedia: (mediaId) => remove("media", mediaId),
    setReportStatus: (reportId, status) => change("reports", reportId, { status }),
    saveText: async (id, content, revision) =>
      parsed(await save("settings", id, { content, revision }), textFrom),
    async saveAppSettings(body) {
      const saved = await save("settings", "app", { ...body });
      return saved.success ? parsed(await ask("/api/admin/settings"), appSettingsFrom) : saved;
    },
    runCleanup: (task, options) => sweep(ask, "POST", task, options),
  } satisfies Partial<AdminClient>;
}

const done = (result: Result<unknown>): Result<null> => (result.success ? ok(null) : result);

const goneIsDone = (result: Result<null>): Result<null> =>
  !result.success && (result.error === "not_found" || result.error === "gone") ? ok(null) : result;

/** A body of another shape is no answer of our server. */
function parsed<T>(result: Result<unknown>, parse: (body: unknown) => T | null): Result<T> {
  if (!result.success) return result;
  const value = parse(result.value);
  return value === null ? failed("network") : ok(value);
}

/** Reads one page of a list. Rows without an id are dropped. */
function pageReader(ask: Ask) {
  return async <T>(
    list: string,
    query: object,
    rowOf: (row: RawRecord) => T,
  ): Promise<Result<AdminPage<T>>> => {
    const options = { query: { ...query } };
    return parsed(await ask(`/api/admin/${list}`, options), (body) => {
      if (!isRecord(body) || !Array.isArray(body["items"])) return null;
      const rows = body["items"].filter(isRecord).filter((row) => textOf(row, "id") !== "");
      const next = textOf(body, "next") || null;
      return { items: rows.map(rowOf), next, total: countOf(body, "total") };
    });
  };
}

/** Addresses of chat photos. The token in them works for anybody, so it is short-lived. */
function photoUrls(ask: Ask, { remote, now }: AdminDeps): AdminClient["photoUrl"] {
  let held: { token: string; at: number } | null = null;
  return async (path) => {
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
  read: AdminClient["audit"],
  query: Omit<AuditQuery, "after" | "limit">,
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
