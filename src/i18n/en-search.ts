/** The sentences of the search's results. */
export const search = {
  results: 'Search results for "{{text}}" ({{found}})',
  resultsMore: 'Search results for "{{text}}" ({{found}}+)',
  searching: 'Searching for "{{text}}"',
  none: "No results found",
  noneText: "Try fewer or other words, or only the beginning of one.",
  noneHere: "Only what is on this device could be searched. The rest follows with a connection.",
  allMedia: "Search in all media",
  people: "People",
  deviceOnly: "Only what is on this device was searched.",
} as const;
