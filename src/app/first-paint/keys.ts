/** Storage keys that inline scripts read: copies (a unit test compares), to import no libraries. */
export const THEME_KEY = "theme";
export const COLUMNS_KEY = "columns";
export const SESSION_KEY = "augenblick.session";
export const PLACE_KEY = "augenblick.place";
export const FIRST_SCREEN_KEY = "augenblick.first-screen";
export const FRAME_PREFIX = "augenblick.frame.";
export const LANGUAGE_KEY = "language";
export const LANGUAGE_CHOSEN_KEY = "augenblick.language-chosen";
export const COMMUNITY_LANGUAGE_KEY = "augenblick.community-language";
