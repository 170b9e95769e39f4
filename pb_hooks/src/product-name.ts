/** The product's name: the operator's from the settings row, else `APP_NAME`, else the built-in one. */
import { escapeHtml } from "./escape-html";

export const BUILT_IN_NAME = "Augenblick";

export function productName(app: CoreApp): string {
  return storedName(app) || $os.getenv("APP_NAME").trim() || BUILT_IN_NAME;
}

function storedName(app: CoreApp): string {
  try {
    return app.findRecordById("settings", "app").getString("productName").trim();
  } catch {
    // No settings row: a database whose migrations have not run.
    return "";
  }
}

const TITLE = /(<title>)[^<]*(<\/title>)/i;
const MARKED = /(<[a-z][^<>]*\sdata-app-name\b[^<>]*>)[^<]*/gi;
const META =
  /(<meta\s[^<>]*name="(?:application-name|apple-mobile-web-app-title)"[^<>]*content=")[^"]*(")/gi;

/** `page` with the title, the elements marked `data-app-name` and the name's meta tags carrying `name`. */
export function namePage(page: string, name: string): string {
  if (name === BUILT_IN_NAME) return page;
  const safe = escapeHtml(name);
  return page
    .replace(TITLE, (_all, open: string, close: string) => `${open}${safe}${close}`)
    .replace(MARKED, (_all, tag: string) => `${tag}${safe}`)
    .replace(META, (_all, before: string, after: string) => `${before}${safe}${after}`);
}

/** The web app manifest with `name` for its name and short name. */
export function nameManifest(manifest: string, name: string): string {
  if (name === BUILT_IN_NAME) return manifest;
  const parsed = JSON.parse(manifest) as Record<string, unknown>;
  return JSON.stringify({ ...parsed, name, short_name: name });
}
