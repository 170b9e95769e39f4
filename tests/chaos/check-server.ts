/** Whether the server holds what was done, once, by whom it was done, and nothing else. */
import { conversationId, TAG_SIGN } from "@/domain/ids";
import { wrongObjects } from "./check-bucket";
import { wrongCounters, wrongFiles } from "./check-counters";
import { checkEdits } from "./check-edits";
import { wrongRefusals } from "./check-refusals";
import type { Entry, Ledger } from "./ledger";
import type { Left } from "./settle-device";
import {
  bodyOf,
  endedQuietly,
  type Held,
  isRemoval,
  type Row,
  readAll,
  refusedRows,
  type ServerCheck,
  wasTurnedAway,
  wentWithMedium,
} from "./what-is-there";

export async function checkServer(check: ServerCheck): Promise<string[]> {
  const held = await readAll(check.world);
  return [
    ...stuck(check.left),
    ...strangers(check.ledger, held),
    ...wrongPlaces(check.ledger, held),
    ...wrongNews(check.ledger, held),
    ...wrongMentions(held),
    ...unheard(check.ledger, held),
    ...lost(check, held),
    ...lastWords(check, held),
    ...disorder(check, held),
    ...wrongRefusals(check, held),
    ...(await wrongCounters(check.world)),
    ...(await wrongFiles(check)),
    ...(await wrongObjects(check)),
    ...(await checkEdits(check)),
    ...(await check.world.trespasses()),
  ];
}

const stuck = (left: readonly Left[]): string[] =>
  left.flatMap(({ device, stuck: rows }) =>
    rows.map(
      ({ kind, state, code, attempts, nextAt }) =>
        `${device}: ${kind} is stuck (${state}, ${code}, ${attempts} tries, next at ${nextAt})`,
    ),
  );

/** Acts that give rows of the same table their words. */
const ALSO: Partial<Record<Entry["kind"], Entry["kind"]>> = {
  comment: "edit-comment",
  report: "report-person",
};

/** Rows that nobody made, twice the same one, and rows under another's name. */
function strangers({ entries }: Ledger, held: Held): string[] {
  const faults: string[] = [];
  const texts: [kind: Entry["kind"], rows: Row[], column: string][] = [
    ["upload", held.media, "caption"],
    ["comment", held.comments, "text"],
    ["report", held.reports, "reason"],
    ["folder", held.folders, "name"],
    // What was deleted has no words left.
    ["message", held.messages.filter((row) => row["message"] !== ""), "message"],
  ];
  for (const [kind, rows, column] of texts) {
    const also = ALSO[kind];
    const said = entries.filter((e) => e.kind === kind || e.kind === also);
    const made = new Map(said.map((e) => [e.token, e]));
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
  return [
    ...faults,
    ...strangePairs(entries, held),
    ...strangeChats(entries, held),
    ...strangePlaces(entries, held),
  ];
}

/** Media that are not where their device put them: in that post, at that place. */
function wrongPlaces({ entries }: Ledger, held: Held): string[] {
  const made = new Map(entries.filter((e) => e.kind === "upload").map((e) => [e.token, e]));
  return held.media.flatMap(({ caption = "", post, postIndex }) => {
    const entry = made.get(caption);
    const isThere = entry?.post === post && entry?.postIndex === Number(postIndex);
    return entry === undefined || isThere ? [] : [`upload "${caption}" is out of its post's place`];
  });
}

/** What is told of what nobody did, or untold of what somebody did. */
function wrongNews({ entries }: Ledger, held: Held): string[] {
  const acts = [
    ...held.likes.map((row) => ({ kind: "like", by: row["userId"], of: row["mediaId"], row })),
    ...held.comments.map((row) => ({
      kind: "comment",
      by: row["userId"],
      of: row["mediaId"],
      row,
    })),
  ].map(({ of, ...act }) => ({ ...act, to: held.owners.get(of ?? "") }));
  const authors = authorsOf(held);
  const liked = held.commentLikes.map((row) => ({
    kind: "like",
    by: row["userId"],
    to: authors.get(row["commentId"] ?? ""),
    row,
  }));
  const replies = held.comments
    .map((row) => ({
      kind: "reply",
      by: row["userId"],
      to: authors.get(row["parentId"] ?? ""),
      row,
    }))
    .filter(({ to, row }) => to !== held.owners.get(row["mediaId"] ?? ""));
  const follows = held.follows
    .map((row) => ({ kind: "follow", by: row["followerId"], to: row["followingId"], row }))
    .filter(({ to = "" }) => !to.startsWith(TAG_SIGN));
  const wanted = new Map(
    [...acts, ...liked, ...replies, ...follows].map((act) => [`${act.kind}_${act.row["id"]}`, act]),
  );
  const told = new Set([...held.notifications, ...held.told].map(({ id }) => id));
  // A block takes what was told of a comment, and leaves no trace of that.
  const parted = new Set(
    entries.flatMap((e) =>
      e.kind === "block" ? [`${e.userId} ${e.otherId}`, `${e.otherId} ${e.userId}`] : [],
    ),
  );
  const isSilent = ({
    kind,
    by,
    to,
  }: {
    kind: string;
    by: string | undefined;
    to: string | undefined;
  }) => to === undefined || by === to || (OF_COMMENTS.has(kind) && parted.has(`${by} ${to}`));
  return [
    ...held.notifications
      .filter(({ id = "", kind = "" }) => NEWS_OF_ACTS.has(kind) && !wanted.has(id))
      .map(({ id }) => `notification ${id} is of what nobody did`),
    ...[...wanted]
      .filter(([id, act]) => !isSilent(act) && !told.has(id))
      .map(([id]) => `notification ${id} is missing`),
  ];
}

const NEWS_OF_ACTS = new Set(["like", "comment", "reply", "follow"]);
const OF_COMMENTS = new Set(["comment", "reply"]);

const authorsOf = ({ comments }: Held): ReadonlyMap<string, string | undefined> =>
  new Map(comments.map((row) => [row["id"] ?? "", row["userId"]]));

/** The admin is told of each comment that names him, unless he is told of it as one on his medium or to him. */
function wrongMentions(held: Held): string[] {
  const { comments, notifications, owners, steward } = held;
  const authors = authorsOf(held);
  const naming = comments
    .filter(({ text = "", mediaId = "" }) => text.includes("@") && owners.get(mediaId) !== steward)
    .filter(({ parentId = "", userId }) => authors.get(parentId) !== steward || userId === steward)
    .map(({ id }) => `mention_${id}_${steward}`);
  const told = notifications.filter(({ kind }) => kind === "mention").map(({ id }) => id);
  return [
    ...naming.filter((id) => !told.includes(id)).map((id) => `notification ${id} is missing`),
    ...told
      .filter((id = "") => !naming.includes(id))
      .map((id) => `notification ${id} is of what nobody wrote`),
  ];
}

/** What somebody has read, and the server still has as new. */
function unheard({ entries }: Ledger, { notifications }: Held): string[] {
  const heard = entries.filter((e) => e.kind === "hear" && e.fate === "taken" && !e.shaken);
  const read = new Set(heard.map(({ newsId }) => newsId));
  return notifications
    .filter(({ id = "", readAt }) => readAt === "" && read.has(id))
    .map(({ id }) => `notification ${id} was read, and is new`);
}

function strangeChats(entries: readonly Entry[], held: Held): string[] {
  const sent = entries.filter(({ kind }) => kind === "message");
  const chats = new Set(sent.map((e) => conversationId(e.userId, e.otherId)));
  const ids = new Set(sent.map(({ messageId }) => messageId));
  const died = sent.some(({ messageId }) => messageId === "");
  return [
    ...held.conversations
      .filter(({ id = "" }) => !chats.has(id))
      .map(({ id }) => `conversation ${id} was made by nobody`),
    ...held.messages
      .filter(({ id = "" }) => !ids.has(id) && !died)
      .map(({ id }) => `message ${id} was made by nobody`),
  ];
}

/** What is saved lies in a folder of its owner's into which he has put it, or in none. */
function strangePlaces(entries: readonly Entry[], { saves }: Held): string[] {
  const puts = new Set(
    entries.map(({ userId, mediaId, folderId }) => `${userId} ${mediaId} ${folderId}`),
  );
  return saves
    .filter(({ folderId }) => folderId !== "")
    .filter((row) => !puts.has(`${row["userId"]} ${row["mediaId"]} ${row["folderId"]}`))
    .map(({ id }) => `save ${id} is in a folder into which nobody put it`);
}

const LIKES: ReadonlySet<Entry["kind"]> = new Set(["like", "like-comment", "save"] as const);

const PAIRS = [
  { kind: "like", rows: "likes", by: "userId", to: "mediaId", target: "mediaId" },
  {
    kind: "like-comment",
    rows: "commentLikes",
    by: "userId",
    to: "commentId",
    target: "commentId",
  },
  { kind: "save", rows: "saves", by: "userId", to: "mediaId", target: "mediaId" },
  { kind: "follow", rows: "follows", by: "followerId", to: "followingId", target: "otherId" },
  { kind: "block", rows: "blocks", by: "blockerId", to: "blockedId", target: "otherId" },
  { kind: "mute", rows: "mutes", by: "blockerId", to: "mutedId", target: "otherId" },
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

const isKept = (kind: Entry["kind"]): kind is "upload" | "comment" | "message" | "folder" =>
  kind === "upload" || kind === "comment" || kind === "message" || kind === "folder";

/** What a device took and no longer holds has been acknowledged: it is there, or was taken away on purpose. */
function lost(check: ServerCheck, held: Held): string[] {
  const { ledger, left } = check;
  const refused = [...refusedRows(left), ...left.flatMap((each) => each.stuck)].map(bodyOf);
  const isRefused = (token: string): boolean =>
    refused.some((body) => [body["caption"], body["text"], body["reason"]].includes(token));
  const { entries } = ledger;
  const gone = (kind: Entry["kind"], id: string): boolean =>
    entries.some(
      (e) => e.kind === kind && (kind === "delete-comment" ? e.commentId : e.mediaId) === id,
    );
  const messages = entries.filter(({ messageId }) =>
    held.messages.some(({ id }) => id === messageId),
  );
  const there = {
    upload: new Set(held.media.map(({ caption }) => caption)),
    // Changed since, it has another text.
    comment: new Set(held.comments.flatMap(({ id, text }) => [id, text])),
    message: new Set(messages.map(({ token }) => token)),
    folder: new Set(held.folders.map(({ name }) => name)),
  };
  const isThere = (kind: keyof typeof there, { token, commentId }: Entry): boolean =>
    [token, commentId].some((name) => there[kind].has(name));
  return entries.flatMap((e) => {
    if (e.fate !== "taken" || e.forgotten || !isKept(e.kind)) return [];
    const away =
      gone("delete-media", e.mediaId) ||
      held.moderated.has(e.mediaId) ||
      isForgotten(entries, e.mediaId) ||
      (e.kind === "comment" && gone("delete-comment", e.commentId)) ||
      // What it answers went, was turned away, or never came: a fault of its own where that is one.
      (e.parentId !== "" && !held.comments.some(({ id }) => id === e.parentId)) ||
      // Taken back before a restore, or after a refusal: it need not come to be taken back.
      (e.kind === "message" && isTakenBack(entries, e.messageId));
    if (isThere(e.kind, e) || away || isRefused(e.token)) return [];
    if (e.kind === "comment" && (endedQuietly(check, e) || wentWithMedium(check, e))) return [];
    return [`${e.device}: ${e.kind} "${e.token}" is lost`];
  });
}

function groupBy<T>(list: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** Where all that was said about something was said on one device, and nothing was refused, the last word stands. */
function lastWords(check: ServerCheck, held: Held): string[] {
  const { ledger, left } = check;
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
      if (last === undefined || last.forgotten || refused.includes(about)) continue;
      if (unsure || disturbed(said, check)) continue;
      const row = held[rows].find((each) => each[by] === last.userId && each[to] === last[target]);
      if ((row !== undefined) !== last.on) faults.push(`${kind} ${about} is not as last wanted`);
    }
  }
  return [...faults, ...deletions(ledger, held)];
}

const isTakenBack = (entries: readonly Entry[], messageId: string): boolean =>
  entries.some((e) => e.kind === "delete-message" && e.messageId === messageId);

/** A comment that was taken back, alone or with what it answers, or that a restore took for good. */
function isCommentGone(entries: readonly Entry[], { commentId }: Entry): boolean {
  const comment = entries.find((e) => e.kind === "comment" && e.commentId === commentId);
  const ids = [commentId, comment?.parentId];
  return entries.some(
    (e) =>
      (e.kind === "delete-comment" && ids.includes(e.commentId)) ||
      (e.kind === "comment" && e.forgotten && ids.includes(e.commentId)),
  );
}

/** A medium that a restore took for good, and what was said about it with it. */
const isForgotten = (entries: readonly Entry[], mediaId: string): boolean =>
  entries.some((e) => e.kind === "upload" && e.forgotten && e.mediaId === mediaId);

/** What was liked is gone, or was while that was sent. */
function wentAway(check: ServerCheck, last: Entry | undefined): boolean {
  if (last === undefined || !LIKES.has(last.kind)) return false;
  const isOfGone = last.kind === "like-comment" && isCommentGone(check.ledger.entries, last);
  return isOfGone || (last.on && endedQuietly(check, last));
}

/** Others had a say: a medium was deleted, a block ended a follow, a second device spoke, or one died. */
function disturbed(said: readonly Entry[], check: ServerCheck): boolean {
  const { entries } = check.ledger;
  const [first] = said;
  const last = said.at(-1);
  return (
    wentAway(check, last) ||
    said.some(({ fate, device }) => fate === "maybe" || device !== first?.device) ||
    entries.some(
      (e) =>
        (isRemoval(e) && e.mediaId === first?.mediaId) ||
        isForgotten(entries, first?.mediaId ?? "") ||
        (first?.kind === "follow" && e.kind === "block" && e.otherId === first.otherId),
    )
  );
}

function deletions({ entries }: Ledger, held: Held): string[] {
  const taken = entries.filter(({ fate, forgotten }) => fate === "taken" && !forgotten);
  const back = (kind: Entry["kind"], rows: Row[], field: "mediaId" | "commentId" | "messageId") =>
    taken
      .filter((e) => e.kind === kind && rows.some(({ id }) => id === e[field]))
      .map((e) => `${kind} ${e[field]}: it is still there`);
  return [
    ...back("delete-media", held.media, "mediaId"),
    ...back("delete-comment", held.comments, "commentId"),
    ...back(
      "delete-message",
      held.messages.filter((row) => Number(row["deleted"]) === 0),
      "messageId",
    ),
  ];
}

/**
 * What one device wrote on one medium, or in one conversation, was stored in the order in which it was written. What a
 * restore took, with its medium or alone, comes behind what was sent before the device could know of it.
 */
function disorder(check: ServerCheck, held: Held): string[] {
  const { ledger, left } = check;
  const late = new Set(left.flatMap(({ retried }) => retried.map((row) => bodyOf(row)["text"])));
  const lanes = groupBy(
    ledger.entries.filter(
      (e) => isWritten(e.kind) && !e.shaken && !late.has(e.token) && !wasTurnedAway(check, e),
    ),
    (e) => `${e.device}: ${e.kind} of ${e.userId} on ${e.mediaId || e.otherId}`,
  );
  const written = [
    ...held.comments.map(({ id = "" }, at) => [id, at] as const),
    ...held.messages.map(({ id = "" }, at) => [id, at] as const),
  ];
  const placeOf = new Map(written);
  return [...lanes].flatMap(([lane, said]) => {
    const places = said.flatMap((e) => placeOf.get(e.commentId || e.messageId) ?? []);
    const sorted = places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0));
    return sorted ? [] : [`${lane} is in another order`];
  });
}

const isWritten = (kind: Entry["kind"]): boolean => kind === "comment" || kind === "message";
