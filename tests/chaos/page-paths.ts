/** Addresses that a device's own proxy answers by itself. */
export const PAGE_PATH = "/chaos/page.html";
export const SCRIPT_PATH = "/chaos/page.js";
/** Asked by a tab whose time has come; never answered. */
export const DIE_PATH = "/chaos/die";
