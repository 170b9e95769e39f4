/**
 * The storage keys that the inline scripts read. They repeat the constants of the modules that own
 * them, because importing those would pull their libraries into the page; a unit test keeps both in
 * step.
 */
export const THEME_KEY = "theme";
export const COLUMNS_KEY = "columns";
export const SESSION_KEY = "augenblick.session";
export const PLACE_KEY = "augenblick.place";
export const FIRST_SCREEN_KEY = "augenblick.first-screen";
