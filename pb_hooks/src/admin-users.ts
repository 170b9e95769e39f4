/** The panel's list of accounts, with what only admins see of them. */
import { admitAdmin, answerPage, named, type PagedList, queryOf } from "./admin-request";
import { refuse } from "./refuse";
import { refusalOf } from "./refused";
import { searchOf } from "./user-search";

const PAGE_MOST = 100;

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

/** `GET /api/admin/users?q=&sort=&filter=&after=&limit=`. */
export function adminUsers(e: core.RequestEvent) {
  if (!admitAdmin(e)) return;
  const order = named(USER_SORTS, queryOf(e, "sort") || "newest");
  const filter = queryOf(e, "filter") || "all";
  const filtered = filter === "all" ? "" : named(USER_FILTERS, filter);
  const text = queryOf(e, "q");
  if (!order || filtered === undefined || text.length > 200) return refuse(e, refusalOf("invalid"));
  const search = searchOf(e.app, text);
  const where = filtered === "" ? search.where : [...search.where, filtered];
  const list = { from: "users u", row: USER_ROW, id: "u.id", ...order, ...search, where };
  answerPage(e, { ...list, most: PAGE_MOST }, "users");
}
