/**
 * Inlined before the shell, where nothing is there yet that reading the window's size would lay
 * out: sets language, theme, columns and kind of shell as attributes that the CSS and the app read,
 * then draws the frame of the last visit to this address. It lies over the app until the app shows
 * as much beneath it, so nothing is measured and nothing moves.
 */
import { chosenLanguage, communityLanguage } from "@/domain/languages";
import { nextTask } from "@/lib/next-task";
import {
  FRAME_ID,
  FRAME_VERSION,
  type Frame,
  type FrameNode,
  isAway,
  type Looks,
  looksNow,
  parse,
  userNow,
} from "./frame";
import { isDrawing, mayBe, mayHave } from "./frame-parts";
import {
  COLUMNS_KEY,
  COMMUNITY_LANGUAGE_KEY,
  FRAME_PREFIX,
  LANGUAGE_CHOSEN_KEY,
  LANGUAGE_KEY,
  SESSION_KEY,
  THEME_KEY,
} from "./keys";

/** What is stored under `key`; null also where storage is denied. */
const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

/**
 * The server sends the page in the community's language; a service worker keeps it from the day of
 * its installation, so what this device has learned since comes first.
 */
function sayLooks(): void {
  const root = document.documentElement;
  root.lang =
    chosenLanguage({ language: read(LANGUAGE_KEY), chosen: read(LANGUAGE_CHOSEN_KEY) }) ??
    communityLanguage(read(COMMUNITY_LANGUAGE_KEY), root.lang);
  const saved = read(THEME_KEY);
  const dark =
    saved === "dark" || (saved !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  if (dark) {
    root.classList.add("dark");
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", "#0f172a");
  }
  root.dataset["columns"] = read(COLUMNS_KEY) === "1" ? "1" : "2";
  root.dataset["route"] = location.pathname === "/" ? "home" : "other";
  root.dataset["session"] = read(SESSION_KEY) === null ? "out" : "in";
}

/** Asked for after the frame is painted: twelve requests take as long as all of it. */
const pictures: (() => HTMLImageElement)[] = [];
/** Of each kind of icon one is built, and the others are its copies. */
const drawings: Element[] = [];

function grow(nodes: readonly FrameNode[], into: Element): void {
  for (const node of nodes) {
    if (typeof node === "string") into.append(node);
    else if (typeof node === "number") into.append(drawings[node]?.cloneNode(true) ?? "");
    else build(node, into);
  }
}

function build([tag, attributes, ...children]: Exclude<FrameNode, string | number>, into: Element) {
  if (!mayBe(tag)) return;
  const element = isDrawing(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  if (tag === "svg") drawings.push(element);
  dress(element, attributes);
  grow(children, element);
  into.append(element);
}

function dress(element: Element, attributes: Record<string, string>): void {
  // Until it comes a picture's words would stand in its place.
  const { src = "", alt = "", ...others } = attributes;
  for (const name in others) {
    const value = others[name] ?? "";
    if (mayHave(name, value)) element.setAttribute(name, value);
  }
  if (element instanceof HTMLImageElement && mayHave("src", src))
    pictures.push(() => Object.assign(element, { alt, src }));
}

/** If the app, once drawn, has not shown as much by then, it shows what it has. */
const PATIENCE_MS = 3_000;

/** Who is signed in, an icon, the count of unread messages or a bar is still to come. */
const UNFINISHED_BAR =
  ".shell-session, header :is(.shell-icon:empty, [data-pending]), .shell-dock[data-pending]";

/** Whether the app shows its content in the window, without anything that is still loading. */
function stands(root: Element): boolean {
  if (root.querySelector("#main > *") === null) return false;
  if (root.querySelector(UNFINISHED_BAR) !== null) return false;
  const pending = [...root.querySelectorAll("#main [data-pending]")];
  return pending.every((one) => one.getBoundingClientRect().top >= innerHeight);
}

/**
 * Leaves the shell out, and takes the frame away when the app stands beneath it. Until then the
 * frame alone is read aloud, or every text would be there twice.
 */
function keepUntilApp(frame: HTMLElement): void {
  const root = document.getElementById("root");
  if (root === null) return;
  root.replaceChildren();
  root.ariaHidden = "true";
  frame.dataset["read"] = "";
  const end = () => {
    watch.disconnect();
    clearTimeout(timer);
    root.ariaHidden = null;
    frame.remove();
    document.adoptedStyleSheets = [];
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = new MutationObserver(() => {
    timer ??= setTimeout(end, PATIENCE_MS);
    if (stands(root)) end();
  });
  const attributeFilter = ["data-pending"];
  watch.observe(root, { childList: true, subtree: true, attributeFilter });
}

/** Draws the frame of this address, if there is one that fits. */
function drawFrame(): void {
  const frame = parse(FRAME_PREFIX + location.pathname) as Frame | null;
  if (frame === null || location.search !== "" || isAway()) return;
  const looks = looksNow();
  const fits = (Object.keys(looks) as (keyof Looks)[]).every((name) => frame[name] === looks[name]);
  if (frame.version !== FRAME_VERSION || frame.userId !== userNow() || !fits) return;
  if (frame.offline && navigator.onLine) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(frame.css);
  document.adoptedStyleSheets = [sheet];
  const place = document.createElement("div");
  place.id = FRAME_ID;
  grow(frame.root, place);
  document.body.append(place);
  // The shell beneath it is not waited for.
  document.querySelector("link[rel=expect]")?.remove();
  const painted = new Promise((resolve) => requestAnimationFrame(resolve)).then(nextTask);
  window.frameShown = painted.then(async () => {
    await Promise.allSettled(pictures.map((ask) => ask().decode()));
  });
  document.addEventListener("DOMContentLoaded", () => keepUntilApp(place));
}

sayLooks();
try {
  drawFrame();
} catch {
  // Ignoring denied storage and a broken frame: the shell stays.
}
