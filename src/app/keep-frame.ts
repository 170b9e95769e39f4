/**
 * Puts away what the window shows, for the first frame of the next start (first-paint/frame.ts):
 * when everything stands and nothing has moved for a second. What belongs to a session is kept
 * under its person, and the sign-out removes it (state/first-screen.ts).
 */
import { SESSION_KEY } from "@/data/account/session-store";
import { whenIdle } from "@/lib/idle";
import { FRAME_PREFIX } from "@/state/first-screen";
import { usePreferences } from "@/state/preferences";
import { currentUser } from "@/state/session";
import { drawnPath } from "./address-router";
import { FRAME_VERSION, type Frame, type FrameNode, looksNow } from "./first-paint/frame";
import { mayBe, mayHave } from "./first-paint/frame-parts";

const STILL_MS = 1_000;
/** What is cut off below the window must not move what stands beside it at its edge. */
const BELOW_PX = 64;
/** Frames on a device: the newest ones. */
const MOST_FRAMES = 10;
/** Characters of one frame. */
const MOST_CHARS = 60_000;

/** Routes that show what lies on the device; a form has nothing to show before it works. */
const OPEN = /^\/(?:|terms|privacy|user\/[^/]+|view\/[^/]+)$/;
const OWN = /^\/(?:chat(?:\/[^/]+)?|profile|outbox)$/;

/** Watches the page until what it returns is called. */
export function keepFrames(root: Element): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let changedAt = 0;
  const wait = () => {
    timer = setTimeout(() => {
      if (Date.now() - changedAt < STILL_MS) return wait();
      timer = undefined;
      whenIdle(() => timer === undefined && keepFrame(root));
    }, STILL_MS);
  };
  const onChange = () => {
    changedAt = Date.now();
    if (timer === undefined) wait();
  };
  const watch = new MutationObserver(onChange);
  watch.observe(root, { childList: true, subtree: true, characterData: true, attributes: true });
  onChange();
  return () => {
    watch.disconnect();
    clearTimeout(timer);
  };
}

function keepFrame(root: Element): void {
  try {
    const userId = signedIn();
    const { pathname, search } = location;
    if (userId === null || search !== "" || pathname !== drawnPath() || !isWhole(root)) return;
    if (!OPEN.test(pathname) && (userId === "" || !OWN.test(pathname))) return;
    const css = rulesFor(root);
    const content = contentOf(root, { top: 0, bottom: innerHeight + BELOW_PX });
    const frame: Frame = {
      version: FRAME_VERSION,
      userId,
      at: Date.now(),
      ...looksNow(),
      offline: root.querySelector("[data-passing]") !== null,
      css,
      root: slim(content, css + shellCss()),
    };
    const text = JSON.stringify(frame);
    // Where there is no room for it, no frame is better than an old one.
    localStorage.removeItem(FRAME_PREFIX + pathname);
    if (text.length <= MOST_CHARS) localStorage.setItem(FRAME_PREFIX + pathname, text);
    dropOldest();
  } catch {
    // Ignoring denied storage and a full one: the next start begins with the shell.
  }
}

/** Who is signed in, "" for nobody; null while page and storage do not agree on it. */
function signedIn(): string | null {
  const userId = currentUser()?.id ?? "";
  const stored: { user?: { id?: string } } | null = JSON.parse(
    localStorage.getItem(SESSION_KEY) ?? "null",
  );
  const isDrawn = document.documentElement.dataset["session"] === (userId === "" ? "out" : "in");
  return isDrawn && (stored?.user?.id ?? "") === userId ? userId : null;
}

/** Filters and orders that a new visit does not begin with. */
function isChosen(): boolean {
  const { filter, sort } = usePreferences.getState();
  return location.pathname === "/" && (filter !== "all" || sort !== "latest");
}

/** What has scrolled, loads, has failed, passes, or lies under a dialog is no first frame. */
const UNFIT =
  '#main :is([data-pending], [aria-busy="true"]), [data-passing=""], .shell-session, header :is(.shell-icon:empty, [data-pending]), .shell-dock[data-pending], [data-source="snapshot"], [data-chosen]';
const OVER = '[role="dialog"], [role="alertdialog"], [role="menu"]';

const isWhole = (root: Element): boolean =>
  document.visibilityState === "visible" &&
  window.scrollY === 0 &&
  !isChosen() &&
  root.querySelector("#main > *") !== null &&
  root.querySelector(UNFIT) === null &&
  document.querySelector(OVER) === null &&
  !Array.from(root.querySelectorAll("input, textarea")).some(
    (field) => (field as HTMLInputElement).value !== "",
  );

interface Window {
  top: number;
  bottom: number;
}

/** What of `parent` is seen in the window. */
function contentOf(parent: Element, seen: Window): FrameNode[] {
  const nodes: FrameNode[] = [];
  for (const child of parent.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) nodes.push(child.nodeValue ?? "");
    else if (child instanceof HTMLElement || child instanceof SVGElement) {
      const node = elementOf(child, seen);
      if (node !== null) nodes.push(node);
    }
  }
  return nodes;
}

function elementOf(element: HTMLElement | SVGElement, seen: Window): FrameNode | null {
  const tag = element.tagName.toLowerCase();
  if (!mayBe(tag) || !isSeen(element, seen)) return null;
  const attributes = attributesOf(element);
  if (tag === "img" && attributes["src"] === undefined) return null;
  if (element instanceof SVGElement) return [tag, attributes, ...drawingOf(element)];
  // A link works without the app; nothing else does.
  if (/^(?:button|input|select|textarea)$/.test(tag)) attributes["inert"] = "";
  if (element instanceof HTMLSelectElement) return [tag, attributes, ...optionsOf(element)];
  const children = contentOf(element, insideOf(element, seen));
  if (element.scrollTop > 0) scroll(attributes, children, element.scrollTop);
  return [tag, attributes, ...children];
}

/** For tests, for the router, and ids that a frame does not have. */
const NOT_SEEN =
  /^(?:data-(?:testid|discover)|aria-(?:live|labelledby|describedby|controls|owns))$/;

/** All of them, because the widest one makes the width. */
const optionsOf = ({ options, selectedIndex }: HTMLSelectElement): FrameNode[] =>
  [...options].map(({ text }, i) => ["option", i === selectedIndex ? { selected: "" } : {}, text]);

/** By name: `element.attributes` would give each a node, which stays as long as its element. */
function attributesOf(element: Element): Record<string, string> {
  const all = element.getAttributeNames().map((name) => {
    const value = element.getAttribute(name) ?? "";
    return [name, name === "src" ? addressOf(value) : value] as const;
  });
  return Object.fromEntries(
    all.filter(([name, value]) => mayHave(name, value) && !NOT_SEEN.test(name)),
  );
}

function insideOf(element: Element, seen: Window): Window {
  if (getComputedStyle(element).overflowY === "visible") return seen;
  const { top, bottom } = element.getBoundingClientRect();
  return { top: Math.max(seen.top, top), bottom: Math.min(seen.bottom, bottom) };
}

/** Draws `children` as far up as they are scrolled, which nothing needs to be measured for. */
function scroll(attributes: Record<string, string>, children: FrameNode[], top: number): void {
  attributes["style"] = `${attributes["style"] ?? ""};overflow:hidden`;
  const first = children.find((child) => typeof child === "object");
  if (typeof first !== "object") return;
  first[1]["style"] = `${first[1]["style"] ?? ""};margin-top:${-top}px`;
}

const drawingOf = (element: Element): FrameNode[] =>
  [...element.children]
    .filter(({ tagName }) => tagName !== "svg")
    .map((child) => [child.tagName, attributesOf(child), ...drawingOf(child)]);

/** The rules that stand in the page itself. */
const shellCss = (): string => document.querySelector("head style")?.textContent ?? "";

/** What is read aloud from a frame; the rest of these is for the app, or for a rule. */
const READ = /^aria-(?:label|hidden|current|level)$/;
const FOR_THE_APP = /^(?:aria|data)-/;

/** `nodes` without the classes and attributes that `css` does not ask for, and each icon once. */
function slim(nodes: readonly FrameNode[], css: string): FrameNode[] {
  const drawings = new Map<string, number>();
  const isAsked = (name: string) =>
    !FOR_THE_APP.test(name) || READ.test(name) || css.includes(`[${name}`);
  const without = (attributes: Record<string, string>) => {
    const left = Object.entries(attributes).filter(([name]) => isAsked(name));
    const all = Object.fromEntries(left);
    const classes = (all["class"] ?? "").split(/\s+/);
    const asked = classes.filter((name) => name !== "" && css.includes(`.${CSS.escape(name)}`));
    if (asked.length > 0) all["class"] = asked.join(" ");
    else delete all["class"];
    return all;
  };
  const walk = (node: FrameNode): FrameNode => {
    if (typeof node !== "object") return node;
    const [tag, attributes, ...children] = node;
    const small: FrameNode = [tag, without(attributes), ...children.map(walk)];
    if (tag !== "svg") return small;
    const key = JSON.stringify(small);
    const drawn = drawings.get(key);
    if (drawn === undefined) drawings.set(key, drawings.size);
    return drawn ?? small;
  };
  return nodes.map(walk);
}

/** Of our own files: the path, by which the same picture is found wherever the server is. */
function addressOf(address: string): string {
  const url = new URL(address, location.href);
  return url.origin === location.origin ? url.pathname + url.search : "";
}

/** Whether any of it is in the window, and not said for readers alone. */
function isSeen(element: Element, { top, bottom }: Window): boolean {
  if (!element.checkVisibility({ visibilityProperty: true })) return false;
  const box = element.getBoundingClientRect();
  if (box.width === 1 && box.height === 1) return false;
  return box.bottom > top && box.top < bottom;
}

/** What nobody does to a frame: such a selector matches nothing. */
const STATES =
  /(?<!\\):(?:hover|focus(?:-visible|-within)?|active|target|checked|-moz[\w-]*)(?![\w-])/g;
const PSEUDO_ELEMENTS = /::[\w-]+(?:\([^)]*\))?/g;

/** The rules of linked style sheets that anything in the page matches now. */
function rulesFor(root: Element): string {
  const sheets = [...document.styleSheets].filter((sheet) => sheet.href !== null);
  const css = sheets.map((sheet) => rulesOf(sheet.cssRules, root)).join("");
  const properties = sheets
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSPropertyRule && css.includes(rule.name));
  return properties.map((rule) => rule.cssText).join("") + css;
}

const rulesOf = (rules: CSSRuleList, root: Element): string =>
  [...rules].map((rule) => ruleOf(rule, root)).join("");

function ruleOf(rule: CSSRule, root: Element): string {
  if (rule instanceof CSSStyleRule) return isUsed(rule, root) ? rule.cssText : "";
  if (rule instanceof CSSMediaRule && !matchMedia(rule.conditionText).matches) return "";
  if (rule instanceof CSSSupportsRule && !CSS.supports(rule.conditionText)) return "";
  if (!(rule instanceof CSSGroupingRule)) return "";
  const inside = rulesOf(rule.cssRules, root);
  if (inside === "") return "";
  return rule instanceof CSSLayerBlockRule ? `@layer ${rule.name}{${inside}}` : inside;
}

function isUsed({ selectorText }: CSSStyleRule, root: Element): boolean {
  const plain = selectorText.replace(PSEUDO_ELEMENTS, ":where(*)").replace(STATES, ":not(*)");
  try {
    if (plain.startsWith(":where(*)")) return false;
    return root.closest(plain) !== null || root.querySelector(plain) !== null;
  } catch {
    // A selector that only another browser knows.
    return false;
  }
}

function dropOldest(): void {
  const frames = Object.keys(localStorage)
    .filter((key) => key.startsWith(FRAME_PREFIX))
    .map((key) => ({ key, at: (JSON.parse(localStorage.getItem(key) ?? "{}") as Frame).at }));
  frames.sort((a, b) => b.at - a.at);
  for (const { key } of frames.slice(MOST_FRAMES)) localStorage.removeItem(key);
}
