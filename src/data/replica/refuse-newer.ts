/** A device where a later version of the app was keeps a queue that this one cannot read: it is left alone. */
import type { ClientStorage } from "@/data/client-deps";
import { outboxSchema } from "@/data/schema/outbox";
import { uploadsSchema } from "@/data/schema/uploads";
import { databaseName } from "./open-replica";

export class NewerStorage extends Error {
  constructor(name: string) {
    super(`${name} belongs to a later version of the app`);
  }
}

const VERSIONS: Record<string, number> = {
  outbox: outboxSchema.version,
  uploads: uploadsSchema.version,
};

/** Throws `NewerStorage`. Where the browser cannot list databases nothing is known, and nothing refused. */
export async function refuseNewer(storage: ClientStorage, userId: string | null): Promise<void> {
  if (!("databases" in storage.indexedDB)) return;
  // RxDB's own naming: rxdb-dexie-{database}--{schema version}--{collection}.
  const prefix = `rxdb-dexie-${databaseName(storage, userId)}--`;
  for (const { name = "" } of await storage.indexedDB.databases()) {
    if (!name.startsWith(prefix)) continue;
    const [version = "", collection = ""] = name.slice(prefix.length).split("--");
    if (Number(version) > (VERSIONS[collection] ?? Number.POSITIVE_INFINITY)) {
      throw new NewerStorage(name);
    }
  }
}
