import { expect, test } from "vitest";
import { t } from "@/i18n/catalogue";
import type { EnglishFor, Text, Translated } from "@/i18n/keys";
import { Say } from "@/i18n/say";
import { startTexts } from "@/i18n/setup";

test("a wrong key and a missing or wrong value do not compile", async () => {
  await startTexts("en");
  // @ts-expect-error: no such key
  expect(t("media.nothing")).toBe("media.nothing");
  // @ts-expect-error: the value is missing
  expect(t("nav.account")).toBe("Account of {{name}}");
  // @ts-expect-error: the value has another name
  expect(t("nav.account", { user: "ann" })).toBe("Account of {{name}}");
  // @ts-expect-error: the count is missing
  expect(t("media.likes", { number: 1 })).toBe("media.likes");
  expect(t("nav.account", { name: "ann" })).toBe("Account of ann");
});

test("the same holds for a text that is shown later", () => {
  // @ts-expect-error: no such key
  const wrong: Text = { key: "media.nothing" };
  // @ts-expect-error: the value is missing
  const bare: Text = { key: "nav.account" };
  // @ts-expect-error: the count is missing
  const uncounted = <Say k="media.likes" params={{ number: 1 }} />;
  const right: Text = { key: "nav.account", params: { name: "ann" } };
  expect([wrong, bare, uncounted, right]).toHaveLength(4);
});

test("a catalogue in another language has every key and no other", () => {
  const english = { save: "Save", of: { name: "By {{name}}" } } as const;
  // @ts-expect-error: a text is missing
  const short: Translated<typeof english> = { of: { name: "Von {{name}}" } };
  // @ts-expect-error: a text that English does not have
  const long: Translated<typeof english> = { save: "", of: { name: "" }, open: "" };
  const whole: Translated<typeof english> = { save: "Speichern", of: { name: "Von {{name}}" } };
  // @ts-expect-error: a German sentence without its English one
  const mixed: EnglishFor<readonly ["chat.self", "chat.block"]> = { "chat.self": "" };
  expect([short, long, whole, mixed]).toHaveLength(4);
});
