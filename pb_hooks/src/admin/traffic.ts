/**
 * What was asked of the server: counted by route, method and status, for `GET /api/metrics`.
 *
 * PocketBase writes a row of each request to `_logs`, in batches, after the answer has gone. A
 * trigger before that row notes the request in `_traffic_new` and has the row written without what
 * is private in its address. So no request waits for its counting, no engine is held for it, and
 * what lies on the disk has no search, no token of a file and no page where somebody came from.
 *
 * What was noted is counted into `_traffic` all at once, each minute and before it is read, because
 * SQLite compiles a trigger with each row. Requests that were refused as too many are counted, but
 * have no row: a flood would fill the log and pay more for its rows than for its refusals.
 */
import { requestOf } from "@hooks/http/request";
import { BOUNDS, ROUTES, type Traffic } from "@/domain/metrics";

/** The engine's own. */
declare const console: { log(text: string): void };

export const trafficHandlers = {
  /** At start. The tables are the log's neighbours, so that one transaction writes all of them. */
  countTraffic(e: core.BootstrapEvent): void {
    e.next();
    const app = e.app as CoreApp;
    app.store().set(STARTED, Date.now() / 1000);
    app.auxRunInTransaction((tx) => {
      const run = (sql: string) => tx.auxDB().newQuery(sql).execute();
      run(trafficTable());
      run(NEW_TABLE);
      run(isPrinted() ? LINES_TABLE : "DROP TABLE IF EXISTS _traffic_lines");
      run("DROP TRIGGER IF EXISTS _logs_traffic");
      run(NOTING_TRIGGER);
    });
  },

  /**
   * Each minute, and when a superuser asks for it: counts, and prints where that is wanted. A line
   * is forgotten once it is printed: a crash between the two repeats some. Two at once take turns,
   * or both would print the same lines.
   */
  printLines(): void {
    countNew($app);
    while (isPrinted() && printSomeLines($app));
  },
};

/** Key in the store: when this process began, in seconds since 1970. */
export const STARTED = "startedAt";

/** PocketBase writes what an event holds under this name into the row of its log. */
const LOG_META = "pbLogMeta";

/**
 * Gives the request behind an event its id, in the answer's `X-Request-Id` and in the log. What
 * PocketBase answers without a handler of ours has one in the log alone: a middleware for the
 * header would hold an engine for each file and stream.
 */
export function identify(e: unknown): void {
  const request = requestOf(e as core.RequestEvent);
  if (!request.response || request.get(LOG_META)) return;
  const id = $security.pseudorandomString(ID_LENGTH);
  request.response.header().set("X-Request-Id", id);
  request.set(LOG_META, { id });
}

const ID_LENGTH = 16;

/** Counts bytes of the answer before it is compressed, with the request. */
export function noteBytes(e: core.RequestEvent, bytes: number): void {
  e.set(LOG_META, { ...(e.get(LOG_META) as object), bytes });
}

const isPrinted = (): boolean => $os.getenv("LOG_FORMAT") === "json";

/** @returns whether there were any */
function printSomeLines(app: CoreApp): boolean {
  const page = new DynamicModel({ last: 0, text: "" }) as unknown as Page;
  app.auxRunInTransaction((tx) => {
    tx.auxDB().newQuery(NEXT_LINES).one(page);
    if (page.last === 0) return;
    console.log(page.text);
    const printed = "DELETE FROM _traffic_lines WHERE n <= {:last}";
    tx.auxDB().newQuery(printed).bind({ last: page.last }).execute();
  });
  return page.last !== 0;
}

interface Page {
  /** 0 where there is no line. */
  last: number;
  text: string;
}

/** Writes what PocketBase holds back: up to 200 requests, or those of the last three seconds. */
function flushLog(app: CoreApp): void {
  const handler = app.logger().handler() as unknown as { writeAll?(context: unknown): void };
  handler.writeAll?.(new Context());
}

/** Counts the requests that were noted, and writes a line of each where lines are printed. */
function countNew(app: CoreApp): void {
  flushLog(app);
  app.auxRunInTransaction((tx) => {
    const run = (sql: string) => tx.auxDB().newQuery(sql).execute();
    run(countNewSql());
    if (isPrinted()) run(writeLinesSql());
    run("DELETE FROM _traffic_new");
  });
}

export function readTraffic(app: CoreApp): Traffic[] {
  countNew(app);
  const row = new DynamicModel({ list: "" }) as unknown as { list: string };
  const fields = ["route", "method", "status", "n", "seconds", "bytes"];
  const columns = fields.map((name) => `'${name}', ${name}`).join(", ");
  app
    .auxDB()
    .newQuery(
      `SELECT json_group_array(json_object(${columns}, 'within', json_array(${WITHIN.join(", ")}))
         ORDER BY route, method, status) AS list FROM _traffic`,
    )
    .one(row);
  return JSON.parse(row.list) as Traffic[];
}

const WITHIN = BOUNDS.map((_, i) => `b${i}`);

/** Of a row of the log. A stranger may name any method. */
const METHOD = `iif(NEW.data ->> '$.method' IN ('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE',
  'OPTIONS'), NEW.data ->> '$.method', 'other')`;

/** For SQLite's GLOB. The number of slashes comes first, because its `*` matches a slash too. */
const globOf = (route: string): string =>
  route.includes("...}")
    ? `*:${route.replace(/\{.*/, "*")}`
    : `${route.split("/").length - 1}:${route.replace(/\{\w+\}/g, "*")}`;

/** An expression for the label of `path`, another expression. */
function labelOf(path: string): string {
  const slashes = `length(${path}) - length(replace(${path}, '/', ''))`;
  const cases = ROUTES.map((route) => `WHEN '${globOf(route)}' THEN '${route}'`);
  const tried = cases.map((one) => one.replace("WHEN ", "WHEN asked GLOB "));
  return `(SELECT CASE ${tried.join(" ")} ELSE '/{other...}' END
    FROM (SELECT (${slashes}) || ':' || ${path} AS asked))`;
}

const trafficTable = (): string => `CREATE TABLE IF NOT EXISTS _traffic (
  route TEXT NOT NULL, method TEXT NOT NULL, status INTEGER NOT NULL, n INTEGER NOT NULL,
  seconds REAL NOT NULL, bytes INTEGER NOT NULL,
  ${WITHIN.map((name) => `${name} INTEGER NOT NULL`).join(", ")},
  PRIMARY KEY (route, method, status)) WITHOUT ROWID`;

/** `ended`: as PocketBase writes times. */
const NEW_TABLE = `CREATE TABLE IF NOT EXISTS _traffic_new (
  n INTEGER PRIMARY KEY, request TEXT NOT NULL, ended TEXT NOT NULL, method TEXT NOT NULL,
  path TEXT NOT NULL, status INTEGER NOT NULL, ms REAL NOT NULL, bytes INTEGER NOT NULL)`;

const LINES_TABLE = `CREATE TABLE IF NOT EXISTS _traffic_lines (
  n INTEGER PRIMARY KEY, line TEXT NOT NULL)`;

/** The launcher knows them by this mark (scripts/server.mjs). */
const NEXT_LINES = `SELECT COALESCE(max(n), 0) AS last,
    COALESCE(group_concat('augenblick:' || line, char(10) ORDER BY n), '') AS text
  FROM (SELECT n, line FROM _traffic_lines ORDER BY n LIMIT 500)`;

const writeLinesSql = (): string => `INSERT INTO _traffic_lines (line)
  SELECT json_object('time', replace(ended, ' ', 'T'), 'request', request, 'method', method,
    'route', ${labelOf("path")}, 'status', status, 'ms', round(ms, 1))
  FROM _traffic_new ORDER BY n`;

/** A flood asks for few paths, so that each has its label looked up once. */
function countNewSql(): string {
  const names = ["n", "seconds", "bytes", ...WITHIN];
  const within = BOUNDS.map((bound, i) => `sum(ms <= ${bound * 1000}) AS ${WITHIN[i]}`);
  return `INSERT INTO _traffic
    SELECT ${labelOf("path")} AS route, method, status,
      ${names.map((name) => `sum(${name})`).join(", ")}
    FROM (SELECT path, method, status, count(*) AS n, sum(ms) / 1000 AS seconds,
        sum(bytes) AS bytes, ${within.join(", ")}
      FROM _traffic_new GROUP BY path, method, status)
    WHERE TRUE GROUP BY route, method, status
    ON CONFLICT DO UPDATE SET
      ${names.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`;
}

/**
 * It writes the cleaned row itself, which does not call it again, and then ignores the one that was
 * to be written: an update afterwards would leave the private parts in the file's free space.
 */
const NOTING_TRIGGER = `CREATE TRIGGER _logs_traffic BEFORE INSERT ON _logs
    WHEN NEW.data ->> '$.type' = 'request'
  BEGIN
    INSERT INTO _traffic_new (request, ended, method, path, status, ms, bytes)
      SELECT COALESCE(NEW.data ->> '$.meta.id', NEW.id), NEW.created, ${METHOD},
        substr(url, 1, instr(url || '?', '?') - 1), CAST(NEW.data ->> '$.status' AS INTEGER),
        COALESCE(CAST(NEW.data ->> '$.execTime' AS REAL), 0),
        COALESCE(CAST(NEW.data ->> '$.meta.bytes' AS INTEGER), 0)
      FROM (SELECT NEW.data ->> '$.url' AS url);
    INSERT INTO _logs (id, level, message, data, created)
      SELECT NEW.id, NEW.level, (NEW.data ->> '$.method') || ' ' || path,
        json_set(json_remove(NEW.data, '$.referer'), '$.url', path), NEW.created
      FROM _traffic_new WHERE n = last_insert_rowid() AND status <> 429;
    SELECT RAISE(IGNORE);
  END`;
