/** What somebody wrote, as it was written: its lines, its direction, and its addresses as links that tell nothing of us. */
import { linkParts } from "@/lib/link-parts";

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
