import fc from "fast-check";
import { expect, test } from "vitest";
import {
  lacksConversation,
  otherPersonOf,
  parseLastMessageType,
  peopleOf,
  unreadCountOf,
} from "@/domain/chats";
import { conversationId } from "@/domain/ids";

const ids = fc.string({
  unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz0123456789"),
  minLength: 15,
  maxLength: 15,
});
const [ann, bob, eve] = ["a".repeat(15), "b".repeat(15), "e".repeat(15)] as const;
const chat = conversationId(bob, ann);

test("a conversation's id names its two people, and each is the other's other", () => {
  fc.assert(
    fc.property(ids, ids, (a, b) => {
      fc.pre(a !== b);
      const id = conversationId(a, b);
      expect(peopleOf(id)).toEqual([a, b].sort());
      expect(otherPersonOf(id, a)).toBe(b);
      expect(otherPersonOf(id, b)).toBe(a);
    }),
  );
});

test.each([
  "",
  "_",
  ann,
  `${ann}_`,
  `_${bob}`,
  `${ann}_${bob}_${eve}`,
  `${ann.toUpperCase()}_${bob}`,
])("%j is no conversation and has nobody in it", (id) => {
  expect(peopleOf(id)).toEqual([]);
  expect(otherPersonOf(id, ann)).toBeNull();
});

test("who is not in a conversation has no other in it", () => {
  expect(otherPersonOf(chat, eve)).toBeNull();
  expect(otherPersonOf(chat, "")).toBeNull();
});

test("a message without its conversation is known by today's code and by the older one", () => {
  expect(["no_conversation", "not_found"].map(lacksConversation)).toEqual([true, true]);
  expect(["gone", "blocked", "not_participant", ""].some(lacksConversation)).toBe(false);
});

test("each of the two has an unread counter", () => {
  const row = { userA: ann, unreadA: 3, unreadB: 7 };
  expect(unreadCountOf(row, ann)).toBe(3);
  expect(unreadCountOf(row, bob)).toBe(7);
});

test("a last message is a text, a photo, or of no kind", () => {
  expect(["text", "photo"].map(parseLastMessageType)).toEqual(["text", "photo"]);
  expect(["", "video", null, undefined, 1].map(parseLastMessageType)).toEqual(["", "", "", "", ""]);
});
