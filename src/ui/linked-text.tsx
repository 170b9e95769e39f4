/** A text some of whose parts are links. Those that lead out of the app send no referrer. */
import { Link } from "react-router-dom";

interface LinkedTextProps {
  parts: readonly { text: string; href: string | null; isOutside: boolean }[];
}

const LINK = "text-inherit underline decoration-1 underline-offset-2";

export function LinkedText({ parts }: LinkedTextProps) {
  let at = 0;
  return parts.map(({ text, href, isOutside }) => {
    at += text.length;
    if (href === null) return <span key={at}>{text}</span>;
    if (!isOutside)
      return (
        <Link key={at} to={href} className={LINK} data-testid="word-link">
          {text}
        </Link>
      );
    return (
      <a
        key={at}
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        className={LINK}
      >
        {text}
      </a>
    );
  });
}
