/** What somebody wrote, as it was written: its lines, its direction, and its addresses as links that tell nothing of us. */

export function LinkedText({ text }: { text: string }) {
  if (text === "") return null;
  let at = 0;
  return (
    <span
      dir="auto"
      data-testid="message-text"
      className="text-[15.5px] leading-[1.4] whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:plaintext]"
    >
      {linkParts(text).map((part) => {
        at += part.text.length;
        return part.href === null ? (
          <span key={at}>{part.text}</span>
        ) : (
          <a
            key={at}
            href={part.href}
            target="_blank"
            rel="noopener noreferrer nofollow ugc"
            className="underline underline-offset-2"
          >
            {part.text}
          </a>
        );
      })}
    </span>
  );
}

/**
 * Addresses in somebody's text. Only http and https become links, and only where what is read is where it leads: no
 * address with a name before an @, and none with signs that turn the direction of the text.
 */
interface TextPart {
  text: string;
  /** Where it leads, or null for plain text. */
  href: string | null;
}

const UNSEEN = "\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff";
const ADDRESS = new RegExp(`\\b(?:https?://|www\\.)[^\\s<>"'\`${UNSEEN}]+`, "giu");
/** A sentence ends behind an address more often than with it. */
const TRAILING = /[.,;:!?…»”’)\]}]+$/u;

export function linkParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const shown = withoutTail(match[0]);
    const href = hrefOf(shown);
    if (href === null) continue;
    if (match.index > at) parts.push({ text: text.slice(at, match.index), href: null });
    parts.push({ text: shown, href });
    at = match.index + shown.length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), href: null });
  return parts;
}

/** A closing bracket stays where the address opened one, as in an encyclopedia's. */
function withoutTail(address: string): string {
  const tail = TRAILING.exec(address)?.[0] ?? "";
  const kept = tail.startsWith(")") && address.includes("(") ? ")" : "";
  return address.slice(0, address.length - tail.length) + kept;
}

function hrefOf(shown: string): string | null {
  try {
    const url = new URL(/^www\./iu.test(shown) ? `https://${shown}` : shown);
    const plain = url.username === "" && url.password === "" && url.hostname.includes(".");
    return plain && /^https?:$/.test(url.protocol) ? url.href : null;
  } catch {
    // Looks like an address and is none.
    return null;
  }
}
