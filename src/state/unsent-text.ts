/** Which forms hold something that was typed and not sent. An update never reloads over it. */
import { useEffect, useId } from "react";
import { create } from "zustand";

const useForms = create<{ ids: readonly string[] }>()(() => ({ ids: [] }));

/** Call it in every form: `unsent` while it holds something worth keeping; `ask` when closing the tab would lose real work. */
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
