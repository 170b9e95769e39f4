/**
 * The built app on a real server, and real browsers to use it: Debian's Chromium, each with a profile folder of its own that
 * outlives a restart of the browser and is deleted with the test process.
 */
import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { findChromium } from "@scripts/browsers.mjs";
import { DIST_DIR, inRoot } from "@scripts/checkout.mjs";
import {
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { PAGE_MS } from "./patience";
import { type PocketBase, type StartOptions, startPocketBase, temporaryFolder } from "./pocketbase";

/** No traffic of the browser's own, and no GPU or sandbox, which a container does not have. */
export const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export type App = PocketBase;

/** Builds the app where it is stale, and serves a copy of it, so that a later build does not pull it away. */
export async function startApp(options: StartOptions = {}): Promise<App> {
  await promisify(execFile)(process.execPath, [inRoot("scripts/build.mjs")]);
  const publicDir = path.join(temporaryFolder(), "dist");
  await cp(DIST_DIR, publicDir, { recursive: true, preserveTimestamps: true });
  return startPocketBase({ publicDir, ...options });
}

export interface ProfileOptions extends BrowserContextOptions {
  /** Where the browser keeps its data; a new temporary folder unless given. */
  folder?: string;
  /**
   * Whether a start begins with the frame of the last visit (app/first-paint/frame.ts). Off unless
   * given: a locator that looks for a text would find it there and in the app beneath.
   */
  frames?: boolean;
}

/** Before any script of the page: nothing was put away. */
const WITHOUT_FRAMES = `try {
  for (const key of Object.keys(localStorage))
    if (key.startsWith("augenblick.frame.")) localStorage.removeItem(key);
} catch {}`;

/** One person's browser. */
export interface Profile {
  folder: string;
  readonly context: BrowserContext;
  /** The first tab. */
  readonly page: Page;
  /** What pages threw and did not catch, since the profile was opened. */
  errors: string[];
  close(): Promise<void>;
  /** Ends the browser and starts it again with the same data. */
  reopen(): Promise<void>;
}

/** Starts a browser of its own, as on a device of its own. The folder is also its HOME. */
export async function openProfile(options: ProfileOptions = {}): Promise<Profile> {
  const { folder = temporaryFolder("augenblick-profile-"), frames, ...contextOptions } = options;
  const executablePath = await findChromium();
  const errors: string[] = [];
  const launch = async () => {
    const started = await chromium.launchPersistentContext(folder, {
      executablePath,
      headless: true,
      args: CHROMIUM_FLAGS,
      env: { ...process.env, HOME: folder } as Record<string, string>,
      serviceWorkers: "allow",
      ...contextOptions,
    });
    started.setDefaultTimeout(PAGE_MS);
    if (frames !== true) await started.addInitScript(WITHOUT_FRAMES);
    started.on("weberror", (error) => errors.push(String(error.error())));
    started.on("console", (line) => {
      const isOurFault = /Trusted(?:HTML|Script|TypePolicy)|RxDB Open Core/.test(line.text());
      if (isOurFault) errors.push(line.text());
    });
    return started;
  };
  const firstPage = async (from: BrowserContext) => from.pages()[0] ?? from.newPage();

  let context = await launch();
  let page = await firstPage(context);
  return {
    folder,
    get context() {
      return context;
    },
    get page() {
      return page;
    },
    errors,
    close: () => context.close(),
    reopen: async () => {
      await context.close();
      context = await launch();
      page = await firstPage(context);
    },
  };
}
