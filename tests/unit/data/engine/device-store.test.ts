import { openTestReplica } from "@tests/unit/data/replica-of-test";
import { BehaviorSubject, filter, firstValueFrom } from "rxjs";
import { expect, test } from "vitest";
import type { Scope } from "@/data/engine/context";
import { type ListWindow, openDeviceStore } from "@/data/engine/device-store";
import { limitWindows, pullOlderMedia } from "@/data/media/windows";
import { FakeFeed } from "./fake-feed";

const end = (id: string): ListWindow => ({ createdAt: "2026-01-01 00:00:00.000Z", id });

/** The same person's device in two tabs. */
async function openTwoTabs() {
  const { replica, device, storage } = await openTestReplica();
  const other = await openDeviceStore(storage, replica.name);
  const heard = (list: string) =>
    firstValueFrom(other.windows$.pipe(filter((windows) => windows.has(list))));
  return { one: device, other, heard };
}

test("a tab changes the ends of lists as another has left them", async () => {
  const { one, other } = await openTwoTabs();
  await one.changeWindows((stored) => new Map(stored).set(" all", end("a")));
  await other.changeWindows((stored) => new Map(stored).set("ada all", end("b")));
  const both = [
    [" all", end("a")],
    ["ada all", end("b")],
  ];
  expect([...other.windows$.value].sort()).toEqual(both);
  await one.changeWindows((stored) => stored);
  expect([...one.windows$.value].sort()).toEqual(both);
  other.close();
});

test("what one tab evicts ends the lists of the other", async () => {
  const { one, other, heard } = await openTwoTabs();
  await one.changeWindows(() => new Map<string, ListWindow>([[" all", "end"]]));
  expect((await heard(" all")).get(" all")).toBe("end");
  const gone = { createdAt: Date.parse("2026-05-01T12:00:00.000Z"), id: "gone" };
  await limitWindows(one, gone);
  const limited = await firstValueFrom(
    other.windows$.pipe(filter((windows) => windows.get(" all") !== "end")),
  );
  expect(limited.get(" all")).toEqual({ createdAt: "2026-05-01 12:00:00.000Z", id: "gone" });
  other.close();
});

test("a page that was asked for before rows above it were evicted makes no list longer", async () => {
  const { replica, device } = await openTestReplica();
  const server = new FakeFeed();
  await device.changeWindows(() => new Map([[" all", end("asked")]]));
  const gone = { createdAt: Date.parse("2026-05-01T12:00:00.000Z"), id: "gone" };
  let evicted = Promise.resolve();
  server.before = () => {
    evicted = limitWindows(device, gone);
  };
  const status$ = new BehaviorSubject({ filled: true, failure: null });
  const scope = { replica, device, status$ } as unknown as Scope;
  const page = { filter: "all", sort: "latest", limit: 12 } as const;
  expect(await pullOlderMedia(server.remote, scope, page, {})).toMatchObject({ success: true });
  await evicted;
  expect(device.windows$.value.get(" all")).toMatchObject({ id: "gone" });
});
