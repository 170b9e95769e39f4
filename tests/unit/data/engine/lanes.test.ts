import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Candidate, nextWake, pickSendable, runOf } from "@/data/engine/lanes";

const row = (change: Partial<Candidate> & { id: string }): Candidate => ({
  lane: change.id,
  makes: null,
  after: [],
  place: 1,
  priority: 0,
  nextAt: 0,
  sending: false,
  ...change,
});
const ids = (rows: Candidate[]) => rows.map((candidate) => candidate.id);

describe("lanes", () => {
  test("the second of a lane waits for the first, also while the first pauses", () => {
    const rows = [
      row({ id: "b", lane: "chat", place: 2 }),
      row({ id: "a", lane: "chat", place: 1, nextAt: 500 }),
      row({ id: "c", lane: "other", place: 3 }),
    ];
    expect(ids(pickSendable(rows, 100))).toEqual(["c"]);
    expect(ids(pickSendable(rows, 500))).toEqual(["a", "c"]);
  });

  test("text goes before a chat's photos, and those before media, one file at a time", () => {
    const rows = [
      row({ id: "medium", priority: 2, place: 1 }),
      row({ id: "photo", priority: 1, place: 2 }),
      row({ id: "other photo", priority: 1, place: 3 }),
      row({ id: "text", place: 4 }),
    ];
    expect(ids(pickSendable(rows, 0))).toEqual(["text"]);
    const rest = rows.filter((candidate) => candidate.id !== "text");
    expect(ids(pickSendable(rest, 0))).toEqual(["photo"]);
    expect(pickSendable([row({ id: "x", priority: 2, sending: true }), ...rest], 0)).toEqual([]);
  });

  test("media go in the order in which they were chosen, also while the first is tried again", () => {
    const media = [
      row({ id: "third", priority: 2, place: 3 }),
      row({ id: "first", priority: 2, place: 1, nextAt: 500 }),
      row({ id: "second", priority: 2, place: 2 }),
    ];
    expect(pickSendable(media, 100)).toEqual([]);
    expect(nextWake(media, 100)).toBe(500);
    expect(ids(pickSendable(media, 500))).toEqual(["first"]);
    const photo = row({ id: "of a chat", priority: 1, place: 4 });
    expect(ids(pickSendable([...media, photo], 100))).toEqual(["of a chat"]);
  });

  test("a medium that somebody paused holds no other back", () => {
    const paused = row({ id: "first", priority: 2, place: 1, nextAt: Number.POSITIVE_INFINITY });
    const next = row({ id: "second", priority: 2, place: 2 });
    expect(ids(pickSendable([paused, next], 100))).toEqual(["second"]);
  });

  test("what depends on a row goes once the earlier changes of that row have gone", () => {
    const unblock = row({ id: "unblock", lane: "person", makes: "block", place: 1, nextAt: 500 });
    const text = row({ id: "text", lane: "chat", after: ["follow", "block"], place: 2 });
    const block = row({ id: "block", lane: "person", makes: "block", place: 3 });
    expect(ids(pickSendable([text, unblock, block], 100))).toEqual([]);
    expect(nextWake([text, unblock, block], 100)).toBe(500);
    expect(ids(pickSendable([text, { ...unblock, sending: true }, block], 500))).toEqual([]);
    expect(ids(pickSendable([text, block], 100))).toEqual(["text", "block"]);
    const other = { ...unblock, makes: "like" };
    expect(ids(pickSendable([text, other], 100))).toEqual(["text"]);
    const paused = { ...unblock, nextAt: Number.POSITIVE_INFINITY };
    expect(ids(pickSendable([text, paused], 100))).toEqual(["text"]);
  });

  test("a photo, too, depends on a row", () => {
    const unblock = row({ id: "unblock", makes: "block", place: 1, sending: true });
    const photo = row({ id: "photo", after: ["block"], priority: 1, place: 2 });
    expect(pickSendable([unblock, photo], 0)).toEqual([]);
  });

  test("a text is not held up by a file that is being sent", () => {
    const rows = [row({ id: "video", priority: 2, sending: true }), row({ id: "text", place: 9 })];
    expect(ids(pickSendable(rows, 0))).toEqual(["text"]);
  });
});

describe("a run", () => {
  const lane = (id: string, place: number, change: Partial<Candidate> = {}) =>
    row({ id, lane: "chat", place, ...change });
  const [a, b] = [lane("a", 1), lane("b", 2)];

  test("goes in the order of its lane, and leaves other lanes out", () => {
    expect(ids(runOf(a, [b, row({ id: "x", lane: "other" }), a], 0))).toEqual(["a", "b"]);
  });

  test("ends before what depends on a row that is to change", () => {
    const block = row({ id: "block", makes: "block", place: 2 });
    const held = lane("held", 3, { after: ["block"] });
    expect(ids(runOf(a, [a, block, held], 0))).toEqual(["a"]);
    expect(ids(runOf(a, [a, held], 0))).toEqual(["a", "held"]);
  });

  test("ends before a file and before what has to wait", () => {
    const photo = lane("photo", 3, { priority: 1 });
    const last = lane("last", 4);
    expect(ids(runOf(a, [a, b, photo, last], 0))).toEqual(["a", "b"]);
    expect(ids(runOf(photo, [photo, last], 0))).toEqual(["photo"]);
    expect(ids(runOf(a, [a, lane("later", 2, { nextAt: 500 }), last], 100))).toEqual(["a"]);
  });

  test("lets other lanes have their turn", () => {
    const many = Array.from({ length: 200 }, (_, i) => lane(`${i}`, i));
    const [first = a] = many;
    expect(runOf(first, many, 0)).toEqual(many.slice(0, 32));
  });
});

test("several of one lane in flight count as one", () => {
  const flying = ["a", "b", "c", "d"].map((id) => row({ id, lane: "chat", sending: true }));
  expect(ids(pickSendable([...flying, row({ id: "e", lane: "other" })], 0))).toEqual(["e"]);
});

test("the next wake is the earliest pause of a lane's first", () => {
  const rows = [
    row({ id: "a", lane: "one", place: 1, nextAt: 900 }),
    row({ id: "b", lane: "one", place: 2, nextAt: 300 }),
    row({ id: "c", lane: "two", nextAt: 700 }),
  ];
  expect(nextWake(rows, 100)).toBe(700);
  expect(nextWake([], 100)).toBeNull();
});

const candidates = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    lane: fc.constantFrom("a", "b", "c", "d"),
    place: fc.integer({ min: 0, max: 50 }),
    priority: fc.constantFrom(0, 0, 1, 2),
    makes: fc.constantFrom(null, "x", "y"),
    after: fc.constantFrom<string[]>([], [], ["x"], ["x", "y"]),
    nextAt: fc.constantFrom(0, 0, 50, 200),
    sending: fc.constant(false),
  }),
  { selector: (candidate) => candidate.id, maxLength: 20 },
);

/** Sends everything, ending flights as `choose` says; the rows in the order in which they arrived. */
function sendAll(waiting: readonly Candidate[], choose: () => number): Candidate[] {
  let left: Candidate[] = waiting.map((candidate) => ({ ...candidate }));
  const sent: Candidate[] = [];
  let now = 0;
  while (left.length > 0) {
    const started = new Set(ids(pickSendable(left, now)));
    left = left.map((one) => (started.has(one.id) ? { ...one, sending: true } : one));
    const flying = left.filter((candidate) => candidate.sending);
    expect(flying.filter((candidate) => candidate.priority > 0).length).toBeLessThanOrEqual(1);
    expect(new Set(flying.map((candidate) => candidate.lane)).size).toBe(flying.length);
    const done = flying[choose() % Math.max(1, flying.length)];
    if (done === undefined) {
      const wake = nextWake(left, now);
      if (wake === null) throw new Error("Nothing moves, and nothing will wake it");
      now = wake;
    } else {
      sent.push(done);
      left = left.filter((candidate) => candidate !== done);
    }
  }
  return sent;
}

test("whatever waits, each lane is sent in order and everything is sent in the end", () => {
  fc.assert(
    fc.property(candidates, fc.infiniteStream(fc.nat(5)), (waiting, choices) => {
      const sent = sendAll(waiting, () => choices.next().value ?? 0);
      expect(sent).toHaveLength(waiting.length);
      for (const lane of ["a", "b", "c", "d"]) {
        const places = sent.filter((one) => one.lane === lane).map((one) => one.place);
        expect(places).toEqual([...places].sort((a, b) => a - b));
      }
      sent.forEach((one, i) => {
        const late = sent.slice(i).filter(({ makes }) => one.after.includes(makes ?? ""));
        expect(late.filter(({ place }) => place < one.place)).toEqual([]);
      });
    }),
  );
});
