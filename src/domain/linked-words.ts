/** Words of a text that lead somewhere: addresses, `@names` and `#tags`. */
import { paths } from "./paths";
import { namesIn, stretchesOf, tagsIn } from "./words";

export interface TextPart {
  text: string;
  /** Null for a part that leads nowhere. */
  href: string | null;
  /** Whether it leads out of the app. */
  isOutside: boolean;
}

/** The texts of all parts, joined, are `text`. */
export function linkParts(text: string): TextPart[] {
  const parts = stretchesOf(text)
    .flatMap((stretch) =>
      stretch.isAddress
        ? [{ text: stretch.text, href: hrefOf(stretch.text), isOutside: true }]
        : partsOfWords(stretch.text),
    )
    .filter((part) => part.text !== "");
  const links = parts.flatMap(({ href }, at) => (href === null ? [] : [at]));
  const end = links[LINKS_MAX] ?? parts.length;
  const rest = parts.slice(end).map((part) => part.text);
  return rest.length === 0 ? parts : [...parts.slice(0, end), plain(rest.join(""))];
}

/** A thousand tags would make a page slow, and help nobody. */
const LINKS_MAX = 100;

const plain = (text: string): TextPart => ({ text, href: null, isOutside: false });

/**
 * Only http and https become links, and only if the visible text is where they lead: no user name
 * before an @, and no characters that change the text direction.
 */
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

function partsOfWords(text: string): TextPart[] {
  const words = [
    ...namesIn(text).map((name) => ({ ...name, href: paths.user(name.word) })),
    ...tagsIn(text).map((tag) => ({ ...tag, href: paths.tag(tag.word) })),
  ].sort((a, b) => a.at - b.at);
  const parts: TextPart[] = [];
  let from = 0;
  for (const { at, word, href } of words) {
    const end = at + 1 + word.length;
    parts.push(plain(text.slice(from, at)));
    parts.push({ text: text.slice(at, end), href, isOutside: false });
    from = end;
  }
  return [...parts, plain(text.slice(from))];
}
