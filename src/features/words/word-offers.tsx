/**
 * Names and tags that may be meant where somebody writes `@` or `#` in a field with `data-words`:
 * those on this device at once, then what the server finds. The field keeps the focus and the keys.
 */
import { useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { PAGE_SIZE } from "@/domain/limits";
import { BEFORE } from "@/domain/words";
import { useKnownPeople } from "@/state/chat";
import { whenClient } from "@/state/client-store";
import { Avatar } from "@/ui/avatar";
import { cn } from "@/ui/cn";

export function WordOffers() {
  const { word, shut } = useWordAtCaret();
  const place = word?.field.parentElement ?? null;
  if (word === null || place === null) return null;
  return createPortal(<Offers word={word} onShut={shut} />, place);
}

type Sign = "@" | "#";

interface Word {
  field: HTMLTextAreaElement;
  sign: Sign;
  /** What is written of it, up to the caret. */
  beginning: string;
  /** Where its sign stands. */
  from: number;
}

const LONGEST = 50;
const WORD = new RegExp(`${BEFORE}([@#])([^\\s@#]{1,${LONGEST}})$`);

function wordIn(field: HTMLTextAreaElement): Word | null {
  const { value, selectionStart: caret, selectionEnd } = field;
  if (caret !== selectionEnd) return null;
  // Long enough that what begins with this piece is too long for a word.
  const [, , sign, beginning] =
    WORD.exec(value.slice(Math.max(0, caret - 2 * LONGEST), caret)) ?? [];
  if (sign === undefined || beginning === undefined) return null;
  return { field, sign: sign as Sign, beginning, from: caret - beginning.length - 1 };
}

const isSame = (a: Word | null, b: Word | null): boolean =>
  a?.field === b?.field && a?.from === b?.from && a?.beginning === b?.beginning;

/** The word that is being written, until it is shut or left. */
function useWordAtCaret() {
  const [word, setWord] = useState<Word | null>(null);
  const shutAt = useRef<Word | null>(null);
  // Outside: whatever field of the page somebody writes in.
  useEffect(() => {
    const look = ({ target }: Event) => {
      if (!(target instanceof HTMLTextAreaElement) || !target.matches("[data-words]")) return;
      const now = target === document.activeElement ? wordIn(target) : null;
      if (now?.from !== shutAt.current?.from || now?.field !== shutAt.current?.field)
        shutAt.current = null;
      const shown = shutAt.current === null ? now : null;
      setWord((before) => (isSame(before, shown) ? before : shown));
    };
    const leave = () => setWord(null);
    const ending = new AbortController();
    const { signal } = ending;
    for (const type of ["input", "keyup", "click"])
      document.addEventListener(type, look, { signal });
    document.addEventListener("focusout", leave, { signal });
    const { activeElement } = document;
    if (activeElement instanceof HTMLTextAreaElement && activeElement.matches("[data-words]"))
      setWord(wordIn(activeElement));
    return () => ending.abort();
  }, []);
  const shut = useCallback(() => {
    shutAt.current = word;
    setWord(null);
  }, [word]);
  return { word, shut };
}

interface Offer {
  word: string;
  thumbnailUrl: string;
}

const MOST = 6;
/** After the last key press, milliseconds. */
const PAUSE_MS = 250;
/** Nearly everything begins with one letter. */
const ASKED_FROM = 2;

function useOffers({ sign, beginning }: Word): Offer[] {
  const people = useKnownPeople();
  const [tags, setTags] = useState<string[]>([]);
  // Outside: the device's media and the server, which the next key press makes superfluous.
  useEffect(() => {
    let isOver = false;
    const readTags = async () => {
      const { reads } = await whenClient();
      const found = sign === "#" ? await reads.offerTags(beginning) : [];
      if (!isOver) setTags(found);
    };
    const ask = async () => {
      const { reads } = await whenClient();
      await reads.pullSearch({ text: sign + beginning, filter: "all", limit: PAGE_SIZE });
      if (!isOver) await readTags();
    };
    // Ignoring a failure: without this part or the replica nothing is offered.
    readTags().catch(() => undefined);
    const timer = setTimeout(
      () => beginning.length >= ASKED_FROM && void ask().catch(() => undefined),
      PAUSE_MS,
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [sign, beginning]);
  return useMemo(() => {
    if (sign === "#") return tags.map((word) => ({ word, thumbnailUrl: "" }));
    const begins = beginning.toLowerCase();
    return people
      .filter(({ username }) => username.toLowerCase().startsWith(begins))
      .slice(0, MOST)
      .map(({ username, thumbnailUrl }) => ({ word: username, thumbnailUrl }));
  }, [sign, beginning, tags, people]);
}

/** Replaces what is written of the word, as if it had been typed. */
function write({ field, sign, beginning, from }: Word, word: string): void {
  const end = from + 1 + beginning.length;
  const space = /^\s/.test(field.value.slice(end)) ? "" : " ";
  field.setRangeText(`${sign}${word}${space}`, from, end, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

interface OffersProps {
  word: Word;
  onShut: () => void;
}

function Offers({ word, onShut }: OffersProps) {
  const { t } = useTranslation();
  const id = useId();
  const offers = useOffers(word);
  const [active, setActive] = useState("");
  const at = offers.findIndex((offer) => offer.word === active);
  useKeys(word, { offers, at, setActive, onShut });
  useMarks(word.field, offers.length > 0 ? id : null, at);
  if (offers.length === 0) return null;
  const isName = word.sign === "@";
  return (
    <div
      className="absolute inset-x-0 z-10 rounded-2xl border border-line-strong bg-raised p-1.5 shadow-float"
      style={placeBy(word.field)}
      data-testid="word-offers"
    >
      <div id={id} role="listbox" aria-label={t(isName ? "search.people" : "detail.tags")}>
        {offers.map((offer, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys.
          <div
            key={offer.word}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === at}
            className={cn(
              "flex min-h-11 cursor-pointer items-center gap-3 rounded-xl px-3 hover:bg-surface",
              i === at && "bg-surface outline-2 -outline-offset-2 outline-(--focus)",
            )}
            // The field keeps the focus: a blur would end this before the click.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => write(word, offer.word)}
          >
            {isName && <Avatar name={offer.word} src={offer.thumbnailUrl} />}
            <span className="truncate" dir="auto">
              {isName ? offer.word : `#${offer.word}`}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** So much room above the field, or it lies below. */
const ROOM_PX = 300;

function placeBy(field: HTMLTextAreaElement): { top: number } | { bottom: number } {
  const gap = 4;
  if (field.getBoundingClientRect().top < ROOM_PX)
    return { top: field.offsetTop + field.offsetHeight + gap };
  return { bottom: (field.parentElement?.clientHeight ?? 0) - field.offsetTop + gap };
}

interface Keyed {
  offers: readonly Offer[];
  /** -1 for none. */
  at: number;
  setActive: (word: string) => void;
  onShut: () => void;
}

/** Arrows choose, Enter takes what is chosen, and Escape shuts. */
function useKeys(word: Word, { offers, at, setActive, onShut }: Keyed): void {
  // Outside: the window, before the field's form and a dialog around it hear of the key.
  useEffect(() => {
    if (offers.length === 0) return;
    /** Whether the key is meant for the offers. */
    const answer = (key: string): boolean => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[key] ?? 0;
      const chosen = offers[at];
      if (step !== 0) {
        const next = (at + step + offers.length + 2) % (offers.length + 1);
        setActive(offers[next - 1]?.word ?? "");
      } else if (key === "Escape") onShut();
      else if (key === "Enter" && chosen !== undefined) write(word, chosen.word);
      else return false;
      return true;
    };
    const press = (event: KeyboardEvent) => {
      if (event.target !== word.field || event.isComposing || !answer(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener("keydown", press, true);
    return () => window.removeEventListener("keydown", press, true);
  }, [word, offers, at, setActive, onShut]);
}

/** What a screen reader hears at the field. */
function useMarks(field: HTMLTextAreaElement, listId: string | null, at: number): void {
  // Outside: the field, which another part has drawn.
  useEffect(() => {
    if (listId === null) return;
    const marks = { "aria-autocomplete": "list", "aria-controls": listId };
    for (const [name, value] of Object.entries(marks)) field.setAttribute(name, value);
    if (at >= 0) field.setAttribute("aria-activedescendant", `${listId}-${at}`);
    return () => {
      for (const name of [...Object.keys(marks), "aria-activedescendant"])
        field.removeAttribute(name);
    };
  }, [field, listId, at]);
}
