/** The operator's HTML, sanitised here although the server has done so too. */
import { useLayoutEffect, useRef } from "react";
import { RICH_ELEMENTS } from "@/lib/rich-elements";
import { lazily } from "./lazily";

/** The HTML Sanitizer API, which TypeScript's library does not know. */
type Sanitising = HTMLDivElement & {
  setHTML?: (html: string, options: { sanitizer: typeof ALLOWED }) => void;
};

const ALLOWED = {
  elements: [
    ...RICH_ELEMENTS.filter((name) => name !== "a"),
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
  // Ignoring a failure: it is asked for again at the next start.
  if (!hasSanitiser()) await loadPurified().catch(() => undefined);
}

export function RichText({ html }: { html: string }) {
  return hasSanitiser() ? <SanitisedHtml html={html} /> : <PurifiedHtml html={html} />;
}

const SIGNS: Record<string, string> = {
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  nbsp: " ",
  amp: "&",
};

/** Where nothing is there that could sanitise it, the text alone. */
const PlainText = ({ html }: { html: string }) => (
  <div className="rich-text whitespace-pre-line">
    {html
      .replace(/<\/(?:p|h\d|li|tr)>|<br>/g, "\n")
      .replace(/<\/td>/g, " ")
      .replace(/<[^>]*>/g, "")
      .replace(/&(#?\w+);/g, (entity, name: string) => SIGNS[name] ?? entity)}
  </div>
);

function SanitisedHtml({ html }: { html: string }) {
  const place = useRef<Sanitising>(null);
  // Outside: the document, before it is painted.
  useLayoutEffect(() => place.current?.setHTML?.(html, { sanitizer: ALLOWED }), [html]);
  return <div ref={place} className="rich-text" />;
}
