/**
 * How much one person, one address or the disk may take. The defaults are generous enough for a
 * family behind one address; `limits` in the settings row `app` overrides any of them.
 *
 * Requests of an address are counted by PocketBase's own limiter, before any of our code runs: its
 * rules are written from ours (`writeRateRules`). What is about accounts is counted here, in fixed
 * windows in the server's memory, which all engines share; wrong sign-ins too. What may be stored
 * is in quotas.ts, and how much runs at the same time in turns.ts.
 */
import { refusalOf, refuse } from "@hooks/http/refusals";
import { keepSettings, keptSettings } from "@hooks/http/request";
import { normalEmail } from "@/domain/accounts";
import { secondsOf } from "@/domain/times";

export const limitHandlers = {
  /**
   * At start. In a database that lacks the mails' migration, that one adds rules to those it finds,
   * and fails where it finds its own; a later one brings them up to date.
   */
  writeRateRules(e: core.BootstrapEvent): void {
    e.next();
    if (e.app.hasTable("_mails")) writeRules(e.app as CoreApp);
  },

  followLimits(e: core.RecordEvent): void {
    const row = e.record?.id === "app" ? e.record : null;
    // First, because the handlers that follow read them.
    if (row !== null) keepSettings(e.app, row);
    e.next();
    if (row !== null) writeRules(e.app);
  },

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
  /** Per address, in PocketBase's limiter. */
  requestsPer10Sec: 600,
  listsPer10Sec: 120,
  syncsPer10Sec: 400,
  searchesPer10Sec: 60,
  filesPer10Sec: 3_000,
  guestWritesPer10Sec: 10,
  writesPer10Sec: 200,
  pagesPer10Sec: 1_000,
  /** Per address: an answer costs as much as it has rows. */
  listRowsPer10Sec: 10_000,
  syncRowsPer10Sec: 40_000,
  /** Per address, at the same time; a few more wait for their turn. */
  readsAtOnce: 1,
  /** Per address. */
  signupsPer10Min: 40,
  signInsPerMinute: 120,
  wrongLoginsPer5MinIp: 100,
  streamsPerAddress: 50,
  /** Per address: requests for a mail of one kind. */
  mailRequestsPer10Min: 20,
  /** Per address and medium. */
  viewsPerHour: 30,
  /** Per account and address. */
  wrongLoginsPer5MinAccount: 10,
  /** Per account. */
  streamsPerAccount: 10,
  /** Per account and kind of mail. */
  mailsPerHour: 10,
  /** Per user, including messages. */
  writesPerMinute: 600,
  uploadsPerHour: 200,
  reportsPerHour: 30,
  /** Per user, at the same time. */
  openUploads: 20,
  openUploadBytes: 1_073_741_824,
  /** Per user: files of media and chat photos, and what unfinished uploads have announced. */
  storageBytes: 5_368_709_120,
  /** Kept free on the disk that holds the data. */
  minFreeDiskBytes: 524_288_000,
} as const;

type LimitName = keyof typeof DEFAULT_LIMITS;
type RateName = keyof typeof WINDOW_SECONDS;

interface Rule {
  audience: "" | "@guest" | "@auth";
  /** A path or its beginning, or `collection:action`. The first that fits counts. */
  label: string;
  limit: LimitName;
  /** Seconds. */
  duration: number;
  times: number;
}

const rule = (label: string, limit: LimitName, audience: Rule["audience"] = ""): Rule => ({
  label,
  audience,
  limit,
  duration: 10,
  times: 1,
});

const MAIL_REQUESTS = ["requestPasswordReset", "requestVerification", "requestOTP"];

const WRITES = ["create", "update", "delete"].flatMap((action): Rule[] => [
  // A guest can only sign up. What else he sends to records is refused, after it was parsed.
  rule(`*:${action}`, "guestWritesPer10Sec", "@guest"),
  // Ours are counted per account.
  rule(`*:${action}`, "writesPer10Sec", "@auth"),
]);

const RULES: readonly Rule[] = [
  ...WRITES,
  ...MAIL_REQUESTS.map((action) => ({
    ...rule(`*:${action}`, "mailRequestsPer10Min"),
    duration: 600,
  })),
  // Here too, although handlers count them by halves of IPv6: those come after the password was
  // hashed.
  { ...rule("users:create", "signupsPer10Min"), duration: 600 },
  // One that listens to nothing is counted nowhere else, and lives for two minutes at most. HEAD
  // opens one, too. All of a house may come back four times in a minute.
  ...["GET", "HEAD"].map((method) => ({
    ...rule(`${method} /api/realtime`, "streamsPerAddress"),
    duration: 60,
    times: 4,
  })),
  rule("/api/sync", "syncsPer10Sec"),
  rule("/api/search", "searchesPer10Sec"),
  rule("/api/collections/", "listsPer10Sec"),
  rule("/api/following/", "listsPer10Sec"),
  rule("/api/tags/", "listsPer10Sec"),
  rule("/api/explore", "listsPer10Sec"),
  rule("/api/files/", "filesPer10Sec"),
  rule("/api/", "requestsPer10Sec"),
  rule("/", "pagesPer10Sec"),
];

const keyOf = (rule: { label: string; audience: string; maxRequests: number }) =>
  `${rule.label} ${rule.audience} ${rule.maxRequests}`;

/** Brings the rules of PocketBase's limiter up to date. */
function writeRules(app: CoreApp): void {
  const settings = app.settings();
  const rules = RULES.map(({ label, audience, limit, duration, times }) => ({
    label,
    audience,
    duration,
    maxRequests: Math.max(1, limitOf(app, limit) * times),
  }));
  const { rateLimits } = settings;
  const known = Array.from(rateLimits.rules, keyOf);
  const wanted = rules.map(keyOf);
  if (rateLimits.enabled && JSON.stringify(known) === JSON.stringify(wanted)) return;
  rateLimits.enabled = true;
  rateLimits.rules = rules as unknown as typeof rateLimits.rules;
  app.save(settings);
}

/** The operator's limit where it is a number of zero or more, otherwise the default. */
export function limitOf(app: CoreApp, name: LimitName): number {
  const value = keptSettings(app).limits[name];
  return typeof value === "number" && value >= 0 ? value : DEFAULT_LIMITS[name];
}

const WINDOW_SECONDS = {
  listsPer10Sec: 10,
  syncsPer10Sec: 10,
  searchesPer10Sec: 10,
  listRowsPer10Sec: 10,
  syncRowsPer10Sec: 10,
  signupsPer10Min: 600,
  signInsPerMinute: 60,
  viewsPerHour: 3600,
  mailsPerHour: 3600,
  wrongLoginsPer5MinIp: 300,
  wrongLoginsPer5MinAccount: 300,
  writesPerMinute: 60,
  uploadsPerHour: 3600,
  reportsPerHour: 3600,
} as const;
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
export const takeOne = (app: CoreApp, name: RateName, who: string): number =>
  takeSome(app, { name, who, count: 1 });

/** The last that is taken may go beyond the limit, so that nothing is too large to be had. */
export function takeSome(
  app: CoreApp,
  { name, who, count }: { name: RateName; who: string; count: number },
): number {
  const rate = { limit: limitOf(app, name), seconds: WINDOW_SECONDS[name], count };
  return takeFrom(app, `${name}:${who}`, rate);
}

interface Rate {
  limit: number;
  seconds: number;
  count: number;
}

function takeFrom(app: CoreApp, key: string, { limit, seconds, count }: Rate): number {
  const now = secondsOf(Date.now());
  if (count === 0) {
    const window = parseWindow(app.store().get(`${PREFIX}${key}`), now);
    return window !== null && window.count >= limit ? Math.max(1, window.until - now) : 0;
  }
  let wait = 0;
  // Atomic: the callback runs under the store's lock, so parallel requests cannot pass together.
  app.store().setFunc(`${PREFIX}${key}`, (stored: unknown) => {
    const window = parseWindow(stored, now) ?? { until: now + seconds, count: 0 };
    if (window.count >= limit) wait = Math.max(1, window.until - now);
    else window.count += count;
    return `${window.until}:${window.count}`;
  });
  return wait;
}

export const isHalved = (address: string): boolean =>
  address.includes(":") && !address.includes(".");

/**
 * Who an address is for the limits. Of IPv6 the first half counts: everybody at home has millions
 * of the other.
 */
export function addressOf(e: core.RequestEvent): string {
  const address = e.realIP();
  if (!isHalved(address)) return address;
  const [before = "", after] = address.split("::");
  const head = before.split(":");
  const tail = after === undefined ? [] : after.split(":");
  const zeros = Array(Math.max(0, 8 - head.length - tail.length)).fill("0");
  return [...head, ...zeros, ...tail]
    .slice(0, 4)
    .map((part) => Number.parseInt(part || "0", 16))
    .join(":");
}

/** Returns one that was taken, for a sign-in that turned out right. */
function giveBack(app: CoreApp, name: RateName | "code", who: string): void {
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

/** As PocketBase counts the codes of an account. */
const CODES: Rate = { limit: 5, seconds: 180, count: 1 };

/** Counts a code of the account `id` as wrong before it is looked at. */
export const beginCode = (app: CoreApp, id: string): Attempt => ({
  wait: takeFrom(app, `code:${id}`, CODES),
  succeed: () => giveBack(app, "code", id),
});

/**
 * Counts an attempt as wrong before it is made, so that parallel ones cannot pass together. The
 * guesses at an account are counted for each address, or a stranger could lock its owner out. Those
 * from a `device` that is, or was, signed in to it are counted by themselves, for others may share
 * its address.
 */
export function beginAttempt(
  app: CoreApp,
  address: string,
  accountName: string,
  device = "",
): Attempt {
  const account = `${accountName} ${device || address}`;
  // A stolen token opens any number of sessions: an account's devices have this one in common.
  const place = device === "" ? address : accountName;
  const fromAddress = takeOne(app, "signInsPerMinute", address) || takeOne(app, PER_ADDRESS, place);
  if (fromAddress > 0) return { wait: fromAddress, succeed: () => {} };
  const onAccount = takeOne(app, PER_ACCOUNT, account);
  if (onAccount > 0) giveBack(app, PER_ADDRESS, place);
  return {
    wait: onAccount,
    succeed: () => {
      giveBack(app, PER_ADDRESS, place);
      giveBack(app, PER_ACCOUNT, account);
    },
  };
}

/** The account's key in the limits, whether or not the account exists. */
export const accountKey = (collection: string, email: string): string =>
  `${collection}:${normalEmail(email)}`;
