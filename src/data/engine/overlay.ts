/** What pending intents change in the replica's rows (law 1); each kind lays itself. */
import { combineLatest, distinctUntilChanged, map, type Observable, shareReplay, tap } from "rxjs";
import type { IntentState, PendingMark } from "@/data/shapes";
import { UPLOAD_PROGRESS_CAP } from "@/domain/limits";
import type { OverlayContext, QueueStreams, ScopeStores, Shared } from "./context";

import { fromCell } from "./live";
import type { Nouns, Overlay, Replica } from "./noun";
import { queueOf } from "./outbox";
import type { OutboxRow } from "./outbox-row";

/** Pure. Rows must come in the order of their places: a later one wins. */
export function readOverlay(
  nouns: Nouns,
  rows: readonly OutboxRow[],
  context: OverlayContext,
): Overlay {
  const overlay = nouns.emptyOverlay();
  for (const row of rows) {
    const read = nouns.read(row);
    if (read === null || (row.state === "refused" && !read.kind.staysWhenRefused)) continue;
    const { body } = read.intent;
    read.kind.lay?.(overlay, { body, mark: markOf(row, context), createdAt: row.createdAt });
  }
  return overlay;
}

export function markOf(row: OutboxRow, context: OverlayContext): PendingMark {
  return {
    intentId: row.id,
    state: stateOf(row, context),
    progress: row.state === "acked" ? 100 : (context.progress.get(row.id) ?? 0),
    code: row.code === "" ? null : row.code,
  };
}

function stateOf(row: OutboxRow, context: OverlayContext): IntentState {
  if (row.state === "kept") return "acked";
  if (row.state !== "pending") return row.state;
  if (context.needsLogin) return "paused";
  return context.offline || row.attempts > 0 ? "waiting" : "queued";
}

/** `progress$`: percent by intent id, of what this tab is sending. */
export function watchQueue(
  shared: Shared,
  { userId, replica }: Pick<ScopeStores, "userId" | "replica">,
  progress$: Observable<ReadonlyMap<string, number>>,
): QueueStreams {
  const { pending, nouns } = shared;
  const rows$ = queueOf(replica.outbox).$.pipe(
    map((docs) => docs.map((doc) => doc.toJSON() as OutboxRow).sort((a, b) => a.place - b.place)),
    tap((rows) => pending.read(userId, rows)),
    shareReplay({ bufferSize: 1, refCount: true }),
  );
  const offline$ = fromCell(shared.connection).pipe(
    map((connection) => connection === "offline"),
    distinctUntilChanged(),
  );
  const needsLogin$ = fromCell(shared.auth.session).pipe(
    map((session) => session.state === "signed-in" && session.needsLogin),
    distinctUntilChanged(),
  );
  const context$ = combineLatest([offline$, needsLogin$, knownProgress$(replica, progress$)]).pipe(
    map(([offline, needsLogin, progress]) => ({ offline, needsLogin, progress })),
  );
  const pending$ = fromCell({ ...pending, getSnapshot: () => null });
  const overlay$ = combineLatest([rows$, pending$, context$]).pipe(
    map(([rows, , context]) => readOverlay(nouns, [...rows, ...pending.rows(userId)], context)),
    shareReplay({ bufferSize: 1, refCount: true }),
  );
  return { rows$, context$, overlay$ };
}

/** This tab's uploads report every byte; those of other tabs and earlier runs, every chunk. */
function knownProgress$(
  replica: Pick<Replica, "uploads">,
  progress$: Observable<ReadonlyMap<string, number>>,
): Observable<ReadonlyMap<string, number>> {
  return combineLatest([replica.uploads.find().$, progress$]).pipe(
    map(([docs, own]) => {
      const known = new Map(own);
      for (const { id, sentBytes, totalBytes } of docs) {
        const percent = Math.floor((UPLOAD_PROGRESS_CAP * sentBytes) / Math.max(1, totalBytes));
        known.set(id, Math.max(percent, own.get(id) ?? 0));
      }
      return known;
    }),
  );
}
