/** What the list of media on the screen shows, for the page that opens one of them. Tiny, as it comes with the first chunk. */
export const shownList: { items: readonly { id: string; caption: string }[] } = { items: [] };
