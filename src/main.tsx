/** The one call that mounts the app over the shell of index.html. */
import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/app";
import { warmUp } from "@/app/warm-up";
import type { Client } from "@/data/client-api";
import { startTexts } from "@/i18n/setup";
import { nextTask } from "@/lib/next-task";
import { picturesLoaded } from "@/lib/pictures-loaded";
import { startClient } from "@/state/client-store";
import { applyTheme, followSystemTheme, storeLanguage, usePreferences } from "@/state/preferences";
import "@/ui/styles.css";

const { theme, language } = usePreferences.getState();
applyTheme(theme);
followSystemTheme();
storeLanguage();
startTexts(language);

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
const app = createRoot(root);
// In pieces: what index.html drew stands until all of it is ready.
startTransition(() => app.render(<App />));

/** In three steps between which the page answers: its modules, the client, and what the screens draw because of it. */
async function openClient(): Promise<Client> {
  warmUp();
  const { browserClient } = await import("@/data/browser-client");
  await nextTask();
  const client = await browserClient();
  await nextTask();
  return client;
}

/** A line on which the first pictures take longer is too slow to keep everything else waiting for them. */
const PICTURES_FIRST_MS = 2_000;

// RxDB comes with it: only after the first pictures are on screen.
requestAnimationFrame(() => {
  setTimeout(async () => {
    await picturesLoaded(document.images, PICTURES_FIRST_MS);
    void startClient(openClient);
    void import("@/state/service-worker").then((file) => file.registerServiceWorker());
  });
});
