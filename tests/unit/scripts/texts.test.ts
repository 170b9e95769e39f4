import { compareCatalogues, findLiteralTexts, readCatalogues } from "@scripts/texts.mjs";
import { expect, test } from "vitest";

const catalogue = (texts: Record<string, string>) => new Map(Object.entries(texts));
const EN = {
  "app.save": "Save",
  "app.by": "By {{name}}",
  likes_one: "{{count}} like",
  likes_other: "{{count}} likes",
};

const faultsOf = (de: Record<string, string>, language = "de") =>
  compareCatalogues({ en: catalogue(EN), [language]: catalogue(de) }, []);

test("a catalogue with every text, placeholder and form has no fault", () => {
  const de = {
    "app.save": "Speichern",
    "app.by": "Von {{name}}",
    likes_one: "{{count}} Like",
    likes_other: "{{count}} Likes",
  };
  expect(faultsOf(de)).toEqual([]);
});

test("a missing text, an empty one and one too many are named", () => {
  const { "app.save": _save, ...rest } = EN;
  expect(faultsOf(rest)).toEqual(['de lacks "app.save".']);
  expect(faultsOf({ ...EN, "app.save": "" })).toEqual(['de lacks "app.save".']);
  expect(faultsOf({ ...EN, "app.open": "Öffnen" })).toEqual([
    'de has "app.open", which no other has.',
  ]);
});

test("a placeholder that one language lacks is named, in a plural form too", () => {
  expect(faultsOf({ ...EN, "app.by": "Von jemandem" })).toEqual([
    'de "app.by" has {{}}, and en has {{name}}.',
  ]);
  expect(faultsOf({ ...EN, likes_one: "ein Like" })).toEqual([
    'de "likes_one" has {{}}, and en has {{count}}.',
  ]);
});

test("each language needs the plural forms that it has, whichever English has", () => {
  const { likes_one: _one, ...rest } = EN;
  expect(faultsOf(rest)).toEqual(['de lacks "likes_one".']);
  expect(faultsOf(EN, "pl")).toEqual(['pl lacks "likes_few".', 'pl lacks "likes_many".']);
});

test("a key that is listed as German and is gone is named", () => {
  expect(compareCatalogues({ en: catalogue(EN) }, ["app.gone"])).toEqual([
    '"app.gone" is listed as German, and is no key.',
  ]);
});

test.each([
  ["between tags", "<p>Hello there</p>"],
  ["in braces", '<p>{"Hello"}</p>'],
  ["in a template", `<p>{\`Hello \${name}\`}</p>`],
  ["in one of two branches", '<p>{on ? t("app.on") : "Hello"}</p>'],
  ["behind a condition", '<p>{on && "Hello"}</p>'],
  ["as a label", '<button aria-label="Hello" />'],
  ["as a title", '<a title={"Hello"} />'],
  ["as a placeholder", "<input placeholder={`Hello`} />"],
  ["as an alt text", '<img alt="Hello" />'],
  ["as a property of a component of ours", '<Panel text="Hello" />'],
])("a text %s fails the check", (_where, code) => {
  const files = new Map([["src/ui/a.tsx", `export const A = () => (\n  ${code}\n);`]]);
  expect(findLiteralTexts(files, new Set())).toEqual([
    expect.stringMatching(/^src\/ui\/a\.tsx:2 says "Hello/),
  ]);
});

test.each([
  ["of the catalogue", '<p title={t("app.on")}>{t("app.on")}</p>'],
  ["that is a key", '<Panel text="app.on" />'],
  ["without letters", '<p title="…">{" · "}</p>'],
  ["that nobody reads", '<p className="wide" data-testid="panel" role="status">{name}</p>'],
  ["that is compared", '<p>{name === "Hello" && name}</p>'],
])("a text %s passes", (_which, code) => {
  const files = new Map([["src/ui/a.tsx", `export const A = () => ${code};`]]);
  expect(findLiteralTexts(files, new Set(["app.on"]))).toEqual([]);
});

test("the catalogues that are checked are those that are shown", async () => {
  const { catalogues, german } = await readCatalogues();
  expect(Object.keys(catalogues)).toEqual(["en", "en-GB", "de"]);
  const key = "errors.password_short";
  expect(german).toContain(key);
  expect(catalogues["en"]?.get(key)).toBe(catalogues["de"]?.get(key));
  expect(catalogues["en-GB"]?.get(key)).toBe("Password must be at least 8 characters long");
});
