/** The one call that mounts the app over the shell of index.html. */
import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/app";
import { warmUp } from "@/app/warm-up";
import { startTexts } from "@/i18n/setup";
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
warmUp(language);

// RxDB comes with it: only after the first picture is on screen.
requestAnimationFrame(() => {
  setTimeout(() => {
    void startClient(() => import("@/data/browser-client").then((file) => file.browserClient()));
    void import("@/state/service-worker").then((file) => file.registerServiceWorker());
  });
});
