/** What the page of the week says: comes with it. */
export const enExplore = {
  explore: {
    title: "Explore",
    tags: "Tags of the week",
    here: "Tags on this device",
    people: "People of the week",
    by_one: "{{count}} person",
    by_other: "{{count}} people",
    none: "It's quiet this week",
    noneText: "Tags that people use and people whose photos are liked will be here.",
    offline: "What everybody is sharing this week will be here once you're online.",
    failed: "This week couldn't be loaded.",
  },
} as const;
