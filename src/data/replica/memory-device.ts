/** The device store where the browser gives none: everything ends with the page. */
import { BehaviorSubject } from "rxjs";
import type { DeviceStore, ListWindow, SyncState } from "./device-store";

export function openMemoryDevice(): DeviceStore {
  const blobs = new Map<string, Blob>();
  const windows$ = new BehaviorSubject<ReadonlyMap<string, ListWindow>>(new Map());
  const shown = new Map<string, number>();
  let sync: SyncState | null = null;
  let history: string | null = null;
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
    async writeSync(state) {
      sync = state;
    },
    windows$,
    async writeWindows(windows) {
      windows$.next(windows);
    },
    readHistory: async () => history,
    async writeHistory(epoch) {
      history = epoch;
    },
    async forgetSync() {
      history = sync?.epoch ?? history;
      sync = null;
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
