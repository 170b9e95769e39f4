// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from "vitest";
import { chosenLanguage, communityLanguage } from "@/domain/languages";
import { t } from "@/i18n/catalogue";
import { startTexts } from "@/i18n/setup";
import { pageLanguage, storeLanguage } from "@/state/language";
import { chooseLanguage } from "@/state/language-choice";

beforeEach(async () => {
  localStorage.clear();
  await startTexts("en");
});
afterEach(() => {
  document.documentElement.lang = "en";
});

const chosen = () =>
  chosenLanguage({
    language: localStorage.getItem("language"),
    chosen: localStorage.getItem("augenblick.language-chosen"),
  });

test("the language that is read is stored under its key, and is no choice", () => {
  storeLanguage("en");
  expect(localStorage.getItem("language")).toBe("en");
  expect(chosen()).toBeNull();
});

test("a chosen language is stored, stands in the page's lang and is said at once", async () => {
  storeLanguage("en");
  await chooseLanguage("de");
  expect(localStorage.getItem("language")).toBe("de");
  expect(pageLanguage()).toBe("de");
  expect(t("gallery.all")).toBe("Alle Medien");
  expect(chosen()).toBe("de");
  await chooseLanguage("en");
  expect([localStorage.getItem("language"), pageLanguage()]).toEqual(["en", "en"]);
  expect(chosen()).toBe("en");
});

test("a community's language is followed without becoming a choice", () => {
  storeLanguage("de");
  expect(localStorage.getItem("augenblick.community-language")).toBe("de");
  expect(chosen()).toBeNull();
});

test.each([
  ["de", null, "de"],
  ["en-GB", null, "en-GB"],
  ["en", null, null],
  ["en", "1", "en"],
  ["fr", "1", null],
  [null, null, null],
])("stored %s with the mark %s is the choice %s", (language, mark, expected) => {
  expect(chosenLanguage({ language, chosen: mark })).toBe(expected);
});

test("what the device has learned of the community comes before what the page says", () => {
  expect(communityLanguage("de", "en")).toBe("de");
  expect(communityLanguage(null, "en-GB")).toBe("en-GB");
  expect(communityLanguage("klingon", "")).toBe("en");
});
