/** Addresses by which the page shows queued files: made once per blob, revoked when its intent goes. */
import { BehaviorSubject, type Observable } from "rxjs";
import type { ClientDeps } from "./context";
import type { DeviceStore } from "./device-store";

export interface BlobUrls {
  /** By the blob's key in the device store. */
  urls$: Observable<ReadonlyMap<string, string>>;
  /** Makes what is missing and revokes the rest. */
  show(keys: readonly string[]): Promise<void>;
  close(): void;
}

export function createBlobUrls(
  device: Pick<DeviceStore, "readBlob">,
  objectUrls: ClientDeps["objectUrls"],
): BlobUrls {
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
    urls$,
    async show(keys) {
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
