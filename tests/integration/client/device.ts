/** A device of a person's: its storage, which outlives the app, and the app on it as often as it is started. */
import { readDisk, restoreSnapshot, takeSnapshot } from "@tests/chaos/storage-snapshot";
import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import type { Client } from "@/data/client";
import { createClient } from "@/data/create-client";
import type { ClientDeps } from "@/data/engine/deps";
import type { Intent } from "@/data/engine/noun";
import { fetchHttpStack } from "@/data/files/fetch-http-stack";
import { type QueueReport, sendQueue } from "@/data/send-queue";
import { openEventStream } from "./event-stream";

export interface Device {
  start(): Client;
  /** As the worker does that sends where no page is. */
  sendQueue(signal?: AbortSignal, intent?: Intent): Promise<QueueReport>;
  /** What `localStorage` would hold. */
  local: Map<string, string>;
  /** Names of the databases that lie on it. */
  databases(): Promise<string[]>;
  /** Whether `text` lies anywhere in the databases whose names contain `part`. */
  holds(text: string, part: string): boolean;
  /** The device after the app died this moment: what was written so far, and nothing of what was under way. */
  afterCrash(): Promise<Device>;
  /** Leaves an empty one behind, as another version of the app might. */
  makeDatabase(name: string): Promise<void>;
  /** What went wrong unseen. */
  complaints: unknown[][];
  storage: ClientDeps["storage"];
  /** The same device in another outside world. */
  withChange(change: Partial<ClientDeps>): Device;
}

let devices = 0;

/** `change` replaces parts of the outside world, such as a network that fails. */
export function createDevice(baseUrl: string, change: Partial<ClientDeps> = {}): Device {
  devices += 1;
  const disk: Disk = { name: `device${devices}`, indexedDB: new IDBFactory(), local: new Map() };
  return deviceOn(disk, baseUrl, change);
}

interface Disk {
  name: string;
  indexedDB: IDBFactory;
  local: Map<string, string>;
}

function deviceOn(disk: Disk, baseUrl: string, change: Partial<ClientDeps>): Device {
  const { name, indexedDB, local } = disk;
  const complaints: unknown[][] = [];
  const deps: ClientDeps = {
    baseUrl,
    storage: {
      indexedDB,
      IDBKeyRange,
      name,
      local: {
        getItem: (key) => local.get(key) ?? null,
        setItem: (key, value) => void local.set(key, value),
        removeItem: (key) => void local.delete(key),
      },
    },
    fetch: (input, init) => fetch(input, init),
    eventSource: openEventStream,
    now: () => Date.now(),
    random: () => Math.random(),
    delay: wait,
    log: (...words) => void complaints.push(words),
    ...change,
  };
  const uploadHttpStack = async () => fetchHttpStack(deps.fetch);
  return {
    start: () => createClient({ uploadHttpStack, ...deps }),
    sendQueue: (signal = new AbortController().signal, intent) =>
      sendQueue({ uploadHttpStack, ...deps }, signal, intent),
    local,
    complaints,
    storage: deps.storage,
    withChange: (other) => deviceOn(disk, baseUrl, { ...change, ...other }),
    holds: (text, part) => {
      const { databases } = readDisk(indexedDB);
      return JSON.stringify(databases.filter(({ name }) => name.includes(part))).includes(text);
    },
    async afterCrash() {
      const snapshot = takeSnapshot(indexedDB, local);
      const left = {
        name,
        indexedDB: await restoreSnapshot(snapshot),
        local: new Map(snapshot.local),
      };
      return deviceOn(left, baseUrl, change);
    },
    makeDatabase: (name) =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => {
          request.result.close();
          resolve();
        };
        request.onerror = () => reject(request.error);
      }),
    databases: async () => (await indexedDB.databases()).map((database) => database.name ?? ""),
  };
}

/** Like the page's, but it keeps no process alive. */
function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const timer = setTimeout(resolve, ms);
    timer.unref();
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
