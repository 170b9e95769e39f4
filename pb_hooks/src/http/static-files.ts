/**
 * Serves the built app: the page for its routes, its files, and 404 for everything else. The page
 * of a medium or a person that does not exist is the app too, with status 404 for machines.
 * PocketBase's own static handler would answer a missing script or an unknown `/api/…` address
 * with the page and status 200.
 */
import {
  communityLanguage,
  contentSecurityPolicy,
  nameManifest,
  namePage,
  previewPage,
  productName,
  setPartHeaders,
  setSecurityHeaders,
  sha256Base64,
  speakPage,
  subjectOf,
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
      const { media, missing } = subjectOf(e.app, path);
      sendPage(e, dir, page && withPreview(e, media, page), missing ? 404 : 200);
      return;
    }
    if (isPlain(path) && fileTime($filepath.join(dir, path)) >= 0) {
      setFileHeaders(e, path, page?.policy ?? contentSecurityPolicy(""));
      sendFile(e, dir, path);
      return;
    }
    const isAsset = HASHED.test(path) || /\.[^/]*$/.test(path);
    if (isAsset) {
      e.response.header().set("Cache-Control", "no-store");
      e.string(404, "Not found");
      return;
    }
    sendPage(e, dir, page, 404);
  },
};

const PAGE = "index.html";
const MANIFESTS = ["manifest.webmanifest", "manifest.json"];

/** The one worker that compiles WebAssembly: a policy of its own, which its answer brings along. */
const COMPILER = /^assets\/converter-[^/]*\.js$/;

/** Scripts that workers start with: their policy is that of their own answer. */
const WORKER = /^assets\/(?:[\w-]*worker|converter|video-shrinker)-[^/]*$/;

/** Scripts and styles of the page. */
const PART = /^assets\/[^/]*\.(?:js|css)$/;

/**
 * A part of the page needs no headers of documents: it obeys the page's, and shown by itself it is
 * text. They would outweigh most parts.
 */
function setFileHeaders(e: core.RequestEvent, path: string, policy: string): void {
  if (PART.test(path) && !WORKER.test(path)) setPartHeaders(e);
  else setSecurityHeaders(e, COMPILER.test(path) ? withWebAssembly(policy) : policy);
}

const withWebAssembly = (policy: string): string =>
  policy.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'");

/** Files that browsers must revalidate every time, or an update would never arrive. */
const FRESH =
  /^(?:sw\.js|sender\.js|manifest\.webmanifest|manifest\.json|registersw\.js|.*\.html)$/i;

/** Vite puts every file with a hash in its name there. */
const HASHED = /^assets\//;

/**
 * The specification's routes (§2) and ours. They are tried before files, because a username may
 * contain a dot.
 */
const APP_ROUTES =
  /^(?:|login|signup|forgot-password|reset-password|verify|upload|open|outbox|device|notifications|explore|view\/[^/]+|profile?|user\/[^/]+|tag\/[^/]+|admin|terms|privacy|chat(?:\/[^/]+)?)\/?$/;

/** What is sent compressed, by the ending of its name. */
const TYPES: Partial<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  wasm: "application/wasm",
};

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

/** The file `path`, or null where there is none. */
function fileFacts(path: string) {
  try {
    const info = $os.stat(path);
    return info.isDir() ? null : info;
  } catch {
    return null;
  }
}

/** Its modification time in milliseconds, or -1. */
const fileTime = (path: string): number => fileFacts(path)?.modTime().unixMilli() ?? -1;

interface Page {
  text: string;
  /** The text, encoded once: for each answer that took longer than all else. */
  bytes: number[];
  policy: string;
  etag: string;
  /** Its text is the file's own. */
  asBuilt: boolean;
}

/** Each engine of the pool has its own. */
let kept: { key: string; page: Page } | null = null;

/**
 * The page as this server sends it; built again after the file, the product's name or the
 * community's language changes.
 */
function readPage(app: CoreApp, dir: string): Page | null {
  const path = $filepath.join(dir, PAGE);
  const time = fileTime(path);
  if (time < 0) return null;
  const name = productName(app);
  const language = communityLanguage(app);
  const key = `${path}|${time}|${language}|${name}`;
  if (kept?.key === key) return kept.page;
  const built = toString($os.readFile(path));
  const text = speakPage(namePage(built, name), language);
  const page = {
    text,
    bytes: toBytes(text),
    policy: contentSecurityPolicy(text),
    etag: etagOf(text),
    asBuilt: text === built,
  };
  kept = { key, page };
  return page;
}

const etagOf = (text: string): string => `"${sha256Base64(text).slice(0, 22)}"`;

/** Sends `bytes` whole, or 304 when the client has them. */
function sendBytes(
  e: core.RequestEvent,
  status: number,
  type: string,
  { bytes, etag }: { bytes: number[]; etag: string },
): void {
  const headers = e.response.header();
  headers.set("Cache-Control", "no-cache");
  headers.set("ETag", etag);
  if (status === 200 && headerOf(e, "If-None-Match") === etag) {
    e.noContent(304);
    return;
  }
  e.blob(status, type, bytes);
}

function sendPage(e: core.RequestEvent, dir: string, page: Page | null, status: number): void {
  if (page === null) {
    e.string(503, "The app is not built yet.");
    return;
  }
  setSecurityHeaders(e, page.policy);
  const type = "text/html; charset=utf-8";
  if (page.asBuilt && status === 200) {
    const headers = e.response.header();
    headers.set("Cache-Control", "no-cache");
    headers.set("ETag", page.etag);
    if (sendCompressed(e, dir, PAGE, type)) return;
  }
  sendBytes(e, status, type, page);
}

/** Keeps the page's policy: a preview adds neither scripts nor styles. */
function withPreview(e: core.RequestEvent, media: core.Record | null, page: Page): Page {
  if (media === null) return page;
  const text = previewPage(e, media, page.text, productName(e.app));
  if (text === page.text) return page;
  return { ...page, text, bytes: toBytes(text), etag: etagOf(text), asBuilt: false };
}

/** Bypasses the gzip middleware for pictures and fonts, which are compressed already. */
function withoutGzip(e: core.RequestEvent): void {
  const wrapped = e.response as unknown as { responseWriter?: http.ResponseWriter };
  const isWrapped = headerOf(e, "Accept-Encoding").includes("gzip");
  if (isWrapped && wrapped.responseWriter) e.response = wrapped.responseWriter;
}

function sendFile(e: core.RequestEvent, dir: string, path: string): void {
  const headers = e.response.header();
  // PocketBase lets other origins read everything, and says that answers differ by origin: then
  // what the page has fetched would not be what the service worker finds in the browser's cache.
  headers.del("Access-Control-Allow-Origin");
  headers.set("Vary", "Accept-Encoding");
  headers.set(
    "Cache-Control",
    HASHED.test(path)
      ? "public, max-age=31536000, immutable"
      : FRESH.test(path)
        ? "no-cache"
        : "public, max-age=86400",
  );
  if (MANIFESTS.includes(path)) {
    const text = nameManifest(
      toString($os.readFile($filepath.join(dir, path))),
      productName(e.app),
      communityLanguage(e.app),
    );
    const body = { bytes: toBytes(text), etag: etagOf(text) };
    sendBytes(e, 200, "application/manifest+json", body);
    return;
  }
  // A range of the compressed bytes would not be the range that was asked for.
  const isPart = headerOf(e, "Range") !== "";
  const type = TYPES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ""];
  if (isPart || type === undefined) withoutGzip(e);
  else if (sendCompressed(e, dir, path, type)) return;
  e.fileFS($os.dirFS(dir), path);
}

/** Whether the build compressed the file in a way that the client takes, and it was sent so. */
function sendCompressed(e: core.RequestEvent, dir: string, path: string, type: string): boolean {
  // A copied build has lost its files' times; but a name with a hash never changes its content.
  const built = HASHED.test(path) ? 0 : fileTime($filepath.join(dir, path));
  for (const [encoding, ending] of ENCODINGS) {
    const facts = accepts(e, encoding) ? fileFacts($filepath.join(dir, path + ending)) : null;
    // Somebody may have changed the file since it was built.
    if (facts === null || facts.modTime().unixMilli() < built) continue;
    withoutGzip(e);
    const headers = e.response.header();
    headers.set("Content-Type", type);
    headers.set("Content-Encoding", encoding);
    headers.set("Content-Length", String(facts.size()));
    e.fileFS($os.dirFS(dir), path + ending);
    return true;
  }
  return false;
}

/** Compressed at build (scripts/build.mjs), the smallest first, with the endings of their files. */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** Longer ones are nobody's browser. */
const ACCEPT_MAX = 200;

const accepts = (e: core.RequestEvent, encoding: string): boolean =>
  headerOf(e, "Accept-Encoding")
    .slice(0, ACCEPT_MAX)
    .toLowerCase()
    .split(",")
    .some((part) => {
      const [name = "", weight = "1"] = part.trim().split(/\s*;\s*q=/);
      return name === encoding && Number(weight) > 0;
    });

/** A path with no way out of the folder and no hidden file in it. */
const isPlain = (path: string): boolean =>
  !path.includes("\\") &&
  !path.includes("\0") &&
  path.split("/").every((part) => part !== "" && (!part.startsWith(".") || part === ".well-known"));
