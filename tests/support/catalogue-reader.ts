/**
 * Tells whether a text on screen is one of a catalogue's, so that no word of another language is. What a placeholder holds must
 * be one of the catalogue's texts too, or what people wrote, a name, a number, a size or a date.
 */
import { readCatalogues } from "@scripts/texts.mjs";
import type { Page } from "playwright-core";

/** Placeholders that only numbers fill: their texts would match too much otherwise. */
const NUMBER =
  /^(?:count|day|year|number|progress|percent|found|done|total|most|least|used|hours|size|limit|granted)$/;
const LETTER = /\p{L}/u;
/** Joins texts that each stand for themselves. */
const JOINTS = /( · |: |, |\n| {2,}|\. (?=\p{Lu}))/u;
const UNITS = /^(?:byte|bytes|kB|KB|MB|GB|B|K|M|T|Mio\.?)$/;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

interface Pattern {
  pattern: RegExp;
  key: string;
}

export class CatalogueReader {
  private readonly texts = new Set<string>();
  private readonly patterns: Pattern[] = [];
  private readonly known: ReadonlySet<string>;
  private readonly months: RegExp;

  private constructor(language: string, catalogue: ReadonlyMap<string, string>, known: string[]) {
    this.known = new Set(known);
    const at = (month: number) => new Date(2026, month, 3);
    const forms = ["short", "long"].flatMap((month) =>
      Array.from({ length: 12 }, (_, i) =>
        at(i).toLocaleDateString(language, { month: month as "short" | "long", day: "numeric" }),
      ),
    );
    const words = forms.flatMap((form) => form.match(/\p{L}+/gu) ?? []);
    this.months = new RegExp(`\\b(?:${[...new Set(words)].map(escaped).join("|")})\\b`, "gu");
    for (const [key, text] of catalogue) {
      if (key.startsWith("time.date")) continue;
      if (!text.includes("{{")) this.texts.add(text);
      // A text that is nothing but what fills it would know everything.
      else if (text.replace(/\{\{\w+\}\}/g, "").trim() !== "")
        this.patterns.push({ key, pattern: this.patternOf(text) });
    }
  }

  static async of(language: string, known: string[]): Promise<CatalogueReader> {
    const { catalogues } = await readCatalogues();
    return new CatalogueReader(language, catalogues[language] ?? new Map(), known);
  }

  private patternOf(text: string): RegExp {
    const parts = text.split(/\{\{(\w+)\}\}/);
    const source = parts.map((part, i) => {
      if (i % 2 === 0) return escaped(part);
      return NUMBER.test(part) ? "([^\\p{L}]+(?:[kKMGT]?B)?|[<\\d.,\\s]+\\S{1,5})" : "(.+)";
    });
    return new RegExp(`^${source.join("")}$`, "su");
  }

  /** Whether `text` is said in this language. */
  knows(text: string, depth = 0): boolean {
    const said = text.replace(/[\u2068\u2069\u00a0\u202f]/g, " ").trim();
    if (!LETTER.test(said) || this.texts.has(said) || this.known.has(said) || UNITS.test(said))
      return true;
    if (this.isMeasure(said)) return true;
    if (depth > 3) return false;
    const deeper = (part: string) => this.knows(part, depth + 1);
    for (const { pattern } of this.patterns) {
      const found = pattern.exec(said);
      if (found?.slice(1).every(deeper)) return true;
    }
    const parts = said.split(JOINTS).filter((_part, i) => i % 2 === 0);
    return parts.length > 1 && parts.every(deeper);
  }

  /** A date, a size, a number: what is left without months and units has no letters. */
  private isMeasure(text: string): boolean {
    const rest = text
      .replace(this.months, "")
      .split(/\s+/)
      .filter((word) => !UNITS.test(word));
    return /\d/.test(text) && !LETTER.test(rest.join(" "));
  }
}

/** All that is read or heard on the page: texts, labels, titles, placeholders, descriptions of pictures. */
export const textsOnPage = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const names = ["aria-label", "aria-description", "aria-roledescription", "aria-valuetext"];
    names.push("title", "placeholder", "alt");
    // What people wrote and records name is theirs, whatever language they wrote it in.
    const theirs =
      '[data-testid="audit-row"], [data-testid="legal-html"], [contenteditable="true"], script, style, noscript';
    const said = [...document.body.querySelectorAll("*")].flatMap((element) => {
      const heard = names.map((name) => element.getAttribute(name) ?? "");
      if (element.closest(theirs) !== null) return heard;
      const texts = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
      return [...heard, ...texts.map(({ textContent }) => textContent ?? "")];
    });
    return [...new Set([document.title, ...said])].filter((text) => text.trim() !== "");
  });
