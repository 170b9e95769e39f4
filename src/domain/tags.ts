/** Tags of a medium: split on commas, trimmed, empties dropped (specification §5). */
import { TAG_MAX, TAGS_MAX } from "./limits";

/** Tags from the text of the input, or from the list or comma text of a stored record. */
export function parseTags(input: unknown): string[] {
  const parts = Array.isArray(input) ? input : typeof input === "string" ? input.split(",") : [];
  const tags = parts.map((part) => String(part).trim()).filter((tag) => tag !== "");
  return [...new Set(tags)];
}

export type TagsFault = "tags_many" | "tag_long";

export function tagsFault(tags: readonly string[]): TagsFault | null {
  if (tags.length > TAGS_MAX) return "tags_many";
  return tags.some((tag) => tag.length > TAG_MAX) ? "tag_long" : null;
}
