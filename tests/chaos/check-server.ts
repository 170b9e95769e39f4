/** Whether the server holds what was done, once, by whom it was done, and nothing else. */
import { type Entry, type Ledger, sha256 } from "./ledger";
import type { Left } from "./settle-device";
import type { RowOnDisk } from "./storage-snapshot";
import type { Person, World } from "./world";

export interface ServerCheck {
  world: World;
  ledger: Ledger;
  left: readonly Left[];
  people: readonly Person[];
}

type Row = Record<string, string>;

interface Held {
  media: Row[];
  comments: Row[];
  reports: Row[];
  likes: Row[];
  follows: Row[];
  blocks: Row[];
  users: Row[];
}

export async function checkServer(check: ServerCheck): Promise<string[]> {
  const held = await readAll(check.world);
  return [
    ...stuck(check.left),
    ...strangers(check.ledger, held),
    ...lost(check, held),
    ...lastWords(check, held),
    ...disorder(check, held),
    ...(await wrongRefusals(check)),
    ...(await wrongCounters(check.world)),
    ...(await wrongFiles(check, held)),
    ...(await trespasses(check.world)),
  ];
}

async function readAll({ query }: World): Promise<Held> {
  const read = async (table: string, columns: string) =>
    (await query(`SELECT ${columns} FROM ${table} ORDER BY rowid`)) as Row[];
  return {
    media: await read("media", "id, userId, caption, file"),
    comments: await read("comments", "id, userId, mediaId, text"),
    reports: await read("reports", "id, userId, mediaId, reason"),
    likes: await read("likes", "id, userId, mediaId"),
    follows: await read("follows", "id, followerId, followingId"),
    blocks: await read("blocks", "id, blockerId, blockedId"),
    users: await read("users", "id, bio"),
  };
}

const stuck = (left: readonly Left[]): string[] =>
  left.flatMap(({ device, stuck: rows }) =>
    rows.map(
      ({ kind, state, code, attempts, nextAt }) =>
        `${device}: ${kind} is stuck (${state}, ${code}, ${attempts} tries, next at ${nextAt})`,
    ),
  );

/** Rows that nobody made, twice the same one, and rows under another's name. */
function strangers({ entries }: Ledger, held: Held): string[] {
  const faults: string[] = [];
  const texts: [kind: Entry["kind"], rows: Row[], column: string][] = [
    ["upload", held.media, "caption"],
    ["comment", held.comments, "text"],
    ["report", held.reports, "reason"],
  ];
  for (const [kind, rows, column] of texts) {
    const made = new Map(entries.filter((e) => e.kind === kind).map((e) => [e.token, e]));
    const seen = new Set<string>();
    for (const row of rows) {
      const token = row[column] ?? "";
      const entry = made.get(token);
      if (entry === undefined) faults.push(`${kind} "${token}" was made by nobody`);
      else if (entry.userId !== row["userId"])
        faults.push(`${kind} "${token}" is under another name`);
      if (seen.has(token)) faults.push(`${kind} "${token}" is there twice`);
      seen.add(token);
    }
  }
  return [...faults, ...strangePairs(entries, held)];
}

const PAIRS = [
  { kind: "like", rows: "likes", by: "userId", to: "mediaId", target: "mediaId" },
  { kind: "follow", rows: "follows", by: "followerId", to: "followingId", target: "otherId" },
  { kind: "block", rows: "blocks", by: "blockerId", to: "blockedId", target: "otherId" },
] as const;

function strangePairs(entries: readonly Entry[], held: Held): string[] {
  return PAIRS.flatMap(({ kind, rows, by, to, target }) =>
    held[rows].flatMap((row) => {
      // One that died while it was made may not know what it was made to.
      const wanted = entries.some(
        (e) =>
          e.kind === kind &&
          e.on &&
          e.userId === row[by] &&
          (e[target] === row[to] || (e[target] === "" && e.fate === "maybe")),
      );
      return wanted ? [] : [`${kind} ${row["id"]} was made by nobody`];
    }),
  );
}

const refusedRows = (left: readonly Left[]): (RowOnDisk & { userId: string })[] =>
  left.flatMap(({ refused, userId }) => refused.map((row) => ({ ...row, userId })));
const bodyOf = (row: RowOnDisk): Record<string, unknown> => row["body"] as Record<string, unknown>;

/** What a device took and no longer holds has been acknowledged: it is there, or was taken away on purpose. */
function lost({ ledger, left }: ServerCheck, held: Held): string[] {
  const refused = refusedRows(left).map(bodyOf);
  const isRefused = (token: string): boolean =>
    refused.some((body) => [body["caption"], body["text"], body["reason"]].includes(token));
  const { entries } = ledger;
  const gone = (kind: Entry["kind"], id: string): boolean =>
    entries.some(
      (e) => e.kind === kind && (kind === "delete-media" ? e.mediaId : e.commentId) === id,
    );
  const there = {
    upload: new Set(held.media.map(({ caption }) => caption)),
    comment: new Set(held.comments.map(({ text }) => text)),
  };
  return entries.flatMap((e) => {
    if (e.fate !== "taken" || (e.kind !== "upload" && e.kind !== "comment")) return [];
    const away =
      gone("delete-media", e.mediaId) ||
      (e.kind === "comment" && gone("delete-comment", e.commentId));
    if (there[e.kind].has(e.token) || away || isRefused(e.token)) return [];
    return [`${e.device}: ${e.kind} "${e.token}" is lost`];
  });
}

function groupBy<T>(list: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** Where all that was said about something was said on one device, and nothing was refused, the last word stands. */
function lastWords({ ledger, left }: ServerCheck, held: Held): string[] {
  const refused = refusedRows(left).map((row) => `${row.userId} ${row["target"]}`);
  const faults: string[] = [];
  for (const { kind, rows, by, to, target } of PAIRS) {
    const words = groupBy(
      ledger.entries.filter((e) => e.kind === kind),
      (e) => `${e.userId} ${e[target]}`,
    );
    const unsure = ledger.entries.some((e) => e.kind === kind && e[target] === "");
    for (const [about, said] of words) {
      const last = said.at(-1);
      if (last === undefined || refused.includes(about) || unsure || disturbed(said, ledger))
        continue;
      const row = held[rows].find((each) => each[by] === last.userId && each[to] === last[target]);
      if ((row !== undefined) !== last.on) faults.push(`${kind} ${about} is not as last wanted`);
    }
  }
  return [...faults, ...deletions(ledger, held)];
}

/** Others had a say: a medium was deleted, a block ended a follow, a second device spoke, or one died. */
function disturbed(said: readonly Entry[], { entries }: Ledger): boolean {
  const [first] = said;
  return (
    said.some(({ fate, device }) => fate === "maybe" || device !== first?.device) ||
    entries.some(
      (e) =>
        (e.kind === "delete-media" && e.mediaId === first?.mediaId) ||
        (first?.kind === "follow" && e.kind === "block" && e.otherId === first.otherId),
    )
  );
}

function deletions({ entries }: Ledger, held: Held): string[] {
  const taken = entries.filter(({ fate }) => fate === "taken");
  const back = (kind: Entry["kind"], rows: Row[], field: "mediaId" | "commentId") =>
    taken
      .filter((e) => e.kind === kind && rows.some(({ id }) => id === e[field]))
      .map((e) => `${kind} ${e[field]}: it is still there`);
  return [
    ...back("delete-media", held.media, "mediaId"),
    ...back("delete-comment", held.comments, "commentId"),
  ];
}

/** Comments of one device on one medium were stored in the order in which they were written. */
function disorder({ ledger, left }: ServerCheck, held: Held): string[] {
  const late = new Set(left.flatMap(({ retried }) => retried.map((row) => bodyOf(row)["text"])));
  const lanes = groupBy(
    ledger.entries.filter((e) => e.kind === "comment" && !late.has(e.token)),
    (e) => `${e.device} ${e.userId} ${e.mediaId}`,
  );
  const placeOf = new Map(held.comments.map(({ text }, at) => [text, at]));
  return [...lanes].flatMap(([lane, said]) => {
    const places = said.flatMap(({ token }) => placeOf.get(token) ?? []);
    const sorted = places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0));
    return sorted ? [] : [`comments of ${lane} are in another order`];
  });
}

/** Each refusal has a reason that somebody made. */
async function wrongRefusals({ ledger, left }: ServerCheck): Promise<string[]> {
  const { entries } = ledger;
  const deleted = new Set(entries.flatMap((e) => (e.kind === "delete-media" ? [e.mediaId] : [])));
  const late = new Set(left.flatMap(({ retried }) => retried.map((row) => row["target"])));
  const anyBlock = entries.some((e) => e.kind === "block" && e.on);
  return refusedRows(left).flatMap((row) => {
    const { kind, code } = row;
    const mediaId = String(bodyOf(row)["mediaId"] ?? "");
    const explained =
      (code === "blocked" && anyBlock) ||
      ((code === "gone" || code === "not_found") && (deleted.has(mediaId) || late.has(mediaId)));
    return explained ? [] : [`${kind} was refused: ${code} ${row["message"]}`];
  });
}

const COUNTERS: [table: string, column: string, rows: string][] = [
  ["media", "likes", "likes WHERE mediaId = t.id"],
  ["media", "comments", "comments WHERE mediaId = t.id"],
  ["media", "reports", "reports WHERE mediaId = t.id"],
  ["users", "followers", "follows WHERE followingId = t.id"],
  ["users", "following", "follows WHERE followerId = t.id"],
  ["users", "mediaCount", "media WHERE userId = t.id"],
  ["conversations", "messageCount", "messages WHERE conversationId = t.id"],
];

async function wrongCounters({ query }: World): Promise<string[]> {
  const faults: string[] = [];
  for (const [table, column, rows] of COUNTERS) {
    const wrong = await query(
      `SELECT t.id FROM ${table} t WHERE t.${column} <> (SELECT count(*) FROM ${rows})`,
    );
    faults.push(...wrong.map(({ id }) => `${table} ${id}: ${column} is not the number of rows`));
  }
  return faults;
}

async function wrongFiles({ world, ledger }: ServerCheck, held: Held): Promise<string[]> {
  const sent = new Map(ledger.entries.map((e) => [e.token, e.sha256]));
  const faults: string[] = [];
  for (const { id, caption = "", file } of held.media) {
    const answer = await fetch(`${world.server.url}/api/files/media/${id}/${file}`);
    const stored = sha256(new Uint8Array(await answer.arrayBuffer()));
    if (stored !== sent.get(caption)) faults.push(`the file of "${caption}" is another one`);
  }
  return faults;
}

async function trespasses({ query }: World): Promise<string[]> {
  const rows = await query("SELECT tbl, id FROM chaos_trespass ORDER BY n");
  return rows.map(({ tbl, id }) => `${tbl} ${id} passed what stood in its way`);
}
