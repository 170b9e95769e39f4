/**
 * Figures for Prometheus: which labels a request may get, what is counted of it, and the text that
 * `GET /api/metrics` answers. Labels are of a list of ours, so that nobody makes up new ones.
 */

/** Upper bounds of the histogram, seconds. */
export const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const COLLECTIONS = [
  "users",
  "profiles",
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
  "uploads",
  "reports",
  "audit",
];

/**
 * The labels, in the order in which they are tried: `{name}` is one part of a path, `{name...}` any
 * number of them. Whatever a stranger asks for is one of these, and nothing of his words is kept.
 */
export const ROUTES: readonly string[] = [
  "/api/sync",
  "/api/search",
  "/api/following/media",
  "/api/following/suggested",
  "/api/tags/{tag}/media",
  "/api/explore",
  "/api/realtime",
  "/api/health",
  "/api/metrics",
  ...COLLECTIONS.flatMap((name) => [
    `/api/collections/${name}/records`,
    `/api/collections/${name}/records/{id}`,
  ]),
  "/api/collections/users/auth-with-password",
  "/api/collections/users/auth-refresh",
  "/api/collections/users/{action}",
  "/api/collections/_superusers/{action}",
  "/api/collections/{other...}",
  "/api/files/token",
  "/api/files/media/{id}/{file}",
  "/api/files/messages/{id}/{file}",
  "/api/files/{collection}/{id}/{file}",
  "/api/uploads",
  "/api/uploads/{id}",
  "/api/media",
  "/api/media/{id}/view",
  "/api/messages/photo",
  "/api/conversations/{id}/read",
  "/api/notifications/read",
  ...[
    "mail",
    "email",
    "sessions",
    "sessions/renew",
    "sessions/end",
    "storage",
    "delete",
    "push",
  ].map((what) => `/api/account/${what}`),
  "/api/account/sessions/{id}",
  "/api/storage/hold",
  "/api/push/turn",
  "/api/admin/{what...}",
  "/api/{other...}",
  "/_/{file...}",
  "/assets/{file}",
  "/",
  "/view/{id}",
  "/user/{name}",
  "/tag/{name}",
  "/chat/{id}",
  "/{file}",
  "/{other...}",
];

export interface Traffic {
  route: string;
  method: string;
  status: number;
  n: number;
  /** All of them together. */
  seconds: number;
  bytes: number;
  /** How many took no longer than each of `BOUNDS`. */
  within: number[];
}

export interface Sample {
  labels?: Record<string, string | number>;
  value: number;
  /** `_bucket`, `_sum` or `_count` of a histogram. */
  part?: string;
}

export interface Metric {
  name: string;
  type: "counter" | "gauge" | "histogram";
  help: string;
  samples: Sample[];
}

const escaped = (text: string): string =>
  text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");

function lineOf(name: string, { labels = {}, value, part = "" }: Sample): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escaped(String(text))}"`);
  return `augenblick_${name}${part}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}`;
}

/** A metric without samples is left out. */
export const metricsText = (metrics: readonly Metric[]): string =>
  metrics
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, type, help, samples }) => [
      `# HELP augenblick_${name} ${help}`,
      `# TYPE augenblick_${name} ${type}`,
      ...samples.map((sample) => lineOf(name, sample)),
    ])
    .join("\n")
    .concat("\n");

const sum = (rows: readonly Traffic[], of: (row: Traffic) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);

/** What strangers are refused says nothing about how fast the server is. */
const isAnswered = ({ status }: Traffic): boolean => status < 400 || status >= 500;

function histogramOf(route: string, rows: readonly Traffic[]): Sample[] {
  const count = sum(rows, ({ n }) => n);
  const buckets = BOUNDS.map((le, i) => ({
    labels: { route, le },
    value: sum(rows, ({ within }) => within[i] ?? 0),
    part: "_bucket",
  }));
  return [
    ...buckets,
    { labels: { route, le: "+Inf" }, value: count, part: "_bucket" },
    { labels: { route }, value: sum(rows, ({ seconds }) => seconds), part: "_sum" },
    { labels: { route }, value: count, part: "_count" },
  ];
}

export function trafficMetrics(traffic: readonly Traffic[]): Metric[] {
  const routes = [...new Set(traffic.filter(isAnswered).map(({ route }) => route))];
  const of = (route: string) => traffic.filter((row) => row.route === route && isAnswered(row));
  const pages = traffic.filter(({ route, status }) => route === "/api/sync" && status === 200);
  return [
    {
      name: "requests_total",
      type: "counter",
      help: "Requests that were answered, refusals too.",
      samples: traffic.map(({ route, method, status, n }) => ({
        labels: { route, method, status },
        value: n,
      })),
    },
    {
      name: "request_duration_seconds",
      type: "histogram",
      help: "Time of a request until its last byte, without those refused (4xx).",
      samples: routes.flatMap((route) => histogramOf(route, of(route))),
    },
    {
      name: "sync_pages_total",
      type: "counter",
      help: "Pages of the change feed.",
      samples: [{ value: sum(pages, ({ n }) => n) }],
    },
    {
      name: "sync_bytes_total",
      type: "counter",
      help: "Bytes of these pages before they are compressed.",
      samples: [{ value: sum(pages, ({ bytes }) => bytes) }],
    },
  ];
}
