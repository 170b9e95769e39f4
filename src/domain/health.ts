/**
 * What can be said about a place's health from inside its server: the panel's Health and
 * `npm run doctor` show the same words for each of these (`admin.health.found.*`).
 */

/**
 * `good`: nothing to do; `look`: works, and could be better; `bad`: do what the sentence says.
 */
export type HealthLevel = "good" | "look" | "bad";

export const HEALTH_FINDINGS = {
  url_good: "good",
  url_missing: "look",
  url_plain: "bad",
  proxy_good: "good",
  proxy_none: "good",
  proxy_missing: "bad",
  limits_good: "good",
  limits_off: "bad",
  backups_good: "good",
  backups_stream: "good",
  backups_none: "bad",
  mail_good: "good",
  mail_off: "look",
  mail_waiting: "bad",
  files_disk: "good",
  files_bucket: "good",
  disk_good: "good",
  disk_low: "bad",
  statistics_good: "good",
  statistics_old: "bad",
  slow_good: "good",
  slow_some: "look",
  counters_good: "good",
  counters_wrong: "bad",
  counters_later: "look",
  sequence_good: "good",
  sequence_broken: "bad",
} as const satisfies Record<string, HealthLevel>;

export type HealthCode = keyof typeof HEALTH_FINDINGS;

/** `bytes` and `needed` are bytes, other numbers are counts, `ms` are milliseconds. */
export interface HealthFinding {
  code: HealthCode;
  level: HealthLevel;
  values: Record<string, string | number>;
}

/** What is kept of each day (UTC), beside what the panel's statistics count. */
export const HEALTH_FIGURES = ["requests", "slow", "diskUsed", "diskFree"] as const;

export const isHealthCode = (value: unknown): value is HealthCode =>
  typeof value === "string" && Object.keys(HEALTH_FINDINGS).includes(value);
