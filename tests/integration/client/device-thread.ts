/** What runs in a thread of its own as one device: RxDB opens too few collections for two in one process. */
import { parentPort, workerData } from "node:worker_threads";
import { createDevice } from "./device";
import { found, ready, until } from "./live";
import { photo, signUp } from "./people";

const client = createDevice((workerData as { baseUrl: string }).baseUrl).start();
const newest = { filter: "all", sort: "latest", limit: 30 } as const;

export const orders = {
  signUp: () => signUp(client),
  async upload(caption: string): Promise<string> {
    const queued = await client.writes.uploadMedia(photo(caption));
    if (!queued.success) throw new Error(queued.error);
    return queued.value.mediaId;
  },
  setLike: (mediaId: string, liked: boolean) => client.writes.setLike(mediaId, liked),
  remove: (mediaId: string) => client.writes.deleteMedia(mediaId),
  block: (userId: string) => client.writes.blockUser(userId),
  unblock: (userId: string) => client.writes.unblockUser(userId),
  comment: (mediaId: string, text: string) => client.writes.addComment(mediaId, text),
  /** Resolves when the feed shows exactly these captions in this order, and nothing waits. */
  async untilFeed(...captions: string[]): Promise<void> {
    await ready(client.reads.watchFeed(newest), ({ items }) => {
      const settled = items.every((item) => item.pending === null);
      return settled && items.map((item) => item.caption).join("\n") === captions.join("\n");
    });
  },
  async untilMedium(
    mediaId: string,
    wanted: { likes?: number; comments?: number; liked?: boolean },
  ) {
    await found(client.reads.watchMedia(mediaId), (medium) =>
      Object.entries(wanted).every(
        ([name, value]) => medium[name as keyof typeof wanted] === value,
      ),
    );
  },
  async likesOf(mediaId: string): Promise<number> {
    return (await found(client.reads.watchMedia(mediaId))).likes;
  },
  async untilSent(): Promise<void> {
    await until(client.outbox.watch(), (outbox) => outbox.ready && outbox.items.length === 0);
  },
  async settle(): Promise<void> {
    await client.sync();
  },
  close: () => client.close(),
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
