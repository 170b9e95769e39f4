/**
 * One device of a chaos run, in a thread of its own: a real client on a disk that can be taken away at any await.
 * RxDB opens too few collections for two clients in one thread.
 */
import { parentPort, workerData } from "node:worker_threads";
import { openEventStream } from "@tests/integration/client/event-stream";
import { until } from "@tests/integration/client/live";
import { IDBDatabase, IDBKeyRange } from "fake-indexeddb";
import type { Client, PreparedMedia } from "@/data/client-api";
import { createClient } from "@/data/create-client";
import { fetchHttpStack } from "@/data/uploads/fetch-http-stack";
import { conversationId } from "@/domain/ids";
import type { Done, Operation, Share } from "./operations";
import {
  epochOnDisk,
  type RowOnDisk,
  readDisk,
  restoreSnapshot,
  rowsOnDisk,
  type StorageSnapshot,
  takeSnapshot,
} from "./storage-snapshot";

/** An intent in a queue, by what it is about. */
export interface Held {
  userId: string;
  kind: string;
  target: string;
  state: string;
}

export interface Boot {
  baseUrl: string;
  share: Share;
  disk: StorageSnapshot;
  /** Milliseconds that this device's clock is ahead. */
  clockAhead: number;
  /** Pauses are this many times shorter than the client asks for. */
  haste: number;
}

const boot = workerData as Boot;
const indexedDB = await restoreSnapshot(boot.disk);
const local = new Map(boot.disk.local);
const complaints: string[] = [];
/** Media that left the screen though nobody had deleted them. */
const vanished: string[] = [];
let clockAhead = boot.clockAhead;
let awaitsLeft = Number.POSITIVE_INFINITY;
let pulledRows = 0;

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

const countedFetch: typeof fetch = async (input, init) => {
  livesOn();
  const answer = await fetch(input, init);
  livesOn();
  if (new URL(String(input)).pathname === "/api/sync" && answer.ok) {
    pulledRows += countRows(
      await answer
        .clone()
        .json()
        .catch(() => null),
    );
  }
  return answer;
};

function countRows(page: unknown): number {
  const changes = (page as { changes?: Record<string, Record<string, unknown[]>> } | null)?.changes;
  const lists = Object.values(changes ?? {}).flatMap((change) => Object.values(change));
  return lists.reduce((sum, list) => sum + list.length, 0);
}

/** Milliseconds that hasty pauses were shorter than asked: the clock of this device has gone on all the same. */
let skipped = 0;
/** Longer ones only look after what may hang: time must not run away with them. */
const SKIP_MOST_MS = 31_000;

/** Shorter than asked, and it keeps no process alive. */
function wait(ms: number, signal?: AbortSignal): Promise<void> {
  livesOn();
  const until = Date.now() + skipped + ms;
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      if (ms <= SKIP_MOST_MS) skipped = Math.max(skipped, until - Date.now());
      end();
    }, ms / boot.haste);
    timer.unref();
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end);
  });
}

const client: Client = createClient({
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
  now: () => Date.now() + skipped + clockAhead,
  random: () => Math.random(),
  delay: wait,
  uploadHttpStack: async () => fetchHttpStack(countedFetch),
  log: (message, error) => void complaints.push(`${message}: ${String(error)}`),
});

const outbox = client.outbox.watch();
outbox.subscribe(() => undefined);
const queueOnDisk = (): RowOnDisk[] => rowsOnDisk(readDisk(indexedDB), me(), "outbox");
/** Refused is an end; what was acknowledged is kept for a day in case the server loses it. */
const isUnderWay = ({ state }: RowOnDisk): boolean => state !== "refused" && state !== "kept";
const feed = client.reads.watchFeed({ filter: "all", sort: "latest", limit: 200 });
feed.subscribe(() => undefined);
const stops = new Map<string, () => void>();

/** From the moment it is queued until it is deleted, one's own medium never leaves the screen. */
function keepWatch(mediaId: string): void {
  const live = client.reads.watchMedia(mediaId);
  let shown = false;
  const stop = live.subscribe(() => {
    const { state } = live.getSnapshot();
    if (state === "found") shown = true;
    else if (shown && state !== "loading") vanished.push(mediaId);
  });
  stops.set(mediaId, stop);
}

function unwatch(mediaId: string): void {
  stops.get(mediaId)?.();
  stops.delete(mediaId);
}

const mine = (mediaId: string): boolean =>
  [...mediaId].reduce((sum, sign) => sum + sign.charCodeAt(0), 0) % boot.share.of ===
  boot.share.index;

function pickMedium(pick: number, wanted: (item: { id: string; userId: string }) => boolean) {
  const now = feed.getSnapshot();
  const items = now.state === "ready" ? now.value.items.filter(wanted) : [];
  return items[Math.floor(pick * items.length)]?.id;
}

const me = (): string => {
  const session = client.auth.session.getSnapshot();
  return session.state === "signed-in" ? session.user.id : "";
};

async function upload(order: Extract<Operation, { kind: "upload" }>): Promise<Done> {
  const isPhoto = order.type === "photo";
  const contentType = isPhoto ? "image/png" : "video/mp4";
  const media: PreparedMedia = {
    file: new Blob([order.bytes], { type: contentType }),
    type: order.type,
    contentType,
    originalFilename: isPhoto ? "photo.png" : "video.mp4",
    thumbnail: null,
    preview: null,
    width: 10,
    height: 10,
    duration: isPhoto ? 0 : 1,
    thumbhash: "",
  };
  const queued = await client.writes.uploadMedia({ media, caption: order.caption, tags: ["a"] });
  if (!queued.success) return { taken: false };
  keepWatch(queued.value.mediaId);
  return { taken: true, mediaId: queued.value.mediaId };
}

type Picked = Extract<Operation, { pick: number }>;

async function actOnPicked(order: Picked, mediaId: string): Promise<Done> {
  const { service } = client;
  if (order.kind === "comment") {
    const { success, value } = await service.addComment(mediaId, order.text);
    return { taken: success, mediaId, ...(value === null ? {} : value) };
  }
  const answer = await (order.kind === "like"
    ? client.writes.setLike(mediaId, order.on)
    : order.kind === "report"
      ? service.reportMedia(mediaId, order.reason)
      : service.recordView(mediaId));
  return { taken: answer.success, mediaId };
}

async function send(order: Extract<Operation, { kind: "message" }>): Promise<Done> {
  const { service } = client;
  const chat = await service.createOrGetConversation(order.userId);
  if (chat.value === null) return { taken: false };
  const { conversationId } = chat.value;
  if (order.bytes === null) {
    const { success, value } = await service.sendTextMessage(conversationId, order.text);
    return { taken: success, ...(value === null ? {} : value) };
  }
  const file = new Blob([order.bytes], { type: "image/png" });
  const photo = { file, thumbnail: null, contentType: file.type, originalFilename: "photo.png" };
  const { success, value } = await service.sendPhotoMessage(conversationId, photo, order.text);
  return { taken: success, ...(value === null ? {} : value) };
}

async function act(order: Operation): Promise<Done> {
  if (me() === "") return { taken: false };
  switch (order.kind) {
    case "message":
      return send(order);
    case "delete-message": {
      const { service } = client;
      const chat = conversationId(me(), order.userId);
      return { taken: (await service.deleteMessage(chat, order.messageId)).success };
    }
    case "read": {
      const chat = conversationId(me(), order.userId);
      return { taken: (await client.service.markMessagesRead(chat)).success };
    }
    case "upload":
      return upload(order);
    case "delete-media":
      unwatch(order.mediaId);
      return { taken: (await client.writes.deleteMedia(order.mediaId)).success };
    case "delete-comment": {
      const { success } = await client.service.deleteComment(order.mediaId, order.commentId);
      return { taken: success };
    }
    case "follow": {
      const { service } = client;
      const toggle = order.on ? service.followUser : service.unfollowUser;
      return { taken: (await toggle(order.userId)).success };
    }
    case "block": {
      const { service } = client;
      const toggle = order.on ? service.blockUser : service.unblockUser;
      return { taken: (await toggle(order.userId)).success };
    }
    case "profile":
      return { taken: (await client.service.updateProfile({ bio: order.bio })).success };
    default: {
      const stranger = order.kind === "report" || order.kind === "view";
      const mediaId = pickMedium(
        order.pick,
        ({ id, userId }) => mine(id) && (!stranger || userId !== me()),
      );
      return mediaId === undefined ? { taken: false } : actOnPicked(order, mediaId);
    }
  }
}

const orders = {
  act,
  async signUp(form: Parameters<Client["auth"]["signUp"]>[0]): Promise<string> {
    const signedUp = await client.auth.signUp(form);
    if (!signedUp.success) throw new Error(`${signedUp.error} ${signedUp.message}`);
    return signedUp.value.id;
  },
  async signIn(email: string, password: string): Promise<boolean> {
    return (await client.auth.signIn(email, password)).success;
  },
  async signOut(): Promise<void> {
    for (const mediaId of [...stops.keys()]) unwatch(mediaId);
    await client.auth.signOut("keep");
  },
  async session(): Promise<{ userId: string; needsLogin: boolean }> {
    const session = client.auth.session.getSnapshot();
    return { userId: me(), needsLogin: session.state === "signed-in" && session.needsLogin };
  },
  async setClock(ms: number): Promise<void> {
    clockAhead = ms;
  },
  /** The device dies at the `count`-th await from here. */
  async dieAfter(count: number): Promise<void> {
    awaitsLeft = count;
  },
  async liveOn(): Promise<void> {
    awaitsLeft = Number.POSITIVE_INFINITY;
  },
  /** Resolves when nothing waits: everything queued was acknowledged and came back, or was refused. */
  async untilTerminal(): Promise<void> {
    // The disk decides: what is acknowledged stays there until a pull has brought it back.
    while (queueOnDisk().some(isUnderWay)) {
      await until(outbox, ({ items }) => items.every(({ state }) => state === "refused"));
      await client.sync();
    }
  },
  /** What still stands in the queue. */
  queue: async (): Promise<RowOnDisk[]> => queueOnDisk(),
  /** All that lies in these people's queues, and who is signed in with how old a replica. */
  async held(people: readonly string[]): Promise<{ epoch: string; rows: Held[] }> {
    const disk = readDisk(indexedDB);
    const rows = people.flatMap((userId) =>
      rowsOnDisk(disk, userId, "outbox").map(
        (row) =>
          ({ userId, kind: row["kind"], target: row["target"], state: row["state"] }) as Held,
      ),
    );
    return { epoch: epochOnDisk(disk, me()), rows };
  },
  retry: (intentId: string) => client.outbox.retry(intentId),
  /** One pull: whether it went well, and how many rows it brought. */
  async pull(): Promise<{ success: boolean; rows: number }> {
    pulledRows = 0;
    const { success } = await client.sync();
    return { success, rows: pulledRows };
  },
  async close(): Promise<{ disk: StorageSnapshot; complaints: string[]; vanished: string[] }> {
    await client.close();
    return { disk: takeSnapshot(indexedDB, local), complaints, vanished };
  },
};

export type Orders = typeof orders;

parentPort?.on("message", async ({ id, name, args }) => {
  try {
    const order = orders[name as keyof Orders] as (...all: unknown[]) => Promise<unknown>;
    parentPort?.postMessage({ id, value: await order(...args) });
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) });
  }
});
parentPort?.postMessage({ awake: true });
