/** Taps on their way to the disk: a page that is left in between loses none. */
import { openTestReplica } from "@tests/unit/data/replica-of-test";
import { describe, expect, test, vi } from "vitest";
import { enqueueIntent, takeUpTaps, tapNotes } from "@/data/engine/enqueue";
import type { Intent } from "@/data/engine/noun";
import { readRows } from "@/data/engine/outbox";
import { createPendingWrites } from "@/data/engine/pending";
import { comment, like } from "./drain-of-test";

const NOTES = "augenblick.taps.me";

async function begin() {
  const { replica, device, storage } = await openTestReplica();
  const { local } = storage;
  const clock = { now: 1_000 };
  let seed = 0;
  const deps = {
    userId: "me",
    replica,
    device,
    local,
    pending: createPendingWrites(),
    now: () => clock.now,
    random: () => {
      seed = (seed + 0.137) % 1;
      return seed;
    },
  };
  const ask = (intent: Intent) => enqueueIntent(deps, intent);
  const log = vi.fn();
  const takeUp = () => takeUpTaps({ deps: { storage, now: deps.now }, log }, deps);
  const rows = () => readRows(replica, "pending");
  /** What a page leaves behind that is left before its write is on the disk. */
  const askAndLeave = async (intent: Intent) => {
    const never = vi.spyOn(replica.outbox, "insert").mockReturnValue(new Promise(() => {}));
    void ask(intent);
    await expect.poll(() => never.mock.calls.length).toBeGreaterThan(0);
    never.mockRestore();
  };
  return { local, log, clock, ask, takeUp, rows, askAndLeave };
}

const deletion: Intent = { kind: "media.delete", body: { mediaId: "gone" } };

describe("a page that is left", () => {
  test("before a tap is on the disk has noted it, and the next page queues it once", async () => {
    const { local, rows, takeUp, askAndLeave } = await begin();
    await askAndLeave(deletion);
    expect(await rows()).toEqual([]);
    await takeUp();
    await takeUp();
    expect(await rows()).toMatchObject([
      { kind: "media.delete", target: "gone", state: "pending" },
    ]);
    expect(local.getItem(NOTES)).toBeNull();
  });

  test("after that leaves no note", async () => {
    const { local, ask, rows, takeUp } = await begin();
    const asked = ask(like("m", true));
    expect(tapNotes(local, "me").read()).toMatchObject([{ kind: "like.set", target: "m" }]);
    expect(await asked).toMatchObject({ success: true });
    expect(local.getItem(NOTES)).toBeNull();
    await takeUp();
    expect(await rows()).toHaveLength(1);
  });

  test("between the disk and the note's end doubles nothing", async () => {
    const { local, ask, rows, takeUp } = await begin();
    const asked = ask(like("m", true));
    const note = local.getItem(NOTES) ?? "";
    await asked;
    local.setItem(NOTES, note);
    await takeUp();
    expect(await rows()).toHaveLength(1);
    expect(local.getItem(NOTES)).toBeNull();
  });
});

test("what another tab has taken up is queued once, and counts as queued", async () => {
  const { ask, rows, takeUp } = await begin();
  const asked = ask(deletion);
  await takeUp();
  expect(await asked).toMatchObject({ success: true });
  expect(await rows()).toHaveLength(1);
});

test("a newer word of another tab about the same target stays the last", async () => {
  const { local, clock, ask, rows, takeUp } = await begin();
  const first = ask(like("m", true));
  const note = local.getItem(NOTES) ?? "";
  await first;
  clock.now += 5;
  await ask(like("m", false));
  local.setItem(NOTES, note.replace(/"id":"[^"]+"/, '"id":"another00000001"'));
  await takeUp();
  expect(await rows()).toMatchObject([{ body: { on: false } }]);
});

test("a tap that waits takes the place of an older unsent one of its target", async () => {
  const { local, clock, ask, rows, takeUp } = await begin();
  await ask(like("m", true));
  clock.now += 5;
  const second = ask(like("m", false));
  const note = local.getItem(NOTES) ?? "";
  await second;
  await ask(like("m", true));
  clock.now += 5;
  local.setItem(NOTES, note.replace(/"createdAt":\d+/, `"createdAt":${clock.now}`));
  await takeUp();
  expect(await rows()).toMatchObject([{ body: { on: false } }]);
});

test("texts are not noted: they stay as drafts until they are queued", async () => {
  const { local, ask } = await begin();
  const asked = ask(comment("m", "Only for the queue"));
  expect(local.getItem(NOTES)).toBeNull();
  await asked;
});

test("each person has notes of their own, and broken ones are passed over", async () => {
  const { local, rows, takeUp, log } = await begin();
  local.setItem("augenblick.taps.somebody", JSON.stringify([{ kind: "like.set", body: {} }]));
  for (const broken of [
    "{",
    "7",
    "[null, 3]",
    '[{"body":null}]',
    '[{"id":"x","kind":"unknown","body":{}}]',
  ]) {
    local.setItem(NOTES, broken);
    await takeUp();
  }
  expect(await rows()).toEqual([]);
  expect(log).not.toHaveBeenCalled();
  expect(local.getItem("augenblick.taps.somebody")).not.toBeNull();
});
