/**
 * The storage keys that the inline scripts read. They repeat the constants of the modules that own them, because importing
 * those would draw their libraries into the page; a unit test holds both together.
 */
export const THEME_KEY = "theme";
export const COLUMNS_KEY = "columns";
export const SESSION_KEY = "augenblick.session";
export const PLACE_KEY = "augenblick.place";
export const FIRST_SCREEN_KEY = "augenblick.first-screen";
