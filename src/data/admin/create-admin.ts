/**
 * `client.admin`: the panel's questions and acts (architecture, "admin routes"). Loaded when first used, so that nobody
 * else pays for it. Whatever the server refuses for want of rights makes the session ask who one is now.
 */

import { isRecord, toFailure } from "@/data/engine/answers";
import type { Remote, RequestOptions } from "@/data/engine/remote";
import { countOf, instantOf, type RawRecord, textOf } from "@/data/engine/rows";
import { failed, ok, type Result } from "@/domain/result";
import { UNCACHED } from "@/media-cache/cache";
import type {
  AdminAppSettings,
  AdminClient,
  AdminLimit,
  AdminPage,
  AdminText,
  CleanupCount,
  CleanupOptions,
  CleanupTask,
  PageQuery,
} from "./admin-client";
import {
  auditOf,
  conversationOf,
  mediaOf,
  messageOf,
  reportOf,
  statsOf,
  userOf,
} from "./admin-rows";
import { auditCsv } from "./audit-csv";

export interface AdminDeps {
  remote: Pick<Remote, "request" | "address">;
  /** Asks the server who is signed in. */
  refresh: () => Promise<unknown>;
  /** Milliseconds since 1970. */
  now: () => number;
}

export type Ask = (path: string, options?: RequestOptions) => Promise<Result<unknown>>;

const MESSAGES = 1_000;
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
    async stats() {
      return parsed(await ask("/api/admin/stats"), statsOf);
    },
    users: ({ search, ...query } = {}) =>
      page("users", { ...query, q: search }, (row) => userOf(row, address)),
    conversations: (query = {}) => page("conversations", query, conversationOf),
    async messages(conversationId, before) {
      const where = `conversations/${encodeURIComponent(conversationId)}/messages`;
      const read = await page(where, { after: before, limit: MESSAGES }, messageOf);
      if (!read.success) return read;
      return ok({ items: read.value.items.reverse(), older: read.value.next });
    },
    photoUrl: photoUrls(ask, deps),
    media: (query = {}) => page("media", query, (row) => mediaOf(row, address)),
    reports: (query = {}) => page("reports", query, (row) => reportOf(row, address)),
    async text(id) {
      return parsed(await ask(`/api/collections/settings/records/${id}`), textFrom);
    },
    async appSettings() {
      return parsed(await ask("/api/admin/settings"), appSettingsFrom);
    },
    audit,
    exportAudit: (query, onProgress) => auditCsv(audit, query, onProgress),
    previewCleanup: (task, options) => sweep(ask, { task, method: "GET" }, options),
  };
}

function createActs(ask: Ask) {
  const record = (collection: string, id: string) =>
    `/api/collections/${collection}/records/${encodeURIComponent(id)}`;
  const change = async (collection: string, id: string, body: Record<string, unknown>) =>
    done(await ask(record(collection, id), { method: "PATCH", body }));
  const remove = async (collection: string, id: string) => {
    const result = done(await ask(record(collection, id), { method: "DELETE" }));
    const isGone = !result.success && (result.error === "not_found" || result.error === "gone");
    return isGone ? ok(null) : result;
  };
  return {
    setAdmin: (userId, on) => change("users", userId, { isAdmin: on }),
    setSuspended: (userId, on) => change("users", userId, { isBlocked: on }),
    setChatDisabled: (userId, on) => change("users", userId, { chatDisabled: on }),
    async deleteMessage(messageId) {
      const result = await change("messages", messageId, { deleted: true });
      return !result.success && result.error === "not_found" ? ok(null) : result;
    },
    deleteConversation: (conversationId) => remove("conversations", conversationId),
    deleteMedia: (mediaId) => remove("media", mediaId),
    setReportStatus: (reportId, status) => change("reports", reportId, { status }),
    async saveText(id, content, revision) {
      const body = { content, revision };
      return parsed(await ask(record("settings", id), { method: "PATCH", body }), textFrom);
    },
    async saveAppSettings(body) {
      const saved = await ask(record("settings", "app"), { method: "PATCH", body: { ...body } });
      if (!saved.success) return saved;
      return parsed(await ask("/api/admin/settings"), appSettingsFrom);
    },
    runCleanup: (task, options) => sweep(ask, { task, method: "POST" }, options),
  } satisfies Partial<AdminClient>;
}

const done = (result: Result<unknown>): Result<null> => (result.success ? ok(null) : result);

/** What our server never sends is not our server's answer. */
function parsed<T>(result: Result<unknown>, parse: (body: unknown) => T | null): Result<T> {
  if (!result.success) return result;
  const value = parse(result.value);
  return value === null ? failed("network") : ok(value);
}

type Query = PageQuery & Record<string, string | number | undefined>;

function pageReader(ask: Ask) {
  return async <T>(
    list: string,
    query: Query | object,
    rowOf: (row: RawRecord) => T | null,
  ): Promise<Result<AdminPage<T>>> => {
    const options = { query: { ...query } as Query };
    return parsed(await ask(`/api/admin/${list}`, options), (body) => {
      if (!isRecord(body) || !Array.isArray(body["items"])) return null;
      const items = body["items"].filter(isRecord).map(rowOf);
      const next = textOf(body, "next") || null;
      return {
        items: items.filter((item): item is Awaited<T> => item !== null),
        next,
        total: countOf(body, "total"),
      };
    });
  };
}

/** Chat photos are shown with a token that anybody who has the address could use: it is young, asked for anew, and what it shows is not kept. */
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

function textFrom(body: unknown): AdminText | null {
  if (!isRecord(body) || textOf(body, "id") === "") return null;
  return {
    content: textOf(body, "content"),
    lastUpdated: instantOf(body, "lastUpdated") || null,
    revision: countOf(body, "revision"),
  };
}

function appSettingsFrom(body: unknown): AdminAppSettings | null {
  if (!isRecord(body) || !Array.isArray(body["limits"])) return null;
  const limits = body["limits"].filter(isRecord).map(
    (row): AdminLimit => ({
      name: textOf(row, "name"),
      value: typeof row["value"] === "number" ? row["value"] : null,
      default: countOf(row, "default"),
      min: countOf(row, "min"),
    }),
  );
  return {
    productName: textOf(body, "productName"),
    requireMutualFollow: body["requireMutualFollow"] === true,
    limits,
    revision: countOf(body, "revision"),
  };
}

/** A cleanup from its first step to its last. The server keeps no place: each step says where the next one begins. */

export interface Sweep {
  task: CleanupTask;
  /** GET counts, POST removes. */
  method: "GET" | "POST";
}

export async function sweep(
  ask: Ask,
  { task, method }: Sweep,
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
