import { expect, test } from "vitest";
import type { MessageView } from "@/data/shapes";
import { messageLines } from "@/features/chat/message-list";
import { matchPeople } from "@/features/chat/start-chat";

const message = (id: string, senderId: string, at: Date): MessageView => ({
  id,
  senderId,
  conversationId: "chat",
  mine: senderId === "me",
  message: id,
  type: "text",
  imageUrl: "",
  thumbnailUrl: "",
  timestamp: at.getTime() / 1000,
  read: false,
  deleted: false,
  pending: null,
});

test("each day begins with its separator, and each run of one person with a first bubble", () => {
  const lines = messageLines([
    message("a", "me", new Date(2026, 10, 20, 23, 59)),
    message("b", "me", new Date(2026, 10, 21, 0, 1)),
    message("c", "me", new Date(2026, 10, 21, 0, 2)),
    message("d", "you", new Date(2026, 10, 21, 0, 3)),
  ]);
  expect(
    lines.map((line) => (line.kind === "message" ? [line.key, line.first] : line.kind)),
  ).toEqual(["top", "day", ["a", true], "day", ["b", true], ["c", false], ["d", true]]);
});

test("keys of lines stay the same when older messages come above", () => {
  const later = message("b", "you", new Date(2026, 10, 21, 9));
  const earlier = message("a", "me", new Date(2026, 10, 20, 9));
  const keys = (items: MessageView[]) => messageLines(items).map(({ key }) => key);
  expect(keys([earlier, later]).slice(-2)).toEqual(keys([later]).slice(-2));
});

const people = ["Zoe", "anna", "Joanna", "ben"].map((username) => ({
  id: username,
  username,
  thumbnailUrl: "",
}));

test("names that begin as typed come before those that hold it, whatever the case", () => {
  expect(matchPeople(people, " AN ").map(({ username }) => username)).toEqual(["anna", "Joanna"]);
  expect(matchPeople(people, "")).toEqual([]);
});

test("a name that is typed whole is offered no more", () => {
  expect(matchPeople(people, "Anna")).toEqual([]);
});
