/** Waiting for a live value to be as wanted, without looking at the clock. */
import type { Client } from "@/data/client";
import type { Found, Live, Loaded } from "@/data/shapes";

/** The first value that `test` takes. The runner's own timeout ends a wait in vain. */
export function until<T>(live: Live<T>, test: (value: T) => boolean): Promise<T> {
  return new Promise((resolve) => {
    let stop = () => {};
    const look = () => {
      const value = live.getSnapshot();
      if (!test(value)) return false;
      queueMicrotask(() => stop());
      resolve(value);
      return true;
    };
    stop = live.subscribe(look);
    look();
  });
}

/** The value of a list once it is there and as wanted. */
export async function ready<T>(
  live: Live<Loaded<T>>,
  test: (value: T) => boolean = () => true,
): Promise<T> {
  const loaded = await until(live, (now) => now.state === "ready" && test(now.value));
  if (loaded.state !== "ready") throw new Error("unreachable");
  return loaded.value;
}

export async function found<T>(live: Live<Found<T>>, test: (value: T) => boolean = () => true) {
  const now = await until(live, (value) => value.state === "found" && test(value.value));
  if (now.state !== "found") throw new Error("unreachable");
  return now.value;
}

/** Resolves when nothing waits any more, and not before what was just queued has been seen. */
export async function untilSent(client: Client): Promise<void> {
  const outbox = client.outbox.watch();
  let stop = () => {};
  const seen = new Promise<void>((resolve) => {
    stop = outbox.subscribe(resolve);
  });
  // A queue that is already empty tells nothing new: reading it afresh is then enough.
  await Promise.race([seen, client.storage.usage().then(() => client.outbox.drain())]);
  await until(outbox, ({ ready, items }) => ready && items.length === 0);
  stop();
}

/** Sends what is queued, and waits until all of it is there. */
export async function sent(client: Client): Promise<void> {
  await client.outbox.drain();
  await untilSent(client);
}
