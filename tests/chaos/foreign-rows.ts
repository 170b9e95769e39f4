/** Rows of somebody else's in what lies on a disk under somebody's name, in whatever moment the disk was taken. */
import type { DatabaseSnapshot, Disk, RowOnDisk } from "./rows-on-disk";

/** Who may have a row of these on his disk; nobody but him, and no guest. */
const BELONGS: Record<string, (row: RowOnDisk, me: string) => boolean> = {
  likes: (row, me) => row["userId"] === me,
  follows: (row, me) => row["followerId"] === me || row["followingId"] === me,
  blocks: (row, me) => row["blockerId"] === me,
  conversations: (row, me) => row.id.split("_").includes(me),
  messages: (row, me) => row["senderId"] === me || row["recipientId"] === me,
  // What carries no name may be queued by anybody.
  outbox: ({ body }, me) => [undefined, me].includes((body as { userId?: string }).userId),
};

export const foreignRows = (disk: Disk): string[] => disk.databases.flatMap(foreignIn);

function foreignIn({ name, stores }: DatabaseSnapshot): string[] {
  const [database = "", , last = ""] = name.split("--");
  const owner = database.slice(database.lastIndexOf("-") + 1);
  const collection = last.split("_")[0] ?? "";
  const belongs = BELONGS[collection];
  if (belongs === undefined) return [];
  return stores
    .filter((store) => store.name === "docs")
    .flatMap(({ records }) => records.map(({ value }) => value as RowOnDisk))
    .filter((row) => !belongs(row, owner))
    .map((row) => `${collection} ${row.id} lies on the disk of ${owner}`);
}
