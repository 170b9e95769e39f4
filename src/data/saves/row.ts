/** What the person has saved, and the folders for it: both are rows of one collection. */
import type { Collection } from "@/data/engine/noun";
import {
  defineSchema,
  id,
  pairColumns,
  pairReader,
  type RowOf,
  rowWith,
  text,
} from "@/data/engine/rows";

const columns = {
  ...pairColumns,
  userId: id(),
  /** "" of a folder. */
  mediaId: id(),
  /** The second half of a folder's id; "" for none. One that is of no folder counts as none. */
  folderId: id(),
  /** Of a folder. */
  name: text(),
};

export type SaveRow = RowOf<typeof columns>;

declare module "@/data/engine/noun" {
  interface CacheRows {
    saves: SaveRow;
  }
}

const readSave = pairReader<SaveRow>(columns);

export const saveCollections = {
  saves: {
    schema: defineSchema<SaveRow>(columns),
    read: (record) => rowWith(readSave(record), "id", "userId"),
    holds: "own",
  } satisfies Collection<SaveRow>,
};
