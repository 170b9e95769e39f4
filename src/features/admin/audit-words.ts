/**
 * The audit book in the reader's words: acts, fields and values by the labels that the screens use.
 * The dashboard may write any column; one without a label is called by its name. The export has it
 * all as it is stored.
 */
import type { TFunction } from "i18next";
import type { AuditRow } from "@/data/admin/admin-client";
import { bytesText } from "@/i18n/formats";
import type { TextKey } from "@/i18n/keys";

type Labels = Readonly<Record<string, TextKey>>;

/** What was acted on: the first part of `media.delete`. */
const NOUNS: Labels = {
  users: "admin.audit.users",
  user: "admin.audit.users",
  admins: "admin.users.filterAdmins",
  _superusers: "admin.audit.superusers",
  media: "admin.audit.media",
  comments: "admin.audit.comments",
  conversations: "admin.audit.conversations",
  messages: "admin.audit.messages",
  reports: "admin.audit.reports",
  likes: "admin.stats.likes",
  follows: "people.followersWord",
  blocks: "account.blocked",
  settings: "admin.audit.settings",
  cleanup: "admin.audit.cleanup",
  uploads: "admin.audit.uploads",
  sessions: "admin.audit.sessions",
  collections: "admin.audit.collections",
  "server-settings": "admin.audit.serverSettings",
  backups: "admin.audit.backups",
};

const ACTS: Labels = {
  create: "admin.audit.act.create",
  update: "admin.audit.act.update",
  change: "admin.audit.act.update",
  delete: "admin.audit.act.delete",
  list: "admin.audit.act.list",
  read: "admin.audit.act.read",
  photo: "admin.audit.act.photo",
  run: "admin.audit.act.run",
  promote: "admin.audit.act.promote",
  impersonate: "admin.audit.act.impersonate",
  "sign-in": "admin.audit.act.signIn",
  "sign-in-failed": "admin.audit.act.signInFailed",
  password: "admin.audit.act.password",
  email: "admin.audit.act.email",
  import: "admin.audit.act.import",
  truncate: "admin.audit.act.truncate",
  warn: "admin.audit.act.warn",
};

/** Targets that are no people, captions or numbers. */
const TARGETS: Labels = {
  app: "admin.settings.app",
  terms: "admin.settings.terms",
  privacy: "admin.settings.privacy",
  "orphaned-files": "admin.cleanup.orphans",
  "expired-uploads": "admin.cleanup.uploads",
  "old-tombstones": "admin.cleanup.tombstones",
};

const FIELDS: Labels = {
  username: "auth.username",
  email: "auth.email",
  password: "auth.password",
  bio: "profile.bio",
  profilePicture: "profile.picture",
  profileThumbnail: "profile.picture",
  followers: "people.followersWord",
  following: "people.followingWord",
  mediaCount: "admin.stats.media",
  isAdmin: "admin.audit.isAdmin",
  isBlocked: "admin.audit.isBlocked",
  blockedUntil: "admin.audit.blockedUntil",
  chatDisabled: "admin.audit.chatDisabled",
  verified: "admin.audit.verified",
  caption: "detail.caption",
  tags: "detail.tags",
  alt: "detail.alt",
  subtitles: "detail.subtitles",
  text: "admin.audit.text",
  content: "admin.audit.text",
  reason: "admin.audit.reason",
  status: "admin.audit.status",
  productName: "admin.app.productName",
  defaultLanguage: "admin.app.language",
  requireMutualFollow: "admin.app.mutual",
  requireVerified: "admin.app.verified",
  adminCodes: "admin.app.codes",
  limits: "admin.app.limits",
  names: "admin.audit.collections",
  conversationId: "admin.audit.conversation",
  message: "outbox.kind.message",
};

const STATUSES: Labels = {
  open: "admin.reports.open",
  resolved: "admin.reports.resolved",
  dismissed: "admin.reports.dismissed",
};

/** What the server keeps for itself beside each change, and where a list was opened. */
const KEPT = new Set(["createdAt", "updatedAt", "lastUpdated", "revision", "seq", "tokenKey"]);
const UNSAID = new Set([...KEPT, "page"]);

const MB = 1024 * 1024;

const labelIn = (labels: Labels, name: string, t: TFunction): string => {
  const key = Object.hasOwn(labels, name) ? labels[name] : undefined;
  return key === undefined ? name : t(key);
};

export function actorText({ actor, actorUsername }: AuditRow, t: TFunction): string {
  if (actorUsername !== "") return actorUsername;
  if (actor === "") return t("admin.audit.server");
  if (actor === "command line") return t("admin.audit.commandLine");
  const [kind, email = ""] = actor.split(/:(.*)/);
  return kind === "superuser" ? t("admin.audit.superuser", { email }) : actor;
}

export function actText(action: string, t: TFunction): string {
  const [noun = "", act = ""] = action.split(".");
  return t("admin.audit.did", { noun: labelIn(NOUNS, noun, t), act: labelIn(ACTS, act, t) });
}

export function targetText({ action, target, targetLabel }: AuditRow, t: TFunction): string {
  if (targetLabel !== "") return targetLabel;
  return labelIn(action.startsWith("collections.") ? NOUNS : TARGETS, target, t);
}

/** People by their names, switches by yes and no, limits in MB. */
export function detailsText(row: AuditRow, t: TFunction, language: string): string {
  const { changed, userId, senderId, limits, text: _isTarget, ...rest } = row.details;
  const names = Array.isArray(changed) ? changed.map(String) : [];
  const person = userId ?? senderId;
  const fields = names
    // What a value is said of is not said again.
    .filter((name) => !(name in rest) && name !== "limits" && !UNSAID.has(name))
    .map((name) => labelIn(FIELDS, name, t));
  const parts = [
    person === undefined ? "" : t("admin.audit.of", { name: row.aboutUsername || String(person) }),
    [...new Set(fields)].join(", "),
    ...Object.entries(rest)
      .filter(([name]) => !UNSAID.has(name))
      .map(([name, value]) => detailText(name, value, t, language)),
    ...Object.entries((limits ?? {}) as Record<string, unknown>).map(([name, value]) =>
      limitText(name, value, t),
    ),
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

function detailText(name: string, value: unknown, t: TFunction, language: string): string {
  const count = Number(value);
  switch (name) {
    case "reportsResolved":
      return t("admin.audit.reportsResolved", { count });
    case "messages":
    case "messageCount":
      return t("admin.chats.messages", { count });
    case "items":
      return t("admin.cleanup.items", { count });
    case "bytes":
      return bytesText(count, language);
    default: {
      const label = labelIn(FIELDS, name, t);
      return t("admin.audit.value", { label, value: valueText(name, value, t) });
    }
  }
}

function valueText(name: string, value: unknown, t: TFunction): string {
  if (typeof value === "boolean") return t(value ? "admin.audit.yes" : "admin.audit.no");
  if (Array.isArray(value)) return value.join(", ");
  if (name === "status") return labelIn(STATUSES, String(value), t);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function limitText(name: string, value: unknown, t: TFunction): string {
  // A limit of another version of the server has no name here.
  const label = t(`admin.limit.${name as "storageBytes"}`, { defaultValue: name });
  if (typeof value !== "number") {
    return t("admin.audit.value", { label, value: t("admin.audit.builtIn") });
  }
  return t("admin.audit.value", { label, value: name.endsWith("Bytes") ? value / MB : value });
}
