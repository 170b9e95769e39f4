import { expect, test, vi } from "vitest";
import { type Answer, noAnswer } from "@/data/engine/answers";
import { createDrain } from "@/data/engine/drain";
import type { Intent } from "@/data/engine/noun";
import { dropIntents, pauseIntent, queueOf } from "@/data/engine/outbox";
import { begin, comment, no, yes } from "./drain-of-test";
import { outboxRow } from "./rows";

const message = (text: string): Intent => ({
  kind: "message.send",
  body: { messageId: text, conversationId: "chat", userId: "me", text, timestamp: 1 },
});
const textOf = ({ body }: Intent): string => ("text" in body ? body.text : "");
const never = () => new Promise<never>(() => {});

/** A queue of messages in one lane, whose server answers as `answer` says; nothing but the end of a run flushes. */
async function beginChat(texts: readonly string[], answer: (text: string) => Promise<Answer>) {
  const begun = await begin(() => yes);
  const sent: string[] = [];
  const deps = {
    ...begun.deps,
    clock: { ...begun.deps.clock, delay: never },
    server: {
      ...begun.deps.server,
      send: (intent: Intent) => {
        sent.push(textOf(intent));
        return answer(textOf(intent));
      },
    },
  };
  const queued = texts.map((text) => outboxRow(message(text)));
  await begun.replica.outbox.bulkInsert(queued);
  const states = async () => (await begun.rows()).map((row) => `${row.body["text"]} ${row.state}`);
  return {
    ...begun,
    deps,
    sent,
    states,
    idOf: (text: string) => queued[texts.indexOf(text)]?.id ?? "",
  };
}

test("a long queue is sent with few writes, and is read from the disk once", {
  timeout: 30_000,
}, async () => {
  const texts = Array.from({ length: 200 }, (_, i) => `${i}`);
  const { deps, replica, sent, done } = await beginChat(texts, async () => yes);
  const { storageInstance } = replica.outbox;
  const reads = [
    vi.spyOn(storageInstance, "query"),
    vi.spyOn(storageInstance, "findDocumentsById"),
  ];
  const writes = vi.spyOn(storageInstance, "bulkWrite");
  // Like the scope, which always watches it.
  const watched = queueOf(replica.outbox).$.subscribe();
  const sender = createDrain(deps);
  const all = done();
  await sender.wake();
  await all;
  await sender.settled();
  watched.unsubscribe();
  expect(sent).toEqual(texts);
  // The queue, what was cut off at the last end, and this test's own look.
  expect(reads.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBeLessThanOrEqual(3);
  // Seven runs, each claimed and acknowledged; RxDB writes the first row of many apart from the rest.
  expect(writes.mock.calls.length).toBeLessThanOrEqual(28);
  await sender.close();
});

test("what was cut off in the middle of a run is sent again in its order, answered or not", async () => {
  let dies = true;
  let die = () => {};
  const dead = new Promise<void>((resolve) => {
    die = resolve;
  });
  const { deps, sent, states, done, rows } = await beginChat(["a", "b", "c", "d"], (text) => {
    if (!dies || text !== "c") return Promise.resolve(yes);
    die();
    return never();
  });
  void createDrain(deps).wake();
  await dead;
  expect(sent).toEqual(["a", "b", "c"]);
  expect(await states()).toEqual(["a sending", "b sending", "c sending", "d sending"]);
  dies = false;
  const next = createDrain(deps);
  const all = done();
  await next.wake();
  await all;
  expect(sent.slice(3)).toEqual(["a", "b", "c", "d"]);
  expect((await rows()).map((row) => row.attempts)).toEqual([1, 1, 1, 1]);
  await next.close();
});

test("one that has to wait keeps back what is behind it, which loses no try", async () => {
  let busy = true;
  const { deps, sent, rows, clock, done } = await beginChat(["a", "b", "c"], async (text) =>
    busy && text === "b" ? noAnswer("network") : yes,
  );
  const sender = createDrain(deps);
  await sender.wake();
  await sender.settled();
  expect(sent).toEqual(["a", "b"]);
  expect((await rows()).map(({ state, attempts }) => [state, attempts])).toEqual([
    ["acked", 0],
    ["pending", 1],
    ["pending", 0],
  ]);
  busy = false;
  clock.now += 60_000;
  const all = done();
  await sender.wake();
  await all;
  expect(sent).toEqual(["a", "b", "b", "c"]);
  await sender.close();
});

test("a refusal in the middle is noted, and the run goes on", async () => {
  const { deps, sent, states } = await beginChat(["a", "b", "c"], async (text) =>
    text === "b" ? no("blocked") : yes,
  );
  const sender = createDrain(deps);
  await sender.wake();
  await sender.settled();
  expect(sent).toEqual(["a", "b", "c"]);
  expect(await states()).toEqual(["a acked", "b refused", "c acked"]);
  await sender.close();
});

test("what is thrown away while its run is on the way is not sent, and the rest is", async () => {
  const { deps, sent, states, replica, device, rows, idOf } = await beginChat(
    ["a", "b", "c"],
    async (text) => {
      if (text === "a") {
        const dropped = (await rows()).filter(({ id }) => id === idOf("b"));
        sender.cancel(idOf("b"), "discarded");
        await dropIntents(replica, device, dropped);
      }
      return yes;
    },
  );
  const sender = createDrain(deps);
  await sender.wake();
  await sender.settled();
  expect(sent).toEqual(["a", "c"]);
  expect(await states()).toEqual(["a acked", "c acked"]);
  await sender.close();
});

test("what is paused while its run is on the way holds the lane from there on", async () => {
  const { deps, sent, states, replica, idOf, done } = await beginChat(
    ["a", "b", "c"],
    async (text) => {
      if (text === "a") await pauseIntent(replica, idOf("b"));
      return yes;
    },
  );
  const sender = createDrain(deps);
  await sender.wake();
  await sender.settled();
  expect(sent).toEqual(["a"]);
  expect(await states()).toEqual(["a acked", "b paused", "c pending"]);
  const all = done();
  await sender.retry(idOf("b"));
  await all;
  expect(sent).toEqual(["a", "b", "c"]);
  await sender.close();
});

test("nothing more of a run is sent once nothing may be sent", async () => {
  const { deps, sent, states, clock } = await beginChat(["a", "b"], async () => {
    clock.may = false;
    return yes;
  });
  const sender = createDrain(deps);
  await sender.wake();
  await sender.settled();
  expect(sent).toEqual(["a"]);
  expect(await states()).toEqual(["a acked", "b pending"]);
  await sender.close();
});

test("what takes back something goes only when that is written down as sent", async () => {
  const { deps, add, rows } = await begin(() => yes);
  const seen: string[][] = [];
  const sender = createDrain({
    ...deps,
    clock: { ...deps.clock, delay: never },
    server: {
      ...deps.server,
      async send(intent) {
        if (intent.kind === "comment.delete") seen.push((await rows()).map(({ state }) => state));
        return yes;
      },
    },
  });
  await add(comment("m", "oops"));
  await add(comment("m", "other"));
  await add({ kind: "comment.delete", body: { commentId: "c-oops", mediaId: "m" } });
  await sender.wake();
  await sender.settled();
  expect(seen).toEqual([["acked", "acked", "sending"]]);
  await sender.close();
});

test("a tab that does not lead leaves alone what another one sends, and takes it over when it leads", async () => {
  const { deps, replica, rows, sent, done } = await begin(() => yes);
  await replica.outbox.insert(outboxRow(comment("m", "cut"), { state: "sending" }));
  let leads = false;
  const sender = createDrain({ ...deps, leads: () => leads, maySend: () => leads });
  await sender.wake();
  await sender.settled();
  expect(await rows()).toMatchObject([{ state: "sending", attempts: 0 }]);
  leads = true;
  const all = done();
  await sender.wake();
  await all;
  expect(sent).toEqual(["m"]);
  expect(await rows()).toMatchObject([{ state: "acked", attempts: 1 }]);
  await sender.close();
});

test("what could not be written down as sent is sent again, and the queue goes on", async () => {
  const { deps, sent, rows, replica, done } = await beginChat(["a"], async () => {
    if (sent.length === 1) write.mockRejectedValueOnce(new Error("no room"));
    return yes;
  });
  const write = vi.spyOn(replica.outbox.storageInstance, "bulkWrite");
  const complaints: string[] = [];
  const sender = createDrain({
    ...deps,
    clock: { ...deps.clock, delay: async () => {} },
    log: (words) => void complaints.push(words),
  });
  const all = done();
  await sender.wake();
  await all;
  expect(complaints).toEqual(["What was sent could not be written down"]);
  expect(sent).toEqual(["a", "a"]);
  expect(await rows()).toMatchObject([{ state: "acked", attempts: 1 }]);
  await sender.close();
});
