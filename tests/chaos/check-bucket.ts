/** Whether the bucket holds the files that rows name, and after the panel's cleanup no others. */
import type { ChaosBucket } from "./bucket";
import type { Entry } from "./ledger";
import { isRemoval, type ServerCheck } from "./what-is-there";
import type { World } from "./world";

const FILE_FIELDS = [
  ["media", ["file", "thumbnail", "preview", "subtitles"]],
  ["messages", ["image", "thumbnail"]],
  ["users", ["profilePicture", "profileThumbnail"]],
] as const;

/** Files go after the answer. */
const TRIES = 40;
const PAUSE_MS = 250;

export async function wrongObjects(check: ServerCheck): Promise<string[]> {
  const { bucket } = check.world;
  if (bucket === null) return [];
  await check.world.cleanUp();
  const named = await namedFiles(check.world);
  const missing = await missingOf(check, bucket, named);
  return [
    ...missing.map((name) => `the bucket lacks ${name}`),
    ...(await straysIn(bucket, named)).map((name) => `the bucket keeps ${name}, of no row`),
  ];
}

/** `<record>/<name>` of all. Old media have no files. */
async function namedFiles({ query }: World): Promise<ReadonlySet<string>> {
  const selects = FILE_FIELDS.flatMap(([table, fields]) =>
    fields.map(
      (field) =>
        `SELECT id || '/' || ${field} AS name FROM ${table} WHERE ${field} NOT IN ('', 'a.jpg')`,
    ),
  );
  const rows = await query(selects.join(" UNION ALL "));
  return new Set(rows.map(({ name }) => String(name)));
}

/** But those that a row has again since the restore took back that they were deleted: no stream holds files. */
async function missingOf(
  { ledger }: ServerCheck,
  bucket: ChaosBucket,
  named: ReadonlySet<string>,
): Promise<string[]> {
  const there = new Set(bucket.names());
  const undone = new Set(ledger.entries.filter(isUndoneRemoval).map(idOf));
  return [...named].filter(
    (name) => !there.has(name) && !undone.has(name.slice(0, name.indexOf("/"))),
  );
}

/** New subtitles delete the ones before. */
const isUndoneRemoval = (e: Entry): boolean =>
  e.shaken && (isRemoval(e) || e.kind === "delete-message" || e.kind === "subtitles");

const idOf = (e: Entry): string => (e.kind === "delete-message" ? e.messageId : e.mediaId);

async function straysIn(bucket: ChaosBucket, named: ReadonlySet<string>): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    const strays = bucket.names().filter((name) => !named.has(name));
    if (strays.length === 0 || attempt === TRIES) return strays;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
