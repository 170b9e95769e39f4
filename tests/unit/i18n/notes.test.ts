import { expect, test } from "vitest";
import { noteOf, readIn, unknownNote } from "@/i18n/notes";

const chat = { kind: "messages", id: "a_b", name: "ben", text: "At eight", count: 1 } as const;
const comment = {
  kind: "comments",
  id: "m1",
  name: "ben",
  text: "What a light",
  count: 1,
} as const;

test("a message is told by who wrote it, with how many wait and the ways to answer", () => {
  readIn("en");
  const note = noteOf(chat, "Augenblick");
  expect(note).toMatchObject({ title: "ben", body: "At eight", path: "/chat/a_b" });
  expect(note.actions.map(({ title }) => title)).toEqual(["Reply", "Mark as read"]);
  const more = noteOf({ ...chat, text: "", count: 3 }, "Augenblick");
  expect([more.body, more.tag]).toEqual(["Photo\n3 unread messages", note.tag]);
  // Somebody whose name is not on this device.
  expect(noteOf({ ...chat, name: "" }, "Augenblick").title).toBe("Augenblick");
});

test("what happened to one's media is told by the picture", () => {
  readIn("en-GB");
  expect(noteOf(comment, "")).toMatchObject({
    title: "ben commented",
    body: "What a light",
    path: "/view/m1",
  });
  expect(noteOf({ ...comment, count: 2 }, "")).toMatchObject({
    title: "2 new comments",
    body: "ben: What a light",
  });
  const likes = { kind: "likes", id: "m1", caption: "Pier" } as const;
  expect(noteOf({ ...likes, count: 1 }, "")).toMatchObject({ title: "1 new like", body: "Pier" });
  const tags = [noteOf(comment, "").tag, noteOf({ ...likes, count: 2 }, "").tag];
  expect(new Set(tags).size).toBe(2);
});

test("all of it in German, too", () => {
  readIn("de");
  expect(noteOf({ kind: "follows", id: "a", count: 2 }, "")).toMatchObject({
    title: "2 neue Follower",
    body: "",
    path: "/profile",
  });
  expect(noteOf(chat, "").actions.map(({ title }) => title)).toEqual([
    "Antworten",
    "Als gelesen markieren",
  ]);
  expect(unknownNote("Augenblick")).toMatchObject({
    title: "Augenblick",
    body: "Es gibt etwas Neues für Sie",
    path: "/",
  });
});
