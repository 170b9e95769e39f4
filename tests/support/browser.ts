/**
 * The built app on a real server, and real browsers to use it: Debian's Chromium. All who open a
 * profile in one test file share a browser, in which each has a context of their own: nothing of
 * one is seen in another, and all is gone with it.
 */
import { cp } from "node:fs/promises";
import path from "node:path";
import { findChromium } from "@scripts/browsers.mjs";
import { DIST_DIR } from "@scripts/checkout.mjs";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from "playwright-core";
import { type Emptied, empty, watchUse } from "./emptied-context";
import { PAGE_MS } from "./patience";
import { type PocketBase, type StartOptions, startPocketBase, temporaryFolder } from "./pocketbase";

/**
 * Off, because of several lists the last one counts: first those that Playwright switches off, then
 * the two pages of its own that Chromium 156 loads behind each window's address bar. They cost as
 * much as a visit of the app: 2 seconds of a core for each context.
 */
const FEATURES_OFF = [
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose"],
  ...["DialMediaRouteProvider", "GlobalMediaControls", "HttpsUpgrades", "LensOverlay"],
  ...["MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning"],
  ...["BlockOriginHeaderModificationOnRedirect", "AvoidCorsURLLoaderRestartOnRedirect"],
  ...["Translate", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled"],
  ...["WebUIOmniboxAimPopup", "WebUIOmniboxPopup"],
];

/** No traffic of the browser's own, and no GPU or sandbox, which a container does not have. */
export const CHROMIUM_FLAGS = [
  `--disable-features=${FEATURES_OFF.join(",")}`,
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export type App = PocketBase;

/** Serves a copy of the built app, so that a later build does not pull it away. */
export async function startApp(options: StartOptions = {}): Promise<App> {
  const publicDir = path.join(temporaryFolder(), "dist");
  await cp(DIST_DIR, publicDir, { recursive: true, preserveTimestamps: true });
  return startPocketBase({ publicDir, ...options });
}

export interface ProfileOptions extends BrowserContextOptions {
  /**
   * Whether a start begins with the frame of the last visit (app/first-paint/frame.ts). Off unless
   * given: a locator that looks for a text would find it there and in the app beneath.
   */
  frames?: boolean;
  /**
   * A device that was never used. Otherwise it may be one that was used and emptied by a test of
   * the same file (emptied-context.ts).
   */
  fresh?: boolean;
}

/** A notice goes after some seconds: what it said is kept on the page. */
const KEEP_NOTICES = `window.noticesShown = [];
new MutationObserver((changes) => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes)
      if (node instanceof Element && node.matches('[data-testid="toast"]'))
        window.noticesShown.push(node.innerText.replaceAll("\\n", " "));
}).observe(document, { childList: true, subtree: true });`;

/** Before any script of the page: nothing was put away. */
const WITHOUT_FRAMES = `try {
  for (const key of Object.keys(localStorage))
    if (key.startsWith("augenblick.frame.")) localStorage.removeItem(key);
} catch {}`;

/** One person's browser. */
export interface Profile {
  readonly context: BrowserContext;
  /** The first tab. */
  readonly page: Page;
  /** What pages threw and did not catch, since the profile was opened. */
  errors: string[];
  close(): Promise<void>;
}

/** One whose data lie in a folder and outlive the browser. */
export interface LastingProfile extends Profile {
  folder: string;
  /** Ends the browser and starts it again with the same data. */
  reopen(): Promise<void>;
}

/** The folder is also the browser's HOME. */
const launchOptions = async (folder: string) => ({
  executablePath: await findChromium(),
  headless: true,
  args: CHROMIUM_FLAGS,
  env: { ...process.env, HOME: folder } as Record<string, string>,
});

const opened = new Set<BrowserContext>();
/** Where what pages threw goes, now. */
const takers = new WeakMap<BrowserContext, string[]>();

/** What every profile is, in whatever browser. @param errors takes what pages threw */
async function prepare(context: BrowserContext, errors: string[], frames = false): Promise<Page> {
  opened.add(context);
  takers.set(context, errors);
  context.on("close", () => opened.delete(context));
  context.setDefaultTimeout(PAGE_MS);
  if (!frames) await context.addInitScript(WITHOUT_FRAMES);
  await context.addInitScript(KEEP_NOTICES);
  context.on("page", watchRequests);
  context.pages().forEach(watchRequests);
  const tell = (text: string) => takers.get(context)?.push(text);
  context.on("weberror", (error) => tell(String(error.error())));
  context.on("console", (line) => {
    const isOurFault = /Trusted(?:HTML|Script|TypePolicy)|RxDB Open Core/.test(line.text());
    if (isOurFault) tell(line.text());
  });
  return context.pages()[0] ?? context.newPage();
}

/** What a page asked for and has no answer to yet, and since when, milliseconds of `Date.now`. */
const unanswered = new WeakMap<Page, Map<Request, number>>();

function watchRequests(page: Page): void {
  const asked = new Map<Request, number>();
  unanswered.set(page, asked);
  page.on("request", (request) => asked.set(request, Date.now()));
  page.on("requestfinished", (request) => asked.delete(request));
  page.on("requestfailed", (request) => asked.delete(request));
}

let browser: Promise<Browser> | undefined;

/** By the options of their profiles: contexts that were used, and are empty again. */
const emptied = new Map<string, Emptied[]>();

/** A profile of its own in the browser of this test file, as on a device of its own. */
export async function openProfile(wanted: ProfileOptions = {}): Promise<Profile> {
  const { frames, fresh, ...options } = wanted;
  browser ??= launchOptions(temporaryFolder("augenblick-home-")).then((launch) =>
    chromium.launch(launch),
  );
  const key = JSON.stringify(wanted);
  const errors: string[] = [];
  const used = emptied.get(key)?.pop();
  if (used !== undefined) {
    opened.add(used.context);
    takers.set(used.context, errors);
    return profileOf(used, errors, key);
  }
  const context = await (await browser).newContext(options);
  const page = await prepare(context, errors, frames);
  if (!fresh) watchUse(context);
  return profileOf({ context, page }, errors, key);
}

function profileOf({ context, page }: Emptied, errors: string[], key: string): Profile {
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= giveBack(context, key);
    return closed;
  };
  return { context, page, errors, close };
}

/** Emptied for the next profile with the same options, or closed where nobody else may have it. */
async function giveBack(context: BrowserContext, key: string): Promise<void> {
  const hasFailed = running?.result?.state === "fail";
  const page = hasFailed ? null : await empty(context).catch(() => null);
  if (page === null) return closeContext(context);
  opened.delete(context);
  emptied.set(key, [...(emptied.get(key) ?? []), { context, page }]);
}

/** A browser of its own, whose data lie in a folder that is deleted with the test process. */
export async function openLastingProfile({
  frames,
  ...options
}: ProfileOptions = {}): Promise<LastingProfile> {
  const folder = temporaryFolder("augenblick-profile-");
  const errors: string[] = [];
  const launch = async () => {
    const context = await chromium.launchPersistentContext(folder, {
      ...(await launchOptions(folder)),
      ...options,
    });
    return { context, page: await prepare(context, errors, frames) };
  };
  let now = await launch();
  return {
    folder,
    get context() {
      return now.context;
    },
    get page() {
      return now.page;
    },
    errors,
    close: () => closeContext(now.context),
    reopen: async () => {
      await now.context.close();
      now = await launch();
    },
  };
}

/** The test that runs, as far as it matters here. */
let running: { name: string; result?: { state: string } } | undefined;

export function noteTest(test: NonNullable<typeof running>): void {
  running = test;
}

/** Where the test has failed, what stands on the pages of the context is printed first. */
async function closeContext(context: BrowserContext): Promise<void> {
  if (running?.result?.state === "fail") await showPages(running.name, context.pages());
  await context.close();
}

/** Ends the browser of this test file, with all profiles in it. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
  emptied.clear();
}

/** A page that cannot answer, as one whose script never ends, is not waited for longer. */
const LOOK_MS = 5_000;
const MOST_TEXT = 2_000;

/** Prints what stands on every open page. */
async function showPages(test: string, pages: Page[]): Promise<void> {
  for (const page of pages) process.stderr.write(`${test}\n${await describePage(page)}\n\n`);
}

/**
 * Where it is, what can be read there, whether it is drawn, what its notices said and what it still
 * waits for.
 */
export async function describePage(page: Page): Promise<string> {
  const shown = page.evaluate(async (most) => {
    const frame = new Promise((drawn) => requestAnimationFrame(() => drawn("draws")));
    const none = new Promise((given) => setTimeout(given, 2_000, "draws no frames"));
    const online = navigator.onLine ? "online" : "offline";
    const { installing, waiting, active } =
      (await navigator.serviceWorker?.getRegistration()) ?? {};
    const workers = [installing, waiting, active].map((worker) => worker?.state ?? "none");
    const heads = [await Promise.race([frame, none]), online, `workers ${workers.join(" ")}`];
    const { noticesShown = [] } = window as unknown as { noticesShown?: string[] };
    const notices = noticesShown.map((text) => `notice: ${text}`);
    return [heads.join(", "), ...notices, document.body.innerText.slice(0, most)].join("\n");
  }, MOST_TEXT);
  const late = new Promise<string>((given) =>
    setTimeout(given, LOOK_MS, "does not answer").unref(),
  );
  const text = await Promise.race([shown, late]).catch(String);
  const waits = [...(unanswered.get(page) ?? [])].map(
    ([request, since]) => `unanswered for ${Date.now() - since} ms: ${request.url()}`,
  );
  return [`${page.url()}: ${text}`, ...waits].join("\n");
}

/** What the page's notices have said since it was loaded, also those that are gone again. */
export const noticesOf = (page: Page): Promise<string> =>
  page.evaluate(() =>
    (window as unknown as { noticesShown: readonly string[] }).noticesShown.join("\n"),
  );

/** Those that the test has left open. */
export const showOpenPages = (test: string): Promise<void> =>
  showPages(
    test,
    [...opened].flatMap((context) => context.pages()),
  );
