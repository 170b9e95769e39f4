import { expect, test } from "vitest";
import { createPace } from "@/data/engine/sync-loop";

function begin() {
  const world = { busy: false, ring: () => {} };
  const pulls: string[] = [];
  const pace = createPace({
    isBusy: () => world.busy,
    delay: () =>
      new Promise((resolve) => {
        world.ring = resolve;
      }),
  });
  const hint = () => void pulls.push("hint");
  const ack = () => void pulls.push("ack");
  return { world, pulls, pace, hint, ack };
}

test("what changes while nothing is sent is pulled at once", () => {
  const { pace, pulls, hint } = begin();
  pace.ask(hint);
  pace.ask(hint);
  expect(pulls).toEqual(["hint", "hint"]);
});

test("while a queue is sent many changes are one pull, and the end of it is another", async () => {
  const { world, pace, pulls, hint, ack } = begin();
  world.busy = true;
  for (let i = 0; i < 9; i++) pace.ask(ack);
  pace.ask(hint);
  expect(pulls).toEqual([]);
  world.ring();
  await new Promise(setImmediate);
  expect(pulls).toEqual(["ack", "hint"]);
  pace.ask(ack);
  world.busy = false;
  pace.idle();
  expect(pulls).toEqual(["ack", "hint", "ack"]);
  pace.idle();
  expect(pulls).toHaveLength(3);
});
