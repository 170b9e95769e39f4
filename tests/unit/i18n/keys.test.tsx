import i18next from "i18next";
import { expect, test } from "vitest";
import type { Text } from "@/i18n/keys";
import { Say } from "@/i18n/say";
import { startTexts } from "@/i18n/setup";

test("a wrong key and a missing or wrong value do not compile", () => {
  startTexts("en");
  const { t } = i18next;
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
