/** Text that was typed and not sent: drafts that survive a reload, and forms that hold some. */
import { useEffect, useId, useRef, useState } from "react";
import { create } from "zustand";
import { fieldsOf, removeStored, type Stored, storedJson, storedText } from "./stored";

const useForms = create<{ ids: readonly string[] }>()(() => ({ ids: [] }));

/** For a form: `unsent` while it holds text; `ask` when closing the tab would lose real work. */
export function useUnsentText(unsent: boolean, ask = false): void {
  const id = useId();
  // Outside: the update prompt, and the browser's own question before a tab is closed.
  useEffect(() => {
    if (!unsent) return;
    useForms.setState((now) => ({ ids: [...now.ids, id] }));
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    if (ask) window.addEventListener("beforeunload", hold);
    return () => {
      window.removeEventListener("beforeunload", hold);
      useForms.setState((now) => ({ ids: now.ids.filter((other) => other !== id) }));
    };
  }, [unsent, ask, id]);
}

export const useHasUnsentText = (): boolean => useForms((now) => now.ids.length > 0);

/** For event handlers: it does not cause a render. */
export const hasUnsentText = (): boolean => useForms.getState().ids.length > 0;

const CHAT_DRAFTS = "augenblick.chat-draft.";
const COMMENT_DRAFTS = "augenblick.comment-draft.";
const UPLOAD_DRAFT = "augenblick.upload-draft";
const LEGAL_DRAFTS = "augenblick.legal-draft.";

/** The conversation's id names two people, and both may use this browser. */
export const chatDraft = (userId: string, conversationId: string): Stored<string> =>
  storedText("local", `${CHAT_DRAFTS}${conversationId}.${userId}`);

/** Each person at this browser has drafts of their own. */
export const commentDraft = (userId: string, mediaId: string): Stored<string> =>
  storedText("local", `${COMMENT_DRAFTS}${mediaId}.${userId}`);

/**
 * Text that is written to be sent. It is saved while typing, and cleared only once it is safe in
 * the queue. Without room it lives as long as the page.
 */
export function useDraft(stored: Stored<string>, queue: (text: string) => Promise<boolean>) {
  const [text, setShown] = useState(() => stored.read() ?? "");
  const latest = useRef(text);
  /** On their way to the queue, in their order: part of the saved draft until they are there. */
  const leaving = useRef<{ text: string; isKept: boolean | null }[]>([]);
  useUnsentText(text.trim() !== "");
  const setText = (next: string) => {
    latest.current = next;
    setShown(next);
    const unsafe = leaving.current.filter(({ isKept }) => !isKept).map((each) => each.text);
    stored.write([...unsafe, next].filter(Boolean).join("\n") || null);
  };
  const send = async () => {
    const wanted = { text: latest.current, isKept: null as boolean | null };
    if (wanted.text.trim() === "") return;
    leaving.current.push(wanted);
    setText("");
    wanted.isKept = await queue(wanted.text).catch(() => false);
    if (leaving.current.some(({ isKept }) => isKept === null)) return setText(latest.current);
    // Text typed in the meantime stays, after what could not be kept.
    const back = leaving.current.filter(({ isKept }) => !isKept).map((each) => each.text);
    leaving.current = [];
    setText([...back, latest.current].filter(Boolean).join("\n"));
  };
  return { text, setText, send };
}

/** With what was chosen. At a sign-out: the next person at this device must not find it. */
export function wipeTyped(): void {
  for (const prefix of [CHAT_DRAFTS, COMMENT_DRAFTS, UPLOAD_DRAFT, LEGAL_DRAFTS]) {
    removeStored("local", prefix);
  }
  void import("@/media-cache/inbox").then(({ emptyInbox }) => emptyInbox()).catch(() => undefined);
}

/** Of an unfinished upload (specification §4). */
type UploadDraftText = { caption: string; tags: string };

const uploadDraft = storedJson("local", UPLOAD_DRAFT, (value) => {
  const { caption, tags } = fieldsOf(value);
  return typeof caption === "string" && typeof tags === "string" ? { caption, tags } : null;
});

export const readUploadDraft = (): UploadDraftText =>
  uploadDraft.read() ?? { caption: "", tags: "" };

export function writeUploadDraft(draft: UploadDraftText): void {
  uploadDraft.write(draft.caption === "" && draft.tags === "" ? null : draft);
}

/** A legal text that an admin has written and not published. Each admin has drafts of their own. */
export interface LegalDraft {
  /** HTML. */
  content: string;
  /** The revision that the writing began from. */
  revision: number;
  /** Milliseconds since 1970. */
  at: number;
}

export const legalDraft = (id: "terms" | "privacy", userId: string): Stored<LegalDraft> =>
  storedJson("local", `${LEGAL_DRAFTS}${id}.${userId}`, (value) => {
    const { content, revision, at } = fieldsOf(value);
    const isWhole =
      typeof content === "string" && typeof revision === "number" && typeof at === "number";
    return isWhole ? { content, revision, at } : null;
  });
