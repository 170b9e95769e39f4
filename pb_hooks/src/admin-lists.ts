/** The panel's statistics, and its lists of conversations, their messages, media and reports. */
import { PAIR_ID_PATTERN } from "@/domain/ids";
import { findRecord } from "./acting";
import { admitAdmin, answerPage, named, type PagedList, queryOf, readPage } from "./admin-request";
import { writeAudit } from "./audit";
import { answer, NOT_FOUND, refuse } from "./refuse";
import { refusalOf } from "./refused";

const PAGE_MOST = 100;
const MESSAGES_MOST = 1_000;
const DAYS = 30;
const DAY_MS = 86_400_000;

interface CountRow {
  name: string;
  day: string;
  n: number;
}

function readCounts(app: CoreApp, query: string, binds: Record<string, string>): CountRow[] {
  const rows = arrayOf(new DynamicModel({ name: "", day: "", n: 0 })) as unknown as CountRow[];
  app.db().newQuery(query).bind(binds).all(rows);
  return rows;
}

/** `GET /api/admin/stats`: `{totals, days}`; `days` are the last thirty (UTC), oldest first. */
export function adminStats(e: core.RequestEvent) {
  if (!admitAdmin(e)) return;
  const totals: Record<string, number> = {};
  for (const { name, n } of readCounts(e.app, "SELECT name, '' AS day, n FROM _counts", {})) {
    totals[name] = n;
  }
  const dayOf = (back: number): string =>
    new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10);
  const days: Record<string, string | number>[] = [];
  for (let back = DAYS - 1; back >= 0; back--) days.push({ day: dayOf(back) });
  const first = dayOf(DAYS - 1);
  for (const { name, day, n } of readCounts(
    e.app,
    "SELECT name, day, n FROM _daily WHERE day >= {:first}",
    { first },
  )) {
    const counted = days.find((one) => one["day"] === day);
    if (counted) counted[name] = n;
  }
  answer(e, 200, { totals, days });
}

const CONVERSATION_ROW = `'id', c.id, 'userA', c.userA, 'userB', c.userB, 'usernameA', COALESCE(a.username, ''),
  'usernameB', COALESCE(b.username, ''), 'messageCount', c.messageCount, 'lastMessage', c.lastMessage,
  'lastMessageTime', c.lastMessageTime, 'createdAt', c.createdAt`;

/** `GET /api/admin/conversations?userId=&after=&limit=`, the one written to last first. */
export function adminConversations(e: core.RequestEvent) {
  if (!admitAdmin(e)) return;
  const userId = queryOf(e, "userId");
  const list: PagedList = {
    from: "conversations c LEFT JOIN users a ON a.id = c.userA LEFT JOIN users b ON b.id = c.userB",
    row: CONVERSATION_ROW,
    sort: "c.lastMessageTime",
    id: "c.id",
    descending: true,
    isNumber: true,
    where: userId === "" ? [] : ["c.userA = {:userId} OR c.userB = {:userId}"],
    binds: userId === "" ? {} : { userId },
    most: PAGE_MOST,
  };
  answerPage(e, list, "conversations");
}

const MESSAGE_ROW = `'id', m.id, 'senderId', m.senderId, 'senderUsername', COALESCE(s.username, ''), 'message', m.message,
  'type', m.type, 'image', m.image, 'thumbnail', m.thumbnail, 'timestamp', m.timestamp, 'deleted', m.deleted`;

/** `GET /api/admin/conversations/{id}/messages?after=&limit=`, newest first. Each look is written down. */
export function adminMessages(e: core.RequestEvent) {
  if (!admitAdmin(e)) return;
  const id = e.request?.pathValue("id") ?? "";
  if (!PAIR_ID_PATTERN.test(id) || !findRecord(e.app, "conversations", id)) {
    return refuse(e, { ...NOT_FOUND, message: "Conversation not found" });
  }
  const page = readPage(e, {
    from: "messages m LEFT JOIN users s ON s.id = m.senderId",
    row: MESSAGE_ROW,
    sort: "m.ord",
    id: "m.id",
    descending: true,
    isNumber: true,
    where: ["m.conversationId = {:conversation}"],
    binds: { conversation: id },
    most: MESSAGES_MOST,
  });
  if (page === null) return refuse(e, refusalOf("invalid"));
  writeAudit(e.app, e, {
    action: "conversations.read",
    target: id,
    details: { messages: page.items.length },
  });
  answer(e, 200, page);
}

const MEDIA_ROW = `'id', m.id, 'userId', m.userId, 'username', m.username, 'caption', m.caption, 'type', m.type, 'file', m.file,
  'thumbnail', m.thumbnail, 'thumbhash', m.thumbhash, 'width', m.width, 'height', m.height, 'likes', m.likes,
  'comments', m.comments, 'views', m.views, 'reports', m.reports, 'createdAt', m.createdAt`;

const MEDIA_FILTERS: Record<string, string> = {
  all: "",
  photos: "m.type = 'photo'",
  videos: "m.type = 'video'",
  reported: "m.reports > 0",
};

/** `GET /api/admin/media?filter=&userId=&after=&limit=`: newest first, or most reported first. */
export function adminMedia(e: core.RequestEvent) {
  if (!admitAdmin(e)) return;
  const filter = queryOf(e, "filter") || "all";
  const condition = named(MEDIA_FILTERS, filter);
  if (condition === undefined) return refuse(e, refusalOf("invalid"));
  const userId = queryOf(e, "userId");
  const isReported = filter === "reported";
  const list: PagedList = {
    from: "media m",
    row: MEDIA_ROW,
    sort: isReported ? "m.reports" : "m.createdAt",
    id: "m.id",
    descending: true,
    isNumber: isReported,
    where: [condition, userId === "" ? "" : "m.userId = {:userId}"].filter((part) => part !== ""),
    binds: userId === "" ? {} : { userId },
    most: PAGE_MOST,
  };
  answerPage(e, list, "photos", "videos");
}

const REPORT_ROW = `'id', r.id, 'number', r.number, 'reason', r.reason, 'status', r.status, 'reporterId', r.userId,
  'reporterUsername', COALESCE(p.username, json_extract(r.snapshot, '$.reporter'), ''), 'mediaId', r.mediaId,
  'snapshot', json(COALESCE(NULLIF(r.snapshot, ''), 'null')), 'createdAt', r.createdAt, 'updatedAt', r.updatedAt,
  'media', iif(m.id IS NULL, NULL, json_object(${MEDIA_ROW})),
  'owner', iif(o.id IS NULL, NULL, json_object('id', o.id, 'username', o.username, 'isBlocked', o.isBlocked))`;

/** `GET /api/admin/reports?status=&after=&limit=`, newest first. */
export function adminReports(e: core.RequestEvent) {
  if (!admitAdmin(e)) return;
  const status = queryOf(e, "status") || "all";
  if (!["all", "open", "resolved", "dismissed"].includes(status)) {
    return refuse(e, refusalOf("invalid"));
  }
  const list: PagedList = {
    from: `reports r LEFT JOIN media m ON m.id = r.mediaId LEFT JOIN users p ON p.id = r.userId
      LEFT JOIN users o ON o.id = COALESCE(m.userId, json_extract(r.snapshot, '$.userId'))`,
    row: REPORT_ROW,
    sort: "r.number",
    id: "r.id",
    descending: true,
    isNumber: true,
    where: status === "all" ? [] : ["r.status = {:status}"],
    binds: status === "all" ? {} : { status },
    most: PAGE_MOST,
  };
  answerPage(e, list, "reports");
}
