/**
 * The change feed: one page of what changed after `since`, over all collections at once and only what this caller
 * may see. The head is read first and bounds everything after it, so that a row which moves meanwhile is met again
 * later and never lost.
 */
import { isId } from "@/domain/ids";
import { callerId, findRecord, isAdmin } from "./acting";
import { reopenHints } from "./hints";
import { answer, type Refusal, refuse } from "./refuse";
import { refusalOf } from "./refused";
import { readDocuments } from "./sync-documents";
import { planQuery, sourcesFor, TOMBSTONES, tombstonesQuery } from "./sync-sources";

const LIMIT_DEFAULT = 500;
const LIMIT_MAX = 1000;

interface Head {
  v: number;
  epoch: string;
  floor: number;
}

interface Changes {
  /** Text of a JSON list. */
  documents: string;
  deleted: string[];
}

function readHead(app: CoreApp): Head {
  const row = new DynamicModel({ v: 0, epoch: "", floor: 0 }) as unknown as Head;
  app.db().newQuery("SELECT v, epoch, floor FROM _seq").one(row);
  return row;
}

/**
 * A suspended account's device is told so, that it signs out. Its token is dead and proves nothing, but what it claims is
 * enough: that an account is suspended stands in its public profile.
 */
function tokenRefusal(e: core.RequestEvent): Refusal {
  const claimed = e.auth?.id ?? claimedId(e.request?.header.get("Authorization") ?? "");
  const isBlocked = findRecord(e.app, "users", claimed)?.getBool("isBlocked") ?? false;
  if (isBlocked) return { ...refusalOf("suspended"), status: 401 };
  return { status: 401, code: "unauthenticated", message: "The token is not valid." };
}

function claimedId(token: string): string {
  try {
    const id: unknown = $security.parseUnverifiedJWT(token.replace(/^Bearer /i, ""))["id"];
    return isId(id) ? id : "";
  } catch {
    return "";
  }
}

const wholeNumber = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : -1);

interface Range {
  me: string;
  since: number;
  until: number;
  limit: number;
}

interface PlanRow {
  source: string;
  n: number;
  last: number;
}

/** Which sources have something in the next page, and the last number that belongs to it. */
function plan(app: CoreApp, range: Range): { sources: Set<string>; until: number } {
  const rows = arrayOf(new DynamicModel({ source: "", n: 0, last: 0 })) as unknown as PlanRow[];
  app
    .db()
    .newQuery(planQuery(range.me))
    .bind({ ...range })
    .all(rows);
  const sources = new Set<string>();
  let [total, last] = [0, range.since];
  for (const row of rows) {
    sources.add(row.source);
    total += row.n;
    last = Math.max(last, row.last);
  }
  return { sources, until: total < range.limit ? range.until : last };
}

function readChanges(app: CoreApp, range: Range, sources: Set<string>): Record<string, Changes> {
  const changes: Record<string, Changes> = {};
  for (const source of sourcesFor(range.me)) {
    if (!sources.has(source.collection)) continue;
    changes[source.collection] = {
      documents: readDocuments(app, source, { ...range }),
      deleted: [],
    };
  }
  if (sources.has(TOMBSTONES)) addTombstones(app, range, changes);
  return changes;
}

function addTombstones(app: CoreApp, range: Range, changes: Record<string, Changes>): void {
  const rows = arrayOf(new DynamicModel({ coll: "", rid: "" })) as unknown as {
    coll: string;
    rid: string;
  }[];
  app
    .db()
    .newQuery(tombstonesQuery(range.me))
    .bind({ ...range })
    .all(rows);
  for (const { coll, rid } of rows) {
    const change = changes[coll] ?? { documents: "[]", deleted: [] };
    change.deleted.push(rid);
    changes[coll] = change;
  }
}

/** The answer's text: the documents are JSON already. */
function pageText(place: object, changes: Record<string, Changes>): string {
  const parts = Object.entries(changes).map(
    ([collection, { documents, deleted }]) =>
      `"${collection}":{"documents":${documents},"deleted":${JSON.stringify(deleted)}}`,
  );
  return `${JSON.stringify(place).slice(0, -1)},"changes":{${parts.join(",")}}}`;
}

/** `GET /api/sync?since=&limit=&epoch=`. `since=head` answers where the feed stands. */
export function sync(e: core.RequestEvent): void {
  const me = callerId(e);
  if (me === null) {
    refuse(e, tokenRefusal(e));
    return;
  }
  const query = e.request?.url?.query();
  const wanted = query?.get("since") ?? "";
  const limitText = query?.get("limit") ?? "";
  const since = wanted === "" ? 0 : wholeNumber(wanted);
  const limit = limitText === "" ? LIMIT_DEFAULT : wholeNumber(limitText);
  if ((since < 0 && wanted !== "head") || limit < 1) {
    refuse(e, { status: 400, code: "invalid", message: "Invalid since or limit." });
    return;
  }
  // Before the head is read, or a change between the two would find the client still held back.
  reopenHints(e.app, me);
  const { v, epoch, floor } = readHead(e.app);
  e.response.header().set("Cache-Control", "no-store");
  // What the account's own device cannot see in any row.
  const account = me === "" ? {} : { isAdmin: isAdmin(e) };
  if (wanted === "head") {
    answer(e, 200, { epoch, checkpoint: v });
    return;
  }
  const known = query?.get("epoch") ?? "";
  // Another history, or one whose tombstones are gone: the caller must begin again from `head`.
  if ((known !== "" && known !== epoch) || since > v || since < floor) {
    answer(e, 200, { epoch, checkpoint: v, more: false, reset: true, ...account, changes: {} });
    return;
  }
  if (since === v) {
    answer(e, 200, { epoch, checkpoint: v, more: false, ...account, changes: {} });
    return;
  }
  const range = { me, since, until: v, limit: Math.min(limit, LIMIT_MAX) };
  const { sources, until } = plan(e.app, range);
  const changes = readChanges(e.app, { ...range, until }, sources);
  const place = { epoch, checkpoint: until, more: until < v, ...account };
  e.response.header().set("Content-Type", "application/json");
  e.string(200, pageText(place, changes));
}
