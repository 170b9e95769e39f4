// @vitest-environment happy-dom
import { render, renderHook } from "@testing-library/react";
import i18next from "i18next";
import { StrictMode } from "react";
import { useTranslation } from "react-i18next";
import { expect, test, vi } from "vitest";
import { Say, SayText } from "@/i18n/say";
import { loadLaterTexts, startTexts } from "@/i18n/setup";

test("a text is put together once for each count, and one that comes later is not missed for ever", async () => {
  startTexts("en");
  const { t } = renderHook(() => useTranslation()).result.current;
  const asked = vi.spyOn(i18next, "t");
  expect([t("media.likes", { count: 1 }), t("media.likes", { count: 2 })]).toEqual([
    "1 like",
    "2 likes",
  ]);
  expect(t("media.likes", { count: 2 })).toBe("2 likes");
  expect(asked).toHaveBeenCalledTimes(2);
  expect(t("app.delete")).toBe("app.delete");
  await loadLaterTexts();
  expect(t("app.delete")).not.toBe("app.delete");
});

test("every component gets the same t, also after another part of the catalogue was loaded", async () => {
  startTexts("en");
  const first = renderHook(() => useTranslation().t, { wrapper: StrictMode }).result;
  const before = first.current;
  await loadLaterTexts();
  const second = renderHook(() => useTranslation().t, { wrapper: StrictMode }).result;
  expect([first.current, second.current]).toEqual([before, before]);
});

test("a German sentence is marked as German, an English one and the server's own are not", async () => {
  startTexts("en");
  await loadLaterTexts();
  const { container } = render(
    <>
      <Say k="chat.notFound" />
      <Say k="media.likes" params={{ count: 1 }} />
      <SayText text={{ raw: "zu groß" }} />
    </>,
  );
  expect(container.innerHTML).toBe('<span lang="de">Chat nicht gefunden</span>1 likezu groß');
});
