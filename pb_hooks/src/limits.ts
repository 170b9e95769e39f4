/**
 * How much one person, one address or the disk may take. The defaults are generous enough for a
 * family behind one address; `limits` in the settings row `app` overrides any of them.
 *
 * Rates are counted in fixed windows in the server's memory, which all engines share. Wrong
 * sign-ins are such a rate too. Quotas are counted from the rows of unfinished uploads.
 */
import { refusalOf, refuse } from "@hooks/http/refusals";
import { normalEmail } from "@/domain/accounts";
import type { Refusal } from "@/domain/error-codes";
import { IMAGE_MAX_BYTES, VIDEO_MAX_BYTES } from "@/domain/limits";
import { secondsOf } from "@/domain/times";

export const limitHandlers = {
  /** Removes windows that are over, so that memory does not grow with every address seen. */
  forgetOldWindows(): void {
    const now = secondsOf(Date.now());
    const all: Record<string, unknown> = $app.store().getAll();
    for (const key of Object.keys(all)) {
      if (key.startsWith(PREFIX) && parseWindow(all[key], now) === null) $app.store().remove(key);
    }
  },
};

export const DEFAULT_LIMITS = {
  /** Per address. */
  signupsPer10Min: 40,
  wrongLoginsPer5MinIp: 100,
  /** Per account. */
  wrongLoginsPer5MinAccount: 10,
  /** Per user, including messages. */
  writesPerMinute: 600,
  uploadsPerHour: 200,
  reportsPerHour: 30,
  /** Per user, at the same time. */
  openUploads: 20,
  openUploadBytes: 1_073_741_824,
  /** Kept free on the disk that holds the data. */
  minFreeDiskBytes: 524_288_000,
} as const;

type LimitName = keyof typeof DEFAULT_LIMITS;
type RateName = Exclude<LimitName, "openUploads" | "openUploadBytes" | "minFreeDiskBytes">;

/** What the operator has set, by name. */
export const storedLimits = (settings: core.Record): Record<string, unknown> =>
  (JSON.parse(settings.getString("limits") || "{}") ?? {}) as Record<string, unknown>;

/** The operator's limit where it is a number of zero or more, otherwise the default. */
function limitOf(app: CoreApp, name: LimitName): number {
  const value = storedLimits(app.findRecordById("settings", "app"))[name];
  return typeof value === "number" && value >= 0 ? value : DEFAULT_LIMITS[name];
}

const WINDOW_SECONDS: Record<RateName, number> = {
  signupsPer10Min: 600,
  wrongLoginsPer5MinIp: 300,
  wrongLoginsPer5MinAccount: 300,
  writesPerMinute: 60,
  uploadsPerHour: 3600,
  reportsPerHour: 3600,
};
const PREFIX = "limit:";

interface Window {
  until: number;
  count: number;
}

function parseWindow(stored: unknown, now: number): Window | null {
  const [until, count] = String(stored ?? "").split(":");
  const window = { until: Number(until), count: Number(count) };
  return window.until > now && window.count >= 0 ? window : null;
}

/** Takes one of `name` for `who` (an id or an address). Answers 0, or the seconds to wait. */
export function takeOne(app: CoreApp, name: RateName, who: string): number {
  const limit = limitOf(app, name);
  const now = secondsOf(Date.now());
  let wait = 0;
  // Atomic: the callback runs under the store's lock, so parallel requests cannot pass together.
  app.store().setFunc(`${PREFIX}${name}:${who}`, (stored: unknown) => {
    const window = parseWindow(stored, now) ?? { until: now + WINDOW_SECONDS[name], count: 0 };
    if (window.count >= limit) wait = Math.max(1, window.until - now);
    else window.count += 1;
    return `${window.until}:${window.count}`;
  });
  return wait;
}

/** Returns one that was taken, for a sign-in that turned out right. */
function giveBack(app: CoreApp, name: RateName, who: string): void {
  const now = secondsOf(Date.now());
  app.store().setFunc(`${PREFIX}${name}:${who}`, (stored: unknown) => {
    const window = parseWindow(stored, now);
    return window === null ? "" : `${window.until}:${Math.max(0, window.count - 1)}`;
  });
}

/** Answers 429 with the seconds to wait. */
export function refuseTooMany(e: core.RequestEvent, seconds: number): void {
  e.response?.header().set("Retry-After", String(seconds));
  refuse(e, refusalOf("rate_limited"));
}

const PER_ADDRESS = "wrongLoginsPer5MinIp";
const PER_ACCOUNT = "wrongLoginsPer5MinAccount";

interface Attempt {
  /** Seconds to wait; 0 when the attempt may go on. */
  wait: number;
  /** To be called when the password was right. */
  succeed: () => void;
}

/** Counts an attempt as wrong before it is made, so that parallel ones cannot pass together. */
export function beginAttempt(app: CoreApp, address: string, account: string): Attempt {
  const fromAddress = takeOne(app, PER_ADDRESS, address);
  if (fromAddress > 0) return { wait: fromAddress, succeed: () => {} };
  const onAccount = takeOne(app, PER_ACCOUNT, account);
  if (onAccount > 0) giveBack(app, PER_ADDRESS, address);
  return {
    wait: onAccount,
    succeed: () => {
      giveBack(app, PER_ADDRESS, address);
      giveBack(app, PER_ACCOUNT, account);
    },
  };
}

/** The account's key in the limits, whether or not the account exists. */
export const accountKey = (collection: string, email: string): string =>
  `${collection}:${normalEmail(email)}`;

/** Why a file of `size` bytes cannot be uploaded, going by the type that the client names. */
export function sizeFault(size: number, filetype: string): Refusal | null {
  if (size === 0) return refusalOf("file_empty");
  if (filetype.startsWith("image/") && size > IMAGE_MAX_BYTES) return refusalOf("image_too_large");
  return size > VIDEO_MAX_BYTES ? refusalOf("video_too_large") : null;
}

interface OpenUploads {
  n: number;
  bytes: number;
}

/** Why `owner` cannot upload `size` bytes more. Ask in the transaction that creates the upload. */
export function quotaFault(app: CoreApp, owner: string, size: number): Refusal | null {
  const open = new DynamicModel({ n: 0, bytes: 0 }) as unknown as OpenUploads;
  app
    .db()
    .newQuery(
      "SELECT count(*) AS n, COALESCE(sum(size), 0) AS bytes FROM uploads WHERE owner = {:owner}",
    )
    .bind({ owner })
    .one(open);
  const isFull =
    open.n >= limitOf(app, "openUploads") || open.bytes + size > limitOf(app, "openUploadBytes");
  return isFull ? refusalOf("quota") : null;
}

/** Why `size` bytes more do not fit on the disk that holds the data. */
export function diskFault(app: CoreApp, size: number): Refusal | null {
  const free = freeDiskBytes(app.dataDir());
  const isFull = free !== null && free - size < limitOf(app, "minFreeDiskBytes");
  return isFull ? refusalOf("storage_full") : null;
}

/** Bytes free on the disk that holds `dir`, or null where the system has no `df`. */
function freeDiskBytes(dir: string): number | null {
  try {
    // POSIX format: a line per file system, 1,024-byte blocks, available ones in the fourth column.
    const lines = toString($os.cmd("df", "-Pk", dir).output())
      .trim()
      .split("\n");
    const blocks = Number((lines[lines.length - 1] ?? "").split(/\s+/)[3]);
    return Number.isFinite(blocks) ? blocks * 1024 : null;
  } catch {
    return null;
  }
}

/** Whether a write failed because the disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  /no space left|disk quota exceeded|disk is full/i.test(String(error));
