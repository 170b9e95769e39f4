import { openTestReplica } from "@tests/unit/data/replica-of-test";
import { describe, expect, test } from "vitest";
import { noAnswer } from "@/data/engine/answers";
import { createDrain } from "@/data/engine/drain";
import { enqueueIntent } from "@/data/engine/enqueue";
import { pauseIntent } from "@/data/engine/outbox";
import { createPendingWrites } from "@/data/engine/pending";
import { begin, comment, like, no, yes } from "./drain-of-test";
import { created, outboxRow } from "./rows";

const MINUTE = 60_000;
describe("the outbox", () => {
  test("sends the opposite of an unsent toggle quietly, and what follows it aloud", async () => {
    const { add, rows } = await begin(() => yes);
    await add(like("a", true));
    await add(like("b", true));
    await add(like("a", false));
    const queued = async () =>
      (await rows()).map(({ target, body }) => [target, body["on"], body["quiet"] === true]);
    expect(await queued()).toEqual([
      ["b", true, false],
      ["a", false, true],
    ]);
    await add(like("a", true));
    expect(await queued()).toEqual([
      ["b", true, false],
      ["a", true, false],
    ]);
  });

  test("replaces a toggle by its opposite where the server may have heard of it", async () => {
    const { add, rows, replica } = await begin(() => yes);
    await add(like("a", true));
    const [tried] = await replica.outbox.find().exec();
    await tried?.incrementalPatch({ attempts: 1 });
    await add(like("a", false));
    expect((await rows()).map(({ target, body }) => [target, body["on"]])).toEqual([["a", false]]);
  });

  test("a refused intent is kept with its reason, and what comes after it goes on", async () => {
    const { add, sender, rows, done } = await begin((intent) =>
      intent.kind === "like.set" ? no("blocked") : yes,
    );
    await add(like("a", true));
    await add(comment("a", "hello"));
    const all = done();
    await sender.wake();
    await all;
    expect((await rows()).map(({ state, code, message }) => [state, code, message])).toEqual([
      ["refused", "blocked", "No."],
      ["acked", "", ""],
    ]);
    await sender.close();
  });

  test("a message whose chat is offered again while it is on its way goes once more, behind the chat", async () => {
    const { deps, rows, done } = await begin(() => yes);
    const conversationId = "me0000000000000_you000000000000";
    const ids = { conversationId, userId: "me0000000000000" };
    const chat = outboxRow({
      kind: "conversation.create",
      body: { ...ids, otherId: "you000000000000" },
    });
    const text = outboxRow({
      kind: "message.send",
      body: { ...ids, messageId: "x00000000000001", text: "Hello", timestamp: 1 },
    });
    await deps.replica.outbox.insert(text);
    const sent: string[] = [];
    const sender = createDrain({
      ...deps,
      server: {
        ...deps.server,
        send: async ({ kind }) => {
          sent.push(kind);
          if (sent.length > 1) return yes;
          await deps.replica.outbox.insert(chat);
          return no("not_found", 404);
        },
      },
    });
    const all = done();
    await sender.wake();
    await all;
    await sender.close();
    expect(sent).toEqual(["message.send", "conversation.create", "message.send"]);
    expect((await rows()).map(({ state }) => state)).toEqual(["acked", "acked"]);
  });

  test("files wait while the connection is one they may not use, and words go", async () => {
    const { add, sender, clock, sent, rows, device, done } = await begin(() => yes);
    clock.mayUpload = false;
    await device.putBlob("v/file", new Blob(["x"]));
    await add(created("v"));
    await add(like("a", true));
    await sender.wake();
    await expect
      .poll(async () => (await rows()).map((row) => row.state))
      .toEqual(["pending", "acked"]);
    await sender.settled();
    expect(sent).toEqual(["a"]);
    expect(await rows()).toMatchObject([{ attempts: 0, spent: 0 }, {}]);
    clock.mayUpload = true;
    const all = done();
    await sender.wake();
    await all;
    expect(sent).toEqual(["a", "v"]);
    await sender.close();
  });

  test("a file that is being sent is cut off, and goes on when it may", async () => {
    const { add, deps, device, done } = await begin(() => yes);
    const tries: AbortSignal[] = [];
    const sender = createDrain({
      ...deps,
      server: {
        ...deps.server,
        send: (_intent, _row, signal) => {
          tries.push(signal);
          if (tries.length > 1) return Promise.resolve(yes);
          // The first try ends only when it is cut off.
          return new Promise((resolve) => {
            signal.addEventListener("abort", () => resolve(noAnswer("network")));
          });
        },
      },
    });
    await device.putBlob("v/file", new Blob(["x"]));
    await add(created("v"));
    void sender.wake();
    await expect.poll(() => tries.length).toBe(1);
    const all = done();
    sender.holdFiles();
    await all;
    expect(tries[0]?.aborted).toBe(true);
    expect(tries).toHaveLength(2);
    await sender.close();
  });

  test("what needs a sign-in waits without losing a try", async () => {
    const { add, sender, clock, rows, deps } = await begin(() => no("unauthenticated", 401));
    deps.server.checkToken = async () => {
      clock.may = false;
      return "bad";
    };
    await add(like("a", true));
    await sender.wake();
    await sender.settled();
    expect(await rows()).toMatchObject([
      { state: "pending", code: "unauthenticated", attempts: 0 },
    ]);
    await sender.close();
  });

  test("an operation is given up after two minutes of online time, an upload after ten", async () => {
    const { add, sender, rows, done, device } = await begin(() => ({
      ...noAnswer("network"),
      code: "server",
      ours: true,
    }));
    await device.putBlob("v/file", new Blob(["x"]));
    await add(like("a", true));
    await add(created("v"));
    const all = done();
    await sender.wake();
    await all;
    const [quick, file] = await rows();
    expect(quick).toMatchObject({ state: "refused", code: "timeout" });
    expect(file).toMatchObject({ state: "refused", code: "timeout" });
    expect(quick?.spent).toBeGreaterThanOrEqual(2 * MINUTE);
    expect(quick?.spent).toBeLessThan(3 * MINUTE);
    expect(file?.spent).toBeGreaterThanOrEqual(10 * MINUTE);
    await sender.close();
  });

  test("time without a connection does not count, and nothing is tried then", async () => {
    const { add, sender, clock, rows, sent } = await begin(() => {
      clock.may = false;
      return noAnswer("network");
    });
    await add(like("a", true));
    await sender.wake();
    await sender.settled();
    clock.now += 60 * MINUTE;
    await sender.wake();
    await sender.settled();
    expect(sent).toHaveLength(1);
    expect(await rows()).toMatchObject([{ state: "pending", spent: 0, attempts: 1 }]);
    await sender.close();
  });

  test("a clock that is set back makes nothing wait for the day to come again", async () => {
    let busy = true;
    const { add, sender, clock, sent, rows, done } = await begin(() => {
      clock.may = !busy;
      return busy ? noAnswer("network") : yes;
    });
    await add(like("a", true));
    await sender.wake();
    await sender.settled();
    busy = false;
    clock.may = true;
    clock.now -= 24 * 60 * MINUTE;
    const all = done();
    await sender.wake();
    await all;
    expect(sent).toHaveLength(2);
    expect(await rows()).toMatchObject([{ state: "acked" }]);
    await sender.close();
  });

  test("a clock that is set ahead during a try does not use up its time", async () => {
    let tries = 0;
    const { add, sender, clock, rows, done } = await begin(() => {
      tries += 1;
      if (tries > 1) return yes;
      clock.now += 24 * 60 * MINUTE;
      return { ...noAnswer("network"), code: "server", ours: true };
    });
    await add(like("a", true));
    const all = done();
    await sender.wake();
    await all;
    expect(await rows()).toMatchObject([{ state: "acked", attempts: 1 }]);
    await sender.close();
  });

  test("what is written after the clock was set back stands behind what was written before", async () => {
    const { replica, add, clock, sender, sent, done } = await begin(() => yes);
    const ahead = outboxRow(created("a"), { place: (clock.now + 24 * 60 * MINUTE) * 1_000_000 });
    await replica.outbox.insert(ahead);
    await add(comment("a", "behind"));
    const all = done();
    await sender.wake();
    await all;
    const kinds = (await replica.outbox.find({ sort: [{ place: "asc" }] }).exec()).map(
      (doc) => doc.kind,
    );
    expect(kinds).toEqual(["media.create", "comment.create"]);
    expect(sent).toEqual(["a", "a"]);
    await sender.close();
  });

  test("a row that a crash left half sent is sent again", async () => {
    const { replica, sender, done, rows, sent } = await begin(() => yes);
    await replica.outbox.insert(outboxRow(like("a", true), { state: "sending" }));
    const all = done();
    await sender.wake();
    await all;
    expect(sent).toEqual(["a"]);
    expect(await rows()).toMatchObject([{ state: "acked" }]);
    await sender.close();
  });

  test("Retry forgets the reason and the time spent, and tries again", async () => {
    let open = false;
    const { replica, sender, done, rows } = await begin(() => (open ? yes : no("blocked")));
    const row = outboxRow(like("a", true), {
      state: "refused",
      code: "timeout",
      spent: 9 * MINUTE,
    });
    await replica.outbox.insert(row);
    open = true;
    await sender.retry(row.id);
    await done();
    expect(await rows()).toMatchObject([{ state: "acked", code: "" }]);
    await sender.close();
  });

  test("what is paused holds its lane until it is resumed, and nothing else waits for it", async () => {
    const { replica, add, sender, sent, rows, done } = await begin(() => yes);
    const first = await add(like("a", true));
    await add(comment("a", "behind"));
    await add(comment("b", "elsewhere"));
    const id = first.success ? first.value.intentId : "";
    await pauseIntent(replica, id);
    await sender.drain();
    await sender.settled();
    expect(sent).toEqual(["b"]);
    const all = done();
    await sender.retry(id);
    await all;
    expect(sent).toEqual(["b", "a", "a"]);
    expect((await rows()).every((row) => row.state === "acked")).toBe(true);
    await sender.close();
  });

  test("a pause during the sending stays one, though the answer asks to try again", async () => {
    const { replica, deps, add, rows } = await begin(() => noAnswer("network"));
    const first = await add(like("a", true));
    const id = first.success ? first.value.intentId : "";
    const slow = createDrain({
      ...deps,
      server: {
        ...deps.server,
        send: async () => {
          await pauseIntent(replica, id);
          return noAnswer("network");
        },
      },
    });
    await slow.wake();
    await slow.settled();
    expect(await rows()).toMatchObject([{ state: "paused" }]);
    await slow.close();
  });

  test("a row of a kind that this version does not know is shown as refused, not dropped", async () => {
    const { replica, sender, done, rows } = await begin(() => yes);
    await replica.outbox.insert({ ...outboxRow(like("a", true)), kind: "hologram.send" });
    const all = done();
    await sender.wake();
    await all;
    expect(await rows()).toMatchObject([
      { kind: "hologram.send", state: "refused", code: "invalid" },
    ]);
    await sender.close();
  });
});

describe("a device without room", () => {
  test("says so and keeps neither half", async () => {
    const { replica, device, storage } = await openTestReplica();
    const full = new DOMException("full", "QuotaExceededError");
    const result = await enqueueIntent(
      {
        userId: null,
        replica,
        local: storage.local,
        pending: createPendingWrites(),
        device: {
          ...device,
          putBlob: (key, blob) =>
            key.endsWith("2") ? Promise.reject(full) : device.putBlob(key, blob),
        },
        now: () => 1,
        random: () => 0.3,
      },
      created("m"),
      new Map([
        ["m/1", new Blob(["one"])],
        ["m/2", new Blob(["two"])],
      ]),
    );
    expect(result).toEqual({ success: false, error: "storage_full" });
    expect(await device.readBlob("m/1")).toBeNull();
    expect(await replica.outbox.count().exec()).toBe(0);
  });
});
