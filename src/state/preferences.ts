/** How things are shown. Inline scripts read the keys and devices keep them: never rename them. */
import { create } from "zustand";
import type { FeedFilter, FeedSort } from "@/data/shapes";
import { THEME_COLORS } from "@/domain/limits";
import { placeBefore } from "./place";
import { storedText } from "./stored";

export type Theme = "light" | "dark";
/** `system`: nothing is stored, and the device's own setting is followed. */
export type ThemeChoice = Theme | "system";
type Columns = 1 | 2;

export const THEME_KEY = "theme";
export const COLUMNS_KEY = "columns";
const ENDLESS_KEY = "endless";
const VIBRATES_KEY = "vibrates";
const KEYS_KEY = "keys";

/** An event of the window: somebody asks for the list of keys. `detail`: the button that asked. */
export const LISTS_KEYS = "list-keys";

interface Preferences {
  theme: Theme;
  themeChoice: ThemeChoice;
  columns: Columns;
  filter: FeedFilter;
  sort: FeedSort;
  /** Lists of media load more by themselves when their end comes near. */
  endless: boolean;
  /** The device vibrates when a double tap likes. */
  vibrates: boolean;
  /** Single letters lead to the pages. */
  keys: boolean;
  toggleTheme: () => void;
  setTheme: (choice: ThemeChoice) => void;
  setColumns: (columns: Columns) => void;
  setFilter: (filter: FeedFilter) => void;
  setSort: (sort: FeedSort) => void;
  setEndless: (endless: boolean) => void;
  setVibrates: (vibrates: boolean) => void;
  setKeys: (keys: boolean) => void;
}

// Without room a choice holds for this visit only.
const storedTheme = storedText("local", THEME_KEY);
const storedColumns = storedText("local", COLUMNS_KEY);
const storedEndless = storedText("local", ENDLESS_KEY);
const storedVibrates = storedText("local", VIBRATES_KEY);
const storedKeys = storedText("local", KEYS_KEY);

export const canVibrate = (): boolean => navigator.maxTouchPoints > 0 && "vibrate" in navigator;

/** The saved choice, else the system's dark preference, else light (specification §4). */
export function firstTheme(saved: string | null, systemIsDark: boolean): Theme {
  if (saved === "light" || saved === "dark") return saved;
  return systemIsDark ? "dark" : "light";
}

const choiceOf = (saved: string | null): ThemeChoice =>
  saved === "light" || saved === "dark" ? saved : "system";

const SYSTEM_DARK = "(prefers-color-scheme: dark)";
const systemIsDark = (): boolean =>
  typeof matchMedia === "function" && matchMedia(SYSTEM_DARK).matches;

export function applyTheme(theme: Theme): void {
  document.documentElement.classList.toggle("dark", theme === "dark");
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", THEME_COLORS[theme]);
}

export const usePreferences = create<Preferences>()((set, get) => ({
  theme: firstTheme(storedTheme.read(), systemIsDark()),
  themeChoice: choiceOf(storedTheme.read()),
  columns: storedColumns.read() === "1" ? 1 : 2,
  filter: placeBefore?.filter ?? "all",
  sort: placeBefore?.sort ?? "latest",
  endless: storedEndless.read() === "on",
  vibrates: storedVibrates.read() !== "off",
  keys: storedKeys.read() !== "off",
  toggleTheme: () => get().setTheme(get().theme === "dark" ? "light" : "dark"),
  setTheme: (themeChoice) => {
    const kept = themeChoice === "system" ? null : themeChoice;
    storedTheme.write(kept);
    const theme = firstTheme(kept, systemIsDark());
    applyTheme(theme);
    set({ theme, themeChoice });
  },
  setColumns: (columns) => {
    storedColumns.write(String(columns));
    set({ columns });
  },
  setFilter: (filter) => set({ filter }),
  setSort: (sort) => set({ sort }),
  setEndless: (endless) => {
    storedEndless.write(endless ? "on" : null);
    set({ endless });
  },
  setVibrates: (vibrates) => {
    storedVibrates.write(vibrates ? null : "off");
    set({ vibrates });
  },
  setKeys: (keys) => {
    storedKeys.write(keys ? null : "off");
    set({ keys });
  },
}));

/** Follows the system's theme, also while the page is open, unless the user has chosen one. */
export function followSystemTheme(): void {
  matchMedia(SYSTEM_DARK).addEventListener("change", ({ matches }) => {
    const theme = firstTheme(storedTheme.read(), matches);
    applyTheme(theme);
    usePreferences.setState({ theme });
  });
}
