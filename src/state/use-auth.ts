/** Signing in and up, for forms. */
import { useCallback, useEffect, useState } from "react";
import type { SignUpForm } from "@/data/client";
import type { SessionUser } from "@/data/shapes";
import type { Result } from "@/domain/result";
import { usernameFault } from "@/domain/usernames";
import { whenClient } from "./client-store";

export const signIn = async (email: string, password: string): Promise<Result<SessionUser>> =>
  (await whenClient()).auth.signIn(email, password);

export const signUp = async (form: SignUpForm): Promise<Result<SessionUser>> =>
  (await whenClient()).auth.signUp(form);

export type NameCheck = "idle" | "checking" | "free" | "taken";
/** After the last key, milliseconds: a word is typed in one go. */
const DEBOUNCE_MS = 350;

/** Whether the name is taken, asked while typing. Without an answer it says nothing: the server decides in the end. */
export function useNameCheck(username: string): { state: NameCheck; markTaken: () => void } {
  const [known, setKnown] = useState<{ name: string; state: NameCheck }>({
    name: "",
    state: "idle",
  });
  const valid = usernameFault(username) === null;
  // Outside: the server.
  useEffect(() => {
    if (!valid) return;
    let current = true;
    const timer = setTimeout(() => void ask(), DEBOUNCE_MS);
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
  }, [username, valid]);
  const markTaken = useCallback(() => setKnown({ name: username, state: "taken" }), [username]);
  return { state: known.name === username ? known.state : "idle", markTaken };
}
