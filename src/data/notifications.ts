/** What one is told of: rows that the server makes, how far one has read, and groups of them. */
import { combineLatest, distinctUntilChanged, map, of, shareReplay, switchMap } from "rxjs";
import { NOTIFICATION_DAYS, NOTIFICATION_KINDS } from "@/domain/notifications";
import { failed, ok, type Result } from "@/domain/result";
import { parseInstant } from "@/domain/times";
import { isRecord, toFailure } from "./engine/answers";
import { writeRecords } from "./engine/apply";
import type { Scope } from "./engine/context";
import type { Acts } from "./engine/enqueue";
import { pullIds } from "./engine/lists";
import { loadedOf, rowsOf, sameList, type Views } from "./engine/live";
import { type Ahead, type CacheRows, defineKind, type Noun, type Replica } from "./engine/noun";
import { type RequestOptions, records } from "./engine/remote";
import {
  count,
  defineSchema,
  id,
  instantOf,
  newestFirst,
  order,
  type RawRecord,
  type RowOf,
  rowReader,
  rowWith,
  text,
} from "./engine/rows";
import { mutes$ } from "./people/mutes";
import { blockedIds$, type NamedPerson, watchNames } from "./people/views";
import type { Loaded, NotificationsPage, NotificationView, Queued } from "./shapes";

const columns = {
  id: text(60),
  userId: id(),
  kind: text(20),
  /** "" for what an admin decided. */
  actorId: id(),
  mediaId: id(),
  commentId: id(),
  outcome: text(20),
  caption: text(),
  reason: text(),
  /** Milliseconds; 0 while unread. */
  readAt: count(),
  createdAt: count(),
  sortKey: order(),
  seq: count(),
};

type NotificationRow = RowOf<typeof columns>;

declare module "@/data/engine/noun" {
  interface CacheRows {
    notifications: NotificationRow;
  }
  interface IntentBodies {
    /** As the server writes an instant. */
    "notifications.read": { until: string };
  }
  interface Overlay {
    /** Up to when one has read, milliseconds, under "until". */
    readUntil: ReadonlyMap<"until", number>;
  }
}

const readNotification = rowReader<NotificationRow>(columns);

function notificationRow(record: RawRecord): NotificationRow | null {
  const createdAt = instantOf(record, "createdAt");
  const readAt = instantOf(record, "readAt");
  const row = readNotification(record, { createdAt, readAt, sortKey: newestFirst(createdAt) });
  return rowWith(row, "id", "userId");
}

/** A later server may tell of more than this version has words for; a later version reads it. */
const isKnown = ({ kind }: NotificationRow): boolean =>
  NOTIFICATION_KINDS.some((known) => known === kind);

const read = defineKind<"notifications.read">({
  kind: "notifications.read",
  needs: ["until"],
  lane: () => "notifications",
  target: () => "notifications",
  toggle: true,
  request: (body) => ({ path: "/api/notifications/read", method: "POST", body }),
  lay: (overlay, { body }) => overlay.readUntil.set("until", parseInstant(body.until)),
  change: {
    async isLost({ replica }, { until }) {
      const unread = await replica.notifications.find({ selector: { readAt: 0 } }).exec();
      return unread.some(({ createdAt }) => createdAt <= parseInstant(until));
    },
  },
});

const DAY_MS = 24 * 3_600_000;

export const notifications: Noun = {
  collections: {
    notifications: {
      schema: defineSchema<NotificationRow>(columns, [["sortKey"]]),
      read: notificationRow,
      holds: "own",
    },
  },
  kinds: [read],
  emptyOverlay: () => ({ readUntil: new Map() }),
  /** The server drops the old ones without a word. */
  async evict({ deps, replica }) {
    const before = newestFirst(deps.now() - NOTIFICATION_DAYS * DAY_MS);
    const selector = { sortKey: { $gt: before } };
    const old = await replica.notifications.find({ selector, index: ["sortKey"] }).exec();
    if (old.length === 0) return;
    await replica.notifications.bulkRemove(old.map((row) => row.id));
    await replica.notifications.storageInstance.cleanup(0);
  },
  fetchAhead: fetchShownAhead,
};

export const createNotificationWrites = (acts: Acts) => ({
  /** Of what one is not told. Asked at once. */
  notificationsOff: () => askOff(acts),
  /** Sent at once, and never queued. Answers what the server has then. */
  setNotificationsOff: (notificationsOff: readonly string[]) =>
    askOff(acts, { method: "PATCH", body: { notificationsOff } }),
  /** All that was made up to `until`, milliseconds, by the server's clock. */
  markNotificationsRead: (until: number): Promise<Result<Queued>> =>
    acts.enqueueAs(() => ({
      kind: "notifications.read",
      body: { until: new Date(until).toISOString().replace("T", " ") },
    })),
});

/** With kinds of a later server, which this version has no words for. */
async function askOff(
  { shared, user }: Acts,
  options: RequestOptions = {},
): Promise<Result<string[]>> {
  const answer = await shared.remote.request(records("users", user()?.id ?? ""), options);
  if (answer.kind !== "accepted") return toFailure(answer);
  const off: unknown = isRecord(answer.body) ? answer.body["notificationsOff"] : [];
  return ok(Array.isArray(off) ? off.map(String) : []);
}

/** Groups whose people and media are fetched before a screen asks for them. */
const GROUPS_AHEAD = 30;

/** So that the list opens with names, pictures and links where there is no network by then. */
async function fetchShownAhead({ replica, remote, mayAsk }: Ahead): Promise<Result<null>> {
  const rows = await rowsFound(replica).exec();
  const groups = groupsOf(rows.map((doc) => doc.toJSON()).filter(isKnown)).slice(0, GROUPS_AHEAD);
  const wanted = {
    profiles: groups.flatMap((group) => actorsOf(group).slice(0, NAMED)),
    media: groups.map(({ rows: [{ mediaId }] }) => mediaId),
  };
  for (const name of ["profiles", "media"] as const) {
    const ids = [...new Set(wanted[name].filter(Boolean))];
    const here = await replica[name].findByIds(ids).exec();
    const missing = ids.filter((id) => !here.has(id));
    if (missing.length === 0) continue;
    if (!(await mayAsk())) return failed("canceled");
    const pulled = await pullIds(remote, name, missing, async (records) => {
      await writeRecords(replica, name, records);
    });
    if (!pulled.success) return pulled;
  }
  return ok(null);
}

/** What happened on one day to one thing, the newest first. */
interface Group {
  key: string;
  rows: [newest: NotificationRow, ...NotificationRow[]];
}

/** What is told as one: likes and comments of a medium, and who began to follow, by days. */
const GROUPED: readonly string[] = ["like", "comment", "follow"];

function groupsOf(rows: readonly NotificationRow[]): Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const day = new Date(row.createdAt).toDateString();
    // Of a like of a comment: the comment.
    const of = row.kind === "like" && row.commentId !== "" ? row.commentId : row.mediaId;
    const key = GROUPED.includes(row.kind) ? `${row.kind} ${of} ${day}` : row.id;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { key, rows: [row] });
    else group.rows.push(row);
  }
  return [...groups.values()];
}

const actorsOf = ({ rows }: Group): string[] => [...new Set(rows.map(({ actorId }) => actorId))];

/** Named in a group; of the others the number is told. */
const NAMED = 2;

interface Known {
  names: ReadonlyMap<string, NamedPerson>;
  media: ReadonlyMap<string, CacheRows["media"]>;
  readUntil: number;
  address: (path: string) => string;
}

function viewOf(group: Group, { names, media, readUntil, address }: Known): NotificationView {
  const [{ kind, mediaId, commentId, caption, outcome, reason, createdAt }] = group.rows;
  const medium = media.get(mediaId);
  const actors = actorsOf(group);
  return {
    key: group.key,
    kind: kind as NotificationView["kind"],
    people: actors.slice(0, NAMED).flatMap((actor) => {
      const person = names.get(actor);
      const known = person?.state === "known" ? person : { username: "", thumbnailUrl: "" };
      return actor === "" ? [] : [{ ...known, id: actor }];
    }),
    count: actors.length,
    mediaId,
    type: medium?.type ?? null,
    thumbnailUrl: medium === undefined ? "" : address(medium.thumbnailUrl),
    commentId,
    caption: caption || (medium?.caption ?? ""),
    outcome,
    reason,
    createdAt,
    ids: group.rows.map(({ id }) => id),
    isUnread: group.rows.some((row) => isUnread(row, readUntil)),
  };
}

const isUnread = ({ readAt, createdAt }: NotificationRow, readUntil: number): boolean =>
  readAt === 0 && createdAt > readUntil;

const rowsFound = ({ notifications: rows }: Pick<Replica, "notifications">) =>
  rows.find({ sort: [{ sortKey: "asc" }], index: ["sortKey"] });

/** Rows that are shown: those of people whom one has neither blocked nor muted. */
const shown$ = (scope: Scope) =>
  combineLatest([
    rowsOf<NotificationRow>(rowsFound(scope.replica)),
    blockedIds$(scope),
    mutes$(scope),
  ]).pipe(
    map(([rows, blocked, { people }]) => {
      const hidden = new Set([...blocked, ...people]);
      return rows.filter((row) => isKnown(row) && !hidden.has(row.actorId));
    }),
    shareReplay({ bufferSize: 1, refCount: true }),
  );

const readUntil$ = ({ overlay$ }: Scope) =>
  overlay$.pipe(
    map(({ readUntil }) => readUntil.get("until") ?? 0),
    distinctUntilChanged(),
  );

function watchGroups(views: Views, scope: Scope, limit: number) {
  const { replica, status$ } = scope;
  const groups$ = shown$(scope).pipe(map(groupsOf));
  const shownGroups$ = groups$.pipe(map((groups) => groups.slice(0, limit)));
  const names$ = shownGroups$.pipe(
    map((groups) => groups.flatMap((group) => actorsOf(group).slice(0, NAMED)).filter(Boolean)),
    distinctUntilChanged(sameList),
    switchMap((ids) => watchNames(views, scope, [...new Set(ids)])),
  );
  const media$ = shownGroups$.pipe(
    map((groups) => groups.map(({ rows: [{ mediaId }] }) => mediaId).filter(Boolean)),
    distinctUntilChanged(sameList),
    switchMap((ids) => replica.media.findByIds([...new Set(ids)]).$),
  );
  return combineLatest([groups$, names$, media$, readUntil$(scope), status$]).pipe(
    map(([groups, names, media, readUntil, status]): Loaded<NotificationsPage> => {
      const known = { names, media, readUntil, address: views.address };
      const items = groups.slice(0, limit).map((group) => viewOf(group, known));
      const unread = groups.flatMap(({ rows }) => rows.filter((row) => isUnread(row, readUntil)));
      const page = {
        items,
        hasMore: groups.length > limit,
        unread: unread.map(({ id }) => id),
        newestUnread: Math.max(0, ...unread.map(({ createdAt }) => createdAt)),
      };
      return loadedOf(page, groups.length > 0, status);
    }),
  );
}

const EMPTY: NotificationsPage = { items: [], hasMore: false, unread: [], newestUnread: 0 };

export const createNotificationReads = (views: Views) => ({
  watchNotifications: (limit: number) =>
    views.loaded({ key: "notifications", limit }, (scope) =>
      scope.userId === null
        ? of({ state: "ready" as const, value: EMPTY })
        : watchGroups(views, scope, limit),
    ),
  /** How many events one has not read; null until that is known. */
  watchUnreadNotifications: () =>
    views.value<number | null>(
      "unread notifications",
      (scope) =>
        combineLatest([shown$(scope), readUntil$(scope), scope.status$]).pipe(
          map(([rows, until, { filled }]) =>
            filled || rows.length > 0 ? rows.filter((row) => isUnread(row, until)).length : null,
          ),
          distinctUntilChanged(),
        ),
      null,
    ),
});
