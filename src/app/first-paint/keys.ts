/** Storage keys that inline scripts read: copies (a unit test compares), to import no libraries. */
export const THEME_KEY = "theme";
export const COLUMNS_KEY = "columns";
export const SESSION_KEY = "augenblick.session";
export const PLACE_KEY = "augenblick.place";
export const FIRST_SCREEN_KEY = "augenblick.first-screen";
