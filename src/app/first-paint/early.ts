/** Inlined in the head: sets theme, columns and kind of shell as attributes that the CSS reads. */
import { COLUMNS_KEY, SESSION_KEY, THEME_KEY } from "./keys";

const root = document.documentElement;
const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

const saved = read(THEME_KEY);
const dark =
  saved === "dark" || (saved !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
if (dark) {
  root.classList.add("dark");
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", "#0f172a");
}
root.dataset["columns"] = read(COLUMNS_KEY) === "1" ? "1" : "2";
root.dataset["route"] = location.pathname === "/" ? "home" : "other";
root.dataset["session"] = read(SESSION_KEY) === null ? "out" : "in";
