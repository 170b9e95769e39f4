import recordKeys from "@tests/contract/records.json";
import { describe, expect, test } from "vitest";
import type { RawRecord } from "@/data/engine/rows";
import { NOUNS } from "@/data/nouns";

const READERS = NOUNS.cacheNames.map((name) => [name, NOUNS.collection(name).read] as const);

const TIMES = /^(createdAt|editedAt|updatedAt|deletedAt|readAt|lastUpdated|lastMessageTime)$/;
const FLAGS =
  /^(read|deleted|commentsClosed|isBlocked|requireMutualFollow|requireVerified|adminCodes)$/;
const COUNTS =
  /^(seq|ord|likes|comments|replies|views|width|height|duration|fileSize|followers|following|mediaCount|messageCount|unreadA|unreadB|timestamp|revision|postIndex)$/;

/** A value of the kind that the server gives under this name; never one that stands for nothing. */
function sample(collection: string, key: string): unknown {
  if (key === "id")
    return collection === "conversations" ? `${"a".repeat(15)}_${"b".repeat(15)}` : "abc";
  if (key === "lastMessageType") return "photo";
  if (key === "type") return collection === "messages" ? "photo" : "video";
  if (key === "kind") return "comment";
  if (key === "tags" || key === "participants") return ["one"];
  if (TIMES.test(key)) return "2026-01-02 03:04:05.678Z";
  if (FLAGS.test(key)) return true;
  return COUNTS.test(key) ? 7 : `a ${key}`;
}

describe("a record with exactly the keys that the server sends", () => {
  test.each(READERS)("of %s fills every field of its row", (name, read) => {
    const keys = recordKeys[name];
    const record: RawRecord = Object.fromEntries(keys.map((key) => [key, sample(name, key)]));
    const row = read(record);
    expect(row).not.toBeNull();
    const empty = Object.entries(row ?? {}).filter(
      ([, value]) =>
        value === "" || value === 0 || value === false || (Array.isArray(value) && !value.length),
    );
    expect(empty).toEqual([]);
  });

  test.each(READERS)("of %s without its identity is no row", (name, read) => {
    const keys = recordKeys[name];
    const record: RawRecord = Object.fromEntries(keys.map((key) => [key, sample(name, key)]));
    expect(read({ ...record, id: "" })).toBeNull();
  });
});
