/**
 * One device of a chaos run, in a thread of its own: a real client on a disk that can be taken away at any await.
 * RxDB opens too few collections for two clients in one thread.
 */
import { parentPort, workerData } from "node:worker_threads";
import { openEventStream } from "@tests/integration/client/event-stream";
import { IDBDatabase, IDBKeyRange } from "fake-indexeddb";
import { createClient } from "@/data/create-client";
import { fetchHttpStack } from "@/data/files/fetch-http-stack";
import { countPulled, createOrders, type Orders } from "./device-orders";
import { hastyTime } from "./hasty-time";
import type { Share } from "./operations";
import type { StorageSnapshot } from "./rows-on-disk";
import { readDisk, restoreSnapshot, takeSnapshot } from "./storage-snapshot";

export interface Boot {
  baseUrl: string;
  share: Share;
  disk: StorageSnapshot;
  /** Pauses are this many times shorter than the client asks for. */
  haste: number;
}

const boot = workerData as Boot;
const indexedDB = await restoreSnapshot(boot.disk);
const local = new Map(boot.disk.local);
const complaints: string[] = [];
const pulled = { rows: 0 };
let awaitsLeft = Number.POSITIVE_INFINITY;

/** Called wherever the client awaits the outside world. When its time has come, the device is dead at once. */
function livesOn(): void {
  awaitsLeft -= 1;
  if (awaitsLeft > 0) return;
  parentPort?.postMessage({ died: takeSnapshot(indexedDB, local) });
  // Nothing after this line happens: the thread is ended from outside.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

const database = IDBDatabase.prototype as unknown as {
  transaction: (...args: unknown[]) => unknown;
};
const openTransaction = database.transaction;
database.transaction = function transaction(...args: unknown[]) {
  livesOn();
  return openTransaction.apply(this, args);
};

const time = hastyTime({ haste: boot.haste, livesOn, store: { skipped: 0, ahead: 0 } });
const countedFetch = countPulled(fetch, pulled, livesOn);
const client = createClient({
  baseUrl: boot.baseUrl,
  storage: {
    indexedDB,
    IDBKeyRange,
    name: "device",
    local: {
      getItem: (key) => local.get(key) ?? null,
      setItem: (key, value) => {
        livesOn();
        local.set(key, value);
      },
      removeItem: (key) => void local.delete(key),
    },
  },
  fetch: countedFetch,
  eventSource: openEventStream,
  now: time.now,
  random: () => Math.random(),
  delay: time.wait,
  uploadHttpStack: async () => fetchHttpStack(countedFetch),
  log: (message, error) => void complaints.push(`${message}: ${String(error)}`),
});

const orders = createOrders({
  client,
  share: boot.share,
  pulled,
  complaints,
  readDisk: async () => readDisk(indexedDB),
  leave: async () => takeSnapshot(indexedDB, local),
  setClock: time.setClock,
  setAwaitsLeft(count) {
    awaitsLeft = count;
  },
});

parentPort?.on("message", async ({ id, name, args }) => {
  try {
    const order = orders[name as keyof Orders] as (...all: unknown[]) => Promise<unknown>;
    parentPort?.postMessage({ id, value: await order(...args) });
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) });
  }
});
parentPort?.postMessage({ awake: true });
