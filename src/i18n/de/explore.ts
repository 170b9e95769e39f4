import type { enExplore } from "@/i18n/en/explore";
import type { Translated } from "@/i18n/keys";

export const deExplore: Translated<typeof enExplore> = {
  explore: {
    title: "Entdecken",
    tags: "Tags der Woche",
    here: "Tags auf diesem Gerät",
    people: "Leute der Woche",
    by_one: "{{count}} Person",
    by_other: "{{count}} Personen",
    none: "Diese Woche ist es ruhig",
    noneText: "Hier erscheinen Tags, die viele verwenden, und Leute, deren Fotos gefallen.",
    offline: "Was diese Woche geteilt wird, erscheint hier, sobald Sie online sind.",
    failed: "Diese Woche konnte nicht geladen werden.",
  },
};
