/** What the page is about, for the browser's own uses: bookmarks, reading lists, search. */
import { useEffect } from "react";

export function useDescription(text: string): void {
  // Outside: the document's head.
  useEffect(() => {
    const meta = document.querySelector<HTMLMetaElement>('meta[name="description"]');
    if (meta === null || text === "") return;
    const before = meta.content;
    meta.content = text;
    return () => {
      meta.content = before;
    };
  }, [text]);
}
