/**
 * Inline, behind the shell: draws the first screen of the last visit from its snapshot, before any module is there. To a visitor
 * who has none it draws the newest media as soon as the server has told them. Below the window it draws no pictures: the app does.
 * Same classes and same geometry as features/media/media-card.tsx, which takes over without a jump.
 */
import { mediaSlug } from "@/domain/paths";
import { avatarColors } from "@/ui/avatar-colors";
import { type Box, layoutMasonry, tagsShown } from "@/ui/masonry";
import { askForFirstMedia } from "./first-media";
import { FIRST_SCREEN_KEY, PLACE_KEY, SESSION_KEY } from "./keys";
import { holdProgram, picturesShown } from "./program";

/** The part of a `MediaView` that is drawn. */
interface Item {
  id: string;
  caption: string;
  tags: string[];
  username: string;
  width: number;
  height: number;
  previewUrl: string;
  color?: string;
}

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

/** Whether this page was loaded again, and stood elsewhere than at the gallery's beginning. */
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

/** Resolves when what there is to see stands on the screen. */
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

// Ignoring a snapshot of another shape, and storage denied: the skeleton stays until the app is there.
holdProgram(start().catch(() => undefined));
