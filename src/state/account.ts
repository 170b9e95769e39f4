/** The account of the signed-in user: signing in, up and out, changing and exporting it. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { DeletedAccount } from "@/data/shapes";
import { isCommonPassword, usernameFault } from "@/domain/accounts";
import type { ErrorCode } from "@/domain/error-codes";
import { loadOnlineTexts } from "@/i18n/setup";
import { saveFile } from "@/lib/save-file";
import { whenClient } from "./client-store";
import { wipeFirstScreen } from "./first-screen";
import { useOutbox } from "./outbox";
import { showFailure } from "./toasts";
import { useUnsentText, wipeTyped } from "./unsent-text";

export type NameCheck = "idle" | "checking" | "free" | "taken";
const NAME_CHECK_DELAY_MS = 350;

/** Asks while typing whether the name is taken. Without an answer, sign-up decides. */
export function useNameCheck(username: string): { state: NameCheck; markTaken: () => void } {
  const [known, setKnown] = useState<{ name: string; state: NameCheck }>({
    name: "",
    state: "idle",
  });
  const isValid = usernameFault(username) === null;
  // Outside: the server.
  useEffect(() => {
    if (!isValid) return;
    let current = true;
    const timer = setTimeout(() => void ask(), NAME_CHECK_DELAY_MS);
    const ask = async () => {
      const client = await whenClient();
      if (!current) return;
      setKnown({ name: username, state: "checking" });
      const answer = await client.auth.isUsernameTaken(username);
      if (!current) return;
      const state = answer.success ? (answer.value ? "taken" : "free") : "idle";
      setKnown({ name: username, state });
    };
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [username, isValid]);
  const markTaken = useCallback(() => setKnown({ name: username, state: "taken" }), [username]);
  return { state: known.name === username ? known.state : "idle", markTaken };
}

/** The list comes with the first question. Without it the server decides. */
export async function isCommon(password: string): Promise<boolean> {
  const list = await import("virtual:common-passwords").catch(() => null);
  return list !== null && isCommonPassword(list.default, password);
}

/** `waiting` counts the intents that would stay unsent, refused ones included. */
export function useSignOut() {
  const { waiting, refused } = useOutbox();
  const signOut = async (queue: "keep" | "discard") => {
    const client = await whenClient();
    const answer = await client.auth.signOut(queue);
    if (answer.success) {
      wipeFirstScreen();
      wipeTyped();
      return true;
    }
    showFailure("auth.logoutError", "auth.logoutErrorText");
    return false;
  };
  /** Tries to send everything; `waiting` then tells whether that worked. */
  const sendFirst = async () => (await whenClient()).outbox.drain();
  return { waiting: waiting + refused, signOut, sendFirst };
}

export async function deleteAccount(password: string): Promise<DeletedAccount> {
  const { auth } = await whenClient();
  const deleted = await auth.deleteAccount(password);
  if (deleted.success) {
    wipeFirstScreen();
    wipeTyped();
    // Marks the session as one that needs its password again, for which /login then asks.
  } else if (deleted.requiresReauth) await auth.refresh();
  return deleted;
}

export type Export =
  | { state: "idle" }
  | { state: "running"; done: number; files: number }
  | { state: "done"; missing: number }
  | { state: "failed"; code: ErrorCode };

export function useExport(name: string): { now: Export; start: () => void; stop: () => void } {
  const [now, setNow] = useState<Export>({ state: "idle" });
  const running = useRef<AbortController | null>(null);
  const stop = () => running.current?.abort();
  // A reload would end it.
  useUnsentText(now.state === "running");
  // Outside: the requests, which end with the page.
  useEffect(() => () => running.current?.abort(), []);
  const run = async (signal: AbortSignal): Promise<Export> => {
    // What is said meanwhile; where it cannot be had, the data cannot either.
    const isSaid = await loadOnlineTexts().then(
      () => true,
      () => false,
    );
    if (!isSaid) return { state: "failed", code: "network" };
    setNow({ state: "running", done: 0, files: 0 });
    const client = await whenClient();
    const answer = await client.exportData({
      signal,
      onProgress: (progress) => setNow({ state: "running", ...progress }),
    });
    if (signal.aborted) return { state: "idle" };
    if (!answer.success) return { state: "failed", code: answer.error };
    saveFile(answer.value.archive, `${name}.zip`);
    return { state: "done", missing: answer.value.missing };
  };
  const start = async () => {
    if (running.current !== null) return;
    running.current = new AbortController();
    const end = await run(running.current.signal);
    running.current = null;
    setNow(end);
  };
  return { now, start: () => void start(), stop };
}
