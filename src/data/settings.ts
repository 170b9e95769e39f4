/** The operator's texts and the product's name. */
import {
  count,
  countOf,
  defineSchema,
  id,
  instantOf,
  type RawRecord,
  text,
  textOf,
} from "./engine/rows";

export interface SettingsRow {
  /** "terms", "privacy" or "app". */
  id: string;
  /** HTML. */
  content: string;
  /** Milliseconds; 0 when never. */
  lastUpdated: number;
  productName: string;
  revision: number;
  seq: number;
}

export const settingsSchema = defineSchema<SettingsRow>({
  id: id(),
  content: text(),
  lastUpdated: count(),
  productName: text(),
  revision: count(),
  seq: count(),
});

export function settingsRow(record: RawRecord): SettingsRow | null {
  const settingsId = textOf(record, "id");
  if (settingsId === "") return null;
  return {
    id: settingsId,
    content: textOf(record, "content"),
    lastUpdated: instantOf(record, "lastUpdated"),
    productName: textOf(record, "productName"),
    revision: countOf(record, "revision"),
    seq: countOf(record, "seq"),
  };
}
