/**
 * A profile that pushes can wake. The browser's own push service, which is far away, is the one part
 * that stands in; what it would deliver comes by DevTools.
 */
import type { App, Profile } from "@tests/support/browser";
import type { Page } from "playwright-core";
import { expect } from "vitest";

export const SERVICE = "https://push.example.org";
const PUSH_TOKEN = "a-token-for-the-pusher-1";
/** For `startApp`. */
export const PUSH_ENV = { PUSH_TOKEN, PUSH_SERVICES: SERVICE };
const KEY = Buffer.alloc(65, 4);

/** As the pusher does at its start. */
export async function offerPush(app: App): Promise<void> {
  const keys = { publicKey: KEY.toString("base64url"), privateKey: "b" };
  await app.api("POST", "/api/push/turn", { keys }, { Authorization: `Bearer ${PUSH_TOKEN}` });
}

/** In the page: what the browser's push service would give. */
function standIn({ endpoint, key }: { endpoint: string; key: number[] }): void {
  const subscription = {
    // As the service may change it at any time.
    endpoint: localStorage.getItem("endpoint") ?? endpoint,
    options: { applicationServerKey: new Uint8Array(key).buffer, userVisibleOnly: true },
    unsubscribe: async () => {
      localStorage.removeItem("subscribed");
      return true;
    },
  } as PushSubscription;
  PushManager.prototype.subscribe = async () => {
    localStorage.setItem("subscribed", "1");
    return subscription;
  };
  PushManager.prototype.getSubscription = async () =>
    localStorage.getItem("subscribed") === null ? null : subscription;
}

export interface Shown {
  title: string;
  body: string;
  path: string;
  actions: string[];
}

export interface Wakeable {
  /** A tab of no site, which stays when the app's is closed. */
  elsewhere: Page;
  /** Resolves once the worker has done what it does. */
  push(): Promise<void>;
  /** As the browser does after half a minute without anything to do. */
  stopWorkers(): Promise<void>;
  /** What the system shows now. Asked in the worker: there may be no page. */
  shown(): Promise<Shown[]>;
}

export async function makeWakeable({ context }: Profile, app: App): Promise<Wakeable> {
  await context.grantPermissions(["notifications"], { origin: app.url });
  await context.addInitScript(standIn, { endpoint: `${SERVICE}/device`, key: [...KEY] });
  const elsewhere = await context.newPage();
  const wire = await context.newCDPSession(elsewhere);
  let registrationId = "";
  wire.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    const found = registrations.find(({ scopeURL }) => scopeURL === `${app.url}/sender/`);
    registrationId = found?.registrationId ?? registrationId;
  });
  await wire.send("ServiceWorker.enable");
  const service = "pushMessaging";
  await wire.send("BackgroundService.startObserving", { service });
  await wire.send("BackgroundService.setRecording", { service, shouldRecord: true });
  let completed = () => {};
  wire.on("BackgroundService.backgroundServiceEventReceived", ({ backgroundServiceEvent }) => {
    if (backgroundServiceEvent.eventName === "Push event completed") completed();
  });
  return {
    elsewhere,
    async push() {
      const done = new Promise<void>((resolve) => {
        completed = resolve;
      });
      const message = { origin: app.url, registrationId, data: "" };
      await wire.send("ServiceWorker.deliverPushMessage", message);
      await done;
    },
    async stopWorkers() {
      await wire.send("ServiceWorker.stopAllWorkers");
    },
    async shown() {
      const worker = context.serviceWorkers().find((one) => one.url().endsWith("/sender.js"));
      if (worker === undefined) return [];
      return worker.evaluate(async () => {
        interface Drawn extends Omit<Shown, "path" | "actions"> {
          data: { path: string };
          actions?: { action: string }[];
        }
        const { registration } = globalThis as unknown as {
          registration: { getNotifications(): Promise<Drawn[]> };
        };
        const notes = await registration.getNotifications();
        return notes.map(({ title, body, data, actions = [] }) => ({
          title,
          body,
          path: data.path,
          actions: actions.map(({ action }) => action),
        }));
      });
    },
  };
}

/** In Settings. Resolves when the server knows it. */
export async function turnOnPush(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/profile?tab=settings`);
  await page.getByTestId("push-on").click();
  // While it is being turned on, it cannot be turned off.
  await expect.poll(() => page.getByTestId("push-off").isEnabled()).toBe(true);
}
