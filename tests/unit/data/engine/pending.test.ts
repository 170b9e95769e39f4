import { expect, test } from "vitest";
import { createPendingWrites } from "@/data/engine/pending";
import { outboxRow } from "./rows";

const row = (id: string) => outboxRow({ kind: "media.delete", body: { mediaId: id } }, { id });
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

function begin() {
  const pending = createPendingWrites();
  let changes = 0;
  pending.subscribe(() => {
    changes += 1;
  });
  return { pending, changes: () => changes };
}

test("what is asked for is there at once, in its order, until the queue shows it", () => {
  const { pending, changes } = begin();
  pending.read("me", []);
  pending.add("me", row("a"));
  pending.add("me", row("b"));
  expect(changes()).toBe(2);
  expect(ids(pending.rows("me"))).toEqual(["a", "b"]);
  pending.read("me", [row("a")]);
  expect(ids(pending.rows("me"))).toEqual(["b"]);
  pending.read("me", [row("a")]);
  expect(ids(pending.rows("me"))).toEqual(["b"]);
});

test("what lies on the disk stays until the queue is read again, and no longer, whatever became of it there", () => {
  const { pending } = begin();
  pending.read("me", []);
  pending.add("me", row("a"));
  pending.written("a");
  expect(ids(pending.rows("me"))).toEqual(["a"]);
  pending.read("me", []);
  expect(pending.rows("me")).toEqual([]);
});

test("what could not be written is taken back, and that is told", () => {
  const { pending, changes } = begin();
  pending.add("me", row("a"));
  pending.add("me", row("b"));
  pending.takeBack("a");
  expect(changes()).toBe(3);
  expect(ids(pending.rows("me"))).toEqual(["b"]);
});

const like = (id: string, on: boolean, state: "pending" | "refused" = "pending") =>
  outboxRow({ kind: "like.set", body: { mediaId: "m", userId: "me", on } }, { id, state });

test("what is wanted of a target is the last that was asked, here or in the outbox", () => {
  const { pending } = begin();
  expect(pending.wanted("m")).toBeUndefined();
  pending.add("me", like("a", true));
  expect(pending.wanted("m")).toBe(true);
  pending.written("a");
  pending.read("me", [like("a", true)]);
  expect(pending.wanted("m")).toBe(true);
  pending.add("me", like("b", false));
  expect(pending.wanted("m")).toBe(false);
  pending.takeBack("b");
  expect(pending.wanted("m")).toBe(true);
  pending.read("me", [like("a", true, "refused")]);
  expect(pending.wanted("m")).toBeUndefined();
  pending.add(
    "me",
    outboxRow({ kind: "save.set", body: { mediaId: "m", userId: "me", on: true } }),
  );
  expect(pending.wanted("m")).toBeUndefined();
});

test("a tap before there is a client counts until it ends, and is nobody's row", () => {
  const { pending, changes } = begin();
  const end = pending.tap("m", true);
  expect(pending.wanted("m")).toBe(true);
  expect(pending.rows(null)).toEqual([]);
  end();
  expect(pending.wanted("m")).toBeUndefined();
  expect(changes()).toBe(2);
});

test("what one person asked for is no row of another's, and goes when their data are closed", () => {
  const { pending } = begin();
  pending.add("me", row("a"));
  pending.add("you", row("b"));
  expect(ids(pending.rows("me"))).toEqual(["a"]);
  pending.forget("me");
  expect(pending.rows("me")).toEqual([]);
  expect(ids(pending.rows("you"))).toEqual(["b"]);
});
