/** The inline scripts and the shell repeat what other modules own: here they are held together. */
import { readFile } from "node:fs/promises";
import { inRoot } from "@scripts/checkout.mjs";
import { readCatalogues } from "@scripts/texts.mjs";
import { expect, test } from "vitest";
import * as keys from "@/app/first-paint/keys";
import { SESSION_KEY } from "@/data/account/session-store";
import { THEME_COLORS } from "@/domain/limits";
import { en } from "@/i18n/en/first";
import { FIRST_SCREEN_KEY, FRAME_PREFIX } from "@/state/first-screen";
import { COMMUNITY_LANGUAGE_KEY, LANGUAGE_CHOSEN_KEY, LANGUAGE_KEY } from "@/state/language";
import { PLACE_KEY } from "@/state/place";
import { COLUMNS_KEY, THEME_KEY } from "@/state/preferences";

test("the inline scripts read the keys that the app writes", () => {
  expect({ ...keys }).toEqual({
    FIRST_SCREEN_KEY,
    FRAME_PREFIX,
    SESSION_KEY,
    COLUMNS_KEY,
    PLACE_KEY,
    THEME_KEY,
    LANGUAGE_KEY,
    LANGUAGE_CHOSEN_KEY,
    COMMUNITY_LANGUAGE_KEY,
  });
});

test("the shell says what the app will say, in every language", async () => {
  const html = await readFile(inRoot("src/index.html"), "utf8");
  const said = [...html.matchAll(/ data-say="([\w.]+)"/g)].map(([, key = ""]) => key);
  expect(said).toHaveLength(6);
  const { catalogues } = await readCatalogues();
  for (const texts of Object.values(catalogues))
    expect(said.filter((key) => !texts.has(key))).toEqual([]);
  expect(html).toContain(`>${en.app.name}<`);
});

test("nothing is painted before the shell is read as a whole", async () => {
  const html = await readFile(inRoot("src/index.html"), "utf8");
  const [, id] = html.match(/<link rel="expect" href="#([\w-]+)" blocking="render" \/>/) ?? [];
  expect(html.indexOf(` id="${id}"`)).toBeGreaterThan(html.indexOf("<noscript>"));
});

test("the shell's backgrounds are the theme colours", async () => {
  const css = await readFile(inRoot("src/app/first-paint/tokens.css"), "utf8");
  const backgrounds = [...css.matchAll(/--background: (#\w+);/g)].map((match) => match[1]);
  expect(backgrounds).toEqual([THEME_COLORS.light, THEME_COLORS.dark]);
});
