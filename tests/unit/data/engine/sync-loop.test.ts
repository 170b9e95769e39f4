import { describe, expect, test } from "vitest";
import { noAnswer } from "@/data/engine/answers";
import type { EventSourceLike } from "@/data/engine/deps";
import { createRealtime } from "@/data/engine/realtime";
import { createSyncLoop } from "@/data/engine/sync-loop";
import { ok, type Result } from "@/domain/result";

type Listener = (event: { data?: unknown }) => void;

/** A stream that says what the test wants. */
class FakeStream implements EventSourceLike {
  closed = false;
  private readonly listeners = new Map<string, Listener[]>();
  addEventListener(type: string, listener: Listener): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
  }
  close(): void {
    this.closed = true;
  }
  say(type: string, data?: string): void {
    for (const listener of this.listeners.get(type) ?? []) listener({ data });
  }
}

/** Waits that end when the test moves the clock. */
class FakeClock {
  now = 0;
  private waits: { at: number; end: () => void }[] = [];
  readonly delay = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted === true) resolve();
      this.waits.push({ at: this.now + ms, end: resolve });
      signal?.addEventListener("abort", () => resolve());
    });
  async move(ms: number): Promise<void> {
    const until = this.now + ms;
    for (;;) {
      await settle();
      const next = this.waits.sort((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > until) break;
      this.waits.shift();
      this.now = Math.max(this.now, next.at);
      next.end();
    }
    this.now = until;
    await settle();
  }
}

/** Lets everything that is ready run. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

function begin({ streams = true }: { streams?: boolean } = {}) {
  const clock = new FakeClock();
  const opened: FakeStream[] = [];
  const pulls: number[] = [];
  const world = {
    answer: ok({ changed: false }) as Result<{ changed: boolean }>,
    accepts: true,
    /** What a pull waits for before it ends. */
    applied: Promise.resolve(),
  };
  const loop = createSyncLoop({
    pull: async () => {
      pulls.push(clock.now);
      await world.applied;
      return world.answer;
    },
    onUnauthenticated: async () => false,
    onPulled: () => {},
    makeRealtime: (on) =>
      createRealtime({
        ...on,
        eventSource: streams
          ? () => {
              const stream = new FakeStream();
              opened.push(stream);
              return stream;
            }
          : undefined,
        remote: {
          address: (path) => path,
          request: async () =>
            world.accepts ? { kind: "accepted", status: 204, body: null } : noAnswer("network"),
        },
        delay: clock.delay,
      }),
    random: () => 0.999,
    delay: clock.delay,
    log: () => {},
  });
  const connect = async () => {
    opened.at(-1)?.say("PB_CONNECT", JSON.stringify({ clientId: "abc" }));
    await settle();
  };
  return { clock, opened, pulls, world, loop, connect };
}

describe("hints", () => {
  test("of what others do make one pull in two seconds, and the last is not lost", async () => {
    const { clock, opened, pulls, loop, connect } = begin();
    loop.start();
    await settle();
    await connect();
    const before = pulls.length;
    for (let i = 0; i < 10; i++) {
      opened[0]?.say("sync", "{}");
      await clock.move(100);
    }
    // The first at once.
    expect(pulls.length - before).toBe(1);
    await clock.move(1_100);
    expect(pulls.length - before).toBe(2);
    await clock.move(10_000);
    expect(pulls.length - before).toBe(2);
    opened[0]?.say("sync", "{}");
    await settle();
    expect(pulls.length - before).toBe(3);
    await loop.close();
  });

  test("of what is this person's pull at once, and bring what others did along", async () => {
    const { clock, opened, pulls, loop, connect } = begin();
    loop.start();
    await settle();
    await connect();
    opened[0]?.say("sync", "{}");
    await settle();
    const before = pulls.length;
    opened[0]?.say("sync", "{}");
    for (let i = 1; i <= 3; i++) {
      opened[0]?.say("sync", '{"you":true}');
      await settle();
      expect(pulls.length - before).toBe(i);
    }
    await clock.move(5_000);
    expect(pulls.length - before).toBe(3);
    await loop.close();
  });

  test("of a crowd pull at some time of the span that the server gives, once", async () => {
    const { clock, opened, pulls, loop, connect } = begin();
    loop.start();
    await settle();
    await connect();
    const before = pulls.length;
    // Chance is 0.999 here.
    opened[0]?.say("sync", '{"within":20}');
    await clock.move(19_000);
    expect(pulls.length - before).toBe(0);
    await clock.move(1_000);
    expect(pulls.length - before).toBe(1);
    // One that comes in the pause after it has a span of its own.
    opened[0]?.say("sync", '{"within":20}');
    await clock.move(20_000);
    expect(pulls.length - before).toBe(1);
    await clock.move(2_000);
    expect(pulls.length - before).toBe(2);
    await loop.close();
  });

  test("of what is this person's do not wait for that span, and bring the rest along", async () => {
    const { clock, opened, pulls, loop, connect } = begin();
    loop.start();
    await settle();
    await connect();
    const before = pulls.length;
    opened[0]?.say("sync", '{"within":20}');
    opened[0]?.say("sync", '{"you":true}');
    await settle();
    expect(pulls.length - before).toBe(1);
    await clock.move(25_000);
    expect(pulls.length - before).toBe(1);
    await loop.close();
  });

  test("that still wait when the clock's pull finds the change show that the stream hears", async () => {
    const { clock, opened, world, loop, connect } = begin();
    loop.start();
    await settle();
    await connect();
    opened[0]?.say("sync", '{"within":60}');
    world.answer = ok({ changed: true });
    await clock.move(31_000);
    expect(opened.map((stream) => stream.closed)).toEqual([false]);
    await loop.close();
  });

  test("that mean nothing are those of others", async () => {
    const { opened, pulls, loop, connect } = begin();
    loop.start();
    await settle();
    await connect();
    const before = pulls.length;
    for (const data of ["", "[", "[]", "null", '{"you":1}', '{"within":"x"}', undefined]) {
      opened[0]?.say("sync", data);
      await settle();
    }
    expect(pulls.length - before).toBe(1);
    await loop.close();
  });
});

describe("keeping near the server", () => {
  test("a doubt that comes up while a pull is being stored is looked into soon, not at the next check", async () => {
    const { clock, opened, pulls, world, loop, connect } = begin();
    loop.start();
    await settle();
    await connect();
    let stored = () => {};
    world.applied = new Promise((resolve) => {
      stored = resolve;
    });
    opened[0]?.say("sync", "{}");
    await settle();
    expect(pulls).toHaveLength(3);
    loop.probe();
    stored();
    await clock.move(1_100);
    expect(pulls).toHaveLength(4);
    await clock.move(28_000);
    expect(pulls).toHaveLength(4);
    await loop.close();
  });

  test("without a stream it pulls every thirty seconds", async () => {
    const { clock, pulls, loop } = begin({ streams: false });
    loop.start();
    await clock.move(95_000);
    expect(pulls).toEqual([0, 30_000, 60_000, 90_000]);
    await loop.close();
  });

  test("with a stream it pulls at the connection and at each hint, and looks every thirty seconds all the same", async () => {
    const { clock, opened, pulls, loop, connect } = begin();
    loop.start();
    await settle();
    await connect();
    expect(pulls).toHaveLength(2);
    await clock.move(20_000);
    expect(pulls).toHaveLength(2);
    opened[0]?.say("sync", "{}");
    await settle();
    expect(pulls).toHaveLength(3);
    await clock.move(31_000);
    expect(pulls).toHaveLength(4);
    await loop.close();
  });

  test("a stream that falls silent is given up, and another is opened", async () => {
    const { clock, opened, loop, connect } = begin();
    loop.start();
    await settle();
    await connect();
    await clock.move(329_000);
    expect(opened[0]?.closed).toBe(false);
    await clock.move(5_000);
    expect(opened[0]?.closed).toBe(true);
    expect(opened).toHaveLength(2);
    await loop.close();
  });

  test("a stream that did not tell of a change is deaf, and another is opened", async () => {
    const { clock, opened, world, loop, connect } = begin();
    loop.start();
    await settle();
    await connect();
    world.answer = ok({ changed: true });
    await clock.move(31_000);
    expect(opened.map((stream) => stream.closed)).toEqual([true, false]);
    await loop.close();
  });

  test("a stream that the server refuses is not asked for again and again", async () => {
    const { clock, opened, pulls, world, loop, connect } = begin();
    world.accepts = false;
    loop.start();
    for (let i = 0; i < 60; i++) {
      await clock.move(1_000);
      await connect();
    }
    expect(opened.length).toBeLessThan(8);
    expect(pulls.length).toBeLessThan(9);
    await loop.close();
  });

  test("a server that is gone is asked after ever longer pauses, ten seconds at most", async () => {
    const { clock, pulls, world, loop } = begin({ streams: false });
    world.answer = { success: false, error: "network" };
    loop.start();
    await clock.move(60_000);
    const pauses = pulls.slice(1).map((at, i) => Math.round((at - (pulls[i] ?? 0)) / 1000));
    expect(pauses.slice(0, 5)).toEqual([1, 2, 4, 8, 10]);
    expect(Math.max(...pauses)).toBe(10);
    world.answer = ok({ changed: false });
    await clock.move(10_000);
    const count = pulls.length;
    await clock.move(29_000);
    expect(pulls.length - count).toBeLessThanOrEqual(1);
    await loop.close();
  });

  test("a server that refuses the token is asked ever more seldom, every two minutes at last", async () => {
    const { clock, opened, pulls, world, loop } = begin();
    world.answer = { success: false, error: "unauthenticated" };
    loop.start();
    await clock.move(600_000);
    const pauses = pulls.map((at, i) => at - (pulls[i - 1] ?? 0)).slice(-2);
    expect(pulls.length).toBeLessThan(14);
    for (const pause of pauses) expect(pause).toBeGreaterThan(110_000);
    world.answer = ok({ changed: false });
    await loop.pull();
    loop.probe();
    await clock.move(2000);
    expect(opened).toHaveLength(1);
    await loop.close();
  });

  test("calls that wait together share one pull, and one that came too late gets its own", async () => {
    const { pulls, loop } = begin({ streams: false });
    const first = loop.pull();
    const second = loop.pull();
    expect(second).toBe(first);
    await settle();
    await Promise.all([first, second, loop.pull()]);
    expect(pulls).toHaveLength(2);
    await loop.close();
  });

  test("nothing is pulled after the end", async () => {
    const { clock, pulls, loop } = begin({ streams: false });
    loop.start();
    await settle();
    await loop.close();
    await clock.move(120_000);
    expect(pulls).toHaveLength(1);
    expect(await loop.pull()).toMatchObject({ success: false, error: "canceled" });
  });
});
