/** Times of the panel: exact, because they are evidence. */
export const dateTimeText = (at: number, language: string): string =>
  new Intl.DateTimeFormat(language, {
    dateStyle: "medium",
    timeStyle: "short",
    hourCycle: "h23",
  }).format(at);

export const countText = (count: number, language: string): string =>
  new Intl.NumberFormat(language).format(count);
