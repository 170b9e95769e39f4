import { expect, test } from "vitest";
import type { ConversationView } from "@/data/shapes";
import { newsIn } from "@/state/client-events";

const SINCE = 1_000;
const chat = (
  id: string,
  lastAt: number,
  also: Partial<ConversationView> = {},
): ConversationView => ({
  id,
  otherId: "ben",
  other: { state: "known", username: "ben", thumbnailUrl: "" },
  lastMessage: "Look",
  lastKind: "text",
  lastByMe: false,
  lastAt,
  unread: 1,
  blocked: false,
  pending: null,
  ...also,
});

/** Which chats are told of, one look after another. */
function toldOf(...looks: ConversationView[][]): (string | undefined)[] {
  let told: ReadonlyMap<string, number> | null = null;
  return looks.map((chats) => {
    const now = newsIn(chats, told, SINCE);
    told = now.told;
    return now.news?.id;
  });
}

test("a message is told once, and what was there at the start is not", () => {
  const [a, b] = [chat("a", 2_000), chat("b", 2_000)];
  const next = chat("a", 3_000);
  expect(toldOf([a, b], [next, b], [next, b])).toEqual([undefined, "a", undefined]);
});

test("what a first pull brings is no news, and a chat that begins now is", () => {
  expect(toldOf([], [chat("old", 900)], [chat("new", 1_500), chat("old", 900)])).toEqual([
    undefined,
    undefined,
    "new",
  ]);
});

test("it is told once its number is known, and never without words", () => {
  const start = [chat("a", 2_000, { unread: 0 })];
  const uncounted = [chat("a", 3_000, { unread: 0 })];
  const counted = [chat("a", 3_000)];
  expect(toldOf(start, [chat("a", 2_000)], uncounted, counted)).toEqual([
    undefined,
    undefined,
    undefined,
    "a",
  ]);
  for (const bare of [{ lastKind: "deleted" }, { lastKind: "none" }, { lastByMe: true }] as const)
    expect(toldOf(start, [chat("a", 3_000, bare)])).toEqual([undefined, undefined]);
});
