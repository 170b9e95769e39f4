/** What a run may ask of a device, whatever it runs in. */
import { until } from "@tests/integration/client/live";
import type { Client } from "@/data/client";
import { createActs } from "./device-acts";
import type { Operation, Share } from "./operations";
import {
  type Disk,
  epochOnDisk,
  type RowOnDisk,
  rowsOnDisk,
  type StorageSnapshot,
} from "./rows-on-disk";

/** An intent in a queue, by what it is about. */
export interface Held {
  userId: string;
  kind: string;
  target: string;
  state: string;
}

export interface Body {
  client: Client;
  share: Share;
  /** Counts what pulls brought. */
  pulled: { rows: number };
  complaints: string[];
  readDisk(): Promise<Disk>;
  /** The client is closed: all that it leaves behind. */
  leave(): Promise<StorageSnapshot>;
  setClock(ms: number): void;
  setAwaitsLeft(count: number): void;
}

/** A medium's subtitles and its description are changed by intents of one kind. */
export const OF_SUBTITLES = "media.update of subtitles";

const kindOf = ({ kind, body }: RowOnDisk): unknown => {
  const { changes = {} } = body as { changes?: object };
  return kind === "media.update" && "subtitles" in changes ? OF_SUBTITLES : kind;
};

/** Refused is an end; what was acknowledged is kept for a day in case the server loses it. */
const isUnderWay = ({ state }: RowOnDisk): boolean => state !== "refused" && state !== "kept";

export type Orders = ReturnType<typeof createOrders>;

export function createOrders(body: Body) {
  const { client, pulled } = body;
  /** Media that left the screen though nobody here had deleted them. */
  const vanished: string[] = [];
  const acts = createActs(client, body.share, vanished);
  const outbox = client.outbox.watch();
  outbox.subscribe(() => undefined);
  const queue = async () => rowsOnDisk(await body.readDisk(), acts.me(), "outbox");
  return {
    act: (order: Operation) => acts.act(order),
    async signUp(form: Parameters<Client["auth"]["signUp"]>[0]): Promise<string> {
      const signedUp = await client.auth.signUp(form);
      if (!signedUp.success) throw new Error(`${signedUp.error} ${signedUp.message}`);
      return signedUp.value.id;
    },
    async signIn(email: string, password: string): Promise<boolean> {
      return (await client.auth.signIn(email, password)).success;
    },
    async signOut(): Promise<void> {
      acts.unwatchAll();
      await client.auth.signOut("keep");
    },
    async session(): Promise<{ userId: string; needsLogin: boolean }> {
      const session = client.auth.session.getSnapshot();
      const needsLogin = session.state === "signed-in" && session.needsLogin;
      return { userId: acts.me(), needsLogin };
    },
    setClock: async (ms: number) => body.setClock(ms),
    /** The device dies at the `count`-th await from here. */
    dieAfter: async (count: number) => body.setAwaitsLeft(count),
    liveOn: async () => body.setAwaitsLeft(Number.POSITIVE_INFINITY),
    /** Resolves when nothing waits: everything queued was acknowledged and came back, or was refused. */
    async untilTerminal(): Promise<void> {
      // The disk decides: what is acknowledged stays there until a pull has brought it back.
      while ((await queue()).some(isUnderWay)) {
        await until(outbox, ({ items }) => items.every(({ state }) => state === "refused"));
        await client.sync();
      }
    },
    /** What still stands in the queue. */
    queue,
    /** All that lies in these people's queues, and which history the replica of whoever is in follows. */
    async held(people: readonly string[]): Promise<{ epoch: string; rows: Held[] }> {
      const disk = await body.readDisk();
      const rows = people.flatMap((userId) =>
        rowsOnDisk(disk, userId, "outbox").map(
          (row) =>
            ({ userId, kind: kindOf(row), target: row["target"], state: row["state"] }) as Held,
        ),
      );
      return { epoch: epochOnDisk(disk, acts.me()), rows };
    },
    retry: (intentId: string) => client.outbox.retry(intentId),
    /** One pull: whether it went well, and how many rows it brought. */
    async pull(): Promise<{ success: boolean; rows: number }> {
      pulled.rows = 0;
      const { success } = await client.sync();
      return { success, rows: pulled.rows };
    },
    screen: async () => acts.screen(),
    async close(): Promise<{ disk: StorageSnapshot; complaints: string[]; vanished: string[] }> {
      acts.unwatchAll();
      await client.close();
      return { disk: await body.leave(), complaints: body.complaints, vanished };
    },
  };
}

/** Answers of the feed pass through it, and how many rows each brought is added up. */
export function countPulled(
  fetchFrom: typeof fetch,
  pulled: { rows: number },
  livesOn: () => void,
): typeof fetch {
  return async (input, init) => {
    livesOn();
    const answer = await fetchFrom(input, init);
    livesOn();
    if (new URL(String(input)).pathname === "/api/sync" && answer.ok) {
      const page: unknown = await answer
        .clone()
        .json()
        .catch(() => null);
      pulled.rows += countRows(page);
    }
    return answer;
  };
}

function countRows(page: unknown): number {
  const changes = (page as { changes?: Record<string, Record<string, unknown[]>> } | null)?.changes;
  const lists = Object.values(changes ?? {}).flatMap((change) => Object.values(change));
  return lists.reduce((sum, list) => sum + list.length, 0);
}
