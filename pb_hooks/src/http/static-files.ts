/**
 * Serves the built app: the page for its routes, its files, and 404 for everything else.
 * PocketBase's own static handler would answer a missing script or an unknown `/api/…` address
 * with the page and status 200.
 */
import {
  contentSecurityPolicy,
  nameManifest,
  namePage,
  previewPage,
  productName,
  setSecurityHeaders,
  sha256Base64,
} from "./page";
import { NOT_FOUND, refuse } from "./refusals";
import { headerOf } from "./request";

export const staticHandlers = {
  /** `GET /{path...}`. */
  serveApp(e: core.RequestEvent): void {
    const path = e.request?.pathValue("path") ?? "";
    if (path === "api" || path.startsWith("api/")) {
      refuse(e, NOT_FOUND);
      return;
    }
    const dir = publicDir();
    const page = readPage(e.app, dir);
    if (APP_ROUTES.test(path) || path === PAGE) {
      sendPage(e, page && withPreview(e, path, page), 200);
      return;
    }
    if (isPlain(path) && fileTime($filepath.join(dir, path)) >= 0) {
      setSecurityHeaders(e, page?.policy ?? contentSecurityPolicy(""));
      sendFile(e, dir, path);
      return;
    }
    const isAsset = HASHED.test(path) || /\.[^/]*$/.test(path);
    if (isAsset) {
      e.response.header().set("Cache-Control", "no-store");
      e.string(404, "Not found");
      return;
    }
    sendPage(e, page, 404);
  },
};

const PAGE = "index.html";
const MANIFESTS = ["manifest.webmanifest", "manifest.json"];

/** Files that browsers must revalidate every time, or an update would never arrive. */
const FRESH = /^(?:sw\.js|manifest\.webmanifest|manifest\.json|registersw\.js|.*\.html)$/i;

/** Vite puts every file with a hash in its name there. */
const HASHED = /^assets\//;

/**
 * The specification's routes (§2) and ours. They are tried before files, because a username may
 * contain a dot.
 */
const APP_ROUTES =
  /^(?:|login|signup|upload|outbox|view\/[^/]+|profile?|user\/[^/]+|admin|terms|privacy|chat(?:\/[^/]+)?)\/?$/;

const TEXT = /\.(?:html|js|mjs|css|json|webmanifest|svg|txt|xml|map)$/i;

/** The built app: the folder from the launcher, or `--publicDir`, or `dist` beside `pb_hooks`. */
function publicDir(): string {
  const fromLauncher = $os.getenv("AUGENBLICK_PUBLIC_DIR");
  if (fromLauncher !== "") return fromLauncher;
  const args = $os.args as unknown as string[];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (arg.startsWith("--publicDir=")) return arg.slice("--publicDir=".length);
    if (arg === "--publicDir") return args[i + 1] ?? "";
  }
  return $filepath.join(__hooks, "..", "dist");
}

/** Modification time in milliseconds of the file `path`, or -1 where there is no such file. */
function fileTime(path: string): number {
  try {
    const info = $os.stat(path);
    return info.isDir() ? -1 : info.modTime().unixMilli();
  } catch {
    return -1;
  }
}

interface Page {
  text: string;
  policy: string;
}

/** The page as this server sends it; built again after the file or the product's name changes. */
function readPage(app: CoreApp, dir: string): Page | null {
  const path = $filepath.join(dir, PAGE);
  const time = fileTime(path);
  if (time < 0) return null;
  const name = productName(app);
  const key = `${path}|${time}|${name}`;
  const store = app.store();
  const kept = store.get("static.page");
  if (typeof kept === "string") {
    const { key: keptKey, page } = JSON.parse(kept) as { key: string; page: Page };
    if (keptKey === key) return page;
  }
  const text = namePage(toString($os.readFile(path)), name);
  const page = { text, policy: contentSecurityPolicy(text) };
  store.set("static.page", JSON.stringify({ key, page }));
  return page;
}

const etagOf = (text: string): string => `"${sha256Base64(text).slice(0, 22)}"`;

/** Sends `text` whole, or 304 when the client has it. */
function sendText(e: core.RequestEvent, status: number, type: string, text: string): void {
  const headers = e.response.header();
  const etag = etagOf(text);
  headers.set("Cache-Control", "no-cache");
  headers.set("ETag", etag);
  if (status === 200 && headerOf(e, "If-None-Match") === etag) {
    e.noContent(304);
    return;
  }
  headers.set("Content-Type", type);
  e.string(status, text);
}

function sendPage(e: core.RequestEvent, page: Page | null, status: number): void {
  if (page === null) {
    e.string(503, "The app is not built yet.");
    return;
  }
  setSecurityHeaders(e, page.policy);
  sendText(e, status, "text/html; charset=utf-8", page.text);
}

/** Keeps the page's policy: a preview adds neither scripts nor styles. */
const withPreview = (e: core.RequestEvent, path: string, page: Page): Page => ({
  ...page,
  text: previewPage(e, path, page.text, productName(e.app)),
});

/** Bypasses the gzip middleware for pictures and fonts, which are compressed already. */
function withoutGzip(e: core.RequestEvent): void {
  const wrapped = e.response as unknown as { responseWriter?: http.ResponseWriter };
  const isWrapped = headerOf(e, "Accept-Encoding").includes("gzip");
  if (isWrapped && wrapped.responseWriter) e.response = wrapped.responseWriter;
}

function sendFile(e: core.RequestEvent, dir: string, path: string): void {
  const headers = e.response.header();
  headers.set(
    "Cache-Control",
    HASHED.test(path)
      ? "public, max-age=31536000, immutable"
      : FRESH.test(path)
        ? "no-cache"
        : "public, max-age=86400",
  );
  if (MANIFESTS.includes(path)) {
    const text = toString($os.readFile($filepath.join(dir, path)));
    sendText(e, 200, "application/manifest+json", nameManifest(text, productName(e.app)));
    return;
  }
  // A range of the compressed bytes would not be the range that was asked for.
  const isPart = headerOf(e, "Range") !== "";
  if (isPart || !TEXT.test(path)) withoutGzip(e);
  e.fileFS($os.dirFS(dir), path);
}

/** A path with no way out of the folder and no hidden file in it. */
const isPlain = (path: string): boolean =>
  !path.includes("\\") &&
  !path.includes("\0") &&
  path.split("/").every((part) => part !== "" && (!part.startsWith(".") || part === ".well-known"));
