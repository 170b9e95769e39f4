/** What may be reported, and for what reason: the names are in rows and requests. */

export const REPORT_KINDS = ["media", "comment", "message", "person"] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** To choose from. `other` needs words of one's own. */
export const REPORT_TOPICS = ["spam", "nudity", "violence", "hate", "stolen", "other"] as const;
export type ReportTopic = (typeof REPORT_TOPICS)[number];

export const isReportTopic = (value: string): value is ReportTopic =>
  REPORT_TOPICS.some((topic) => topic === value);

/** A reported message takes along so many that end with it. */
export const REPORT_CONTEXT = 10;
