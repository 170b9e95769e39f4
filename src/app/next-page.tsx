/**
 * The way to the next page. Its code is read ahead, so that a tap is answered in the next frame;
 * and the picture of a card grows into its page's, and shrinks into the card on the way back (View
 * Transitions). Where the browser has none, or somebody wants less motion, pages just change.
 */
import { useEffect } from "react";
import { whenIdle } from "@/lib/idle";
import { whenClient } from "@/state/client-store";
import { openedMediaId } from "@/state/place";
import { useSession } from "@/state/session";
import { carrier, type Going } from "./address-router";

/** Their styles are in ui/styles.css. A name may be given to one element at a time. */
const PICTURE = "picture";
/** The bar stays above a picture that slides under it. */
const BAR = "bar";

const OPENED = /^\/view\/([^/]+)/;

/** Of the transition that runs, or of the last one. */
let named: HTMLElement[] = [];

function give(element: HTMLElement | null, name: string): void {
  if (element === null) return;
  element.style.viewTransitionName = name;
  named.push(element);
}

function takeNames(): void {
  for (const element of named) element.style.viewTransitionName = "";
  named = [];
}

const find = (selector: string) => document.querySelector<HTMLElement>(selector);
const stage = () => find("[data-stage]");

/** Of a medium's pictures in lists the one that is seen; a post's slides lie over its first. */
function pictureOf(id: string): HTMLElement | null {
  const all = document.querySelectorAll<HTMLElement>(`[data-picture="${CSS.escape(id)}"]`);
  return [...all].findLast(isSeen) ?? null;
}

function isSeen(element: HTMLElement): boolean {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight && right > 0 && left < window.innerWidth;
}

/** An address may be anything; what is no text leads to no card. */
function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return "";
  }
}

/** Where the picture is now, and where it will be once the other page is drawn. */
function wayOf({ action, location }: Going) {
  const slug = OPENED.exec(location.pathname)?.[1];
  if (slug === undefined) {
    const id = stage()?.dataset["stage"];
    return id === undefined ? null : { from: stage(), into: () => pictureOf(id) };
  }
  // A step from one medium to the next replaces the entry.
  if (action === "REPLACE") return null;
  return { from: pictureOf(openedMediaId(decoded(slug))), into: stage };
}

/**
 * What moves cannot be hit, so a tap that begins meanwhile is told to what lies around the link or
 * button that is tapped, or to the document: it is given to what lies there now.
 */
function handOn(click: MouseEvent): void {
  const there = document.elementFromPoint(click.clientX, click.clientY);
  const told = click.target as Node;
  if (there === null || there === told || !told.contains(there)) return;
  click.preventDefault();
  click.stopImmediatePropagation();
  there.dispatchEvent(new MouseEvent("click", click));
}

const wantsLess = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function carry(to: Going, show: () => Promise<void>): boolean {
  if (!("startViewTransition" in document) || document.fullscreenElement !== null) return false;
  const way = wantsLess() ? null : wayOf(to);
  const from = way?.from;
  if (!from || !isSeen(from)) return false;
  takeNames();
  give(from, PICTURE);
  give(find(".shell-top"), BAR);
  give(find(".shell-dock"), "dock");
  const mine = named;
  const transition = document.startViewTransition(async () => {
    from.style.viewTransitionName = "";
    await show();
    if (named === mine) give(way.into(), PICTURE);
  });
  // Ignoring that a later one, or a hidden page, cut it short: the pages have changed all the same.
  transition.ready.catch(() => undefined);
  const cut = () => {
    transition.skipTransition();
    window.addEventListener("click", handOn, { capture: true, once: true });
  };
  window.addEventListener("pointerdown", cut, { capture: true, once: true });
  void transition.finished.then(() => {
    window.removeEventListener("pointerdown", cut, { capture: true });
    if (named === mine) takeNames();
  });
  return true;
}

/** A page's code; `warm` reads it before anybody asks for the page. */
interface Page {
  warm: () => Promise<unknown>;
  isWarm: () => boolean;
}

interface NextPageProps {
  /** Which pages are near, for whoever is signed in and for visitors. */
  members: readonly Page[];
  visitors: readonly Page[];
}

export function NextPage({ members, visitors }: NextPageProps) {
  const near = useSession().state === "signed-in" ? members : visitors;
  // Outside: the address. Only a page whose code is there can be drawn at once.
  useEffect(() => {
    carrier.carry = (to, show) => near.every((page) => page.isWarm()) && carry(to, show);
    return () => {
      carrier.carry = null;
    };
  }, [near]);
  // Outside: the code, read in pauses, after the data.
  useEffect(() => {
    let isOver = false;
    const read = async () => {
      await whenClient();
      for (const page of near) {
        await new Promise<void>((resolve) => void whenIdle(resolve));
        if (isOver) return;
        // Ignoring a failure: the page is asked for again when it is opened.
        await page.warm().catch(() => undefined);
      }
    };
    void read();
    return () => {
      isOver = true;
    };
  }, [near]);
  return null;
}
