/**
 * Pending writes: intents on their way to this device's outbox, shown in the frame of the tap. Each
 * leaves when the outbox shows its row or could not store it. It is in the entry chunk, without Rx
 * and RxDB, because people tap before the client is loaded.
 */
import type { OutboxRow } from "./outbox-row";

export interface PendingWrites {
  subscribe(onChange: () => void): () => void;
  /** Shows a toggle at once, before the client is loaded too. Call the result when it is queued. */
  tap(target: string, on: boolean): () => void;
  /** The last tap that has not ended. */
  tapped(target: string): boolean | undefined;
  add(userId: string | null, row: OutboxRow): void;
  /** It is on the disk, and goes when the outbox is next read. */
  written(id: string): void;
  /** It could not be written. */
  takeBack(id: string): void;
  /** This user's outbox was read: what is or was in it goes from here. */
  read(userId: string | null, stored: readonly OutboxRow[]): void;
  /** This user's data were closed. */
  forget(userId: string | null): void;
  /** In the order in which they were asked for. */
  rows(userId: string | null): OutboxRow[];
  /** What was last asked of a toggle, by a tap or in a queue; undefined where nothing waits. */
  wanted(target: string): boolean | undefined;
}

interface Tap {
  target: string;
  on: boolean;
}

interface Entry {
  userId: string | null;
  row: OutboxRow;
  /** The outbox as it was read before this was on the disk; null while it is not. */
  readBefore: readonly OutboxRow[] | null;
}

const NOTHING: readonly OutboxRow[] = [];

export function createPendingWrites(): PendingWrites {
  const watchers = new Set<() => void>();
  const outboxes = new Map<string | null, readonly OutboxRow[]>();
  let taps: readonly Tap[] = [];
  let entries: readonly Entry[] = [];
  const tell = () => {
    for (const watcher of [...watchers]) watcher();
  };
  const tapped = (target: string) => taps.findLast((one) => one.target === target)?.on;
  return {
    subscribe(onChange) {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
    tap(target, on) {
      const tap = { target, on };
      taps = [...taps, tap];
      tell();
      return () => {
        taps = taps.filter((one) => one !== tap);
        tell();
      };
    },
    tapped,
    add(userId, row) {
      entries = [...entries, { userId, row, readBefore: null }];
      tell();
    },
    written(id) {
      entries = entries.map((entry) =>
        entry.row.id === id
          ? { ...entry, readBefore: outboxes.get(entry.userId) ?? NOTHING }
          : entry,
      );
    },
    takeBack(id) {
      entries = entries.filter(({ row }) => row.id !== id);
      tell();
    },
    // Tells nobody: what goes from here is in the rows that the reader shows next.
    read(userId, stored) {
      outboxes.set(userId, stored);
      if (entries.length === 0) return;
      const known = new Set(stored.map(({ id }) => id));
      entries = entries.filter(
        ({ row, readBefore, ...entry }) =>
          entry.userId !== userId ||
          (!known.has(row.id) && (readBefore === null || readBefore === stored)),
      );
    },
    forget(userId) {
      outboxes.delete(userId);
      entries = entries.filter((entry) => entry.userId !== userId);
    },
    rows: (userId) => entries.flatMap((entry) => (entry.userId === userId ? [entry.row] : [])),
    wanted(target) {
      const tap = tapped(target);
      if (tap !== undefined) return tap;
      const waiting = [...[...outboxes.values()].flat(), ...entries.map(({ row }) => row)];
      const last = waiting.findLast(
        (row) =>
          row.target === target && row.state !== "refused" && typeof row.body["on"] === "boolean",
      );
      return last?.body["on"] as boolean | undefined;
    },
  };
}
