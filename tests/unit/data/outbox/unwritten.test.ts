import { expect, test } from "vitest";
import { createUnwritten } from "@/data/engine/outbox";
import { outboxRow } from "./rows";

const row = (id: string) => outboxRow({ kind: "media.delete", body: { mediaId: id } }, { id });
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

function begin() {
  const unwritten = createUnwritten();
  let changes = -1;
  unwritten.changed$.subscribe(() => {
    changes += 1;
  });
  return { unwritten, changes: () => changes };
}

test("what is asked for is there at once, in its order, until the queue shows it", () => {
  const { unwritten, changes } = begin();
  unwritten.read([]);
  unwritten.add(row("a"));
  unwritten.add(row("b"));
  expect(changes()).toBe(2);
  expect(ids(unwritten.rows())).toEqual(["a", "b"]);
  unwritten.read([row("a")]);
  expect(ids(unwritten.rows())).toEqual(["b"]);
  unwritten.read([row("a")]);
  expect(ids(unwritten.rows())).toEqual(["b"]);
});

test("what lies on the disk stays until the queue is read again, and no longer, whatever became of it there", () => {
  const { unwritten } = begin();
  unwritten.read([]);
  unwritten.add(row("a"));
  unwritten.written("a");
  expect(ids(unwritten.rows())).toEqual(["a"]);
  unwritten.read([]);
  expect(unwritten.rows()).toEqual([]);
});

test("what could not be written is taken back, and that is told", () => {
  const { unwritten, changes } = begin();
  unwritten.add(row("a"));
  unwritten.add(row("b"));
  unwritten.takeBack("a");
  expect(changes()).toBe(3);
  expect(ids(unwritten.rows())).toEqual(["b"]);
});
