/** A plain database per user beside the replica: queued files and how far the pull has come. */
import type { EntityTable } from "dexie";
import Dexie from "dexie";
import { BehaviorSubject, type Observable } from "rxjs";
import type { Window } from "@/domain/feed-window";
import { isQuotaError } from "./answers";
import type { ClientDeps, ClientStorage } from "./deps";

/** How far the pull has come. Written after the rows, so that a crash applies a page again. */
export interface SyncState {
  epoch: string;
  checkpoint: number;
}

/** How far down a list of media the replica has every row; the time as the server writes it. */
export type ListWindow = { createdAt: string; id: string } | "end";
/** By the names of lists. */
export type Windows = ReadonlyMap<string, ListWindow>;

interface BlobRow {
  key: string;
  /** The blob, or its bytes where the browser cannot store blobs. */
  data: Blob | ArrayBuffer;
  type: string;
}
type StateRow =
  /** Of "history" the epoch alone means something. */
  | { key: "sync" | "history"; value: SyncState }
  | { key: "window"; value: Window }
  /** How often what was pulled has been forgotten. */
  | { key: "wipes"; value: number };
/** Files that no queued row names. */
export interface Unclaimed {
  keys: string[];
  /** When they were found, milliseconds since 1970. */
  at: number;
}
type Tables = Dexie & {
  blobs: EntityTable<BlobRow, "key">;
  state: EntityTable<StateRow, "key">;
  shown: EntityTable<{ id: string; at: number }, "id">;
  windows: EntityTable<{ list: string; reached: ListWindow }, "list">;
  unclaimed: EntityTable<Unclaimed & { key: "files" }, "key">;
};

export type DeviceStore = Awaited<ReturnType<typeof openDeviceStore>>;

export async function openDeviceStore(storage: ClientStorage, name: string) {
  const { indexedDB, IDBKeyRange } = storage;
  const db = new Dexie(`${name}-device`, { indexedDB, IDBKeyRange }) as Tables;
  db.version(1).stores({ blobs: "key", state: "key", shown: "id", windows: "list" });
  db.version(2).stores({ unclaimed: "key" });
  await db.open();
  const { windows$, changeWindows, stop } = followWindows(db, await readWindows(db));
  return {
    putBlob: (key: string, blob: Blob) => putBlob(db, key, blob),
    async readBlob(key: string): Promise<Blob | null> {
      const row = await db.blobs.get(key);
      if (row === undefined) return null;
      return row.data instanceof Blob ? row.data : new Blob([row.data], { type: row.type });
    },
    deleteBlobs: async (keys: string[]) => db.blobs.bulkDelete(keys),
    blobKeys: async () => db.blobs.toCollection().primaryKeys(),
    readUnclaimed: async (): Promise<Unclaimed | null> => (await db.unclaimed.get("files")) ?? null,
    async writeUnclaimed({ keys, at }: Unclaimed) {
      await db.unclaimed.put({ key: "files", keys, at });
    },
    readSync: async () => readState(db, "sync"),
    readWipes: () => readWipes(db),
    /**
     * `wipes` as it was when the pull began: one that another tab's sign-out overtook brings
     * nothing, for its rows are gone. Answers whether it was stored.
     */
    async writeSync(value: SyncState, wipes: number): Promise<boolean> {
      return db.transaction("rw", db.state, async () => {
        if ((await readWipes(db)) !== wipes) return false;
        await db.state.put({ key: "sync", value });
        return true;
      });
    },
    windows$,
    changeWindows,
    /** Which media the feed was last asked for; null: all. See media/held.ts. */
    async readNamed(): Promise<Window | null> {
      const row = await db.state.get("window");
      return row?.key === "window" ? row.value : null;
    },
    async writeNamed(value: Window | null) {
      if (value === null) await db.state.delete("window");
      else await db.state.put({ key: "window", value });
    },
    /** The server's epoch when there was no replica; queued rows may be older than it. */
    readHistory: async () => (await readState(db, "history"))?.epoch ?? null,
    async writeHistory(epoch: string) {
      await db.state.put({ key: "history", value: { epoch, checkpoint: 0 } });
    },
    /** Forgets how far the pull has come, before its rows go. */
    async forgetSync() {
      await db.transaction("rw", db.state, db.windows, async () => {
        const value = await readState(db, "sync");
        if (value !== null) await db.state.put({ key: "history", value });
        await db.state.put({ key: "wipes", value: (await readWipes(db)) + 1 });
        await Promise.all([db.state.bulkDelete(["sync", "window"]), db.windows.clear()]);
      });
      windows$.next(new Map());
    },
    async markShown(ids: string[], at: number) {
      await db.shown.bulkPut(ids.map((id) => ({ id, at })));
    },
    /** Media by last showing; those never shown are missing. */
    readShown: async () => new Map((await db.shown.toArray()).map((row) => [row.id, row.at])),
    close() {
      stop();
      db.close();
    },
    async remove() {
      stop();
      await db.delete();
    },
  };
}

/** Ends of lists, in all tabs: what another one evicts is no longer here either. */
function followWindows(db: Tables, first: Windows) {
  const windows$ = new BehaviorSubject(first);
  const tabs = new BroadcastChannel(`augenblick-windows ${db.name}`);
  tabs.onmessage = () =>
    void readWindows(db).then(
      (stored) => isSame(stored, windows$.value) || windows$.next(stored),
      // Ignoring it: without storage this tab has what it had.
      () => undefined,
    );
  return {
    windows$,
    /** `change` is given what is stored, which may be another tab's and newer than `windows$`. */
    async changeWindows(change: (stored: Windows) => Windows): Promise<void> {
      const changed = await db.transaction("rw", db.windows, async () => {
        const windows = change(await readWindows(db));
        await db.windows.clear();
        await db.windows.bulkPut([...windows].map(([list, reached]) => ({ list, reached })));
        return windows;
      });
      windows$.next(changed);
      tabs.postMessage("changed");
    },
    stop: () => tabs.close(),
  };
}

const readWindows = async (db: Tables): Promise<Windows> =>
  new Map((await db.windows.toArray()).map((row) => [row.list, row.reached]));

const isSame = (one: Windows, other: Windows): boolean =>
  JSON.stringify([...one]) === JSON.stringify([...other]);

async function readState(db: Tables, key: "sync" | "history"): Promise<SyncState | null> {
  const row = await db.state.get(key);
  return row?.key === "sync" || row?.key === "history" ? row.value : null;
}

async function readWipes(db: Tables): Promise<number> {
  const row = await db.state.get("wipes");
  return row?.key === "wipes" ? row.value : 0;
}

async function putBlob(db: Tables, key: string, blob: Blob): Promise<void> {
  try {
    await db.blobs.put({ key, data: blob, type: blob.type });
  } catch (error) {
    if (isQuotaError(error)) throw error;
    // WebKit in some modes cannot store blobs, only their bytes.
    await db.blobs.put({ key, data: await blob.arrayBuffer(), type: blob.type });
  }
}

/** The device store where the browser gives none: everything ends with the page. */
export function openMemoryDevice(): DeviceStore {
  const blobs = new Map<string, Blob>();
  const windows$ = new BehaviorSubject<Windows>(new Map());
  const shown = new Map<string, number>();
  let sync: SyncState | null = null;
  let history: string | null = null;
  let named: Window | null = null;
  let wipes = 0;
  return {
    async putBlob(key, blob) {
      blobs.set(key, blob);
    },
    readBlob: async (key) => blobs.get(key) ?? null,
    async deleteBlobs(keys) {
      for (const key of keys) blobs.delete(key);
    },
    blobKeys: async () => [...blobs.keys()],
    // Nothing outlives a crash here.
    readUnclaimed: async () => null,
    writeUnclaimed: async () => {},
    readSync: async () => sync,
    readWipes: async () => wipes,
    async writeSync(state, begun) {
      if (begun === wipes) sync = state;
      return begun === wipes;
    },
    windows$,
    async changeWindows(change) {
      windows$.next(change(windows$.value));
    },
    readNamed: async () => named,
    async writeNamed(window) {
      named = window;
    },
    readHistory: async () => history,
    async writeHistory(epoch) {
      history = epoch;
    },
    async forgetSync() {
      history = sync?.epoch ?? history;
      wipes += 1;
      sync = null;
      named = null;
      windows$.next(new Map());
    },
    async markShown(ids, at) {
      for (const id of ids) shown.set(id, at);
    },
    readShown: async () => new Map(shown),
    close() {},
    async remove() {
      blobs.clear();
    },
  };
}

const SHOWN_PAUSE_MS = 5_000;

export interface ShownDeps {
  device: Pick<DeviceStore, "markShown">;
  now: () => number;
  delay: (ms: number, signal?: AbortSignal) => Promise<void>;
  log: (message: string, error: unknown) => void;
}

/** Notes which media were shown when, a few at a time, so that showing costs no write each. */
export function createShownMarks(deps: ShownDeps) {
  const waiting = new Set<string>();
  const stop = new AbortController();
  const write = async () => {
    await deps.delay(SHOWN_PAUSE_MS, stop.signal);
    const ids = [...waiting];
    waiting.clear();
    if (!stop.signal.aborted) await deps.device.markShown(ids, deps.now());
  };
  return {
    shown(ids: readonly string[]) {
      const starts = waiting.size === 0 && ids.length > 0;
      for (const id of ids) waiting.add(id);
      if (!starts || stop.signal.aborted) return;
      void write().catch((error) => deps.log("Ignoring that it is unknown what was shown", error));
    },
    close: () => stop.abort(),
  };
}

export type BlobUrls = ReturnType<typeof createBlobUrls>;

/** Object URLs of queued files: created once per blob, revoked when its intent goes. */
export function createBlobUrls(
  device: Pick<DeviceStore, "readBlob">,
  objectUrls: ClientDeps["objectUrls"],
) {
  const urls$ = new BehaviorSubject<ReadonlyMap<string, string>>(new Map());
  const asked = new Set<string>();
  let closed = false;

  const drop = (wanted: ReadonlySet<string>) => {
    const kept = new Map<string, string>();
    for (const [key, url] of urls$.value) {
      if (wanted.has(key)) kept.set(key, url);
      else objectUrls?.revoke(url);
    }
    for (const key of asked) if (!wanted.has(key)) asked.delete(key);
    if (kept.size !== urls$.value.size) urls$.next(kept);
  };
  return {
    urls$: urls$ as Observable<ReadonlyMap<string, string>>,
    async show(keys: readonly string[]) {
      if (objectUrls === undefined) return;
      drop(new Set(keys));
      const missing = keys.filter((key) => !asked.has(key));
      for (const key of missing) asked.add(key);
      for (const key of missing) {
        const blob = await device.readBlob(key);
        if (blob === null || closed || !asked.has(key)) continue;
        urls$.next(new Map(urls$.value).set(key, objectUrls.create(blob)));
      }
    },
    close() {
      closed = true;
      drop(new Set());
    },
  };
}
