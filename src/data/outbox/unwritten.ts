/**
 * Intents on their way to this device's disk. The overlay shows them at once, so that what somebody did is on the screen in
 * the next frame; sent and listed is only what lies on the disk. A row leaves when the queue shows it, or could not be written.
 */
import { BehaviorSubject, type Observable } from "rxjs";
import type { OutboxRow } from "@/data/schema/outbox";

export interface Unwritten {
  /** Something came, or was taken back. */
  changed$: Observable<unknown>;
  add(row: OutboxRow): void;
  /** It lies on the disk: it goes when the queue is next read. */
  written(id: string): void;
  /** It could not be written. */
  takeBack(id: string): void;
  /** The queue was read: what it holds, or held since, goes from here. */
  read(stored: readonly OutboxRow[]): void;
  /** In the order of the asking. */
  rows(): OutboxRow[];
}

interface Entry {
  row: OutboxRow;
  /** The queue as it was read before this was on the disk; null while it is not. */
  readBefore: readonly OutboxRow[] | null;
}

export function createUnwritten(): Unwritten {
  const changed$ = new BehaviorSubject<null>(null);
  let entries: Entry[] = [];
  let lastRead: readonly OutboxRow[] = [];
  return {
    changed$,
    add(row) {
      entries = [...entries, { row, readBefore: null }];
      changed$.next(null);
    },
    written(id) {
      entries = entries.map((entry) =>
        entry.row.id === id ? { ...entry, readBefore: lastRead } : entry,
      );
    },
    takeBack(id) {
      entries = entries.filter(({ row }) => row.id !== id);
      changed$.next(null);
    },
    read(stored) {
      lastRead = stored;
      if (entries.length === 0) return;
      const known = new Set(stored.map(({ id }) => id));
      entries = entries.filter(
        ({ row, readBefore }) =>
          !known.has(row.id) && (readBefore === null || readBefore === stored),
      );
    },
    rows: () => entries.map(({ row }) => row),
  };
}
