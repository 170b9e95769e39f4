/**
 * When the app's program is fetched. Where it is on the device already: at once. On a first visit after the pictures that somebody
 * looks at, which share the line with it; what is drawn is made of links and works without it.
 */

import { nextTask } from "@/lib/next-task";

/** A line on which they take longer is too slow to keep everything else waiting for them. */
const PICTURES_FIRST_MS = 2_000;

declare global {
  interface Window {
    /** Called at the end of the page, so not before its stylesheet has come (scripts/vite-first-paint.ts). */
    startProgram?: () => Promise<void>;
  }
}

/** `pictures` resolves when there is nothing more to wait for. */
export function holdProgram(pictures: Promise<void>): void {
  // Vite's development server starts it without us.
  const files = document.querySelector<HTMLMetaElement>('meta[name="program"]')?.content.split(" ");
  if (files === undefined) return;
  const isOnDevice = navigator.serviceWorker?.controller != null;
  if (isOnDevice) preload(files);
  const patience = new Promise<void>((resolve) => setTimeout(resolve, PICTURES_FIRST_MS));
  const turn = isOnDevice ? Promise.resolve() : Promise.race([pictures, patience]);
  window.startProgram = async () => {
    await turn;
    if (!isOnDevice) preload(files);
    // Each in a task of its own, between which the page answers; the last is the entry, which has the others then.
    for (const file of files) {
      await import(file);
      await nextTask();
    }
  };
}

/** All at once: what the entry imports would else be known only when it has come. */
function preload(files: readonly string[]): void {
  for (const file of files) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.crossOrigin = "";
    link.href = file;
    document.head.append(link);
  }
}

const nextFrame = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => resolve()));

/** Resolves once the pictures of `place`, or what came of them, are on the screen. */
export async function picturesShown(place: ParentNode): Promise<void> {
  const decoded = [...place.querySelectorAll("img")].map((picture) => picture.decode());
  await Promise.allSettled(decoded);
  await nextFrame();
  // The one that shows them has gone to the screen.
  await nextFrame();
}
