/**
 * When the app's program is fetched. Where it is on the device already: at once. On a first visit after the pictures that somebody
 * looks at, which share the line with it; what is drawn is made of links and works without it.
 */

/** A line on which they take longer is too slow to keep everything else waiting for them. */
const PICTURES_FIRST_MS = 2_000;

declare global {
  interface Window {
    /** Called at the end of the page, so not before its stylesheet has come (scripts/vite-first-paint.ts). */
    startProgram?: () => void;
  }
}

/** `pictures` resolves when there is nothing more to wait for. */
export function holdProgram(pictures: Promise<void>): void {
  // Vite's development server starts it without us.
  const address = document.querySelector<HTMLMetaElement>('meta[name="program"]')?.content;
  if (address === undefined) return;
  const isOnDevice = navigator.serviceWorker?.controller != null;
  if (isOnDevice) preload(address);
  const patience = new Promise<void>((resolve) => setTimeout(resolve, PICTURES_FIRST_MS));
  const turn = isOnDevice ? Promise.resolve() : Promise.race([pictures, patience]);
  window.startProgram = () => void turn.then(() => import(address));
}

function preload(address: string): void {
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.crossOrigin = "";
  link.href = address;
  document.head.append(link);
}

/** Resolves with the frame that shows the pictures of `place`, or what came of them. */
export async function picturesShown(place: ParentNode): Promise<void> {
  const decoded = [...place.querySelectorAll("img")].map((picture) => picture.decode());
  await Promise.allSettled(decoded);
  await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
