import { readCatalogues } from "@scripts/texts.mjs";
import { CatalogueReader } from "@tests/support/catalogue-reader";
import { expect, test } from "vitest";

const PAIRS = [
  ["en-GB", "de"],
  ["de", "en-GB"],
] as const;

/** A text as it stands on a screen, where numbers and names have taken the places. */
const filled = (text: string): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) =>
    /^(?:name|text|caption|device|browser|system|url|email|page|first|second)$/.test(name)
      ? "ben"
      : "7",
  );

test.each(PAIRS)("who reads %s knows its texts, and none that only %s has", async (own, other) => {
  const { catalogues } = await readCatalogues();
  const reader = await CatalogueReader.of(own, ["ben", "7"]);
  const texts = (language: string) =>
    [...(catalogues[language] ?? new Map<string, string>())]
      .filter(([key]) => !/^time\.|^language\.(?:offer|offerLabel|dismiss)$/.test(key))
      .map(([, text]) => filled(text));
  expect(texts(own).filter((text) => !reader.knows(text))).toEqual([]);
  const shared = new Set(texts(own));
  const foreign = texts(other).filter((text) => !shared.has(text));
  expect(foreign.length).toBeGreaterThan(700);
  expect(foreign.filter((text) => reader.knows(text))).toEqual([]);
});

test("measures and dates are read in their own language", async () => {
  const [english, german] = [
    await CatalogueReader.of("en-GB", []),
    await CatalogueReader.of("de", []),
  ];
  for (const text of ["2.4 MB", "19 Nov 2026", "5 October, 09:05"])
    expect(english.knows(text)).toBe(true);
  for (const text of ["2,4 MB", "19. Nov. 2026", "5. Oktober, 09:05"])
    expect(german.knows(text)).toBe(true);
  expect(english.knows("5. Oktober")).toBe(false);
  expect(german.knows("5 October")).toBe(false);
});
