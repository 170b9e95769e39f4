/** The panel's statistics, and its lists of accounts, conversations, messages, media, reports. */
import { answer, busyError, isFailedLookup, refusalOf, refuse } from "@hooks/http/refusals";
import { findRecord, isAdmin, isSuspended } from "@hooks/http/request";
import { storedSql } from "@hooks/quotas";
import { PAIR_ID_PATTERN } from "@/domain/ids";
import { REPORT_KINDS } from "@/domain/reports";
import { writeAudit } from "./audit";
import {
  admitAdmin,
  answerPage,
  named,
  type PagedList,
  queryOf,
  readPage,
  searchOf,
} from "./pages";

export const listHandlers = {
  /** `GET /api/admin/stats`: `{totals, days}`; the last thirty days (UTC), oldest first. */
  adminStats(e: core.RequestEvent) {
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
  },

  /** `GET /api/admin/conversations?userId=&after=&limit=`, newest message first. */
  adminConversations(e: core.RequestEvent) {
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
    // The last messages are read with it.
    writeAudit(e.app, e, {
      action: "conversations.list",
      target: userId,
      details: { page: queryOf(e, "after") || "first" },
    });
    answerPage(e, list, "conversations");
  },

  /** `GET /api/admin/conversations/{id}/messages?after=&limit=`, newest first. Audited. */
  adminMessages(e: core.RequestEvent) {
    if (!admitAdmin(e)) return;
    const id = e.request?.pathValue("id") ?? "";
    if (!PAIR_ID_PATTERN.test(id) || !findRecord(e.app, "conversations", id)) {
      return refuse(e, refusalOf("not_found", "Conversation not found"));
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
  },

  /**
   * `GET /api/admin/messages/{id}/{field}?token=`: the `image` or `thumbnail` of a message, with a
   * file token. Audited, unless this admin has opened the chat within the last hour.
   */
  adminMessageFile(e: core.RequestEvent) {
    const auth = e.auth ?? adminOfToken(e.app as CoreApp, queryOf(e, "token"));
    if (auth) e.auth = auth;
    e.response.header().set("Cache-Control", "private, no-store");
    if (!isAdmin(e) || isSuspended(e)) return refuse(e, refusalOf("not_found"));
    const message = findRecord(e.app, "messages", e.request?.pathValue("id") ?? "");
    const field = e.request?.pathValue("field") ?? "";
    const name = FILE_FIELDS.includes(field) ? (message?.getString(field) ?? "") : "";
    if (message === null || name === "") return refuse(e, refusalOf("no_message"));
    const conversation = message.getString("conversationId");
    if (!hasOpened(e.app, e.auth?.id ?? "", conversation)) {
      const details = { message: message.id };
      writeAudit(e.app, e, { action: "conversations.photo", target: conversation, details });
    }
    const files = e.app.newFilesystem();
    try {
      const path = `${message.baseFilesPath()}/${name}`;
      files.serve(e.response as http.ResponseWriter, e.request as http.Request, path, name);
    } finally {
      files.close();
    }
  },

  /** `GET /api/admin/media?filter=&userId=&after=&limit=`, newest or most reported first. */
  adminMedia(e: core.RequestEvent) {
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
  },

  /** `GET /api/admin/reports?status=&kind=&after=&limit=`, newest first. */
  adminReports(e: core.RequestEvent) {
    if (!admitAdmin(e)) return;
    const status = queryOf(e, "status") || "all";
    const kind = queryOf(e, "kind") || "all";
    const isKnown =
      ["all", "open", "resolved", "dismissed"].includes(status) &&
      ["all", ...REPORT_KINDS].includes(kind);
    if (!isKnown) return refuse(e, refusalOf("invalid"));
    const list: PagedList = {
      from: `reports r LEFT JOIN media m ON m.id = r.mediaId LEFT JOIN users p ON p.id = r.userId
      LEFT JOIN comments c ON r.kind = 'comment' AND c.id = r.targetId
      LEFT JOIN messages g ON r.kind = 'message' AND g.id = r.targetId AND g.deleted = FALSE
      LEFT JOIN users o ON o.id = COALESCE(m.userId, json_extract(r.snapshot, '$.userId'))`,
      row: REPORT_ROW,
      sort: "r.number",
      id: "r.id",
      descending: true,
      isNumber: true,
      where: [
        ...(status === "all" ? [] : ["r.status = {:status}"]),
        ...(kind === "all" ? [] : ["r.kind = {:kind}"]),
      ],
      binds: { ...(status !== "all" && { status }), ...(kind !== "all" && { kind }) },
      most: PAGE_MOST,
    };
    answerPage(e, list, "reports");
  },

  /** `GET /api/admin/users?q=&sort=&filter=&after=&limit=`. */
  adminUsers(e: core.RequestEvent) {
    if (!admitAdmin(e)) return;
    const order = named(USER_SORTS, queryOf(e, "sort") || "newest");
    const filter = queryOf(e, "filter") || "all";
    const filtered = filter === "all" ? "" : named(USER_FILTERS, filter);
    const text = queryOf(e, "q");
    if (!order || filtered === undefined || text.length > 200)
      return refuse(e, refusalOf("invalid"));
    const search = searchOf(e.app, text);
    const where = filtered === "" ? search.where : [...search.where, filtered];
    const list = { from: "users u", row: USER_ROW, id: "u.id", ...order, ...search, where };
    answerPage(e, { ...list, most: PAGE_MOST }, "users");
  },
};

const FILE_FIELDS = ["image", "thumbnail"];

function adminOfToken(app: CoreApp, token: string): core.Record | undefined {
  try {
    return token === "" ? undefined : app.findAuthRecordByToken(token, "file");
  } catch (error) {
    if (isFailedLookup(error)) throw busyError();
    return undefined;
  }
}

/** Whether `admin` has read the messages of `conversation` within the last hour. */
function hasOpened(app: CoreApp, admin: string, conversation: string): boolean {
  const since = new Date(Date.now() - 3_600_000).toISOString().replace("T", " ");
  const reading = $dbx.exp(
    "target = {:conversation} AND actor = {:admin} AND action = 'conversations.read' AND createdAt > {:since}",
    { conversation, admin, since },
  );
  return app.countRecords("audit", reading) > 0;
}

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

const CONVERSATION_ROW = `'id', c.id, 'userA', c.userA, 'userB', c.userB, 'usernameA', COALESCE(a.username, ''),
  'usernameB', COALESCE(b.username, ''), 'messageCount', c.messageCount, 'lastMessage', c.lastMessage,
  'lastMessageType', c.lastMessageType, 'lastMessageTime', c.lastMessageTime, 'createdAt', c.createdAt`;

const MESSAGE_ROW = `'id', m.id, 'senderId', m.senderId, 'senderUsername', COALESCE(s.username, ''), 'message', m.message,
  'type', m.type, 'image', m.image, 'thumbnail', m.thumbnail, 'timestamp', m.timestamp, 'deleted', m.deleted`;

const MEDIA_ROW = `'id', m.id, 'userId', m.userId, 'username', m.username, 'caption', m.caption, 'type', m.type, 'file', m.file,
  'thumbnail', m.thumbnail, 'thumbhash', m.thumbhash, 'width', m.width, 'height', m.height, 'likes', m.likes,
  'comments', m.comments, 'views', m.views, 'reports', m.reports, 'createdAt', m.createdAt`;

const MEDIA_FILTERS: Record<string, string> = {
  all: "",
  photos: "m.type = 'photo'",
  videos: "m.type = 'video'",
  reported: "m.reports > 0",
};

const REPORT_ROW = `'id', r.id, 'number', r.number, 'kind', iif(r.kind = '', 'media', r.kind),
  'targetId', iif(r.targetId = '', r.mediaId, r.targetId), 'topic', r.topic,
  'exists', json(CASE r.kind WHEN 'comment' THEN iif(c.id IS NULL, 'false', 'true')
    WHEN 'message' THEN iif(g.id IS NULL, 'false', 'true') WHEN 'person' THEN iif(o.id IS NULL, 'false', 'true')
    ELSE iif(m.id IS NULL, 'false', 'true') END),
  'reason', r.reason, 'status', r.status, 'reporterId', r.userId,
  'reporterUsername', COALESCE(p.username, json_extract(r.snapshot, '$.reporter'), ''), 'mediaId', r.mediaId,
  'snapshot', json(COALESCE(NULLIF(r.snapshot, ''), 'null')), 'createdAt', r.createdAt, 'updatedAt', r.updatedAt,
  'media', iif(m.id IS NULL, NULL, json_object(${MEDIA_ROW})),
  'owner', iif(o.id IS NULL, NULL, json_object('id', o.id, 'username', o.username, 'isBlocked', o.isBlocked,
    'chatDisabled', o.chatDisabled))`;

const USER_ROW = `'id', u.id, 'username', u.username, 'email', u.email, 'isAdmin', u.isAdmin, 'isBlocked', u.isBlocked, 'blockedUntil', u.blockedUntil,
  'chatDisabled', u.chatDisabled, 'followers', u.followers, 'following', u.following, 'mediaCount', u.mediaCount,
  'profilePicture', u.profilePicture, 'profileThumbnail', u.profileThumbnail, 'createdAt', u.createdAt,
  'storage', ${storedSql("u.id")}`;

const USER_SORTS: Record<string, Pick<PagedList, "sort" | "descending" | "isNumber">> = {
  newest: { sort: "u.createdAt", descending: true },
  oldest: { sort: "u.createdAt", descending: false },
  username: { sort: "u.username COLLATE NOCASE", descending: false },
  followers: { sort: "u.followers", descending: true, isNumber: true },
  media: { sort: "u.mediaCount", descending: true, isNumber: true },
};

const USER_FILTERS: Record<string, string> = {
  admins: "u.isAdmin = TRUE",
  suspended: "u.isBlocked = TRUE",
  "chat-disabled": "u.chatDisabled = TRUE",
};
