/**
 * What this device remembers about how things are shown: theme, columns, language; filter and sort for as long as the tab
 * lives. Keys and values lie on users' devices and are read by the inline scripts of index.html: never rename them.
 */
import { create } from "zustand";
import type { FeedFilter, FeedSort } from "@/data/shapes";
import { THEME_COLORS } from "@/domain/limits";
import { placeBefore } from "./kept-place";

export type Theme = "light" | "dark";
export type Columns = 1 | 2;

export const THEME_KEY = "theme";
export const COLUMNS_KEY = "columns";
export const LANGUAGE_KEY = "language";

interface Preferences {
  theme: Theme;
  columns: Columns;
  language: "en";
  filter: FeedFilter;
  sort: FeedSort;
  toggleTheme: () => void;
  setColumns: (columns: Columns) => void;
  setFilter: (filter: FeedFilter) => void;
  setSort: (sort: FeedSort) => void;
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Full or denied: the choice then holds for this visit only.
  }
}

/** The saved choice, else the system's dark preference, else light (specification §4). */
export function firstTheme(saved: string | null, systemIsDark: boolean): Theme {
  if (saved === "light" || saved === "dark") return saved;
  return systemIsDark ? "dark" : "light";
}

const SYSTEM_DARK = "(prefers-color-scheme: dark)";
const systemIsDark = (): boolean =>
  typeof matchMedia === "function" && matchMedia(SYSTEM_DARK).matches;

/** Puts the theme on the page and on the browser's own bars. */
export function applyTheme(theme: Theme): void {
  document.documentElement.classList.toggle("dark", theme === "dark");
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", THEME_COLORS[theme]);
}

export const usePreferences = create<Preferences>()((set, get) => ({
  theme: firstTheme(read(THEME_KEY), systemIsDark()),
  columns: read(COLUMNS_KEY) === "1" ? 1 : 2,
  language: "en",
  filter: placeBefore?.filter ?? "all",
  sort: placeBefore?.sort ?? "latest",
  toggleTheme: () => {
    const theme = get().theme === "dark" ? "light" : "dark";
    write(THEME_KEY, theme);
    applyTheme(theme);
    set({ theme });
  },
  setColumns: (columns) => {
    write(COLUMNS_KEY, String(columns));
    set({ columns });
  },
  setFilter: (filter) => set({ filter }),
  setSort: (sort) => set({ sort }),
}));

/** Where nothing was chosen here, the system's choice holds also when it changes while the page is open. */
export function followSystemTheme(): void {
  matchMedia(SYSTEM_DARK).addEventListener("change", ({ matches }) => {
    const theme = firstTheme(read(THEME_KEY), matches);
    applyTheme(theme);
    usePreferences.setState({ theme });
  });
}

/** Only English is offered; the choice is stored all the same (specification §1). */
export function storeLanguage(): void {
  write(LANGUAGE_KEY, usePreferences.getState().language);
}
