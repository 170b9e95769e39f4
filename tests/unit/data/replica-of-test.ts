/** A replica of a test's own, in an IndexedDB of its own. */
import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { afterEach } from "vitest";
import type { ClientStorage } from "@/data/engine/deps";
import { type DeviceStore, openDeviceStore } from "@/data/engine/device-store";
import type { Replica } from "@/data/engine/noun";
import { openReplica } from "@/data/engine/store";
import { NOUNS } from "@/data/nouns";

let count = 0;
const opened: { replica: Replica; device: DeviceStore }[] = [];
// Thirteen collections are all that may be open in a process.
afterEach(async () => {
  for (const { replica, device } of opened.splice(0)) {
    await replica.database.close();
    device.close();
  }
});

export async function openTestReplica(): Promise<{
  replica: Replica;
  device: DeviceStore;
  storage: ClientStorage;
}> {
  count += 1;
  const values = new Map<string, string>();
  const local = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
  const storage = { indexedDB: new IDBFactory(), IDBKeyRange, local, name: `unit${count}` };
  const replica = await openReplica(NOUNS, storage, "me0000000000000", false);
  const device = await openDeviceStore(storage, replica.name);
  opened.push({ replica, device });
  return { replica, device, storage };
}
