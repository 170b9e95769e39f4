/**
 * The frame of a route: what its window showed last, put away by app/keep-frame.ts and drawn by
 * draw-frame.ts before any module is loaded. It is a tree of elements of known kinds, never markup,
 * with the rules that style it. Frames lie on users' devices: a new format gets a new version. The
 * inline scripts contain this module.
 */
import { PLACE_KEY, SESSION_KEY } from "./keys";

export const FRAME_VERSION = 2;
export const FRAME_ID = "first-frame";

/**
 * A text, or an element: its tag, its attributes, and what is in it; a number is one more copy of
 * the drawing that came in that place, from 0.
 */
export type FrameNode =
  | string
  | number
  | [tag: string, attributes: Record<string, string>, ...FrameNode[]];

declare global {
  interface Window {
    /** Resolves when the frame of this page stands with its pictures. */
    frameShown?: Promise<void>;
  }
}

export interface Frame extends Looks {
  version: typeof FRAME_VERSION;
  /** The person who saw it, "" for a visitor. It is never drawn for anybody else. */
  userId: string;
  /** When it was put away, in milliseconds. */
  at: number;
  /** It says that there is no network, which the browser knew. */
  offline?: boolean;
  /** Rules of the app's style sheet that it needs. */
  css: string;
  root: FrameNode[];
}

/** What must be as it was, or the frame would lie elsewhere than what follows it. */
export interface Looks {
  width: number;
  height: number;
  language: string;
  dark: boolean;
  columns: string;
}

/** Of this page at this moment. */
export function looksNow(): Looks {
  const { lang: language, classList, dataset } = document.documentElement;
  return {
    width: innerWidth,
    height: innerHeight,
    language,
    dark: classList.contains("dark"),
    columns: dataset["columns"] ?? "",
  };
}

/** What is stored under `key`, if it is an object. */
export const parse = (key: string, store = localStorage): Record<string, unknown> | null => {
  const value: unknown = JSON.parse(store.getItem(key) ?? "null");
  return typeof value === "object" ? (value as Record<string, unknown> | null) : null;
};

/** Who is signed in on this device, "" for nobody. */
export const userNow = (): string =>
  (parse(SESSION_KEY)?.["user"] as { id?: string } | undefined)?.id ?? "";

/** Whether this is a reload of a page that was scrolled or filtered. */
export function isAway(): boolean {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return entry?.type !== "navigate" && parse(PLACE_KEY, sessionStorage)?.["away"] === true;
}
