/** Conversations and messages as rows: who may start, send, delete and mark as read. */

import type { ErrorCode } from "@/domain/error-codes";
import { conversationId, isId, PAIR_ID_PATTERN } from "@/domain/ids";
import { MESSAGE_MAX } from "@/domain/limits";
import { isBlank } from "@/domain/texts";
import {
  bodyOf,
  findRecord,
  inTransaction,
  isAdmin,
  isBlockedEitherWay,
  isRepeat,
  isSuperuser,
  isSuspended,
  keepOnly,
  requestOf,
  TRUSTED,
  userIdOf,
} from "./acting";
import { mustStillBeAdmin, nextAudited } from "./audit";
import { emptyConversation } from "./empty-conversation";
import { hintPeople } from "./hints";
import { refuseTooMany, takeOne } from "./limits";
import { type Refusal, refuse } from "./refuse";
import { CHAT_BLOCKED, refusalOf, refused } from "./refused";

const UNKNOWN_USER: Refusal = {
  status: 404,
  code: "not_found",
  message: "Benutzer nicht gefunden",
};
const NO_CONVERSATION: Refusal = {
  status: 404,
  code: "not_found",
  message: "Conversation not found",
};
const SELF = "Sie können nicht mit sich selbst chatten";

/** The two people in a conversation's id. */
export const peopleOf = (id: string): [string, string] => [id.slice(0, 15), id.slice(16)];

/** The one of the two who is not `me`, or null when `me` is not in it. */
export function otherOf(id: string, me: string): string | null {
  const [a, b] = peopleOf(id);
  if (!PAIR_ID_PATTERN.test(id) || (a !== me && b !== me)) return null;
  return a === me ? b : a;
}

function participantsOf(e: core.RecordRequestEvent): string[] {
  const record = e.record as core.Record;
  const list: unknown = JSON.parse(record.getString("participants") || "null");
  if (Array.isArray(list) && list.length > 0) return list.map(String);
  return peopleOf(record.id);
}

function startFault(e: core.RecordRequestEvent, people: string[]): Refusal | null {
  const [a = "", b = ""] = people;
  const me = userIdOf(e);
  const record = e.record as core.Record;
  if (people.length !== 2 || !people.every(isId)) return refusalOf("invalid");
  if (!people.includes(me)) return refusalOf("not_participant");
  if (a === b) return refusalOf("self", SELF);
  if (record.id !== "" && record.id !== conversationId(a, b)) return refusalOf("invalid");
  return findRecord(e.app, "users", a === me ? b : a) ? null : UNKNOWN_USER;
}

export function createConversation(e: core.RecordRequestEvent) {
  if (isSuperuser(e)) return e.next();
  const record = e.record as core.Record;
  const people = participantsOf(e).sort();
  const [a = "", b = ""] = people;
  const fault = startFault(e, people);
  if (fault !== null) return refuse(requestOf(e), fault);
  keepOnly(record, []);
  record.set("id", conversationId(a, b));
  record.set("participants", people);
  record.set("userA", a);
  record.set("userB", b);
  record.set("@by", userIdOf(e));
  e.next();
}

/** Why `me` may not write to `other`, asked inside the transaction that writes. */
export function chatFault(tx: CoreApp, me: string, other: string): ErrorCode | null {
  if (findRecord(tx, "users", me)?.getBool("chatDisabled")) return "chat_disabled";
  return isBlockedEitherWay(tx, me, other) ? "blocked" : null;
}

function isFollowing(tx: CoreApp, follower: string, following: string): boolean {
  return findRecord(tx, "follows", `${follower}_${following}`) !== null;
}

/** The transaction's own check at the start of a chat. */
export function saveConversation(e: core.ModelEvent) {
  const record = e.model as unknown as core.Record;
  inTransaction(e as { app: CoreApp }, (tx) => {
    const me = record.getString("@by");
    const other = otherOf(record.id, me);
    if (!record.get(TRUSTED) && other !== null) {
      const fault = chatFault(tx, me, other);
      if (fault !== null) throw refused(fault);
      const isStrict = findRecord(tx, "settings", "app")?.getBool("requireMutualFollow") ?? false;
      if (isStrict && !(isFollowing(tx, me, other) && isFollowing(tx, other, me))) {
        throw refused("mutual_follow");
      }
    }
    e.next();
  });
}

/** Why the signed-in user may not send into `conversation`; for text and photo messages alike. */
export function sendFault(app: CoreApp, conversation: string, me: string): Refusal | null {
  const other = otherOf(conversation, me);
  if (other === null) return refusalOf("not_participant");
  if (!findRecord(app, "conversations", conversation)) return NO_CONVERSATION;
  if (!findRecord(app, "users", other)) return { ...UNKNOWN_USER, code: "gone" };
  const fault = chatFault(app, me, other);
  if (fault === null) return null;
  return refusalOf(fault, fault === "blocked" ? CHAT_BLOCKED : undefined);
}

/** The client's own time of writing, unless it lies in the future or is none. Seconds. */
function timestampOf(value: unknown, now: number): number {
  const wanted = Number(value);
  return Number.isInteger(wanted) && wanted > 0 && wanted <= now ? wanted : now;
}

export function createMessage(e: core.RecordRequestEvent) {
  if (isSuperuser(e)) return e.next();
  const record = e.record as core.Record;
  const request = requestOf(e);
  const me = userIdOf(e);
  keepOnly(record, ["conversationId", "senderId", "message", "timestamp"]);
  if (record.getString("senderId") !== me) return refuse(request, refusalOf("forbidden"));
  if (isRepeat(e, "senderId")) return refuse(request, refusalOf("duplicate"));
  const conversation = record.getString("conversationId");
  const fault = sendFault(e.app, conversation, me);
  if (fault !== null) return refuse(request, fault);
  const text = record.getString("message").trim();
  if (isBlank(text)) return refuse(request, refusalOf("text_empty"));
  if (text.length > MESSAGE_MAX) return refuse(request, refusalOf("text_long"));
  record.set("message", text);
  record.set("type", "text");
  record.set("recipientId", otherOf(conversation, me));
  const now = Math.floor(Date.now() / 1000);
  record.set("timestamp", timestampOf(record.get("timestamp"), now));
  e.next();
}

/** Every message, by whatever route: the block and the ban are asked in the transaction that writes it. */
export function saveMessage(e: core.ModelEvent) {
  const record = e.model as unknown as core.Record;
  inTransaction(e as { app: CoreApp }, (tx) => {
    const sender = record.getString("senderId");
    const other = otherOf(record.getString("conversationId"), sender);
    if (other === null) throw refused("not_participant");
    record.set("recipientId", other);
    const fault = record.get(TRUSTED) ? null : chatFault(tx, sender, other);
    if (fault !== null) throw refused(fault);
    e.next();
  });
}

/** The one change a message knows: it is deleted, and its text and files go for good. */
export function updateMessage(e: core.RecordRequestEvent) {
  if (isSuperuser(e)) return e.next();
  const record = e.record as core.Record;
  const request = requestOf(e);
  // Whose it is says the stored row: the body is laid on the record already.
  const stored = record.original();
  const isOthers = stored.getString("senderId") !== userIdOf(e);
  if (isOthers && !isAdmin(e)) return refuse(request, refusalOf("not_sender"));
  if (![true, "true"].includes(bodyOf(e)["deleted"] as string)) {
    return refuse(request, refusalOf("invalid"));
  }
  const wasDeleted = stored.getBool("deleted");
  keepOnly(record, []);
  if (!wasDeleted) wipe(record);
  if (!isOthers || wasDeleted) return e.next();
  nextAudited(e, () => ({
    action: "messages.delete",
    target: record.id,
    details: {
      conversationId: record.getString("conversationId"),
      senderId: record.getString("senderId"),
    },
  }));
}

function wipe(record: core.Record) {
  record.set("deleted", true);
  record.set("deletedAt", new DateTime());
  record.set("message", "");
  record.set("image", null);
  record.set("thumbnail", null);
}

export function deleteConversation(e: core.RecordRequestEvent) {
  const record = e.record as core.Record;
  if (isSuperuser(e)) {
    emptyConversation(e.app as CoreApp, record.id);
    return e.next();
  }
  mustStillBeAdmin(e.app as CoreApp, e);
  emptyConversation(e.app as CoreApp, record.id);
  nextAudited(e, () => ({
    action: "conversations.delete",
    target: record.id,
    details: { messageCount: record.getInt("messageCount") },
  }));
}

/** `POST /api/conversations/{id}/read`: the other's messages are read now. Answers how many that were. */
export function readConversation(e: core.RequestEvent) {
  if (isSuspended(e)) return refuse(e, refusalOf("suspended"));
  const id = e.request?.pathValue("id") ?? "";
  const me = userIdOf(e);
  const conversation = otherOf(id, me) === null ? null : findRecord(e.app, "conversations", id);
  if (conversation === null) return refuse(e, NO_CONVERSATION);
  const wait = takeOne(e.app, "writesPerMinute", me);
  if (wait > 0) return refuseTooMany(e, wait);
  let marked = 0;
  e.app.runInTransaction((tx) => {
    const result = tx
      .db()
      .newQuery(
        `UPDATE messages SET read = TRUE, readAt = {:now}, updatedAt = {:now}
         WHERE conversationId = {:id} AND recipientId = {:me} AND read = FALSE`,
      )
      .bind({ id, me, now: new DateTime().string() })
      .execute();
    marked = Number(result.rowsAffected());
  });
  if (marked > 0) hintPeople(e.app, peopleOf(id));
  e.json(200, { read: marked });
}
