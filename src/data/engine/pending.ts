/**
 * Pending writes: intents on their way to this device's outbox, shown in the frame of the tap. Each
 * leaves when the outbox shows its row or could not store it. It is in the entry chunk, without Rx
 * and RxDB, because people tap before the client is loaded.
 */
import type { OutboxRow } from "./outbox-row";

interface Entry {
  userId: string | null;
  row: OutboxRow;
  /** The outbox as it was read before this was on the disk; null while it is not. */
  readBefore: readonly OutboxRow[] | null;
}

const NOTHING: readonly OutboxRow[] = [];

export type PendingWrites = ReturnType<typeof createPendingWrites>;

export function createPendingWrites() {
  const watchers = new Set<() => void>();
  const outboxes = new Map<string | null, readonly OutboxRow[]>();
  let taps: readonly { target: string; on: boolean }[] = [];
  let entries: readonly Entry[] = [];
  const tell = () => {
    for (const watcher of [...watchers]) watcher();
  };
  const tapped = (target: string): boolean | undefined =>
    taps.findLast((one) => one.target === target)?.on;
  return {
    subscribe(onChange: () => void): () => void {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
    /** Shows a like at once. Call the result when the write was queued, or could not be. */
    tap(target: string, on: boolean): () => void {
      const tap = { target, on };
      taps = [...taps, tap];
      tell();
      return () => {
        taps = taps.filter((one) => one !== tap);
        tell();
      };
    },
    tapped,
    add(userId: string | null, row: OutboxRow) {
      entries = [...entries, { userId, row, readBefore: null }];
      tell();
    },
    /** It is on the disk, and goes when the outbox is next read. */
    written(id: string) {
      entries = entries.map((entry) =>
        entry.row.id === id
          ? { ...entry, readBefore: outboxes.get(entry.userId) ?? NOTHING }
          : entry,
      );
    },
    takeBack(id: string) {
      entries = entries.filter(({ row }) => row.id !== id);
      tell();
    },
    /** This user's outbox was read. The reader shows these rows next, so nobody is told. */
    read(userId: string | null, stored: readonly OutboxRow[]) {
      outboxes.set(userId, stored);
      if (entries.length === 0) return;
      const known = new Set(stored.map(({ id }) => id));
      entries = entries.filter(
        ({ row, readBefore, ...entry }) =>
          entry.userId !== userId ||
          (!known.has(row.id) && (readBefore === null || readBefore === stored)),
      );
    },
    forget(userId: string | null) {
      outboxes.delete(userId);
      entries = entries.filter((entry) => entry.userId !== userId);
    },
    /** In the order in which they were asked for. */
    rows: (userId: string | null) =>
      entries.flatMap((entry) => (entry.userId === userId ? [entry.row] : [])),
    /** What was last asked of a like, by a tap or in a queue; undefined where nothing waits. */
    wanted(target: string): boolean | undefined {
      const tap = tapped(target);
      if (tap !== undefined) return tap;
      return lastWish([...[...outboxes.values()].flat(), ...entries.map(({ row }) => row)], target);
    },
  };
}

/** A medium can be the target of other toggles, too. */
const lastWish = (rows: readonly OutboxRow[], target: string): boolean | undefined =>
  rows
    .filter((row) => row.kind === "like.set" && row.target === target && row.state !== "refused")
    .map((row) => row.body["on"])
    .findLast((on) => typeof on === "boolean");
