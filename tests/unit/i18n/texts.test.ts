import { readdir, readFile } from "node:fs/promises";
import { inRoot } from "@scripts/checkout.mjs";
import i18next from "i18next";
import { expect, test } from "vitest";
import { ERROR_CODES } from "@/domain/error-codes";
import { durationText } from "@/i18n/duration-text";
import { en } from "@/i18n/en";
import { ADMIN_GERMAN, enAdmin } from "@/i18n/en-admin";
import { errors } from "@/i18n/en-errors";
import { enLater } from "@/i18n/en-later";
import { uploadErrorText } from "@/i18n/error-text";
import { addGermanKeys, isGerman } from "@/i18n/german-keys";
import { LATER_GERMAN } from "@/i18n/german-later";
import type { TextKey } from "@/i18n/keys";
import { startTexts } from "@/i18n/setup";
import { dateText, whenText } from "@/i18n/when";

const HOUR = 3_600_000;

addGermanKeys(ADMIN_GERMAN);
addGermanKeys(LATER_GERMAN);

function leaves(tree: object, prefix = ""): [TextKey, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string"
      ? [[`${prefix}${key}` as TextKey, value] as [TextKey, string]]
      : leaves(value as object, `${prefix}${key}.`),
  );
}

test("every error word has a sentence", () => {
  expect(ERROR_CODES.filter((code) => !(code in errors))).toEqual([]);
});

/** Keys that are put together, from a state or an error word. */
const BUILT =
  /^(?:(?:errors|outbox\.state|pages)\.|time\.month\d|storage\.(?:memory|newer|full)|report\.(?:spam|nudity|violence|hate|stolen|other)$|admin\.(?:tab|stats|settings|limit|audit)\.|admin\.legal\.(?:write|html|preview)$|admin\.media\.\w+s$|admin\.media\.(?:all|reported)$|admin\.reports\.(?:all|open|resolved|dismissed)$|admin\.users\.\w+Of$)/;

test("every sentence is said somewhere", async () => {
  const source = inRoot("src");
  const names = await readdir(source, { recursive: true });
  const code = names.filter((name) => /\.tsx?$/.test(name) && !/^i18n\/en/.test(name));
  const texts = await Promise.all(code.map((name) => readFile(`${source}/${name}`, "utf8")));
  const all = texts.join("\n");
  const mute = [en, enLater, enAdmin]
    .flatMap((part) => leaves(part))
    .map(([key]) => key.replace(/_(?:one|other)$/, ""))
    .filter((key) => !BUILT.test(key) && key !== "app.name" && !all.includes(`"${key}"`));
  expect(mute).toEqual([]);
});

test("sentences with German signs or words are marked as German, and only those", () => {
  const german =
    /[äöüß]|\b(?:Bitte|wurde|Zeichen|fehlgeschlagen|[Nn]icht|Speicherplatz|konnten?|Benutzer|Benutzername|Unbekannt(?:er)?|Fehler|Anmeldung|Statistiken|Medien|Meldung|Meldungen|Sie|Zugriff|Bereich|Startseite|Erfolg|Lade|von)\b/;
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
  expect("key" in text ? all.get(text.key) : text.raw).toBe(sentence);
});

test("the server's own 'zu groß' passes through", () => {
  expect(uploadErrorText("too_large", "Datei zu groß")).toEqual({ raw: "Datei zu groß" });
});

test("times are told as the specification tells them", () => {
  const now = Date.UTC(2026, 10, 21, 12);
  expect(whenText(now - HOUR + 1, now)).toEqual({ key: "time.now" });
  expect(whenText(now - HOUR, now)).toEqual({ key: "time.hours", params: { hours: 1 } });
  expect(whenText(now - 23.9 * HOUR, now)).toMatchObject({ params: { hours: 23 } });
  expect(whenText(now - 48 * HOUR, now)).toEqual({
    key: "time.date",
    params: { month: 11, day: 19, year: 2026 },
  });
});

test("a date of every month is written as the browser would write it", () => {
  startTexts("en");
  const format = new Intl.DateTimeFormat("en", { year: "numeric", month: "short", day: "numeric" });
  for (let month = 0; month < 12; month++) {
    const at = new Date(2026, month, 3 * month + 1, 12).getTime();
    const text = dateText(at);
    expect("key" in text && i18next.t(text.key, text.params ?? {})).toBe(format.format(at));
  }
});

test.each([
  [24, "0:24"],
  [83.6, "1:24"],
  [3723, "1:02:03"],
])("%d seconds read %s", (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
