/**
 * Conversations and messages: who may start, send, delete and mark as read. A block or a ban may
 * arrive while a request runs. So the request handlers check early, for a good answer, and the save
 * hooks check again in the transaction that writes.
 */
import { mustStillBeAdmin, nextAudited, writeAudit } from "@hooks/admin/audit";
import { hintPeople } from "@hooks/feed/hints";
import { CHAT_BLOCKED, refusalError, refusalOf, refuse } from "@hooks/http/refusals";
import {
  bodyOf,
  findRecord,
  hasBadToken,
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
} from "@hooks/http/request";
import { otherPersonOf, peopleOf } from "@/domain/chats";
import type { ErrorCode, Refusal } from "@/domain/error-codes";
import { conversationId, isId, pairId } from "@/domain/ids";
import { MESSAGE_MAX } from "@/domain/limits";
import { isBlank } from "@/domain/texts";
import { secondsOf } from "@/domain/times";
import { refuseTooMany, takeOne } from "./limits";
import { unverifiedFault } from "./mail";
import { closeReports } from "./reports";
import { asOneWriter } from "./turns";

export const chatHandlers = {
  createConversation(e: core.RecordRequestEvent) {
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
  },

  saveConversation(e: core.ModelEvent) {
    const record = e.model as unknown as core.Record;
    inTransaction(e as { app: CoreApp }, (tx) => {
      const me = record.getString("@by");
      const other = otherPersonOf(record.id, me);
      if (!record.get(TRUSTED) && other !== null) {
        const fault = chatFault(tx, me, other);
        if (fault !== null) throw refusalError(fault);
        const isStrict = findRecord(tx, "settings", "app")?.getBool("requireMutualFollow") ?? false;
        if (isStrict && !(isFollowing(tx, me, other) && isFollowing(tx, other, me))) {
          throw refusalError("mutual_follow");
        }
      }
      e.next();
    });
  },

  createMessage(e: core.RecordRequestEvent) {
    if (isSuperuser(e)) return e.next();
    const record = e.record as core.Record;
    const request = requestOf(e);
    const me = userIdOf(e);
    keepOnly(record, ["conversationId", "senderId", "message"]);
    if (record.getString("senderId") !== me) return refuse(request, refusalOf("forbidden"));
    if (isRepeat(e, "senderId")) return refuse(request, refusalOf("duplicate"));
    const conversation = record.getString("conversationId");
    const fault = unverifiedFault(e) ?? sendFault(e.app, conversation, me);
    if (fault !== null) return refuse(request, fault);
    const text = record.getString("message").trim();
    if (text.length > MESSAGE_MAX) return refuse(request, refusalOf("text_long"));
    if (isBlank(text)) return refuse(request, refusalOf("text_empty"));
    record.set("message", text);
    record.set("type", "text");
    record.set("recipientId", otherPersonOf(conversation, me));
    record.set("timestamp", secondsOf(Date.now()));
    e.next();
  },

  /** Applies to every message: text, photo or import. */
  saveMessage(e: core.ModelEvent) {
    const record = e.model as unknown as core.Record;
    inTransaction(e as { app: CoreApp }, (tx) => {
      const sender = record.getString("senderId");
      const other = otherPersonOf(record.getString("conversationId"), sender);
      if (other === null) throw refusalError("not_participant");
      record.set("recipientId", other);
      countPhoto(record);
      const fault = record.get(TRUSTED) ? null : chatFault(tx, sender, other);
      if (fault !== null) throw refusalError(fault);
      e.next();
    });
  },

  /** Deletion is the only change to a message. Its text and files are deleted for good. */
  updateMessage(e: core.RecordRequestEvent) {
    const record = e.record as core.Record;
    if (isSuperuser(e)) {
      countPhoto(record);
      return e.next();
    }
    const request = requestOf(e);
    // The record has the body's values already, so the stored row tells who sent the message.
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
        ...closeReports(e.app as CoreApp, record.id),
      },
    }));
  },

  deleteConversation(e: core.RecordRequestEvent) {
    const record = e.record as core.Record;
    if (isSuperuser(e)) {
      emptyConversation(e.app as CoreApp, record.id);
      return e.next();
    }
    // The row of the audit book comes with the first messages that go, should the rest be cut off.
    e.app.runInTransaction((tx) => {
      mustStillBeAdmin(tx, e);
      const details = { messageCount: record.getInt("messageCount") };
      writeAudit(tx, e, { action: "conversations.delete", target: record.id, details });
      deleteSomeTexts(tx, record.id);
    });
    emptyConversation(e.app as CoreApp, record.id);
    e.next();
  },

  /** `POST /api/conversations/{id}/read`: marks the other's messages as read, answers how many. */
  readConversation(e: core.RequestEvent) {
    if (isSuspended(e)) return refuse(e, refusalOf("suspended"));
    if (hasBadToken(e)) return refuse(e, refusalOf("unauthenticated"));
    const id = e.request?.pathValue("id") ?? "";
    const me = userIdOf(e);
    const conversation =
      otherPersonOf(id, me) === null ? null : findRecord(e.app, "conversations", id);
    if (conversation === null) return refuse(e, refusalOf("no_conversation"));
    const wait = takeOne(e.app, "writesPerMinute", me);
    if (wait > 0) return refuseTooMany(e, wait);
    const marked = asOneWriter(e, me, () => markRead(e.app as CoreApp, id, me));
    if (marked === null) return;
    if (marked > 0) hintPeople(e.app, peopleOf(id));
    e.json(200, { read: marked });
  },

  /** Chat photos: only the app's own cache, which ends with the login, may keep them. */
  sendMessageFile(e: core.FileDownloadRequestEvent): void {
    requestOf(e as unknown as core.RequestEvent)
      .response.header()
      .set("Cache-Control", "private, no-store");
    e.next();
  },
};

const UNKNOWN_USER = refusalOf("not_found", "Benutzer nicht gefunden");
const SELF = refusalOf("self", "Sie können nicht mit sich selbst chatten");

/** Of the JSON of two ids; a list of millions would take long to read. */
const PARTICIPANTS_LENGTH = 200;

function participantsOf(e: core.RecordRequestEvent): string[] {
  const record = e.record as core.Record;
  const stored = record.getString("participants");
  const list: unknown = stored.length > PARTICIPANTS_LENGTH ? null : JSON.parse(stored || "null");
  if (Array.isArray(list) && list.length > 0) return list.map(String);
  return peopleOf(record.id);
}

function startFault(e: core.RecordRequestEvent, people: string[]): Refusal | null {
  const [a = "", b = ""] = people;
  const me = userIdOf(e);
  const record = e.record as core.Record;
  if (people.length !== 2 || !people.every(isId)) return refusalOf("invalid");
  if (!people.includes(me)) return refusalOf("not_participant");
  if (a === b) return SELF;
  if (record.id !== "" && record.id !== conversationId(a, b)) return refusalOf("invalid");
  return findRecord(e.app, "users", a === me ? b : a) ? null : UNKNOWN_USER;
}

/** Why `me` may not write to `other`. */
function chatFault(tx: CoreApp, me: string, other: string): ErrorCode | null {
  if (findRecord(tx, "users", me)?.getBool("chatDisabled")) return "chat_disabled";
  return isBlockedEitherWay(tx, me, other) ? "blocked" : null;
}

function isFollowing(tx: CoreApp, follower: string, following: string): boolean {
  return findRecord(tx, "follows", pairId(follower, following)) !== null;
}

/** Why `me` may not send a text or photo message into `conversation`. */
export function sendFault(app: CoreApp, conversation: string, me: string): Refusal | null {
  const other = otherPersonOf(conversation, me);
  if (other === null) return refusalOf("not_participant");
  if (!findRecord(app, "conversations", conversation)) return refusalOf("no_conversation");
  if (!findRecord(app, "users", other)) return { ...UNKNOWN_USER, code: "gone" };
  const fault = chatFault(app, me, other);
  if (fault === null) return null;
  return refusalOf(fault, fault === "blocked" ? CHAT_BLOCKED : undefined);
}

/** How many messages to `me` were not read before. */
function markRead(app: CoreApp, id: string, me: string): number {
  let marked = 0;
  app.runInTransaction((tx) => {
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
  return marked;
}

/** Keeps the size of a photo beside it, for what its sender has stored. */
function countPhoto(record: core.Record): void {
  const [chosen] = record.getUnsavedFiles("image");
  if (chosen) record.set("photoSize", chosen.size);
  else if (record.getString("image") === "") record.set("photoSize", 0);
}

/** Deletes the content for good; the row stays. */
function wipe(record: core.Record) {
  record.set("deleted", true);
  record.set("deletedAt", new DateTime());
  record.set("message", "");
  record.set("image", null);
  record.set("thumbnail", null);
  countPhoto(record);
}

const TEXTS_AT_ONCE = 500;
const PHOTOS_AT_ONCE = 25;

/** Oldest first, so that the preview stays the same until the last step. Answers how many. */
function deleteSomeTexts(app: CoreApp, id: string): number {
  const result = app
    .nonconcurrentDB()
    .newQuery(
      `DELETE FROM messages WHERE rowid IN (SELECT rowid FROM messages
       WHERE conversationId = {:id} AND image = '' AND thumbnail = '' ORDER BY ord LIMIT ${TEXTS_AT_ONCE})`,
    )
    .bind({ id })
    .execute();
  return Number(result.rowsAffected());
}

/** Deletes them as records, so that their files go too. */
function deleteSomePhotos(app: CoreApp, id: string): number {
  const where = "conversationId = {:id}";
  const photos = app.findRecordsByFilter("messages", where, "ord", PHOTOS_AT_ONCE, 0, { id });
  for (const photo of photos) if (photo) app.delete(photo);
  return photos.length;
}

/**
 * Deletes the messages of a conversation before the conversation itself. The cascade would load and
 * delete each as a record, which takes minutes for a long chat. The steps let other writers in
 * between. When one is interrupted, the same request deletes the rest; messages that arrive between
 * two steps cascade. Triggers keep the counters and the feed.
 */
function emptyConversation(app: CoreApp, id: string): void {
  while (deleteSomeTexts(app, id) === TEXTS_AT_ONCE);
  while (deleteSomePhotos(app, id) === PHOTOS_AT_ONCE);
}
