/** How things are shown. Inline scripts read the keys and devices keep them: never rename them. */
import { create } from "zustand";
import type { FeedFilter, FeedSort } from "@/data/shapes";
import { THEME_COLORS } from "@/domain/limits";
import { placeBefore } from "./place";
import { storedText } from "./stored";

type Theme = "light" | "dark";
type Columns = 1 | 2;

export const THEME_KEY = "theme";
export const COLUMNS_KEY = "columns";
const LANGUAGE_KEY = "language";

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

// Without room a choice holds for this visit only.
const storedTheme = storedText("local", THEME_KEY);
const storedColumns = storedText("local", COLUMNS_KEY);
const storedLanguage = storedText("local", LANGUAGE_KEY);

/** The saved choice, else the system's dark preference, else light (specification §4). */
export function firstTheme(saved: string | null, systemIsDark: boolean): Theme {
  if (saved === "light" || saved === "dark") return saved;
  return systemIsDark ? "dark" : "light";
}

const SYSTEM_DARK = "(prefers-color-scheme: dark)";
const systemIsDark = (): boolean =>
  typeof matchMedia === "function" && matchMedia(SYSTEM_DARK).matches;

export function applyTheme(theme: Theme): void {
  document.documentElement.classList.toggle("dark", theme === "dark");
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", THEME_COLORS[theme]);
}

export const usePreferences = create<Preferences>()((set, get) => ({
  theme: firstTheme(storedTheme.read(), systemIsDark()),
  columns: storedColumns.read() === "1" ? 1 : 2,
  language: "en",
  filter: placeBefore?.filter ?? "all",
  sort: placeBefore?.sort ?? "latest",
  toggleTheme: () => {
    const theme = get().theme === "dark" ? "light" : "dark";
    storedTheme.write(theme);
    applyTheme(theme);
    set({ theme });
  },
  setColumns: (columns) => {
    storedColumns.write(String(columns));
    set({ columns });
  },
  setFilter: (filter) => set({ filter }),
  setSort: (sort) => set({ sort }),
}));

/** Follows the system's theme, also while the page is open, unless the user has chosen one. */
export function followSystemTheme(): void {
  matchMedia(SYSTEM_DARK).addEventListener("change", ({ matches }) => {
    const theme = firstTheme(storedTheme.read(), matches);
    applyTheme(theme);
    usePreferences.setState({ theme });
  });
}

/** Only English is offered; it is stored nevertheless (specification §1). */
export function storeLanguage(): void {
  storedLanguage.write(usePreferences.getState().language);
}
