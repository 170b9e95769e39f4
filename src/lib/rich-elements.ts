/** What the server (pb_hooks/src/http/sanitize-html.ts) and the page let through of legal texts. */
export const RICH_ELEMENTS: readonly string[] =
  "h1 h2 h3 h4 h5 h6 p br hr ul ol li strong b em i u s a blockquote code pre table thead tbody tr th td".split(
    " ",
  );
