import { openTestReplica } from "@tests/unit/data/replica-of-test";
import { BehaviorSubject } from "rxjs";
import { expect, test, vi } from "vitest";
import type { ScopeStores, Shared } from "@/data/engine/context";
import { createActs } from "@/data/engine/enqueue";
import { createPendingWrites } from "@/data/engine/pending";
import { makePull } from "@/data/engine/pull";
import { NOUNS } from "@/data/nouns";
import { createCell } from "@/lib/cell";
import { FakeFeed } from "./fake-feed";
import { created, outboxRow } from "./rows";

const full = () => new DOMException("full", "QuotaExceededError");

/** A device whose storage is full until its caches are emptied. */
async function begin() {
  const server = new FakeFeed();
  const { replica, device, storage } = await openTestReplica();
  const state = { emptied: 0 };
  const shared = {
    deps: {
      storage,
      now: () => 1_000_000,
      random: () => Math.random(),
      room: {
        estimate: async () => ({ usage: 1, quota: 100 }),
        emptyCaches: async () => {
          state.emptied += 1;
        },
      },
    },
    nouns: NOUNS,
    pending: createPendingWrites(),
    remote: server.remote,
    connection: createCell("online"),
    auth: {
      session: createCell({
        state: "signed-in",
        user: { id: "me0000000000000" },
        needsLogin: false,
      }),
      noteRights: () => {},
    },
    emit: () => {},
    log: () => {},
  } as unknown as Shared;
  const base: ScopeStores = {
    userId: "me0000000000000",
    replica,
    device,
    status$: new BehaviorSubject({
      filled: false,
      failure: null,
    } as const) as ScopeStores["status$"],
  };
  return { server, shared, base, state };
}

test("a pull that finds the disk full empties the caches and comes to its end", async () => {
  const { server, shared, base, state } = await begin();
  server.photo("a");
  server.photo("b");
  const write = vi.spyOn(base.replica.media, "bulkInsert").mockRejectedValueOnce(full());
  expect(await makePull(shared, base)()).toMatchObject({ success: true });
  expect(write).toHaveBeenCalled();
  expect(state.emptied).toBe(1);
  expect(await base.replica.media.count().exec()).toBe(2);
});

test("a full disk takes what was sent and kept, and never what waits", async () => {
  const { shared, base, state } = await begin();
  const { replica, device } = base;
  const sent = outboxRow(created("sent"), { state: "kept", nextAt: 2_000_000, bytes: 4 });
  const waiting = outboxRow(created("waiting"), { bytes: 4 });
  await replica.outbox.bulkInsert([sent, waiting]);
  for (const name of ["sent", "waiting"]) await device.putBlob(`${name}/file`, new Blob(["file"]));
  const putBlob: typeof device.putBlob = (key, blob) =>
    state.emptied === 0 ? Promise.reject(full()) : device.putBlob(key, blob);
  const scope = async () => ({ ...base, device: { ...device, putBlob } }) as never;
  const blobs = new Map([["new/file", new Blob(["new"])]]);
  expect(await createActs(shared, scope).enqueue(created("new"), blobs)).toMatchObject({
    success: true,
  });
  expect(state.emptied).toBe(1);
  const left = await replica.outbox.find().exec();
  expect(left.map((row) => row.target).sort()).toEqual(["new", "waiting"]);
  expect(await device.readBlob("sent/file")).toBeNull();
  expect(await device.readBlob("waiting/file")).not.toBeNull();
});

test("where even that makes no room, the person is told and nothing half is kept", async () => {
  const { shared, base } = await begin();
  const device = { ...base.device, putBlob: () => Promise.reject(full()) };
  const scope = async () => ({ ...base, device }) as never;
  const blobs = new Map([["new/file", new Blob(["new"])]]);
  expect(await createActs(shared, scope).enqueue(created("new"), blobs)).toEqual({
    success: false,
    error: "storage_full",
  });
  expect(await base.replica.outbox.count().exec()).toBe(0);
});

test("nothing is queued under another user who signed in while the databases were being opened", async () => {
  const { shared, base } = await begin();
  const scope = async () => ({ ...base, userId: "other0000000000" }) as never;
  expect(await createActs(shared, scope).enqueue(created("new"))).toEqual({
    success: false,
    error: "canceled",
  });
  expect(await base.replica.outbox.count().exec()).toBe(0);
});
