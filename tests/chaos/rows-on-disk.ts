/** What lies on the disk of a device, and how to find the rows of a replica or a queue in it. */
export interface StoreSnapshot {
  name: string;
  keyPath: string | string[] | null;
  autoIncrement: boolean;
  indexes: { name: string; keyPath: string | string[]; multiEntry: boolean; unique: boolean }[];
  records: { key: IDBValidKey; value: unknown }[];
}

export interface DatabaseSnapshot {
  name: string;
  version: number;
  stores: StoreSnapshot[];
}

export interface StorageSnapshot {
  databases: DatabaseSnapshot[];
  /** What `localStorage` holds. */
  local: [string, string][];
}

export type Disk = Pick<StorageSnapshot, "databases">;

/** A row of a replica or a queue as it lies on the disk, without what the storage adds. */
export type RowOnDisk = Record<string, unknown> & { id: string };

/** The rows of one collection of a user's; caches carry a mark of their schema behind their name. */
export function rowsOnDisk({ databases }: Disk, userId: string, collection: string): RowOnDisk[] {
  const belongs = ({ name }: DatabaseSnapshot): boolean => {
    const [owner = "", , last = ""] = name.split("--");
    return owner.endsWith(`-${userId}`) && last.split("_")[0] === collection;
  };
  return databases.filter(belongs).flatMap(({ stores }) =>
    stores
      .filter(({ name }) => name === "docs")
      .flatMap(({ records }) => records.map(({ value }) => value as RowOnDisk))
      .filter((row) => !["1", 1, true].includes(row["_deleted"] as string)),
  );
}

/** The history that a user's replica follows; "" where nothing was pulled yet. */
export function epochOnDisk({ databases }: Disk, userId: string): string {
  const states = databases
    .filter(({ name }) => name.endsWith(`-${userId}-device`))
    .flatMap(({ stores }) => stores.filter(({ name }) => name === "state"))
    .flatMap(({ records }) => records.map(({ value }) => value as { value?: { epoch?: string } }));
  return states[0]?.value?.epoch ?? "";
}

/** When the last medium was made down to which a user's gallery has all: 0 where it has no end. */
export function galleryOnDisk({ databases }: Disk, userId: string): number {
  const windows = databases
    .filter(({ name }) => name.endsWith(`-${userId}-device`))
    .flatMap(({ stores }) => stores.filter(({ name }) => name === "windows"))
    .flatMap(({ records }) => records.map(({ value }) => value as GalleryWindow));
  const all = windows.find(({ list }) => list === " all");
  if (all === undefined || all.reached === "end") return 0;
  return Date.parse(all.reached.createdAt.replace(" ", "T"));
}

interface GalleryWindow {
  list: string;
  reached: { createdAt: string } | "end";
}

/** Keys of the files that lie in a user's queue. */
export function filesOnDisk({ databases }: Disk, userId: string): Set<string> {
  const records = databases
    .filter(({ name }) => name.endsWith(`-${userId}-device`))
    .flatMap(({ stores }) => stores.filter(({ name }) => name === "blobs"))
    .flatMap((store) => store.records);
  return new Set(records.map(({ key }) => String(key)));
}
