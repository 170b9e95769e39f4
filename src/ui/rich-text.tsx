/** The operator's HTML, sanitised here although the server has done so too. */
import { useLayoutEffect, useRef } from "react";
import { lazily } from "./lazily";

/** The HTML Sanitizer API, which TypeScript's library does not know. */
type Sanitising = HTMLDivElement & {
  setHTML?: (html: string, options: { sanitizer: typeof ALLOWED }) => void;
};

/** What the server lets through (pb_hooks/src/http/sanitize-html.ts). */
const ALLOWED = {
  elements: [
    ..."h1 h2 h3 h4 h5 h6 p br hr ul ol li strong b em i u s blockquote code pre table thead tbody tr th td".split(
      " ",
    ),
    { name: "a", attributes: ["href", "rel"] },
  ],
  // As on the server, of other elements the text is left.
  replaceWithChildrenElements:
    "div span section article aside header footer main nav figure figcaption font center big small sub sup mark del ins abbr cite q dl dt dd caption tfoot label form button".split(
      " ",
    ),
  attributes: [],
};

const loadPurified = () => import("./purified-html");
const PurifiedHtml = lazily<"PurifiedHtml", { html: string }>(
  () => loadPurified().catch(() => ({ PurifiedHtml: PlainText })),
  "PurifiedHtml",
  () => <span data-pending="" />,
);
const hasSanitiser = (): boolean => "setHTML" in Element.prototype;

/** Where the browser sanitises nothing, what does so is kept for a day without a network. */
export async function keepSanitiser(): Promise<void> {
  // Ignoring a failure: it is asked for again with the first text, or at the next start.
  if (!hasSanitiser()) await loadPurified().catch(() => undefined);
}

export function RichText({ html }: { html: string }) {
  return hasSanitiser() ? <SanitisedHtml html={html} /> : <PurifiedHtml html={html} />;
}

/** Where nothing is there that could sanitise it, the text alone. */
const PlainText = ({ html }: { html: string }) => (
  <div className="rich-text whitespace-pre-line">
    {html.replace(/<\/(?:p|h\d|li|tr)>/g, "\n\n").replace(/<[^>]*>/g, "")}
  </div>
);

function SanitisedHtml({ html }: { html: string }) {
  const place = useRef<Sanitising>(null);
  // Outside: the document, before it is painted.
  useLayoutEffect(() => place.current?.setHTML?.(html, { sanitizer: ALLOWED }), [html]);
  return <div ref={place} className="rich-text" />;
}
