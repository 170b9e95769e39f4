/**
 * `GET /api/metrics`: figures of the place in Prometheus' text format, for whoever has the token
 * `METRICS_TOKEN`. Requests are counted in traffic.ts; all else is read when it is asked for, and
 * costs the same with a hundred media as with a million. Labels are of a list of ours.
 */
import { NOT_FOUND, refusalOf, refuse } from "@hooks/http/refusals";
import { isBearer } from "@hooks/http/request";
import { diskOf } from "@hooks/quotas";
import { type Metric, metricsText, type Sample, trafficMetrics } from "@/domain/metrics";
import { readTraffic, STARTED } from "./traffic";

export const metricsHandlers = {
  metrics(e: core.RequestEvent): void {
    const wanted = $os.getenv("METRICS_TOKEN");
    if (wanted.length < TOKEN_MIN) {
      refuse(e, NOT_FOUND);
      return;
    }
    if (!isBearer(e, wanted)) {
      e.response.header().set("WWW-Authenticate", "Bearer");
      refuse(e, refusalOf("unauthenticated", "The token is not valid."));
      return;
    }
    const app = e.app as CoreApp;
    const headers = e.response.header();
    headers.set("Cache-Control", "no-store");
    headers.set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    e.string(200, metricsText([...placeMetrics(app), ...trafficMetrics(readTraffic(app))]));
  },
};

/** Shorter ones count as none. */
const TOKEN_MIN = 16;

const gauge = (name: string, help: string, ...samples: Sample[]): Metric => ({
  name,
  type: "gauge",
  help,
  samples,
});

interface Figures {
  writes: number;
  fresh: number;
  tried: number;
  uploads: number;
  announced: number;
}

function placeMetrics(app: CoreApp): Metric[] {
  const row = new DynamicModel({
    writes: 0,
    fresh: 0,
    tried: 0,
    uploads: 0,
    announced: 0,
  }) as unknown as Figures;
  app
    .db()
    .newQuery(
      `SELECT (SELECT v FROM _seq) AS writes,
         (SELECT count(*) FROM _mails WHERE tries = 0) AS fresh,
         (SELECT count(*) FROM _mails WHERE tries > 0) AS tried,
         (SELECT count(*) FROM uploads) AS uploads,
         (SELECT COALESCE(sum(size), 0) FROM uploads) AS announced`,
    )
    .one(row);
  const disk = diskOf(app.dataDir());
  const started = Number(app.store().get(STARTED) ?? 0);
  return [
    gauge("start_time_seconds", "When this server began, since 1970.", { value: started }),
    {
      name: "writes_total",
      type: "counter",
      help: "Numbers of the change feed: rows that were created, changed or deleted.",
      samples: [{ value: row.writes }],
    },
    gauge("streams", "Open realtime streams.", { value: openStreams(app) }),
    gauge(
      "mails_waiting",
      "Mails of the server's own that wait, by whether one try has failed.",
      { labels: { tried: "no" }, value: row.fresh },
      { labels: { tried: "yes" }, value: row.tried },
    ),
    gauge("uploads_open", "Unfinished uploads.", { value: row.uploads }),
    gauge("uploads_open_bytes", "Bytes that these have announced.", { value: row.announced }),
    gauge("disk_free_bytes", "Free on the disk of the data.", ...samplesOf(disk?.free)),
    gauge("disk_used_bytes", "Used on that disk.", ...samplesOf(disk?.used)),
    gauge(
      "database_bytes",
      "Sizes of the databases, each with its journal.",
      ...databaseSizes(app),
    ),
    gauge("rows", "What the place holds.", ...totals(app)),
    gauge(
      "replica_lag_seconds",
      "By how much the streamed copy is behind the databases.",
      ...samplesOf(replicaLag(app)),
    ),
  ];
}

const samplesOf = (value: number | null | undefined): Sample[] =>
  value === null || value === undefined ? [] : [{ value }];

const openStreams = (app: CoreApp): number => app.subscriptionsBroker().totalClients();

function databaseSizes(app: CoreApp): Sample[] {
  const sizeOf = (file: string): number => {
    try {
      return $os.stat($filepath.join(app.dataDir(), file)).size();
    } catch {
      return 0;
    }
  };
  return ["data.db", "auxiliary.db"].map((file) => ({
    labels: { file },
    value: sizeOf(file) + sizeOf(`${file}-wal`),
  }));
}

/** The numbers that triggers keep for the panel. */
function totals(app: CoreApp): Sample[] {
  const rows = arrayOf(new DynamicModel({ name: "", n: 0 })) as unknown as {
    name: string;
    n: number;
  }[];
  app.db().newQuery("SELECT name, n FROM _counts ORDER BY name").all(rows);
  return Array.from(rows, ({ name, n }) => ({ labels: { kind: name }, value: n }));
}

/** The launcher notes when all that was written had arrived (scripts/replica.mjs). */
function replicaLag(app: CoreApp): number | null {
  if ($os.getenv("REPLICA_URL").trim() === "") return null;
  try {
    const noted = Number(toString($os.readFile(`${app.dataDir()}_stream/sent`)));
    return noted > 0 ? Math.max(0, Date.now() / 1000 - noted) : null;
  } catch {
    return null;
  }
}
