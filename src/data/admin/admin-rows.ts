/** Reads the panel's rows from the server's answers; admin-client.ts names their types. */
import { isRecord } from "@/data/engine/answers";
import { countOf, filePath, instantOf, type RawRecord, textOf } from "@/data/engine/rows";
import { HEALTH_FIGURES, HEALTH_FINDINGS, type HealthFinding, isHealthCode } from "@/domain/health";
import type { MediaKind } from "@/domain/media-files";
import { isReportTopic, REPORT_KINDS, type ReportKind, type ReportTopic } from "@/domain/reports";

type Address = (path: string) => string;

/** SQLite has no booleans and sends 0 and 1. */
const flagOf = (record: RawRecord, name: string): boolean =>
  record[name] === true || record[name] === 1;

const fieldsBy =
  <Value>(read: (record: RawRecord, name: string) => Value) =>
  <Name extends string>(record: RawRecord, ...names: Name[]) =>
    Object.fromEntries(names.map((name) => [name, read(record, name)])) as Record<Name, Value>;

const texts = fieldsBy((record, name) => textOf(record, name));
const counts = fieldsBy(countOf);
const flags = fieldsBy(flagOf);
const instants = fieldsBy((record, name) => instantOf(record, name));

const recordOf = (value: unknown): RawRecord => (isRecord(value) ? value : {});

/** Totals, and what was made on each of the last 30 days (UTC, oldest first) and still exists. */
export function statsOf(body: unknown) {
  if (!isRecord(body) || !isRecord(body["totals"]) || !Array.isArray(body["days"])) return null;
  const common = (row: RawRecord) => ({
    ...counts(row, "users", "photos", "videos", "likes", "comments", "messages", "reports"),
    media: countOf(row, "photos") + countOf(row, "videos"),
  });
  const { totals } = body;
  return {
    totals: {
      ...common(totals),
      ...counts(totals, "admins", "suspended", "conversations", "openReports"),
    },
    days: body["days"].filter(isRecord).map((row) => ({ ...texts(row, "day"), ...common(row) })),
  };
}

/** What the server found, without what this version does not know, and thirty days of figures. */
export function healthOf(body: unknown) {
  if (!isRecord(body) || !Array.isArray(body["findings"]) || !Array.isArray(body["days"]))
    return null;
  return {
    findings: body["findings"].filter(isRecord).flatMap((row): HealthFinding[] => {
      const { code } = row;
      if (!isHealthCode(code)) return [];
      const values = recordOf(row["values"]) as HealthFinding["values"];
      return [{ code, level: HEALTH_FINDINGS[code], values }];
    }),
    days: body["days"].filter(isRecord).map((row) => ({
      ...texts(row, "day"),
      ...counts(row, "users", "messages", ...HEALTH_FIGURES),
      media: countOf(row, "photos") + countOf(row, "videos"),
    })),
  };
}

export const userOf = (row: RawRecord, address: Address) => ({
  ...texts(row, "id", "username", "email"),
  ...flags(row, "isAdmin", "isBlocked", "chatDisabled"),
  ...counts(row, "followers", "following", "mediaCount", "storage"),
  /** `blockedUntil`: 0 where the suspension ends with an act alone. */
  ...instants(row, "createdAt", "blockedUntil"),
  profileThumbnailUrl: address(
    filePath("users", textOf(row, "id"), textOf(row, "profileThumbnail", "profilePicture")),
  ),
});

interface Participant {
  id: string;
  username: string;
}

/**
 * Names are "" for deleted accounts; `lastMessageAt` is null where there is no message yet;
 * `lastMessageType` is "" then, and where the last one was deleted.
 */
export function conversationOf(row: RawRecord) {
  const person = (side: "A" | "B"): Participant => ({
    id: textOf(row, `user${side}`),
    username: textOf(row, `username${side}`),
  });
  const participants: [Participant, Participant] = [person("A"), person("B")];
  return {
    ...texts(row, "id", "lastMessage", "lastMessageType"),
    ...counts(row, "messageCount"),
    ...instants(row, "createdAt"),
    participants,
    lastMessageAt: countOf(row, "lastMessageTime") * 1000 || null,
  };
}

/** The text of a deleted message is "". The paths are for `photoUrl`, "" where there is no file. */
export const messageOf = (row: RawRecord) => ({
  ...texts(row, "id", "senderId", "senderUsername"),
  ...flags(row, "deleted"),
  text: textOf(row, "message"),
  type: row["type"] === "photo" ? ("photo" as const) : ("text" as const),
  imagePath: messageFile(row, "image"),
  thumbnailPath: messageFile(row, "thumbnail"),
  sentAt: countOf(row, "timestamp") * 1000,
});

/** As it was when it, or one after it, was reported. */
export const contextMessageOf = (row: RawRecord) => ({
  ...texts(row, "id", "senderId", "username"),
  ...flags(row, "deleted"),
  text: textOf(row, "message"),
  isPhoto: row["type"] === "photo",
  sentAt: countOf(row, "timestamp") * 1000,
});

/** By the audited route; the record's own files are for the two of the chat. */
const messageFile = (row: RawRecord, field: "image" | "thumbnail"): string =>
  textOf(row, field) === "" ? "" : `/api/admin/messages/${textOf(row, "id")}/${field}`;

/** `reports` counts different people. A photo without a thumbnail shows its file. */
export function mediaOf(row: RawRecord, address: Address) {
  const urlOf = (name: string) => address(filePath("media", textOf(row, "id"), textOf(row, name)));
  const type: MediaKind = row["type"] === "video" ? "video" : "photo";
  const url = urlOf("file");
  return {
    ...texts(row, "id", "userId", "username", "caption", "thumbhash"),
    ...counts(row, "width", "height", "likes", "comments", "views", "reports"),
    ...instants(row, "createdAt"),
    type,
    url,
    thumbnailUrl: urlOf("thumbnail") || (type === "photo" ? url : ""),
  };
}

const statusOf = (value: unknown): "open" | "resolved" | "dismissed" =>
  value === "resolved" || value === "dismissed" ? value : "open";

const reportKindOf = (value: unknown): ReportKind =>
  REPORT_KINDS.find((kind) => kind === value) ?? "media";

/** "" where its reporter chose none. */
const topicOf = (value: string): ReportTopic | "" => (isReportTopic(value) ? value : "");

/**
 * A report with its medium, or with the snapshot of the report's time where the medium was deleted,
 * and of everything else; only the thumbhash of a deleted picture remains. `caption`: the words of
 * it, `mediaId`: also that of a comment. `updatedAt` is the time of the last decision.
 */
export function reportOf(row: RawRecord, address: Address) {
  const media = recordOf(row["media"]);
  const owner = recordOf(row["owner"]);
  const mediaExists = textOf(media, "id") !== "";
  const kind = reportKindOf(row["kind"]);
  const snapshot = { ...recordOf(row["snapshot"]), file: "", thumbnail: "" };
  const { caption, type, userId, username, url, thumbnailUrl, thumbhash, width, height } = mediaOf(
    mediaExists ? media : snapshot,
    address,
  );
  return {
    ...texts(row, "id", "reason", "reporterId", "reporterUsername"),
    ...counts(row, "number"),
    kind,
    topic: topicOf(textOf(row, "topic")),
    targetId: textOf(row, "targetId") || textOf(row, "mediaId"),
    exists: row["exists"] === true || mediaExists,
    mediaId: textOf(row, "mediaId") || textOf(recordOf(row["snapshot"]), "mediaId"),
    ...instants(row, "createdAt", "updatedAt"),
    ...{ caption, type, url, thumbnailUrl, thumbhash, width, height },
    status: statusOf(row["status"]),
    ownerId: userId,
    ownerUsername: textOf(owner, "username") || username,
    ownerIsBlocked: flagOf(owner, "isBlocked"),
    ownerHasNoChat: flagOf(owner, "chatDisabled"),
    ownerExists: textOf(owner, "id") !== "",
  };
}

/** `actor` is a user's id, or `superuser:` and an address; `targetLabel` is "" for deleted ones. */
export const auditOf = (row: RawRecord) => ({
  ...texts(row, "id", "actor", "actorUsername", "action", "target", "targetLabel", "aboutUsername"),
  ...instants(row, "createdAt"),
  details: recordOf(row["details"]),
});

/** An operator's text as sanitized HTML. `saveText` sends the revision back. */
export function textFrom(body: unknown) {
  if (!isRecord(body) || textOf(body, "id") === "") return null;
  return {
    ...texts(body, "content"),
    ...counts(body, "revision"),
    lastUpdated: instantOf(body, "lastUpdated") || null,
  };
}

/**
 * `productName` and `defaultLanguage` are "" for the built-in ones; the `value` of a limit is null
 * for its default. `mail` says whether the server can send any; its links begin with `appUrl`.
 */
export function appSettingsFrom(body: unknown) {
  if (!isRecord(body) || !Array.isArray(body["limits"])) return null;
  return {
    ...texts(body, "productName", "appUrl", "defaultLanguage"),
    ...counts(body, "revision"),
    ...flags(body, "requireMutualFollow", "requireVerified", "adminCodes", "mail"),
    limits: body["limits"].filter(isRecord).map((row) => ({
      ...texts(row, "name"),
      ...counts(row, "default", "min"),
      value: typeof row["value"] === "number" ? row["value"] : null,
    })),
  };
}
