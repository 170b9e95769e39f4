/**
 * How much one person or one address may do. The defaults are generous enough that a family behind one address never
 * meets them; `limits` in the settings row `app` overrides any of them. Counts live in the server's memory, shared by all engines.
 */
import { type Refusal, refuse } from "./refuse";

export const DEFAULT_LIMITS = {
  /** Per address. */
  signupsPer10Min: 40,
  wrongLoginsPer5MinIp: 100,
  /** Per account. */
  wrongLoginsPer5MinAccount: 10,
  /** Per user, messages among them. */
  writesPerMinute: 600,
  uploadsPerHour: 200,
  reportsPerHour: 30,
  /** Per user, at the same time. */
  openUploads: 20,
  openUploadBytes: 1_073_741_824,
  /** Of the disk that holds the data. */
  minFreeDiskBytes: 524_288_000,
} as const;

export type LimitName = keyof typeof DEFAULT_LIMITS;
export type RateName = Exclude<LimitName, "openUploads" | "openUploadBytes" | "minFreeDiskBytes">;

const WINDOW_SECONDS: Record<RateName, number> = {
  signupsPer10Min: 600,
  wrongLoginsPer5MinIp: 300,
  wrongLoginsPer5MinAccount: 300,
  writesPerMinute: 60,
  uploadsPerHour: 3600,
  reportsPerHour: 3600,
};
const PREFIX = "limit:";

/** The limit in force: the operator's, where it is a number of zero or more, otherwise the default. */
export function limitOf(app: CoreApp, name: LimitName): number {
  const row = app.findRecordById("settings", "app");
  const own: unknown = JSON.parse(row.getString("limits") || "{}");
  const value = own === null ? undefined : (own as Record<string, unknown>)[name];
  return typeof value === "number" && value >= 0 ? value : DEFAULT_LIMITS[name];
}

interface Window {
  until: number;
  count: number;
}

function parseWindow(stored: unknown, now: number): Window | null {
  const [until, count] = String(stored ?? "").split(":");
  const window = { until: Number(until), count: Number(count) };
  return window.until > now && window.count >= 0 ? window : null;
}

/** Takes one of `name` for `who` (an id or an address). Answers 0, or the seconds to wait when none is left. */
export function takeOne(app: CoreApp, name: RateName, who: string): number {
  const limit = limitOf(app, name);
  const now = Math.floor(Date.now() / 1000);
  let wait = 0;
  // Atomic: the callback runs under the store's lock, so that many at once cannot pass together.
  app.store().setFunc(`${PREFIX}${name}:${who}`, (stored: unknown) => {
    const window = parseWindow(stored, now) ?? { until: now + WINDOW_SECONDS[name], count: 0 };
    if (window.count >= limit) wait = Math.max(1, window.until - now);
    else window.count += 1;
    return `${window.until}:${window.count}`;
  });
  return wait;
}

/** Gives back one that was taken: a sign-in that turned out right. */
export function giveBack(app: CoreApp, name: RateName, who: string): void {
  const now = Math.floor(Date.now() / 1000);
  app.store().setFunc(`${PREFIX}${name}:${who}`, (stored: unknown) => {
    const window = parseWindow(stored, now);
    return window === null ? "" : `${window.until}:${Math.max(0, window.count - 1)}`;
  });
}

/** Removes the windows that are over, so that the memory does not grow with every address seen. */
export function forgetOldWindows(): void {
  const now = Math.floor(Date.now() / 1000);
  const all: Record<string, unknown> = $app.store().getAll();
  for (const key of Object.keys(all)) {
    if (key.startsWith(PREFIX) && parseWindow(all[key], now) === null) $app.store().remove(key);
  }
}

const TOO_MANY: Refusal = {
  status: 429,
  code: "rate_limited",
  message: "Too many attempts. Please wait a moment before trying again.",
};

/** 429 with the seconds to wait. */
export function refuseTooMany(e: core.RequestEvent, seconds: number): void {
  e.response?.header().set("Retry-After", String(seconds));
  refuse(e, TOO_MANY);
}
