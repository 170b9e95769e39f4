/**
 * The keys of every page: single letters that lead somewhere, and '?', which lists them all. They
 * can be switched off there (WCAG 2.1.4).
 */
import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate, useNavigationType } from "react-router-dom";
import { paths } from "@/domain/paths";
import { LISTS_KEYS, usePreferences } from "@/state/preferences";
import { useUser } from "@/state/session";
import { hasUnsentText } from "@/state/unsent-text";
import { lazily } from "@/ui/lazily";

const KeysDialog = lazily(() => import("@/features/settings/keys-dialog"), "KeysDialog");

const FOR_ALL: Record<string, string> = { h: paths.home, "/": paths.search("") };
const FOR_MEMBERS: Record<string, string> = {
  u: paths.upload,
  c: paths.chats,
  p: paths.profile,
};

/** What takes letters itself. */
const OWN_KEYS =
  "input, textarea, select, [contenteditable], [role=menu], [role=dialog], [role=alertdialog]";

function isForPage(event: KeyboardEvent): boolean {
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return false;
  if (event.repeat || document.querySelector("[data-scrim]") !== null) return false;
  return !(event.target instanceof Element) || event.target.closest(OWN_KEYS) === null;
}

export function Keys() {
  const navigate = useNavigate();
  const isOn = usePreferences((now) => now.keys);
  const isMember = useUser() !== null;
  const { key } = useLocation();
  const isSamePage = useNavigationType() === "REPLACE";
  /** The page on which the list was asked for: the way back leaves it, too. */
  const [openAt, setOpenAt] = useState("");
  if (openAt !== "" && openAt !== key) setOpenAt(isSamePage ? key : "");
  const opener = useRef<HTMLElement | null>(null);
  const places = isMember ? { ...FOR_ALL, ...FOR_MEMBERS } : FOR_ALL;
  const latest = useRef({ places, key });
  latest.current = { places, key };
  // Outside: the keyboard, and the account menu, where the list is asked for too.
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const list = (from: HTMLElement | null) => {
      opener.current = from;
      setOpenAt(latest.current.key);
    };
    const onAsked = (event: Event) => list((event as CustomEvent<HTMLElement | null>).detail);
    window.addEventListener(LISTS_KEYS, onAsked, { signal });
    const onKey = (event: KeyboardEvent) => {
      const to = latest.current.places[event.key];
      if ((to === undefined && event.key !== "?") || !isForPage(event)) return;
      event.preventDefault();
      if (to === undefined) list(null);
      // A letter beside a form must not throw away what is in it.
      else if (!hasUnsentText()) void navigate(to);
    };
    if (isOn) window.addEventListener("keydown", onKey, { signal });
    return () => ending.abort();
  }, [isOn, navigate]);
  if (openAt !== key) return null;
  const frame = { onClose: () => setOpenAt(""), returnFocus: opener };
  return <KeysDialog isMember={isMember} {...frame} />;
}
