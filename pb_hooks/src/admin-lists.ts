/** The panel's lists: statistics, users, conversations and their messages, media, reports, the audit book. */
import { isId, PAIR_ID_PATTERN } from "@/domain/ids";
import { findRecord } from "./acting";
import { admitAdmin, countOf, type PagedList, queryOf, readPage } from "./admin-request";
import { writeAudit } from "./audit";
import { answer, NOT_FOUND, refuse } from "./refuse";
import { refusalOf } from "./refused";

const PAGE_MOST = 100;
const AUDIT_MOST = 1_000;
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

/** Answers one page, with the whole list's length beside it. */
function answerPage(e: core.RequestEvent, list: PagedList, ...counted: string[]): void {
  const page = readPage(e, list);
  if (page === null) refuse(e, refusalOf("invalid"));
  else answer(e, 200, { ...page, total: countOf(e.app, ...counted) });
}

const USER_ROW = `'id', u.id, 'username', u.username, 'email', u.email, 'isAdmin', u.isAdmin, 'isBlocked', u.isBlocked,
  'chatDisabled', u.chatDisabled, 'followers', u.followers, 'following', u.following, 'mediaCount', u.mediaCount,
  'profilePicture', u.profilePicture, 'profileThumbnail', u.profileThumbnail, 'createdAt', u.createdAt`;

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

/** Up to this many finds are sorted; where there are more, the list's own order is walked and each row compared. */
const FINDS_SORTED = 1_000;
const likeText = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`);

/** The condition of a search for `text` in names and addresses. */
function searchOf(app: CoreApp, text: string): { where: string[]; binds: Record<string, string> } {
  if (text === "") return { where: [], binds: {} };
  if (text.length < 3) {
    // The index by name knows beginnings; three letters are what the other one takes.
    const binds = { from: text, until: `${text}\u{10ffff}` };
    return { where: ["u.username COLLATE NOCASE BETWEEN {:from} AND {:until}"], binds };
  }
  const match = `"${text.replace(/"/g, '""')}"`;
  const found = new DynamicModel({ n: 0 }) as unknown as { n: number };
  app
    .db()
    .newQuery(
      `SELECT count(*) AS n FROM (SELECT 1 FROM _user_search WHERE _user_search MATCH {:match} LIMIT ${FINDS_SORTED + 1})`,
    )
    .bind({ match })
    .one(found);
  if (found.n > FINDS_SORTED) {
    const binds = { like: `%${likeText(text)}%` };
    return {
      where: ["u.username LIKE {:like} ESCAPE '\\' OR u.email LIKE {:like} ESCAPE '\\'"],
      binds,
    };
  }
  const ids = `SELECT id FROM _user_numbers WHERE n IN (SELECT rowid FROM _user_search WHERE _user_search MATCH {:match})`;
  return { where: [`u.id IN (${ids})`], binds: { match } };
}

/** `GET /api/admin/users?q=&sort=&filter=&after=&limit=`. */
export function adminUsers(e: core.RequestEvent) {
  if (!admitAdmin(e)) return;
  const order = USER_SORTS[queryOf(e, "sort") || "newest"];
  const filter = queryOf(e, "filter") || "all";
  const filtered = filter === "all" ? "" : USER_FILTERS[filter];
  const text = queryOf(e, "q");
  if (!order || filtered === undefined || text.length > 200) return refuse(e, refusalOf("invalid"));
  const search = searchOf(e.app, text);
  const where = filtered === "" ? search.where : [...search.where, filtered];
  const list = { from: "users u", row: USER_ROW, id: "u.id", ...order, ...search, where };
  answerPage(e, { ...list, most: PAGE_MOST }, "users");
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
  const condition = MEDIA_FILTERS[filter];
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

const AUDIT_ROW = `'id', a.id, 'actor', a.actor, 'actorUsername', COALESCE(w.username, ''), 'action', a.action,
  'target', a.target, 'targetLabel', COALESCE(t.username, ''),
  'details', json(COALESCE(NULLIF(a.details, ''), '{}')), 'createdAt', a.createdAt`;

const storedInstant = (ms: string): string => new Date(Number(ms)).toISOString().replace("T", " ");

/** Who is meant by part of a name or an address, at most as many as a condition takes. */
function actorsOf(app: CoreApp, text: string): string[] {
  const search = searchOf(app, text);
  const rows = arrayOf(new DynamicModel({ id: "" })) as unknown as { id: string }[];
  app
    .db()
    .newQuery(`SELECT u.id FROM users u WHERE (${search.where.join(") AND (")}) LIMIT 200`)
    .bind(search.binds)
    .all(rows);
  return rows.map(({ id }) => id);
}

function auditWhere(e: core.RequestEvent): Pick<PagedList, "where" | "binds"> | null {
  const where: string[] = [];
  const binds: Record<string, string> = {};
  const take = (name: string, value: string, condition: string): void => {
    if (value === "") return;
    binds[name] = value;
    where.push(condition);
  };
  const [from, to] = [queryOf(e, "from"), queryOf(e, "to")];
  const action = queryOf(e, "action");
  if (![from, to].every((ms) => ms === "" || /^\d{1,14}$/.test(ms))) return null;
  if (!/^[a-z.-]{0,60}$/.test(action)) return null;
  take("target", queryOf(e, "target"), "a.target = {:target}");
  take(
    "action",
    action,
    "a.action = {:action} OR (a.action >= {:action} || '.' AND a.action < {:action} || '/')",
  );
  if (from !== "") take("from", storedInstant(from), "a.createdAt >= {:from}");
  if (to !== "") take("to", storedInstant(to), "a.createdAt < {:to}");
  const actor = queryOf(e, "actor");
  if (actor !== "") {
    const ids = isId(actor) ? [actor] : actorsOf(e.app, actor);
    take("actor", `superuser:%${likeText(actor)}%`, "");
    where.pop();
    const people = ids.map((id) => `'${id}'`).join(", ");
    where.push(`a.actor IN (${people}) OR a.actor LIKE {:actor} ESCAPE '\\'`);
  }
  return { where, binds };
}

/** `GET /api/admin/audit?actor=&action=&target=&from=&to=&after=&limit=`, newest first; instants in milliseconds. */
export function adminAudit(e: core.RequestEvent) {
  if (!admitAdmin(e)) return;
  const condition = auditWhere(e);
  if (condition === null) return refuse(e, refusalOf("invalid"));
  const list: PagedList = {
    from: "audit a LEFT JOIN users w ON w.id = a.actor LEFT JOIN users t ON t.id = a.target",
    row: AUDIT_ROW,
    sort: "a.createdAt",
    id: "a.id",
    descending: true,
    ...condition,
    most: AUDIT_MOST,
  };
  answerPage(e, list, "audit");
}
