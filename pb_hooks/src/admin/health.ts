/**
 * A look at the place from inside: settings, disk, the database's statistics, slow requests,
 * counters and the sequence. It changes nothing. The panel's Health and `npm run doctor` both ask
 * here. Of each day a few figures are kept in `_health` (day, name, n) for the panel's charts;
 * counters and sequence of a large place are looked at once a night, because that reads all rows.
 */
import { answer } from "@hooks/http/refusals";
import { limitOf } from "@hooks/limits";
import { isMailSet } from "@hooks/mail";
import { diskOf } from "@hooks/quotas";
import {
  HEALTH_FIGURES,
  HEALTH_FINDINGS,
  type HealthCode,
  type HealthFinding,
} from "@/domain/health";
import { admitAdmin } from "./pages";

export const healthHandlers = {
  /** `GET /api/admin/health`: `{findings, days}`; the last thirty days (UTC), oldest first. */
  adminHealth(e: core.RequestEvent): void {
    if (!admitAdmin(e)) return;
    const app = e.app as CoreApp;
    const isSmall = numberOf(app, "SELECT count(*) AS n FROM media") < LOOKED_AT_ONCE;
    const whole = isSmall ? lookAtRows(app) : lastLook(app);
    answer(e, 200, { findings: [...lookAtPlace(app), ...whole], days: readDays(app) });
  },

  /** Each half hour. */
  keepHealth(): void {
    const app = $app as CoreApp;
    const day = dayOf(0);
    const { requests, slow } = readTraffic(app, `${day} 00:00:00.000Z`);
    const disk = diskOf(app.dataDir());
    const figures = { requests, slow, diskFree: disk?.free, diskUsed: disk?.used };
    for (const [name, n] of Object.entries(figures)) if (n !== undefined) keep(app, day, name, n);
    const oldest = dayOf(KEPT_DAYS);
    app.db().newQuery("DELETE FROM _health WHERE day < {:oldest}").bind({ oldest }).execute();
  },

  /** Each night. */
  keepNightlyHealth(): void {
    const app = $app as CoreApp;
    keep(app, dayOf(0), "wrongCounters", wrongCounters(app));
    keep(app, dayOf(0), "brokenSequence", brokenSequence(app));
  },
};

/** For `npm run doctor`, which also tries what these settings name. */
export function examine(app: CoreApp) {
  const { smtp, s3, meta, backups } = app.settings();
  return {
    findings: [...lookAtPlace(app), ...lookAtRows(app)],
    appUrl: meta.appURL,
    smtp: JSON.parse(JSON.stringify(smtp)) as unknown,
    s3: JSON.parse(JSON.stringify(s3)) as unknown,
    backupsCron: backups.cron,
    migrations: filesApplied(app),
  };
}

/** Gives each counter the number of its rows, and answers how many were wrong. */
export function recount(app: CoreApp): number {
  let wrong = 0;
  app.runInTransaction((tx) => {
    const run = (sql: string) => tx.db().newQuery(sql).execute();
    wrong = wrongCounters(tx as CoreApp);
    // Without it the triggers would put the old numbers back.
    run("UPDATE _seq SET guard = guard + 1");
    for (const [table, column, rows] of COUNTERS) {
      const count = `(SELECT count(*) FROM ${rows})`;
      run(`UPDATE ${table} AS t SET ${column} = ${count} WHERE ${column} IS NOT ${count}`);
    }
    for (const [name, rows] of TOTALS)
      run(`UPDATE _counts SET n = (SELECT count(*) FROM ${rows}) WHERE name = '${name}'`);
    run("UPDATE _seq SET guard = guard - 1");
  });
  return wrong;
}

const DAY_MS = 86_400_000;
const DAYS = 30;
const KEPT_DAYS = 400;
/** Media up to which the panel looks at all rows while somebody waits. */
const LOOKED_AT_ONCE = 20_000;
const SLOW_MS = 1_000;
/** Rows from which SQLite needs statistics, and how far they may be behind. */
const LARGE_ROWS = 1_000;
const STALE_TIMES = 10;

const dayOf = (back: number): string =>
  new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10);

function numberOf(app: CoreApp, query: string, binds: Record<string, string> = {}): number {
  const row = new DynamicModel({ n: 0 }) as unknown as { n: number };
  app.db().newQuery(query).bind(binds).one(row);
  return Number(row.n);
}

const found = (code: HealthCode, values: HealthFinding["values"] = {}): HealthFinding => ({
  code,
  level: HEALTH_FINDINGS[code],
  values,
});

/** What costs little. */
const lookAtPlace = (app: CoreApp): HealthFinding[] => [
  lookAtUrl(app),
  lookAtProxy(app),
  found(app.settings().rateLimits.enabled ? "limits_good" : "limits_off"),
  lookAtBackups(app),
  lookAtMail(app),
  lookAtFiles(app),
  ...lookAtDisk(app),
  lookAtStatistics(app),
  lookAtTraffic(app),
];

/** Only the machine itself reaches these. */
const isLocal = (url: string): boolean =>
  url === "" || /^https?:\/\/(localhost|127\.|\[::1\])/.test(url);

function lookAtUrl(app: CoreApp): HealthFinding {
  const url = app.settings().meta.appURL;
  if (isLocal(url)) return found("url_missing", { url });
  return found(url.startsWith("https://") ? "url_good" : "url_plain", { url });
}

function lookAtProxy(app: CoreApp): HealthFinding {
  const { meta, trustedProxy } = app.settings();
  const [header = ""] = Array.from(trustedProxy.headers ?? []);
  if (header !== "") return found("proxy_good", { header: String(header) });
  // PocketBase that holds the certificate itself sees people's own addresses.
  const isDirect = $os.args.some((arg) => String(arg).startsWith("--https="));
  return found(isLocal(meta.appURL) || isDirect ? "proxy_none" : "proxy_missing");
}

function lookAtBackups(app: CoreApp): HealthFinding {
  if ($os.getenv("REPLICA_URL").trim() !== "") return found("backups_stream");
  const { cron } = app.settings().backups;
  return cron === "" ? found("backups_none") : found("backups_good", { cron });
}

function lookAtMail(app: CoreApp): HealthFinding {
  if (!isMailSet(app)) return found("mail_off");
  const waiting = numberOf(app, "SELECT count(*) AS n FROM _mails WHERE tries > 0");
  if (waiting > 0) return found("mail_waiting", { n: waiting });
  return found("mail_good", { host: app.settings().smtp.host });
}

function lookAtFiles(app: CoreApp): HealthFinding {
  const { enabled, bucket } = app.settings().s3;
  return enabled ? found("files_bucket", { bucket }) : found("files_disk");
}

function lookAtDisk(app: CoreApp): HealthFinding[] {
  const disk = diskOf(app.dataDir());
  if (disk === null) return [];
  // Uploads are refused below this limit: twice as much is when to act.
  const needed = 2 * limitOf(app, "minFreeDiskBytes");
  return [found(disk.free < needed ? "disk_low" : "disk_good", { bytes: disk.free, needed })];
}

/** Large tables without statistics, or with those of a much smaller one. */
function lookAtStatistics(app: CoreApp): HealthFinding {
  const isThere = app.hasTable("sqlite_stat1");
  const old = COUNTED_TABLES.filter((table) => {
    const rows = numberOf(app, `SELECT count(*) AS n FROM ${table}`);
    if (rows < LARGE_ROWS) return false;
    const known = isThere
      ? numberOf(
          app,
          `SELECT COALESCE(max(CAST(stat AS INTEGER)), 0) AS n FROM sqlite_stat1
           WHERE tbl = {:table}`,
          { table },
        )
      : 0;
    return known * STALE_TIMES < rows;
  });
  if (old.length === 0) return found("statistics_good");
  return found("statistics_old", { tables: old.join(", ") });
}

const COUNTED_TABLES = ["users", "media", "comments", "likes", "follows", "messages"];

interface Traffic {
  requests: number;
  slow: number;
  worst: number;
}

/** Requests in the log since then. Streams and files take as long as their clients let them. */
function readTraffic(app: CoreApp, since: string): Traffic {
  const row = new DynamicModel({ requests: 0, slow: 0, worst: -0.1 }) as unknown as Traffic;
  app
    .auxDB()
    .newQuery(
      `SELECT count(*) AS requests, COALESCE(sum(short AND ms > ${SLOW_MS}), 0) AS slow,
         COALESCE(max(iif(short, ms, 0)), 0.0) AS worst
       FROM (SELECT CAST(json_extract(data, '$.execTime') AS REAL) AS ms,
           json_extract(data, '$.url') NOT LIKE '/api/realtime%'
             AND json_extract(data, '$.url') NOT LIKE '/api/uploads%'
             AND json_extract(data, '$.url') NOT LIKE '/api/files%' AS short
         FROM _logs WHERE created >= {:since} AND json_extract(data, '$.type') = 'request')`,
    )
    .bind({ since })
    .one(row);
  return { requests: row.requests, slow: row.slow, worst: Number(row.worst) };
}

function lookAtTraffic(app: CoreApp): HealthFinding {
  const since = new Date(Date.now() - DAY_MS).toISOString().replace("T", " ");
  const { requests, slow, worst } = readTraffic(app, since);
  if (slow === 0) return found("slow_good", { n: requests });
  return found("slow_some", { n: slow, ms: Math.round(worst) });
}

type Counter = [table: string, column: string, rows: string];

const COUNTERS: Counter[] = [
  ["media", "likes", "likes WHERE mediaId = t.id"],
  ["media", "comments", "comments WHERE mediaId = t.id"],
  ["media", "reports", "reports WHERE mediaId = t.id"],
  ["comments", "likes", "likes WHERE commentId = t.id AND commentId != ''"],
  ["comments", "replies", "comments WHERE mediaId = t.mediaId AND parentId = t.id"],
  ["users", "followers", "follows WHERE followingId = t.id"],
  ["users", "following", "follows WHERE followerId = t.id AND tag = ''"],
  ["users", "mediaCount", "media WHERE userId = t.id"],
  ["conversations", "messageCount", "messages WHERE conversationId = t.id"],
  ...["A", "B"].map(
    (side): Counter => [
      "conversations",
      `unread${side}`,
      `messages m WHERE m.conversationId = t.id AND m.recipientId = t.user${side}
        AND NOT m.read AND NOT m.deleted`,
    ],
  ),
];

const TOTALS: [name: string, rows: string][] = [
  ["users", "users"],
  ["admins", "users WHERE isAdmin"],
  ["suspended", "users WHERE isBlocked"],
  ["photos", "media WHERE type != 'video'"],
  ["videos", "media WHERE type = 'video'"],
  ["likes", "likes"],
  ["comments", "comments"],
  ["conversations", "conversations"],
  ["messages", "messages"],
  ["reports", "reports"],
  ["openReports", "reports WHERE status = 'open'"],
  ["audit", "audit"],
];

function wrongCounters(app: CoreApp): number {
  const rows = COUNTERS.map(
    ([table, column, of]) =>
      `SELECT count(*) AS n FROM ${table} t WHERE t.${column} IS NOT (SELECT count(*) FROM ${of})`,
  );
  const totals = TOTALS.map(
    ([name, of]) =>
      `SELECT count(*) AS n FROM _counts WHERE name = '${name}' AND n <> (SELECT count(*) FROM ${of})`,
  );
  return [...rows, ...totals].reduce((sum, query) => sum + numberOf(app, query), 0);
}

const NUMBERED = [
  "users",
  "media",
  "comments",
  "likes",
  "follows",
  "blocks",
  "conversations",
  "messages",
  "notifications",
  "saves",
  "settings",
];

/** Rows without a number of their own, or above the last one; and a guard that was left raised. */
function brokenSequence(app: CoreApp): number {
  const broken = NUMBERED.map((table) =>
    numberOf(
      app,
      `SELECT COALESCE(sum(seq IS NULL OR seq <= 0 OR seq > (SELECT v FROM _seq)), 0)
         + count(seq) - count(DISTINCT seq) AS n FROM ${table}`,
    ),
  );
  const rest = numberOf(
    app,
    `SELECT (guard <> 0) + (floor > v) + (SELECT count(*) FROM _tombs WHERE seq > v) AS n FROM _seq`,
  );
  return broken.reduce((sum, n) => sum + n, rest);
}

const judgeRows = (wrong: number, broken: number): HealthFinding[] => [
  wrong === 0 ? found("counters_good") : found("counters_wrong", { n: wrong }),
  broken === 0 ? found("sequence_good") : found("sequence_broken", { n: broken }),
];

const lookAtRows = (app: CoreApp): HealthFinding[] =>
  judgeRows(wrongCounters(app), brokenSequence(app));

/** What the last night found. */
function lastLook(app: CoreApp): HealthFinding[] {
  const last = (name: string): number =>
    numberOf(
      app,
      `SELECT COALESCE((SELECT n FROM _health WHERE name = {:name} ORDER BY day DESC LIMIT 1), -1)
         AS n`,
      { name },
    );
  const [wrong, broken] = [last("wrongCounters"), last("brokenSequence")];
  return wrong < 0 || broken < 0 ? [found("counters_later")] : judgeRows(wrong, broken);
}

function keep(app: CoreApp, day: string, name: string, n: number): void {
  app
    .db()
    .newQuery(
      `INSERT INTO _health VALUES ({:day}, {:name}, {:n})
       ON CONFLICT (day, name) DO UPDATE SET n = excluded.n`,
    )
    .bind({ day, name, n })
    .execute();
}

type Day = Record<string, string | number>;

function readDays(app: CoreApp): Day[] {
  const days: Day[] = [];
  for (let back = DAYS - 1; back >= 0; back--) days.push({ day: dayOf(back) });
  const rows = arrayOf(new DynamicModel({ day: "", name: "", n: 0 })) as unknown as {
    day: string;
    name: string;
    n: number;
  }[];
  const names = HEALTH_FIGURES.map((name) => `'${name}'`).join(", ");
  app
    .db()
    .newQuery(
      `SELECT day, name, n FROM _health WHERE day >= {:first} AND name IN (${names})
       UNION ALL SELECT day, name, n FROM _daily
         WHERE day >= {:first} AND name IN ('users', 'photos', 'videos', 'messages')`,
    )
    .bind({ first: dayOf(DAYS - 1) })
    .all(rows);
  for (const { day, name, n } of rows) {
    const kept = days.find((one) => one["day"] === day);
    if (kept) kept[name] = n;
  }
  return days;
}

/** The migrations of ours that this database has had. */
export function filesApplied(app: CoreApp): string[] {
  const rows = arrayOf(new DynamicModel({ file: "" })) as unknown as { file: string }[];
  app.db().newQuery("SELECT file FROM _migrations WHERE file LIKE '17%.js'").all(rows);
  return Array.from(rows, ({ file }) => file);
}
