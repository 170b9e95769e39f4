/**
 * What this device is woken for by push: asked of the server when Settings open, and never queued.
 * The browser's own part, a subscription of the worker that sends, is made and ended with it.
 */
import { isRecord, toFailure } from "@/data/engine/answers";
import type { Scope } from "@/data/engine/context";
import type { Remote } from "@/data/engine/remote";
import { bitsOfKinds, isQuietHours, type PushKind, type QuietHours } from "@/domain/push";
import { failed, ok, type Result } from "@/domain/result";
import { ownScript } from "@/lib/own-script";
import { SENDER_SCOPE } from "@/lib/sends-when-closed";
import { forgetTold, readCounters, readTold, readWish, writeTold, writeWish } from "./told";

export interface PushWish {
  kinds: PushKind[];
  quiet: QuietHours | null;
}

export interface PushState {
  /** Null where this server sends none. */
  publicKey: string | null;
  /** Null where this device wants none. */
  wish: PushWish | null;
}

const PATH = "/api/account/push";

/** @param open what is on this device is no news */
export function createPush(remote: Remote, open: () => Promise<Scope>, now: () => number) {
  const withSession = true;
  const subscription = async () => {
    const sender = await navigator.serviceWorker.getRegistration(SENDER_SCOPE);
    return sender?.scope.endsWith(SENDER_SCOPE) ? await sender.pushManager.getSubscription() : null;
  };
  const client = {
    async read(): Promise<Result<PushState>> {
      const answer = await remote.request(PATH, { withSession });
      if (answer.kind !== "accepted") return toFailure(answer);
      if (!isRecord(answer.body)) return failed("network");
      const { publicKey, subscription: wanted } = answer.body;
      const key = typeof publicKey === "string" ? publicKey : null;
      // What the browser has forgotten, or knows by another key, wakes nobody.
      const wish = isOf(await subscription(), key) ? wishOf(wanted) : null;
      return ok({ publicKey: key, wish });
    },

    /** Asks the browser's push service first; `forbidden` where the person does not allow it. */
    async want(publicKey: string, wish: PushWish): Promise<Result<null>> {
      const endpoint = await subscribe(publicKey).catch(() => null);
      if (endpoint === null)
        return failed(Notification.permission === "granted" ? "network" : "forbidden");
      const { replica, userId } = await open();
      const me = userId ?? "";
      // First, because what the device is woken for it must know.
      if ((await readTold(me)) === null) await writeTold(await readCounters(replica, me, now()));
      const before = await readWish(me);
      await writeWish({ userId: me, ...wish, endpoint });
      const body = { endpoint, ...wish };
      const answer = await remote.request(PATH, { method: "PUT", body, withSession });
      if (answer.kind === "accepted") return ok(null);
      // What was refused is not wanted later by itself (`renew`). Without an answer nobody knows.
      if (answer.kind === "refusal") await (before === null ? forgetTold() : writeWish(before));
      return toFailure(answer);
    },

    /**
     * The server has forgotten this device where its session has ended, and knows it by an old
     * address where the push service gave it another: what was wanted is asked for again.
     */
    async renew(): Promise<void> {
      const { userId } = await open();
      const wanted = await readWish(userId ?? "");
      if (wanted === null || Notification.permission !== "granted") return;
      const state = await client.read();
      if (!state.success || state.value.publicKey === null) return;
      const { kinds, quiet, endpoint } = wanted;
      const now = (await subscription())?.endpoint;
      const isSame = endpoint === undefined || endpoint === now;
      if (state.value.wish !== null && isSame) return;
      await client.want(state.value.publicKey, { kinds: [...kinds], quiet });
    },

    async stop(): Promise<Result<null>> {
      const answer = await remote.request(PATH, { method: "DELETE", withSession });
      if (answer.kind !== "accepted") return toFailure(answer);
      await (await subscription())?.unsubscribe();
      await forgetTold();
      return ok(null);
    },
  };
  return client;
}

function wishOf(value: unknown): PushWish | null {
  if (!isRecord(value) || !Array.isArray(value["kinds"])) return null;
  const { kinds, quiet } = value;
  if (bitsOfKinds(kinds as unknown[]) === null) return null;
  return { kinds: kinds as PushKind[], quiet: isQuietHours(quiet) ? quiet : null };
}

/** Whether the browser has a subscription for this key of a server. */
function isOf(subscription: PushSubscription | null, key: string | null): boolean {
  const bytes = subscription?.options.applicationServerKey;
  if (!bytes || key === null) return false;
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") === key;
}

/** @returns the endpoint */
async function subscribe(publicKey: string): Promise<string> {
  const script = ownScript("/sender.js");
  const sender = await navigator.serviceWorker.register(script, { scope: SENDER_SCOPE });
  await activated(sender);
  const { pushManager } = sender;
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const subscribed = await pushManager.subscribe(options).catch(async (error: unknown) => {
    if (!(error instanceof DOMException && error.name === "InvalidStateError")) throw error;
    // One that was made with another key, of a server before this.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  });
  return subscribed.endpoint;
}

/** A worker that is not active yet has no subscriptions. */
function activated(registration: ServiceWorkerRegistration): Promise<void> {
  const worker = registration.installing ?? registration.waiting;
  if (registration.active !== null || worker === null) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const look = () => {
      if (worker.state === "activated") resolve();
      else if (worker.state === "redundant") reject(new Error("The worker did not start."));
    };
    worker.addEventListener("statechange", look);
    look();
  });
}
