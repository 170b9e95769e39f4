import { outboxRow } from "@tests/unit/data/engine/rows";
import { describe, expect, test } from "vitest";
import { type ChatContext, foldMessages } from "@/data/chat/messages";
import type { ConversationRow, MessageRow } from "@/data/chat/row";
import { foldConversation } from "@/data/chat/views";
import type { OverlayContext } from "@/data/engine/context";
import type { OutboxRow } from "@/data/engine/outbox-row";
import { readOverlay } from "@/data/engine/overlay";
import { newestFirst } from "@/data/engine/rows";
import { NOUNS } from "@/data/nouns";

const ME = "me";
const CHAT = "me_you";
const now: OverlayContext = { offline: false, needsLogin: false, progress: new Map() };

const context = (rows: OutboxRow[] = []): ChatContext => ({
  me: ME,
  overlay: readOverlay(NOUNS, rows, now),
  blocked: new Set(),
  address: (path) => (path === "" ? "" : `https://example.org${path}`),
  blobUrl: (key) => (key === "" ? "" : `blob:${key}`),
});

const arrived = (id: string, change: Partial<MessageRow> = {}): MessageRow => ({
  id,
  conversationId: CHAT,
  senderId: "you",
  recipientId: ME,
  message: id,
  type: "text",
  imageUrl: "",
  thumbnailUrl: "",
  timestamp: 100,
  read: false,
  deleted: false,
  deletedAt: 0,
  ord: 1,
  sortKey: newestFirst(1),
  seq: 1,
  ...change,
});

const conversation = (change: Partial<ConversationRow> = {}): ConversationRow => ({
  id: CHAT,
  userA: ME,
  userB: "you",
  lastMessage: "Hello",
  lastMessageType: "text",
  lastMessageTime: 100_000,
  lastMessageBy: "you",
  messageCount: 1,
  unreadA: 3,
  unreadB: 0,
  createdAt: 1,
  sortKey: 1,
  seq: 1,
  ...change,
});

const text = (messageId: string, change: Partial<OutboxRow> = {}) =>
  outboxRow(
    {
      kind: "message.send",
      body: { messageId, conversationId: CHAT, userId: ME, text: messageId, timestamp: 100 },
    },
    { createdAt: 100_500, ...change },
  );
const photo = (messageId: string) =>
  outboxRow(
    {
      kind: "message.photo",
      body: {
        messageId,
        conversationId: CHAT,
        userId: ME,
        text: "",
        timestamp: 100,
        contentType: "image/jpeg",
        originalFilename: "a.jpg",
        files: { file: "f", thumbnail: "t" },
      },
    },
    { createdAt: 100_500 },
  );
const deletion = (messageId: string) =>
  outboxRow({ kind: "message.delete", body: { messageId, conversationId: CHAT } });

const list = (rows: OutboxRow[], change: Partial<ConversationRow> = {}, newest = "a") =>
  foldConversation(
    CHAT,
    { row: conversation(change), other: { state: "unknown" }, newest: arrived(newest) },
    context(rows),
  );
const page = (rows: MessageRow[], queued: OutboxRow[]) =>
  foldMessages(CHAT, { rows, hasOlder: false }, context(queued)).items;

describe("a conversation in the list", () => {
  test("shows the server's last message and this person's own count of unread ones", () => {
    expect(list([])).toMatchObject({
      lastMessage: "Hello",
      lastKind: "text",
      lastByMe: false,
      unread: 3,
      pending: null,
    });
    expect(list([], { userA: "you", userB: ME, unreadB: 7 })).toMatchObject({ unread: 7 });
  });

  test("shows what waits as the last message, with its fate", () => {
    expect(list([text("a word")])).toMatchObject({
      lastMessage: "a word",
      lastByMe: true,
      pending: { state: "queued" },
    });
    expect(list([text("x"), photo("y")])).toMatchObject({ lastKind: "photo" });
  });

  test("tells a photo and a deletion from words that read like them", () => {
    const last = (lastMessage: string, lastMessageType: string) =>
      list([], { lastMessage, lastMessageType }).lastKind;
    expect(last("Photo", "text")).toBe("text");
    expect(last("Photo", "photo")).toBe("photo");
    expect(last("This message was deleted", "text")).toBe("text");
    expect(last("This message was deleted", "")).toBe("deleted");
  });

  test("is read as soon as that is queued", () => {
    const read = outboxRow({ kind: "conversation.read", body: { conversationId: CHAT } });
    expect(list([read]).unread).toBe(0);
  });

  test("is not hidden behind a refusal of long ago", () => {
    const refused = text("refused", { state: "refused", createdAt: 50_000 });
    expect(list([refused])).toMatchObject({ lastMessage: "Hello", pending: null });
    const fresh = text("refused", { state: "refused", createdAt: 150_000 });
    expect(list([fresh])).toMatchObject({ lastMessage: "refused", pending: { state: "refused" } });
  });

  test("shows the deletion of its last message at once, and of no other", () => {
    expect(list([deletion("a")])).toMatchObject({ lastMessage: "This message was deleted" });
    expect(list([deletion("b")])).toMatchObject({ lastMessage: "Hello" });
    expect(list([text("x"), deletion("x")])).toMatchObject({ lastKind: "deleted" });
  });
});

describe("the messages of a conversation", () => {
  test("stand oldest first, what is queued behind what arrived, each once", () => {
    const rows = [arrived("b"), arrived("a")];
    const items = page(rows, [text("c"), text("b"), photo("d")]);
    expect(items.map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
    expect(items[1]?.pending).toBeNull();
    expect(items[3]).toMatchObject({ imageUrl: "blob:f", thumbnailUrl: "blob:t", mine: true });
  });

  test("keep a refused one where it was written", () => {
    const rows = [arrived("later", { timestamp: 200 }), arrived("earlier", { timestamp: 90 })];
    const items = page(rows, [text("refused", { state: "refused" }), text("queued")]);
    expect(items.map(({ id }) => id)).toEqual(["earlier", "refused", "later", "queued"]);
  });

  test("lose text and files at once when one is deleted", () => {
    const row = arrived("a", { imageUrl: "/api/files/a.jpg", type: "photo" });
    expect(page([row], [])[0]).toMatchObject({
      imageUrl: "https://example.org/api/files/a.jpg",
      thumbnailUrl: "https://example.org/api/files/a.jpg",
    });
    expect(page([row], [deletion("a")])[0]).toMatchObject({
      deleted: true,
      message: "",
      imageUrl: "",
      thumbnailUrl: "",
    });
  });
});
