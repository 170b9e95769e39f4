/**
 * HTML of the legal texts, down to what a text needs. The result is built anew: tags of the list, links, and escaped
 * text; whatever is not understood becomes text or nothing. One pass, in time proportional to the length.
 */
const TAGS = new Set(
  "h1 h2 h3 h4 h5 h6 p br hr ul ol li strong b em i u s a blockquote code pre table thead tbody tr th td".split(
    " ",
  ),
);
const VOID = new Set(["br", "hr"]);
/** Their content is not text. */
const DROPPED = new Set([
  "script",
  "style",
  "template",
  "iframe",
  "object",
  "svg",
  "math",
  "title",
]);
/** Deeper than any text needs; keeps the look-up of what a closing tag closes short. */
const MAX_DEPTH = 100;
const SAFE_LINK = /^(https?:\/\/|mailto:|\/|#)/i;

const escapeText = (text: string): string =>
  text
    .replace(/&(?!(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});)/gi, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");

/** Index of the `>` that ends the tag opened at `from`, or -1. Quoted values may hold one. */
function endOfTag(html: string, from: number): number {
  let quote = "";
  for (let i = from; i < html.length; i++) {
    const sign = html.charAt(i);
    if (quote !== "") quote = sign === quote ? "" : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === ">") return i;
  }
  return -1;
}

function linkOf(attributes: string): string {
  const match = /(?:^|\s)href\s*=\s*("([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes);
  const href = (match?.[2] ?? match?.[3] ?? match?.[4] ?? "").trim();
  return SAFE_LINK.test(href)
    ? ` href="${escapeText(href).replace(/"/g, "&quot;")}" rel="noopener noreferrer"`
    : "";
}

/** Writes one tag and keeps `open`, the stack of what is to be closed. */
function writeTag(tag: string, open: string[]): string {
  const parsed = /^(\/?)([a-z][a-z0-9]*)([\s\S]*)$/i.exec(tag);
  const name = parsed?.[2]?.toLowerCase() ?? "";
  if (!parsed || !TAGS.has(name)) return "";
  if (parsed[1] === "/") {
    const at = open.lastIndexOf(name);
    if (at < 0) return "";
    return open
      .splice(at)
      .reverse()
      .map((inner) => `</${inner}>`)
      .join("");
  }
  if (VOID.has(name)) return `<${name}>`;
  if (open.length >= MAX_DEPTH) return "";
  open.push(name);
  return `<${name}${name === "a" ? linkOf(parsed[3] ?? "") : ""}>`;
}

/** Where reading goes on after the tag that ends at `end`: behind the content of a dropped element. */
function afterTag(lower: string, tag: string, end: number): number {
  const name = /^[a-z][a-z0-9]*/i.exec(tag)?.[0].toLowerCase() ?? "";
  if (!DROPPED.has(name)) return end + 1;
  const close = lower.indexOf(`</${name}`, end);
  return close < 0 ? lower.length : close;
}

export function sanitizeHtml(html: string): string {
  // Not `toLowerCase`: it makes some letters two, and every index after them wrong.
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const open: string[] = [];
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const start = html.indexOf("<", at);
    if (start < 0) break;
    parts.push(escapeText(html.slice(at, start)));
    if (html.startsWith("<!--", start)) {
      const close = html.indexOf("-->", start);
      at = close < 0 ? html.length : close + 3;
      continue;
    }
    if (!/[a-z/!?]/i.test(html.charAt(start + 1))) {
      parts.push("&lt;");
      at = start + 1;
      continue;
    }
    const end = endOfTag(html, start);
    if (end < 0) {
      at = start;
      break;
    }
    const tag = html.slice(start + 1, end);
    parts.push(writeTag(tag, open));
    at = afterTag(lower, tag, end);
  }
  parts.push(escapeText(html.slice(at)));
  return (
    parts.join("") +
    open
      .reverse()
      .map((name) => `</${name}>`)
      .join("")
  );
}
