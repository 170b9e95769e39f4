/** A message's text with its line breaks, direction, and links that send no referrer. */
export function LinkedText({ text }: { text: string }) {
  if (text === "") return null;
  let at = 0;
  return (
    <span
      dir="auto"
      data-testid="message-text"
      className="text-[0.96875rem] leading-[1.4] whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:plaintext]"
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
 * Finds addresses in a text. Only http and https become links, and only if the visible text is
 * where they lead: no user name before an @, and no characters that change the text direction.
 */
interface TextPart {
  text: string;
  href: string | null;
}

const UNSEEN = "\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff";
const ADDRESS = new RegExp(`\\b(?:https?://|www\\.)[^\\s<>"'\`${UNSEEN}]+`, "giu");
/** Punctuation after an address usually ends the sentence and is not part of it. */
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

/** A closing bracket stays if the address opened one, as in Wikipedia's addresses. */
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
    // Looks like an address but is none.
    return null;
  }
}
