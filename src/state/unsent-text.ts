/** Which forms hold something that was typed and not sent. An update never reloads over it. */
import { useEffect, useId } from "react";
import { create } from "zustand";

const useForms = create<{ ids: readonly string[] }>()(() => ({ ids: [] }));

/** Call it in every form: `unsent` while it holds something worth keeping. */
export function useUnsentText(unsent: boolean): void {
  const id = useId();
  // Outside: the update prompt, and the browser's own question before a tab is closed.
  useEffect(() => {
    if (!unsent) return;
    useForms.setState((now) => ({ ids: [...now.ids, id] }));
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => {
      window.removeEventListener("beforeunload", ask);
      useForms.setState((now) => ({ ids: now.ids.filter((other) => other !== id) }));
    };
  }, [unsent, id]);
}

export const useHasUnsentText = (): boolean => useForms((now) => now.ids.length > 0);
