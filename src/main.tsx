/** The one call that mounts the app over the shell of index.html. */
import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/app";
import warmUpWorker from "@/app/warm-up-worker?worker&url";
import { STANDARD_LANGUAGE } from "@/domain/languages";
import { startTexts } from "@/i18n/setup";
import { noticeFailedImports } from "@/lib/failed-part";
import { whenIdle } from "@/lib/idle";
import { nextTask } from "@/lib/next-task";
import { ownScript } from "@/lib/own-script";
import { picturesLoaded } from "@/lib/pictures-loaded";
import { pendingWrites, startClient } from "@/state/client-store";
import { noticeInstallOffer } from "@/state/install";
import { pageLanguage, storeLanguage } from "@/state/language";
import { applyTheme, followSystemTheme, usePreferences } from "@/state/preferences";
import type { Client } from "./data/client";
import "@/ui/styles.css";

const { theme } = usePreferences.getState();
const language = pageLanguage();
applyTheme(theme);
followSystemTheme();
storeLanguage(language);
noticeFailedImports();
noticeInstallOffer();

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
const app = createRoot(root);

/** In pieces: what index.html drew stands until all of it is ready. */
const draw = (): void => startTransition(() => app.render(<App />));

const textsReady = startTexts(language);
// The standard language needs no file of its own. Where another's is out of reach it serves too.
if (language === STANDARD_LANGUAGE) draw();
else
  void textsReady
    .catch(() => {
      document.documentElement.lang = STANDARD_LANGUAGE;
    })
    .then(draw);

/**
 * Loads the browser's language data in a worker. A browser loads it at the first use and keeps it
 * for all threads of the page; that takes about 30 ms, as long as rendering all the first cards,
 * and in a worker the page does not wait for it.
 */
function warmUp(): void {
  try {
    new Worker(ownScript(warmUpWorker), { type: "module", name: language });
  } catch {
    // The data is then loaded where it is first used.
  }
}

/** In steps between which the page answers: its modules, the client, then what the screens draw. */
async function openClient(): Promise<Client> {
  warmUp();
  // Each holds the one before: asked for together, and begun one after another.
  const parts = [
    import("./data/engine/store"),
    import("./data/engine/scope"),
    import("./data/browser-client"),
  ] as const;
  const [, , { browserClient }] = await Promise.all(parts);
  await nextTask();
  const client = await browserClient(pendingWrites);
  await nextTask();
  return client;
}

/** If the first pictures take longer than this, everything else stops waiting for them. */
const PICTURES_FIRST_MS = 2_000;

/** Where the databases cannot be opened nothing is ever asked. */
const ANSWER_PATIENCE_MS = 10_000;

/** Resolves once the server has answered or is unreachable: the gallery has asked for its media. */
function firstAnswer({ connection }: Client): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      leave();
      resolve();
    };
    const look = () => connection.getSnapshot() !== "unknown" && done();
    const timer = setTimeout(done, ANSWER_PATIENCE_MS);
    const leave = connection.subscribe(look);
    look();
  });
}

/** Stores the whole app for the next visit, which must not compete with what is shown now. */
async function keepForOffline(): Promise<void> {
  const { registerServiceWorker } = await import("@/state/service-worker");
  whenIdle(() => void registerServiceWorker());
}

/** Brings RxDB: only after the first pictures are on screen and the app is drawn around them. */
async function startData(): Promise<void> {
  await picturesLoaded(document.images, PICTURES_FIRST_MS);
  const client = await startClient(openClient);
  if (client !== null) await firstAnswer(client);
  if (import.meta.env.PROD) await keepForOffline();
}

requestAnimationFrame(() => whenIdle(() => void startData()));
