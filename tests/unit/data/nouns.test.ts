import golden from "@tests/contract/intents.json";
import { describe, expect, test } from "vitest";
import type { OutboxRow } from "@/data/engine/outbox-row";
import { NOUNS } from "@/data/nouns";

/** What goes as a form with files: tests/integration/client sends them. */
const FORMS = ["media.create", "message.photo", "profile.update"];

const parsed = (kind: string, body: unknown) =>
  NOUNS.parse({ kind, body: body as OutboxRow["body"] });

describe("what an intent asks of the server", () => {
  test.each(golden)("$kind as $request.method", ({ kind, body, request }) => {
    const intent = parsed(kind, body);
    if (intent === null) throw new Error("not an intent");
    expect(NOUNS.kindOf(intent).request?.(intent.body)).toEqual(request);
  });

  test("is pinned for every kind", () => {
    const pinned = new Set([...golden.map(({ kind }) => kind), ...FORMS]);
    expect([...pinned].sort()).toEqual([...NOUNS.kinds].sort());
  });
});

describe("a stored row", () => {
  test.each(golden)("of $kind that lacks an identity is no intent", ({ kind, body }) => {
    const [first = ""] = Object.keys(body);
    expect(parsed(kind, { ...body, [first]: undefined })).toBeNull();
    expect(parsed(`${kind}.else`, body)).toBeNull();
  });
});

test("what belongs together shares a lane: a medium, a conversation, a person", () => {
  const lanes = (word: string) =>
    new Set(
      golden
        .filter(({ kind }) => kind.startsWith(word))
        .flatMap(({ kind, body }) => parsed(kind, body) ?? [])
        .map((intent) => NOUNS.kindOf(intent).lane(intent.body)),
    );
  expect(lanes("message")).toEqual(new Set(["chat:{chat}"]));
  expect(lanes("conversation")).toEqual(new Set(["chat:{chat}"]));
  expect(lanes("comment")).toEqual(new Set(["media:{media}"]));
  expect(lanes("like")).toEqual(new Set(["media:{media}"]));
  expect(lanes("block")).toEqual(lanes("follow"));
});
