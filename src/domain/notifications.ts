/** What people are told of by the server, and for how long. */

/** As in pb_migrations/1795000400-notifications.js. */
export const NOTIFICATION_KINDS = [
  "like",
  "comment",
  "reply",
  "mention",
  "follow",
  "report",
  "removal",
  "warning",
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** The server drops older rows without a tombstone, and devices drop them by themselves. */
export const NOTIFICATION_DAYS = 90;
