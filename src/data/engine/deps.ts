/** The outside world, passed in so that the client runs in a page, in Node and in tests. */
import type { HttpStack } from "tus-js-client";
import type { PendingWrites } from "./pending";

export interface KeyValue {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface EventSourceLike {
  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void;
  close(): void;
}

export interface ClientStorage {
  indexedDB: IDBFactory;
  IDBKeyRange: typeof IDBKeyRange;
  /** Holds the session, and taps until the outbox has them. */
  local: KeyValue;
  /** First part of each database's name, default "augenblick"; two devices in a process differ. */
  name?: string;
}

export interface ClientDeps {
  /** Whole address of the server, without a slash at the end. */
  baseUrl: string;
  storage: ClientStorage;
  fetch: typeof globalThis.fetch;
  /** Opens a stream of events; without it the client polls. */
  eventSource?: (url: string) => EventSourceLike;
  now: () => number;
  /** In [0, 1). */
  random: () => number;
  /** Resolves after `ms`, or at once when `signal` fires. */
  delay: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Other tabs share the databases: elect one that pulls and sends. */
  multiInstance?: boolean;
  /** Held around a pull, so that two tabs never write the replica at once. */
  locks?: Pick<LockManager, "request">;
  /** Calls back when the device is online or visible again, or a Background Sync fires. */
  onWake?: (wake: () => void) => () => void;
  /** Whether anything waits to be sent, or is being sent; each time that changes. */
  onQueue?: (waits: boolean) => void;
  onSessionChange?: (changed: () => void) => () => void;
  objectUrls?: { create: (blob: Blob) => string; revoke: (url: string) => void };
  /** Makes a preview smaller, or returns it as it is; absent without a canvas. */
  compress?: (preview: Blob) => Promise<Blob>;
  /** Overwrites what a video says of its maker; absent without workers. */
  strip?: (video: Blob) => Promise<Blob>;
  /** For `Upload-Checksum`, or "". Default: computed in this thread. */
  checksum?: (piece: Blob) => Promise<string>;
  /** How files are sent; absent where the platform has XHR. */
  uploadHttpStack?: () => Promise<HttpStack>;
  /** Whether files may be sent over the connection there is; absent: they always may. */
  uploads?: { allowed: () => boolean; onChange: (changed: () => void) => () => void };
  /** False in a worker: nothing is fetched ahead, and tidying up is left to pages. Default true. */
  hasScreen?: boolean;
  /** Made by the page before the client is loaded; the client makes one where there is none. */
  pending?: PendingWrites;
  /** The product's name until the operator's is known. Default "Augenblick". */
  productName?: string;
  /** Keeps a person's own sent file where the service worker finds it. */
  keepMedia?: (entries: KeptMedia[]) => Promise<void>;
  /** Drops what is cached for the user who leaves, or for media that are gone. */
  dropMedia?: (urls: string[] | "private") => Promise<void>;
  /** What the browser knows about its storage; absent in Node. */
  room?: {
    estimate: () => Promise<{
      usage?: number;
      quota?: number;
      persisted?: boolean;
      cached?: number;
    }>;
    emptyCaches: () => Promise<void>;
    keptMedia?: () => Promise<ReadonlySet<string>>;
  };
  log?: (message: string, error: unknown) => void;
}

export interface KeptMedia {
  url: string;
  blob: Blob;
  /** It may go again where room is short. */
  evictable?: boolean;
}
