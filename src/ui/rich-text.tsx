/** The operator's HTML, sanitised here although the server has done so too. */
import DOMPurify from "dompurify";
import { useMemo } from "react";

export function RichText({ html }: { html: string }) {
  const safe = useMemo(
    () => DOMPurify.sanitize(html, { USE_PROFILES: { html: true }, FORBID_ATTR: ["style"] }),
    [html],
  );
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised in the line above.
  return <div className="rich-text" dangerouslySetInnerHTML={{ __html: safe }} />;
}
