/**
 * Inlined behind the shell: draws the first screen of the last visit from its snapshot, before any
 * module is loaded. For a visitor without a snapshot it draws the newest media as soon as the
 * server has sent them. Below the window it draws no pictures; the app does. Classes and geometry
 * are those of features/media/media-card.tsx, which takes over without a layout shift.
 */
import type { RawRecord } from "@/data/engine/rows";
import { FIRST_MEDIA_PATH } from "@/data/first-media";
import { mediaRow } from "@/data/media/row";
import { servedMedia } from "@/data/media/views";
import type { MediaView } from "@/data/shapes";
import { mediaSlug } from "@/domain/paths";
import { nextTask } from "@/lib/next-task";
import { FIRST_MEDIA_EVENT, writeFirstScreen } from "@/state/first-screen";
import { avatarColors } from "@/ui/avatar-colors";
import { type Box, layoutMasonry, tagsShown } from "@/ui/masonry";
import { FIRST_SCREEN_KEY, PLACE_KEY, SESSION_KEY } from "./keys";

type Drawn = "id" | "caption" | "tags" | "username" | "width" | "height" | "previewUrl";
type Item = Pick<MediaView, Drawn> & { color?: string };

const parse = (key: string, store = localStorage): Record<string, unknown> | null => {
  const value: unknown = JSON.parse(store.getItem(key) ?? "null");
  return typeof value === "object" ? (value as Record<string, unknown> | null) : null;
};

function make(tag: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

function picture(item: Item, height: number, isSeen: boolean): HTMLElement {
  const picture = make("span", "shell-picture");
  picture.style.height = `${height}px`;
  if (item.color !== undefined) picture.style.background = item.color;
  if (item.previewUrl !== "" && isSeen) {
    const image = document.createElement("img");
    image.alt = "";
    image.src = item.previewUrl;
    picture.append(image);
  }
  const title = make("strong", "shell-title", item.caption || "\u00a0");
  title.dir = "auto";
  const link = make("a", "shell-open", picture, title) as HTMLAnchorElement;
  link.href = `/view/${mediaSlug(item)}`;
  return link;
}

function tags(item: Item, box: Box): HTMLElement[] {
  if (item.tags.length === 0) return [];
  const words = item.tags.slice(0, tagsShown(box.width)).map((tag) => {
    const word = make("a", "shell-tag", `#${tag}`);
    word.dir = "auto";
    return word;
  });
  return [make("p", "shell-tags", ...words)];
}

function card(item: Item, box: Box, isSeen: boolean): HTMLElement {
  const face = make("span", "shell-face", [...item.username][0] ?? "");
  face.style.background = avatarColors(item.username);
  const words = make("span", "shell-words", make("span", "shell-owner", item.username));
  const element = make(
    "li",
    "shell-card",
    picture(item, box.picture, isSeen),
    ...tags(item, box),
    make("div", "shell-meta", make("span", "shell-by", face, words)),
  );
  element.dataset["mediaId"] = item.id;
  element.style.width = `${box.width}px`;
  element.style.height = `${box.height}px`;
  element.style.transform = `translate(${box.left}px, ${box.top}px)`;
  return element;
}

/** Whether this is a reload of a page that was scrolled or was not the gallery. */
function isAway(): boolean {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return entry?.type !== "navigate" && parse(PLACE_KEY, sessionStorage)?.["away"] === true;
}

function paint(screen: Record<string, unknown>): void {
  const place = document.getElementById("first-screen");
  const user = parse(SESSION_KEY)?.["user"] as { id?: string } | undefined;
  if (place === null || screen["version"] !== 2 || screen["userId"] !== (user?.id ?? "")) return;
  const items = screen["items"] as Item[];
  if (items.length === 0) return;
  const columns = document.documentElement.dataset["columns"] === "1" ? 1 : 2;
  const boxes = layoutMasonry(items, { width: place.clientWidth, columns });
  const room = innerHeight - place.getBoundingClientRect().top;
  const grid = make("ul", "shell-grid");
  let bottom = 0;
  items.forEach((item, i) => {
    const box = boxes[i];
    if (box === undefined) return;
    bottom = Math.max(bottom, box.top + box.height);
    grid.append(card(item, box, box.top < room));
  });
  grid.style.height = `${bottom}px`;
  place.replaceChildren(grid);
  document.documentElement.dataset["painted"] = "snapshot";
}

const PATIENCE_MS = 30_000;

/** Fetches a visitor's newest media into the snapshot and paints it, or leaves the skeleton. */
function askForFirstMedia(paint: () => void): Promise<void> {
  const answer = fetch(FIRST_MEDIA_PATH, {
    // A captive portal's redirect must not count as an answer.
    redirect: "error",
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const first = { answer, stand: false };
  window.firstMedia = first;
  return (
    answer
      .then((response) => response.clone().json())
      .then(({ items }: { items: RawRecord[] }) => {
        // Somebody has signed in since the request was sent.
        if (localStorage.getItem(SESSION_KEY) !== null) return;
        const name = document.querySelector<HTMLMetaElement>('meta[name="application-name"]');
        const rows = items.map(mediaRow).filter((row) => row !== null);
        const address = (path: string) => (path.startsWith("/") ? location.origin + path : path);
        const views = rows.map((row) => servedMedia(row, address));
        writeFirstScreen({ userId: "", productName: name?.content ?? "", items: views });
        first.stand = true;
        paint();
        window.dispatchEvent(new Event(FIRST_MEDIA_EVENT));
      })
      // Ignoring the failure: the client asks again and handles it.
      .catch(() => undefined)
  );
}

/** After this the connection is too slow to make everything else wait for the pictures. */
const PICTURES_FIRST_MS = 2_000;

declare global {
  interface Window {
    /** Called at the page's end, after its stylesheet loaded (scripts/vite-first-paint.ts). */
    startProgram?: () => Promise<void>;
  }
}

/**
 * Fetches the app's program: at once if it is already on the device, on a first visit after the
 * pictures in view, which share the connection with it. What is drawn consists of links and works
 * without the program. `pictures` resolves when there is nothing left to wait for.
 */
function holdProgram(pictures: Promise<void>): void {
  // Vite's development server starts the program itself.
  const files = document.querySelector<HTMLMetaElement>('meta[name="program"]')?.content.split(" ");
  if (files === undefined) return;
  const isOnDevice = navigator.serviceWorker?.controller != null;
  if (isOnDevice) preload(files);
  const patience = new Promise<void>((resolve) => setTimeout(resolve, PICTURES_FIRST_MS));
  const turn = isOnDevice ? Promise.resolve() : Promise.race([pictures, patience]);
  window.startProgram = async () => {
    await turn;
    if (!isOnDevice) preload(files);
    // One task per module, so that the page can respond in between; the last one is the entry.
    for (const file of files) {
      await import(file);
      await nextTask();
    }
  };
}

/** All at once: otherwise the entry's imports would be known only after it has loaded. */
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

/** Resolves once the pictures of `place` are painted or have failed. */
async function picturesShown(place: ParentNode): Promise<void> {
  const decoded = [...place.querySelectorAll("img")].map((picture) => picture.decode());
  await Promise.allSettled(decoded);
  await nextFrame();
  // The frame that shows them has been presented.
  await nextFrame();
}

async function start(): Promise<void> {
  if (location.pathname !== "/" || isAway()) return;
  const screen = parse(FIRST_SCREEN_KEY);
  if (screen !== null) paint(screen);
  else if (parse(SESSION_KEY) === null) {
    await askForFirstMedia(() => {
      const fresh = parse(FIRST_SCREEN_KEY);
      if (fresh !== null) paint(fresh);
    });
  }
  await picturesShown(document);
}

// Last, because it runs what is declared above. Ignoring a snapshot of another shape, and denied
// storage: the skeleton stays until the app is loaded.
holdProgram(start().catch(() => undefined));
