/**
 * How much one person, one address or the disk may take. The defaults are generous enough for a
 * family behind one address; `limits` in the settings row `app` overrides any of them.
 *
 * Requests of an address are counted by PocketBase's own limiter, before any of our code runs: its
 * rules are written from ours (`writeRateRules`). What is about accounts is counted here, in fixed
 * windows in the server's memory, which all engines share; wrong sign-ins too. Quotas are counted
 * from the rows of unfinished uploads.
 */
import { refusalOf, refuse } from "@hooks/http/refusals";
import { keepSettings, keptSettings, requestOf } from "@hooks/http/request";
import { normalEmail } from "@/domain/accounts";
import type { Refusal } from "@/domain/error-codes";
import { IMAGE_MAX_BYTES, VIDEO_MAX_BYTES } from "@/domain/limits";
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
      if (key.startsWith(TURNS) && !parseTurns(all[key], now)) $app.store().remove(key);
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
  pagesPer10Sec: 1_000,
  /** Per address: a page of the feed costs as much as it has rows. */
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
  rule(`*:${action}`, "requestsPer10Sec", "@auth"),
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

/**
 * Who an address is for the limits. Of IPv6 the first half counts: everybody at home has millions
 * of the other.
 */
export function addressOf(e: core.RequestEvent): string {
  const address = e.realIP();
  if (!address.includes(":") || address.includes(".")) return address;
  const [before = "", after] = address.split("::");
  const head = before.split(":");
  const tail = after === undefined ? [] : after.split(":");
  const zeros = Array(Math.max(0, 8 - head.length - tail.length)).fill("0");
  return [...head, ...zeros, ...tail]
    .slice(0, 4)
    .map((part) => Number.parseInt(part || "0", 16))
    .join(":");
}

const TURNS = "turns:";
/** So many more of an address wait, and no longer than this, milliseconds. */
const WAITING_MOST = 16;
const WAITING_MS = 5_000;
const LOOK_MS = 5;
/** What a crash of a handler left is forgotten after so many seconds. */
const STALE_SECONDS = 60;

interface Turns {
  running: number;
  waiting: number;
}

/** `at`: when a turn last began or ended. Null where that is so long ago that a handler crashed. */
function parseTurns(stored: unknown, now: number): (Turns & { at: number }) | null {
  const [running = 0, waiting = 0, at = 0] = String(stored ?? "")
    .split(":")
    .map(Number);
  return now - at < STALE_SECONDS ? { running, waiting, at } : null;
}

/** Changes how many run and wait; answers false, and changes nothing, where that is too many. */
function shift(app: CoreApp, key: string, { running, waiting }: Turns, most: number): boolean {
  const now = secondsOf(Date.now());
  let done = false;
  app.store().setFunc(key, (stored: unknown) => {
    const turns = parseTurns(stored, now) ?? { running: 0, waiting: 0, at: now };
    const next = {
      running: Math.max(0, turns.running + running),
      waiting: Math.max(0, turns.waiting + waiting),
    };
    done = (running <= 0 || next.running <= most) && (waiting <= 0 || next.waiting <= WAITING_MOST);
    const kept = done ? next : turns;
    // Whoever asks and waits must not keep a crashed handler's turn.
    const at = done && running !== 0 ? now : turns.at;
    return `${kept.running}:${kept.waiting}:${at}`;
  });
  return done;
}

const START: Turns = { running: 1, waiting: 0 };
const END: Turns = { running: -1, waiting: 0 };
const WAIT: Turns = { running: 0, waiting: 1 };
const LEAVE: Turns = { running: 0, waiting: -1 };
const BEGIN: Turns = { running: 1, waiting: -1 };

/**
 * Runs `read` as one of a few of the caller's address: each takes a connection to the database, and
 * a hundred at once cost five times as much as one after another. Answers 429 and null where too
 * many wait. The answer is written after the turn, because a slow reader takes long.
 */
export function inTurn<T>(e: core.RequestEvent, read: () => T): T | null {
  const app = e.app as CoreApp;
  const key = `${TURNS}${addressOf(e)}`;
  const most = Math.max(1, limitOf(app, "readsAtOnce"));
  if (!shift(app, key, START, most) && !awaitTurn(app, key, most)) {
    refuseTooMany(requestOf(e), 1);
    return null;
  }
  try {
    return read();
  } finally {
    shift(app, key, END, most);
  }
}

function awaitTurn(app: CoreApp, key: string, most: number): boolean {
  if (!shift(app, key, WAIT, most)) return false;
  for (let waited = 0; waited < WAITING_MS; waited += LOOK_MS) {
    sleep(LOOK_MS);
    if (shift(app, key, BEGIN, most)) return true;
  }
  shift(app, key, LEAVE, most);
  return false;
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

/** Why a file of `size` bytes cannot be uploaded, going by the type that the client names. */
export function sizeFault(size: number, filetype: string): Refusal | null {
  if (size === 0) return refusalOf("file_empty");
  if (filetype.startsWith("image/") && size > IMAGE_MAX_BYTES) return refusalOf("image_too_large");
  return size > VIDEO_MAX_BYTES ? refusalOf("video_too_large") : null;
}

interface Stored {
  /** Unfinished uploads. */
  n: number;
  open: number;
  kept: number;
}

/** SQL for the bytes of the media and chat photos of the person whose id is `owner`, in SQL. */
export const storedSql = (owner: string): string =>
  `(SELECT COALESCE(sum(fileSize + subtitlesSize), 0) FROM media WHERE userId = ${owner}) +
   (SELECT COALESCE(sum(photoSize), 0) FROM messages WHERE senderId = ${owner} AND photoSize > 0)`;

/** Bytes that `owner` has on the server, and those announced by unfinished uploads. */
function storedBy(app: CoreApp, owner: string): Stored {
  const stored = new DynamicModel({ n: 0, open: 0, kept: 0 }) as unknown as Stored;
  app
    .db()
    .newQuery(
      `SELECT count(*) AS n, COALESCE(sum(size), 0) AS open,
       ${storedSql("{:owner}")} AS kept
       FROM uploads WHERE owner = {:owner}`,
    )
    .bind({ owner })
    .one(stored);
  return stored;
}

/** What Settings tell: bytes used, and bytes that may be. */
export function storageOf(app: CoreApp, owner: string): { used: number; limit: number } {
  const { kept, open } = storedBy(app, owner);
  return { used: kept + open, limit: limitOf(app, "storageBytes") };
}

/**
 * Why `owner` cannot upload `size` bytes more. Ask in the transaction that creates the upload. What
 * a superuser imports may be more than a person may store.
 */
export function quotaFault(
  app: CoreApp,
  { owner, size, isImport }: { owner: string; size: number; isImport: boolean },
): Refusal | null {
  const { n, open, kept } = storedBy(app, owner);
  const isFull =
    n >= limitOf(app, "openUploads") ||
    open + size > limitOf(app, "openUploadBytes") ||
    (!isImport && kept + open + size > limitOf(app, "storageBytes"));
  return isFull ? refusalOf("quota") : null;
}

/**
 * Why what `owner` has stored cannot grow by `size` bytes. Ask before storing them, one at a time.
 */
export function growthFault(app: CoreApp, owner: string, size: number): Refusal | null {
  const { used, limit } = storageOf(app, owner);
  return size > 0 && used + size > limit ? refusalOf("quota") : diskFault(app, size, 0);
}

/**
 * Why `size` bytes more do not fit on the disk that holds the data. `received` are the bytes that
 * unfinished uploads have by now: the rest of what they announced is still to come.
 */
export function diskFault(app: CoreApp, size: number, received: number): Refusal | null {
  const disk = diskOf(app.dataDir());
  if (disk === null) return null;
  const announced = new DynamicModel({ bytes: 0 }) as unknown as { bytes: number };
  app.db().newQuery("SELECT COALESCE(sum(size), 0) AS bytes FROM uploads").one(announced);
  const promised = Math.max(0, announced.bytes - received);
  const isFull = disk.free - promised - size < limitOf(app, "minFreeDiskBytes");
  return isFull ? refusalOf("storage_full") : null;
}

/** Bytes of the disk that holds `dir`, or null where the system has no `df`. */
export function diskOf(dir: string): { free: number; used: number } | null {
  try {
    // POSIX format: a line per file system, 1,024-byte blocks, used and available ones in the third
    // and fourth column.
    const lines = toString($os.cmd("df", "-Pk", dir).output())
      .trim()
      .split("\n");
    const columns = (lines[lines.length - 1] ?? "").split(/\s+/);
    const [used, free] = [Number(columns[2]) * 1024, Number(columns[3]) * 1024];
    return Number.isFinite(used) && Number.isFinite(free) ? { used, free } : null;
  } catch {
    return null;
  }
}

/** Whether a write failed because the disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  /no space left|disk quota exceeded|disk is full/i.test(String(error));
