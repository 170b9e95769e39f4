/**
 * The page's side of what is sent while the app is closed: it brings the worker that does it
 * (sw/sender.ts), asks the browser to wake that, and takes the queue over from it.
 */
import { ownScript } from "@/lib/own-script";
import { findSender, SENDER_SCOPE } from "@/lib/sends-when-closed";
import { type OnPages, OUTBOX_SYNC_TAG, PAGES } from "@/media-cache/worker-messages";
import type { Client } from "./client";

/** The shortest pause that Chromium grants, for what a single wake-up did not end. */
const NOW_AND_THEN_MS = 12 * 60 * 60_000;
/** What a page begins with comes first. */
const CALM_MS = 10_000;

type Log = (message: string, error: unknown) => void;

export type WhenClosed = ReturnType<typeof keepSending>;

/** `waits`: whether anything waits to be sent now. */
export function keepSending(client: Client, log: Log, waits: boolean) {
  let waiting = waits;
  const pages = new BroadcastChannel(PAGES);
  const say = (message: OnPages) => pages.postMessage(message);
  say({ type: "OPENED" });
  pages.onmessage = ({ data }: MessageEvent<OnPages>) => {
    if (data.type !== "ASK") return;
    say({ type: "HERE", waits: waiting });
    if (waiting)
      void client.outbox.drain().catch((error) => log("The queue could not be woken", error));
  };
  // In sight and with a network the page sends by itself.
  const askIfAway = () => {
    const isAway = document.visibilityState === "hidden" || !navigator.onLine;
    if (isAway && waiting) void askForWaking();
  };
  document.addEventListener("visibilitychange", askIfAway);
  window.addEventListener("offline", askIfAway);
  askIfAway();
  bringSender(client);
  client.onEvent((event) => {
    if (event.type === "messages-read") void closeNotes(`messages ${event.conversationId}`);
  });
  client.auth.session.subscribe(() => {
    if (client.auth.session.getSnapshot().state === "signed-out") void endNotes();
  });
  return {
    onQueue(now: boolean) {
      waiting = now;
      askIfAway();
    },
  };
}

/** Refused in private windows and by settings; the app that is opened again sends then. */
async function askForWaking(): Promise<void> {
  try {
    const sender = await findSender();
    await sender?.sync?.register(OUTBOX_SYNC_TAG);
    await sender?.periodicSync?.register(OUTBOX_SYNC_TAG, { minInterval: NOW_AND_THEN_MS });
  } catch {
    // Ignoring it, see above.
  }
}

/** What was read here needs no notification any more; without a tag all of them go. */
async function closeNotes(tag?: string): Promise<void> {
  const sender = await findSender();
  for (const note of (await sender?.getNotifications(tag ? { tag } : {})) ?? []) note.close();
}

/** With the session: nobody is to read them, nor to be woken. */
async function endNotes(): Promise<void> {
  try {
    await closeNotes();
    await (await (await findSender())?.pushManager.getSubscription())?.unsubscribe();
  } catch {
    // Ignoring it: the worker, once woken, finds no session, and does the same.
  }
}

/** Once somebody who is signed in has a network, and the page is calm: visitors never load it. */
function bringSender(client: Client): void {
  const { auth, connection } = client;
  const look = () => {
    const isMember = auth.session.getSnapshot().state === "signed-in";
    if (!isMember || connection.getSnapshot() !== "online") return;
    for (const stop of stops) stop();
    requestIdleCallback(() => void register(client), { timeout: CALM_MS });
  };
  const stops = [auth.session.subscribe(look), connection.subscribe(look)];
  look();
}

/** Of one that is there already the browser is asked whether there is a newer one. */
async function register(client: Client): Promise<void> {
  try {
    const script = ownScript("/sender.js");
    const registration = await navigator.serviceWorker.register(script, { scope: SENDER_SCOPE });
    if (registration.active !== null) await registration.update();
    // Whoever wants to be told of what is new still is (push/told.ts).
    if (await caches.match("/push-wish")) await client.push.renew();
  } catch {
    // Ignoring it: the next page tries again, and until then what waits goes while one is open.
  }
}
