/**
 * Inlined behind the shell: draws the first screen of the last visit from its snapshot, before any
 * module is loaded. For a visitor without a snapshot it draws the newest media as soon as the
 * server has sent them. Below the window it draws no pictures; the app does. Classes and geometry
 * are those of features/media/media-card.tsx, which takes over without a layout shift.
 */
import type { RawRecord } from "@/data/engine/rows";
import { FIRST_MEDIA_PATH } from "@/data/first-media";
import { groupPosts } from "@/data/media/posts";
import { mediaRow } from "@/data/media/row";
import { servedMedia } from "@/data/media/views";
import type { MediaView } from "@/data/shapes";
import { mediaSlug } from "@/domain/paths";
import { nextTask } from "@/lib/next-task";
import { FIRST_MEDIA_EVENT, writeFirstScreen } from "@/state/first-screen";
import { avatarColors } from "@/ui/avatar-colors";
import { type Box, layoutMasonry, placeOf, textSize } from "@/ui/masonry";
import { isAway, parse, userNow } from "./frame";
import { FIRST_SCREEN_KEY, SESSION_KEY } from "./keys";

type Drawn = "id" | "alt" | "caption" | "tags" | "username" | "width" | "height" | "previewUrl";
type Item = Pick<MediaView, Drawn> & { color?: string };

function make(tag: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

function picture(item: Item, box: Box, isSeen: boolean): HTMLElement {
  const picture = make("span", "shell-picture");
  picture.style.height = `${box.picture}px`;
  if (item.color !== undefined) picture.style.background = item.color;
  if (item.previewUrl !== "" && isSeen) {
    const image = document.createElement("img");
    image.alt = item.alt;
    image.src = item.previewUrl;
    picture.append(image);
  }
  const title = make("strong", "shell-title", item.caption || "\u00a0");
  title.dir = "auto";
  title.style.setProperty("--lines", String(box.lines));
  const link = make("a", "shell-open", picture, title) as HTMLAnchorElement;
  link.href = `/view/${mediaSlug(item)}`;
  return link;
}

function tags(item: Item, box: Box): HTMLElement[] {
  if (item.tags.length === 0) return [];
  const words = item.tags.slice(0, box.tags).map((tag) => {
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
    picture(item, box, isSeen),
    ...tags(item, box),
    make("div", "shell-meta", make("span", "shell-by", face, words)),
  );
  element.dataset["mediaId"] = item.id;
  element.style.width = `${box.width}px`;
  element.style.height = `${box.height}px`;
  element.style.transform = placeOf(box);
  return element;
}

function paint(screen: Record<string, unknown>): void {
  const place = document.getElementById("first-screen");
  if (place === null || screen["version"] !== 2 || screen["userId"] !== userNow()) return;
  const items = screen["items"] as Item[];
  if (items.length === 0) return;
  const columns = document.documentElement.dataset["columns"] === "1" ? 1 : 2;
  const boxes = layoutMasonry(items, { width: place.clientWidth, columns, text: textSize() });
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
        const views = groupPosts(rows.map((row) => servedMedia(row, address)));
        writeFirstScreen({ userId: "", productName: name?.content ?? "", items: views });
        first.stand = true;
        paint();
        window.dispatchEvent(new Event(FIRST_MEDIA_EVENT));
      })
      // Ignoring the failure: the client asks again and handles it.
      .catch(() => undefined)
  );
}

/** By language, where it is not that of index.html (scripts/vite-first-paint.ts). */
declare const SHELL_TEXTS: Record<string, Record<string, string>>;

/** Says the words of the shell in the language that is read. */
function sayShell(): void {
  const texts = SHELL_TEXTS[document.documentElement.lang];
  if (texts === undefined) return;
  for (const place of document.querySelectorAll<HTMLElement>("[data-say]"))
    place.textContent = texts[place.dataset["say"] ?? ""] ?? place.textContent;
}

/** After this the connection is too slow to make everything else wait for the pictures. */
const PICTURES_FIRST_MS = 2_000;

declare global {
  interface Window {
    /** Called at the page's end (scripts/vite-first-paint.ts). */
    startProgram?: () => Promise<void>;
  }
}

/** With a worker pictures come from the device: longer than this it has none of them. */
const FRAME_FIRST_MS = 400;

/**
 * Fetches the app's styles and program: at once if they are already on the device, or after the
 * frame with its pictures; on a first visit after the pictures in view, which share the connection
 * with it. What is drawn consists of links and works without the program. `pictures` resolves when
 * there is nothing left to wait for.
 */
function holdProgram(pictures: Promise<void>): void {
  // Vite's development server starts the program itself.
  const meta = document.querySelector<HTMLMetaElement>('meta[name="program"]');
  if (meta === null) return;
  const files = meta.content.split(" ");
  const isOnDevice = navigator.serviceWorker?.controller != null;
  const { frameShown } = window;
  // What is drawn already is not kept waiting for what follows.
  const shown = isOnDevice ? frameShown : (frameShown ?? pictures);
  const patience = isOnDevice ? FRAME_FIRST_MS : PICTURES_FIRST_MS;
  const turn = Promise.race([shown, new Promise((resolve) => setTimeout(resolve, patience))]);
  const preload = () => files.map((file) => load("modulepreload", file));
  const dress = () => load("stylesheet", meta.dataset["styles"] ?? "");
  const styles = frameShown ? undefined : dress();
  const isAsked = isOnDevice && styles && preload();
  window.startProgram = async () => {
    await turn;
    // All at once: otherwise the entry's imports would be known only after it has loaded.
    if (!isAsked) preload();
    await (styles ?? dress());
    // One task per module, so that the page can respond in between; the last one is the entry.
    for (const file of files) {
      await import(file);
      await nextTask();
    }
  };
}

/** Resolves when it is here, or does not come. */
const load = (rel: string, href: string): Promise<unknown> =>
  new Promise((resolve) => {
    const link = document.createElement("link");
    Object.assign(link, { rel, href, crossOrigin: "", onload: resolve, onerror: resolve });
    document.head.append(link);
  });

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

// Said once, maybe before the app is here, which asks at a moment of its own (state/install.ts).
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  window.installOffer = event;
});

async function start(): Promise<void> {
  if (window.frameShown !== undefined) return;
  sayShell();
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
