/** The outbox as its screen shows it: each intent with its state, its words and its subject. */
import type { RxCollection } from "rxdb";
import { combineLatest, distinctUntilChanged, map, type Observable, of, switchMap } from "rxjs";
import type { IntentView, OutboxView } from "@/data/shapes";
import type { OverlayContext, Scope } from "./context";
import { isQuiet } from "./enqueue";
import type { CacheName, Nouns, Replica, Subject } from "./noun";
import type { OutboxRow } from "./outbox-row";
import { markOf } from "./overlay";

import type { ReplicaRow } from "./rows";

export interface OutboxFacts {
  context: OverlayContext;
  userId: string;
  /** By the id of the row. What this device never saw is missing. */
  subjects: ReadonlyMap<string, Subject>;
  blobUrl: (key: string) => string;
}

export function watchOutbox(nouns: Nouns, scope: Scope, address: (path: string) => string) {
  const { rows$, context$, blobUrls, replica, userId } = scope;
  const subjects$ = watchSubjects(nouns, { rows$, replica, userId }, address);
  return combineLatest([rows$, context$, blobUrls.urls$, subjects$]).pipe(
    map(([rows, context, urls, subjects]) => {
      const blobUrl = (key: string) => urls.get(key) ?? "";
      return outboxView(nouns, rows, { context, userId: userId ?? "", subjects, blobUrl });
    }),
  );
}

export function outboxView(
  nouns: Nouns,
  rows: readonly OutboxRow[],
  facts: OutboxFacts,
): OutboxView {
  const items = rows
    .filter((row) => row.state !== "acked" && !isQuiet(row))
    .filter((row) => nouns.read(row)?.kind.hidden !== true)
    .map((row) => intentView(nouns, row, facts));
  return {
    ready: true,
    failed: false,
    items,
    sent: rows.filter(({ state }) => state === "acked").map(({ id }) => id),
    waiting: items.filter((item) => item.state !== "refused").length,
    refused: items.filter((item) => item.state === "refused").length,
    bytes: rows.reduce((sum, row) => sum + (row.state === "acked" ? 0 : row.bytes), 0),
  };
}

function intentView(nouns: Nouns, row: OutboxRow, facts: OutboxFacts): IntentView {
  const { context, userId, subjects, blobUrl } = facts;
  const { state, progress, code } = markOf(row, context);
  const read = nouns.read(row);
  const body = read?.intent.body;
  const own =
    body &&
    read.kind
      .pictures?.(body)
      .map(blobUrl)
      .find((url) => url !== "");
  const about = body && read.kind.subject?.(body, userId);
  const subject = about && subjects.get(about.id);
  return {
    id: row.id,
    kind: row.kind,
    isUpload: read?.kind.ownsLane === true,
    undoes: row.body["on"] === false,
    state,
    held: row.state === "paused",
    thumbnailUrl: own || subject?.picture || "",
    label: (body && read.kind.label?.(body)) ?? "",
    about: subject?.name ?? "",
    ofVideo: subject?.isVideo === true,
    createdAt: row.createdAt,
    attempts: row.attempts,
    progress,
    bytes: row.bytes,
    code,
    message: row.message,
  };
}

const NONE: ReadonlyMap<string, Subject> = new Map();

function watchSubjects(
  nouns: Nouns,
  { rows$, replica, userId }: Pick<Scope, "rows$" | "replica" | "userId">,
  address: (path: string) => string,
): Observable<ReadonlyMap<string, Subject>> {
  return rows$.pipe(
    map((rows) => {
      const subjects = rows.flatMap((row) => {
        const read = nouns.read(row);
        return read?.kind.subject?.(read.intent.body, userId ?? "") ?? [];
      });
      return nouns.cacheNames.flatMap((name) => {
        const ids = subjects.flatMap((one) => (one.name === name ? [one.id] : []));
        return ids.length === 0 ? [] : [{ name, ids: [...new Set(ids)].sort() }];
      });
    }),
    distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)),
    switchMap((wanted) => {
      if (wanted.length === 0) return of(NONE);
      const found = wanted.map((some) => watchSubjectsOf(nouns, { replica, ...some }, address));
      return combineLatest(found).pipe(map((maps) => new Map(maps.flatMap((one) => [...one]))));
    }),
  );
}

function watchSubjectsOf(
  nouns: Nouns,
  { replica, name, ids }: { replica: Replica; name: CacheName; ids: string[] },
  address: (path: string) => string,
): Observable<Map<string, Subject>> {
  const { subject } = nouns.collection(name);
  const collection = replica[name] as unknown as RxCollection<ReplicaRow>;
  return collection.findByIds(ids).$.pipe(
    map((docs) => {
      const rows = [...docs.values()].map((doc) => doc.toJSON());
      return new Map(rows.flatMap((row) => (subject ? [[row.id, subject(row, address)]] : [])));
    }),
  );
}
