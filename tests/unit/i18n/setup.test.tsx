// @vitest-environment happy-dom
import { act, render, renderHook } from "@testing-library/react";
import { StrictMode } from "react";
import { useTranslation } from "react-i18next";
import { expect, test } from "vitest";
import { t } from "@/i18n/catalogue";
import { Say, SayText } from "@/i18n/say";
import { loadAdminTexts, loadLaterTexts, startTexts, switchTexts } from "@/i18n/setup";

test("a text has the form of its count, and one that comes later is not missed for ever", async () => {
  await startTexts("en");
  const { t } = renderHook(() => useTranslation()).result.current;
  expect([0, 1, 2].map((count) => t("media.likes", { count }))).toEqual([
    "0 likes",
    "1 like",
    "2 likes",
  ]);
  expect(t("app.delete")).toBe("app.delete");
  await loadLaterTexts();
  expect(t("app.delete")).not.toBe("app.delete");
});

test("a text that may be missing can be asked for, and replaced", async () => {
  await startTexts("en");
  const { i18n } = renderHook(() => useTranslation()).result.current;
  expect([i18n.exists("nav.login"), i18n.exists("nav.other")]).toEqual([true, false]);
  expect(t("nav.login", { defaultValue: "other" })).toBe("Login");
  expect(
    (t as (key: string, values: object) => string)("nav.other", { defaultValue: "other" }),
  ).toBe("other");
});

test("what people wrote is shown as they wrote it", async () => {
  await startTexts("en");
  for (const name of ["$t(nav.login)", "{{name}}", "$& $1 $$", "<b>"]) {
    expect(t("nav.account", { name })).toBe(`Account of ${name}`);
  }
});

test("every component gets the same t, also after another part of the catalogue was loaded", async () => {
  await startTexts("en");
  const first = renderHook(() => useTranslation().t, { wrapper: StrictMode }).result;
  const before = first.current;
  await loadLaterTexts();
  const second = renderHook(() => useTranslation().t, { wrapper: StrictMode }).result;
  expect([first.current, second.current]).toEqual([before, before]);
});

test("a German sentence is marked as German, an English one is not", async () => {
  await startTexts("en");
  await loadLaterTexts();
  const { container } = render(
    <>
      <Say k="chat.notFound" />
      <Say k="media.likes" params={{ count: 1 }} />
      <SayText text={{ key: "chat.yesterday" }} />
    </>,
  );
  expect(container.innerHTML).toBe('<span lang="de">Chat nicht gefunden</span>1 likeYesterday');
});

test("a switch shows everything in the other language, with the parts that pages have loaded", async () => {
  await startTexts("en");
  await loadLaterTexts();
  const { container } = render(
    <p>
      <Say k="gallery.all" /> <Say k="errors.password_short" />
      <Say k="media.likes" params={{ count: 1_234 }} />
    </p>,
  );
  const said = () => container.querySelector("p")?.innerHTML;
  expect(said()).toBe(
    'All Media <span lang="de">Passwort muss mindestens 8 Zeichen lang sein</span>1,234 likes',
  );
  await act(() => switchTexts("de"));
  expect(said()).toBe("Alle Medien Passwort muss mindestens 8 Zeichen lang sein1.234 Likes");
  await act(() => switchTexts("en-GB"));
  expect(said()).toBe("All Media Password must be at least 8 characters long1,234 likes");
  await act(() => switchTexts("en"));
});

test("a page opened during a switch gets its texts in the new language", async () => {
  await startTexts("en");
  const switched = switchTexts("de");
  await Promise.all([loadAdminTexts(), switched]);
  expect(t("admin.loadMore")).toBe("Mehr laden");
  await switchTexts("en");
  expect(t("admin.loadMore")).toBe("Load more");
});
