// @vitest-environment happy-dom
import { renderHook } from "@testing-library/react";
import i18next from "i18next";
import { expect, test, vi } from "vitest";
import { loadLaterTexts, startTexts } from "@/i18n/setup";
import { useText } from "@/i18n/use-text";

test("a text is put together once for each count, and one that comes later is not missed for ever", async () => {
  startTexts("en");
  const { t } = renderHook(() => useText()).result.current;
  const asked = vi.spyOn(i18next, "t");
  expect([t("media.likes", { count: 1 }), t("media.likes", { count: 2 })]).toEqual([
    "1 like",
    "2 likes",
  ]);
  expect(t("media.likes", { count: 2 })).toBe("2 likes");
  expect(asked).toHaveBeenCalledTimes(2);
  expect(t("media.delete")).toBe("media.delete");
  await loadLaterTexts();
  expect(t("media.delete")).not.toBe("media.delete");
});
