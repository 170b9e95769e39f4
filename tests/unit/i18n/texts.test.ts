import { readdir, readFile } from "node:fs/promises";
import { inRoot } from "@scripts/checkout.mjs";
import { expect, test } from "vitest";
import { ERROR_CODES } from "@/domain/error-codes";
import { HEALTH_FINDINGS } from "@/domain/health";
import { ADMIN_GERMAN, enAdmin } from "@/i18n/en/admin";
import { en } from "@/i18n/en/first";
import { enLater, LATER_GERMAN } from "@/i18n/en/later";
import { uploadErrorText } from "@/i18n/error-text";
import type { KeyedText } from "@/i18n/keys";
import { addGermanKeys, isGerman } from "@/i18n/setup";

type AnyKey = KeyedText["key"];

addGermanKeys(ADMIN_GERMAN);
addGermanKeys(LATER_GERMAN);

function leaves(tree: object, prefix = ""): [AnyKey, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string"
      ? [[`${prefix}${key}` as AnyKey, value] as [AnyKey, string]]
      : leaves(value as object, `${prefix}${key}.`),
  );
}

test("every error code has a sentence", () => {
  expect(ERROR_CODES.filter((code) => !(code in enLater.errors))).toEqual([]);
});

test("every finding about a place's health has a sentence, and there are no others", () => {
  const codes = Object.keys(HEALTH_FINDINGS).sort();
  expect(Object.keys(enAdmin.admin.health.found).sort()).toEqual(codes);
});

/** Keys that are put together from words that another file names: a state, an error, a setting. */
const BUILT =
  /^(?:(?:errors|outbox\.state|pages|admin\.(?:audit|editor|health\.found|limit|stats|tab|settings)|report\.topic)\.|time\.month\d)/;

/** Whether a file says the key, or builds it with a template and names the word that fills it. */
function says(code: string, key: string): boolean {
  if (code.includes(`"${key}"`)) return true;
  return [...code.matchAll(/`([a-z][\w.]*\.)\$\{[^}]*\}(\w*)`/g)].some(([, start, end]) => {
    if (!key.startsWith(start ?? "") || !key.endsWith(end ?? "")) return false;
    const word = key.slice(start?.length, key.length - (end?.length ?? 0));
    return new RegExp(`"${word}"|\\b${word}[:,]`).test(code);
  });
}

test("every sentence is said somewhere", async () => {
  const source = inRoot("src");
  const names = await readdir(source, { recursive: true });
  const code = names.filter((name) => /\.tsx?$/.test(name) && !/^i18n\/(?:en|de)/.test(name));
  const texts = await Promise.all(code.map((name) => readFile(`${source}/${name}`, "utf8")));
  const mute = [en, enLater, enAdmin]
    .flatMap((part) => leaves(part))
    .map(([key]) => key.replace(/_(?:one|other)$/, ""))
    .filter(
      (key) => !BUILT.test(key) && key !== "app.name" && !texts.some((text) => says(text, key)),
    );
  expect(mute).toEqual([]);
});

test("sentences with German signs or words are marked as German, and only those", () => {
  const german =
    /[äöüß]|\b(?:Bitte|wurde|Zeichen|fehlgeschlagen|[Nn]icht|Speicherplatz|konnten?|Benutzer|Benutzername|Unbekannt(?:er)?|Fehler|Anmeldung|Statistiken|Medien|Meldung|Meldungen|Sie|Zugriff|Bereich|Startseite|Erfolg|Lade|vergessen|von|Deutsch|danke|erlaubt|sind)\b/;
  const wrong = [en, enLater, enAdmin]
    .flatMap((part) => leaves(part))
    .filter(([key, text]) => german.test(text) !== isGerman(key));
  expect(wrong).toEqual([]);
});

test.each([
  ["unauthenticated", "Keine Berechtigung zum Hochladen. Bitte melden Sie sich erneut an."],
  ["forbidden", "Keine Berechtigung. Bitte melden Sie sich erneut an."],
  ["canceled", "Upload wurde abgebrochen"],
  ["quota", "Speicherplatz überschritten"],
  ["timeout", "Upload-Timeout. Bitte prüfen Sie Ihre Internetverbindung."],
  ["network", "Netzwerkfehler. Bitte prüfen Sie Ihre Internetverbindung."],
  ["server", "Upload fehlgeschlagen"],
  ["image_too_large", "Image is too large (max. 5MB)"],
] as const)("an upload that fails with %s says '%s'", (code, sentence) => {
  const text = uploadErrorText(code);
  const all = new Map(leaves(enLater));
  expect(all.get(text.key)).toBe(sentence);
});

test("the server's own 'zu groß' is said, in the reader's language", () => {
  const said = uploadErrorText("invalid", "Datei zu groß");
  expect(said).toEqual({ key: "errors.too_large" });
  expect(enLater.errors.too_large).toContain("zu groß");
});
