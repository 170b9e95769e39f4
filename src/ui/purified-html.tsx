/** The operator's HTML by DOMPurify: for browsers that sanitise none, and for the editor. */
import DOMPurify from "dompurify";
import { useMemo } from "react";
import { RICH_ELEMENTS } from "@/lib/rich-elements";

/** Pasted into the editor: all but what runs, as sinks under our policy (Trusted Types) take it. */
export const safeHtml = (html: string) =>
  DOMPurify.sanitize(html, {
    USE_PROFILES: { html: true },
    FORBID_ATTR: ["style"],
    RETURN_TRUSTED_TYPE: true,
  });

/** What the other sanitiser lets through (rich-text.tsx). */
const asShown = (html: string) =>
  DOMPurify.sanitize(html, {
    ALLOWED_TAGS: [...RICH_ELEMENTS],
    ALLOWED_ATTR: ["href", "rel"],
    RETURN_TRUSTED_TYPE: true,
  });

export function PurifiedHtml({ html }: { html: string }) {
  const safe = useMemo(() => asShown(html), [html]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised one line above.
  return <div className="rich-text" dangerouslySetInnerHTML={{ __html: safe }} />;
}
