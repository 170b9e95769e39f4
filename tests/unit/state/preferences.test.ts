// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import { applyTheme, firstTheme, usePreferences } from "@/state/preferences";

beforeEach(() => {
  localStorage.clear();
  document.head.innerHTML = '<meta name="theme-color" content="#ffffff">';
});

test.each([
  ["dark", false, "dark"],
  ["light", true, "light"],
  [null, true, "dark"],
  [null, false, "light"],
  ["blue", true, "dark"],
])("saved %s and a system that is dark: %s gives %s", (saved, system, theme) => {
  expect(firstTheme(saved, system)).toBe(theme);
});

test("toggling is saved, and colours the page and the browser's bar", () => {
  usePreferences.setState({ theme: "light" });
  usePreferences.getState().toggleTheme();
  expect(localStorage.getItem("theme")).toBe("dark");
  expect(document.documentElement.classList.contains("dark")).toBe(true);
  const bar = () => document.querySelector('meta[name="theme-color"]')?.getAttribute("content");
  expect(bar()).toBe("#0f172a");
  applyTheme("light");
  expect(bar()).toBe("#ffffff");
});

test("two columns unless one was chosen, and the choice is saved", () => {
  expect(usePreferences.getState().columns).toBe(2);
  usePreferences.getState().setColumns(1);
  expect(localStorage.getItem("columns")).toBe("1");
});
