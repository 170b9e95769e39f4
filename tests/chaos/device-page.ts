/**
 * One tab of a device in a real browser: a real client on the browser's own storage, which all its tabs share. Or what
 * sends without a page, on the same storage.
 */
import { createClient } from "@/data/create-client";
import type { ClientDeps } from "@/data/engine/deps";
import { fetchHttpStack } from "@/data/files/fetch-http-stack";
import { sendQueue } from "@/data/send-queue";
import { countPulled, createOrders, type Orders } from "./device-orders";
import { hastyTime } from "./hasty-time";
import type { Operation, Share } from "./operations";
import { DIE_PATH } from "./page-paths";
import type { DatabaseSnapshot, Disk, StoreSnapshot } from "./rows-on-disk";

export interface PageBoot {
  tab: number;
  share: Share;
  haste: number;
  /** The await at which what sends without a page dies; absent in a tab. */
  senderDies?: number;
}

const boot = JSON.parse(decodeURIComponent(location.hash.slice(1))) as PageBoot;
const complaints: string[] = [];
const pulled = { rows: 0 };
let awaitsLeft = boot.senderDies ?? Number.POSITIVE_INFINITY;

/** Called wherever the client awaits the outside world. When its time has come, the tab is closed under it. */
function livesOn(): void {
  awaitsLeft -= 1;
  if (awaitsLeft > 0) return;
  // Is never answered, and nothing runs meanwhile.
  const request = new XMLHttpRequest();
  request.open("GET", `${DIE_PATH}?${boot.tab}`, false);
  request.send();
}

const openTransaction = IDBDatabase.prototype.transaction;
IDBDatabase.prototype.transaction = function transaction(...args) {
  livesOn();
  return openTransaction.apply(this, args);
};

const shared = (key: string) => ({
  get: () => Number(localStorage.getItem(key) ?? 0),
  set: (value: number) => localStorage.setItem(key, String(value)),
});
const store = Object.defineProperties(
  { skipped: 0, ahead: 0 },
  {
    skipped: shared("chaos.skipped"),
    ahead: shared("chaos.ahead"),
  },
);
const time = hastyTime({ haste: boot.haste, livesOn, store });

const deps: ClientDeps = {
  baseUrl: location.origin,
  storage: {
    indexedDB,
    IDBKeyRange,
    name: "device",
    local: {
      getItem: (key) => localStorage.getItem(key),
      setItem: (key, value) => {
        livesOn();
        localStorage.setItem(key, value);
      },
      removeItem: (key) => localStorage.removeItem(key),
    },
  },
  fetch: countPulled((input, init) => fetch(input, init), pulled, livesOn),
  eventSource: (url) => {
    const source = new EventSource(url);
    return {
      addEventListener: (type, listener) =>
        source.addEventListener(type, (event) =>
          listener(event instanceof MessageEvent ? { data: event.data } : {}),
        ),
      close: () => source.close(),
    };
  },
  now: time.now,
  random: () => Math.random(),
  delay: time.wait,
  multiInstance: true,
  locks: navigator.locks,
  onSessionChange(changed) {
    window.addEventListener("storage", changed);
    return () => window.removeEventListener("storage", changed);
  },
  log: (message, error) => void complaints.push(`${message}: ${String(error)}`),
};

/** What the rows on disk are found in; of files, which may be large, the keys. */
async function readDisk(): Promise<Disk> {
  const found = await indexedDB.databases();
  const all = found.map(({ name = "", version = 1 }) => readDatabase(name, version));
  return { databases: (await Promise.all(all)).filter((database) => database !== null) };
}

function readDatabase(name: string, version: number): Promise<DatabaseSnapshot | null> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    // It was deleted since it was listed: it must not come back by being looked at.
    opening.onupgradeneeded = () => opening.transaction?.abort();
    opening.onerror = () => resolve(null);
    opening.onsuccess = () => {
      const database = opening.result;
      const wanted = [...database.objectStoreNames].filter((store) => READ.has(store));
      const stores = wanted.map((store) => readStore(database, store));
      Promise.all(stores)
        .then((read) => resolve({ name, version, stores: read }), reject)
        .finally(() => database.close());
    };
  });
}

const READ = new Set(["docs", "state", "windows", "blobs"]);

async function readStore(database: IDBDatabase, name: string): Promise<StoreSnapshot> {
  const store = openTransaction.call(database, name).objectStore(name);
  const keys = done(store.getAllKeys());
  const values: unknown[] = name === "blobs" ? [] : await done(store.getAll());
  const records = (await keys).map((key, at) => ({ key, value: values[at] }));
  return { name, keyPath: null, autoIncrement: false, indexes: [], records };
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Bytes come as base64. */
function readBytes(order: Operation & { base64?: string }): Operation {
  const { base64, ...rest } = order;
  if (base64 === undefined) return order;
  return {
    ...rest,
    bytes: Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0)),
  } as Operation;
}

function openTab(): void {
  const client = createClient(deps);
  const orders = createOrders({
    client,
    share: boot.share,
    pulled,
    complaints,
    readDisk,
    leave: async () => ({ ...(await readDisk()), local: Object.entries(localStorage) }),
    setClock: time.setClock,
    setAwaitsLeft(count) {
      awaitsLeft = count;
    },
  });
  Object.assign(window, {
    ask(name: keyof Orders, args: unknown[]): Promise<unknown> {
      const order = orders[name] as (...all: unknown[]) => Promise<unknown>;
      return order(...(name === "act" ? [readBytes(args[0] as Operation)] : args));
    },
  });
}

/** It has no XHR; its page says when it has ended. */
async function send(): Promise<void> {
  const sending = { ...deps, hasScreen: false, uploadHttpStack: async () => fetchHttpStack(fetch) };
  const fault = await sendQueue(sending, new AbortController().signal).then(() => "", String);
  Object.assign(window, { ended: { fault, complaints } });
}

if (boot.senderDies === undefined) openTab();
else void send();
