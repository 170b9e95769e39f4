/** The panel's rows as the server sends them, into what screens show. A row without its identity is dropped. */

import { isRecord } from "@/data/engine/answers";
import { countOf, filePath, instantOf, type RawRecord, textOf } from "@/data/engine/rows";
import type {
  AdminConversation,
  AdminDay,
  AdminMedia,
  AdminMessage,
  AdminReport,
  AdminStats,
  AdminTotals,
  AdminUser,
  AuditRow,
  ReportStatus,
} from "./admin-client";

type Address = (path: string) => string;

/** SQLite knows no booleans: they come as 0 and 1. */
const flagOf = (record: RawRecord, name: string): boolean =>
  record[name] === true || record[name] === 1;

const recordOf = (value: unknown): RawRecord => (isRecord(value) ? value : {});
const listOf = (value: unknown): RawRecord[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

export function statsOf(body: unknown): AdminStats | null {
  if (!isRecord(body) || !isRecord(body["totals"]) || !Array.isArray(body["days"])) return null;
  const totals = body["totals"];
  const named = (name: keyof AdminTotals) => countOf(totals, name);
  const days = listOf(body["days"]).map((day): AdminDay => {
    const of = (name: keyof AdminDay) => countOf(day, name);
    return {
      day: textOf(day, "day"),
      users: of("users"),
      media: of("photos") + of("videos"),
      photos: of("photos"),
      videos: of("videos"),
      likes: of("likes"),
      comments: of("comments"),
      messages: of("messages"),
      reports: of("reports"),
    };
  });
  return {
    totals: {
      users: named("users"),
      admins: named("admins"),
      suspended: named("suspended"),
      media: named("photos") + named("videos"),
      photos: named("photos"),
      videos: named("videos"),
      likes: named("likes"),
      comments: named("comments"),
      conversations: named("conversations"),
      messages: named("messages"),
      reports: named("reports"),
      openReports: named("openReports"),
    },
    days,
  };
}

export function userOf(row: RawRecord, address: Address): AdminUser | null {
  const id = textOf(row, "id");
  if (id === "") return null;
  return {
    id,
    username: textOf(row, "username"),
    email: textOf(row, "email"),
    isAdmin: flagOf(row, "isAdmin"),
    isBlocked: flagOf(row, "isBlocked"),
    chatDisabled: flagOf(row, "chatDisabled"),
    followers: countOf(row, "followers"),
    following: countOf(row, "following"),
    mediaCount: countOf(row, "mediaCount"),
    profileThumbnailUrl: address(
      filePath("users", id, textOf(row, "profileThumbnail", "profilePicture")),
    ),
    createdAt: instantOf(row, "createdAt"),
  };
}

export function conversationOf(row: RawRecord): AdminConversation | null {
  const id = textOf(row, "id");
  if (id === "") return null;
  const at = countOf(row, "lastMessageTime");
  return {
    id,
    participants: [
      { id: textOf(row, "userA"), username: textOf(row, "usernameA") },
      { id: textOf(row, "userB"), username: textOf(row, "usernameB") },
    ],
    messageCount: countOf(row, "messageCount"),
    lastMessage: textOf(row, "lastMessage"),
    lastMessageAt: at === 0 ? null : at * 1000,
    createdAt: instantOf(row, "createdAt"),
  };
}

export function messageOf(row: RawRecord): AdminMessage | null {
  const id = textOf(row, "id");
  if (id === "") return null;
  return {
    id,
    senderId: textOf(row, "senderId"),
    senderUsername: textOf(row, "senderUsername"),
    text: textOf(row, "message"),
    type: row["type"] === "photo" ? "photo" : "text",
    imagePath: filePath("messages", id, textOf(row, "image")),
    thumbnailPath: filePath("messages", id, textOf(row, "thumbnail")),
    sentAt: countOf(row, "timestamp") * 1000,
    deleted: flagOf(row, "deleted"),
  };
}

export function mediaOf(row: RawRecord, address: Address): AdminMedia | null {
  const id = textOf(row, "id");
  if (id === "") return null;
  const type = row["type"] === "video" ? "video" : "photo";
  const url = address(filePath("media", id, textOf(row, "file")));
  const thumbnail = address(filePath("media", id, textOf(row, "thumbnail")));
  return {
    id,
    userId: textOf(row, "userId"),
    username: textOf(row, "username"),
    caption: textOf(row, "caption"),
    type,
    url,
    thumbnailUrl: thumbnail || (type === "photo" ? url : ""),
    thumbhash: textOf(row, "thumbhash"),
    width: countOf(row, "width"),
    height: countOf(row, "height"),
    likes: countOf(row, "likes"),
    comments: countOf(row, "comments"),
    views: countOf(row, "views"),
    reports: countOf(row, "reports"),
    createdAt: instantOf(row, "createdAt"),
  };
}

const statusOf = (value: unknown): ReportStatus =>
  value === "resolved" || value === "dismissed" ? value : "open";

export function reportOf(row: RawRecord, address: Address): AdminReport | null {
  const id = textOf(row, "id");
  if (id === "") return null;
  const media = isRecord(row["media"]) ? mediaOf(row["media"], address) : null;
  const snapshot = recordOf(row["snapshot"]);
  const owner = recordOf(row["owner"]);
  const kept = { ...snapshot, id: textOf(row, "mediaId") };
  const shown = media ?? mediaOf({ ...kept, file: "", thumbnail: "" }, () => "");
  return {
    id,
    number: countOf(row, "number"),
    reason: textOf(row, "reason"),
    status: statusOf(row["status"]),
    reporterId: textOf(row, "reporterId"),
    reporterUsername: textOf(row, "reporterUsername"),
    mediaId: textOf(row, "mediaId"),
    mediaExists: media !== null,
    caption: shown?.caption ?? "",
    type: shown?.type ?? "photo",
    ownerId: shown?.userId ?? "",
    ownerUsername: textOf(owner, "username") || (shown?.username ?? ""),
    ownerIsBlocked: flagOf(owner, "isBlocked"),
    ownerExists: textOf(owner, "id") !== "",
    url: shown?.url ?? "",
    thumbnailUrl: shown?.thumbnailUrl ?? "",
    thumbhash: shown?.thumbhash ?? "",
    width: shown?.width ?? 0,
    height: shown?.height ?? 0,
    createdAt: instantOf(row, "createdAt"),
    updatedAt: instantOf(row, "updatedAt"),
  };
}

export function auditOf(row: RawRecord): AuditRow | null {
  const id = textOf(row, "id");
  if (id === "") return null;
  return {
    id,
    actor: textOf(row, "actor"),
    actorUsername: textOf(row, "actorUsername"),
    action: textOf(row, "action"),
    target: textOf(row, "target"),
    targetLabel: textOf(row, "targetLabel"),
    details: recordOf(row["details"]),
    createdAt: instantOf(row, "createdAt"),
  };
}
