/**
 * Where files lie: on this machine's disk, or in a bucket of an S3-compatible store. PocketBase's
 * own setting decides; the environment (`S3_ENDPOINT` and the others) makes it at each start.
 *
 * A place whose files are still on the disk stays there until `npm run storage` has moved them,
 * and one with files in another bucket stays with that one: their names would lead nowhere. For
 * the moment of the change that script holds new files back, so that none is stored where nobody
 * looks for it any more.
 */
import { answer, refusalOf, refuse } from "@hooks/http/refusals";
import { bodyOf, isSuperuser } from "@hooks/http/request";
import type { Refusal } from "@/domain/error-codes";

/** The generated types leave it out. */
declare const console: { warn: (text: string) => void };

export const storageHandlers = {
  /** At start. */
  useStorage(e: core.BootstrapEvent): void {
    e.next();
    if ($os.args.includes("serve")) followEnvironment(e.app as CoreApp);
  },

  /**
   * `POST /api/storage/hold` `{seconds}`, for superusers: answers once no file is being stored, and
   * none is for so long; 0 ends it.
   */
  holdFiles(e: core.RequestEvent) {
    if (!isSuperuser(e)) return refuse(e, refusalOf("forbidden"));
    const seconds = Number(bodyOf(e)["seconds"]);
    if (!(seconds >= 0 && seconds <= HOLD_MOST)) return refuse(e, refusalOf("invalid"));
    e.app.store().set(HELD, Date.now() + seconds * 1000);
    if (seconds === 0) return answer(e, 200, {});
    const end = Date.now() + DRAIN_MS;
    while (Number(e.app.store().get(STORING) ?? 0) > 0) {
      if (Date.now() > end) {
        e.app.store().remove(HELD);
        return refuse(e, HELD_BACK);
      }
      sleep(25);
    }
    answer(e, 200, {});
  },
};

const HOLD_MOST = 600;
/** For a film that is on its way to a slow store. */
const DRAIN_MS = 120_000;

const HELD = "files.held";
const STORING = "files.storing";

/** Devices try it again soon, and do not count it. */
const HELD_BACK: Refusal = { status: 503, code: "server", message: "Files are being moved." };

/** Runs `store`, which stores files, or answers that they are held back. */
export function whileNotHeld(app: CoreApp, store: () => Refusal | null): Refusal | null {
  const count = (step: number): void =>
    app.store().setFunc(STORING, (old: unknown) => Number(old ?? 0) + step);
  // Counted before it looks: whoever holds files back sees either this one, or that it waits.
  count(1);
  try {
    return Date.now() < Number(app.store().get(HELD) ?? 0) ? HELD_BACK : store();
  } finally {
    count(-1);
  }
}

/** The files of one collection. */
export interface FileStorage {
  /** On this disk. */
  folder: string;
  /** What the names of its objects in a bucket begin with. */
  prefix: string;
  table: string;
  fields: string[];
}

/** The collections with files, always in the same order. */
export function storagesOf(app: CoreApp): FileStorage[] {
  const storages: FileStorage[] = [];
  for (const collection of app.findAllCollections()) {
    if (!collection || collection.isView()) continue;
    const fields: string[] = [];
    for (const field of collection.fields)
      if (field?.type() === "file") fields.push(field.getName());
    const folder = $filepath.join(app.dataDir(), "storage", collection.id);
    const prefix = `${collection.id}/`;
    if (fields.length > 0) storages.push({ folder, prefix, table: collection.name, fields });
  }
  return storages.sort((a, b) => (a.table < b.table ? -1 : 1));
}

const envOf = (name: string): string => $os.getenv(`S3_${name}`).trim();

function followEnvironment(app: CoreApp): void {
  if (envOf("ENDPOINT") === "" || envOf("BUCKET") === "") return;
  const settings = app.settings();
  const { s3 } = settings;
  if (!s3.enabled && hasFilesOnDisk(app)) {
    // Standard error, which the launcher passes on.
    console.warn("S3 is not used yet, for files are on this disk: npm run storage -- move --to s3");
    return;
  }
  const isElsewhere = s3.bucket !== envOf("BUCKET") || s3.endpoint !== envOf("ENDPOINT");
  if (s3.enabled && isElsewhere && hasNamedFiles(app)) {
    console.warn(
      `S3_BUCKET and S3_ENDPOINT are not used, for files are in ${s3.bucket} at ${s3.endpoint}: set those, or copy the files and change the setting in the dashboard.`,
    );
    return;
  }
  const wanted = {
    enabled: true,
    endpoint: envOf("ENDPOINT"),
    bucket: envOf("BUCKET"),
    region: envOf("REGION") || "us-east-1",
    accessKey: envOf("ACCESS_KEY"),
    secret: envOf("SECRET"),
    forcePathStyle: envOf("FORCE_PATH_STYLE") === "true",
  };
  const names = Object.keys(wanted) as (keyof typeof wanted)[];
  if (names.every((name) => s3[name] === wanted[name])) return;
  Object.assign(s3, wanted);
  app.save(settings);
}

/** Whether a row has a file, wherever it lies. */
function hasNamedFiles(app: CoreApp): boolean {
  return storagesOf(app).some(({ table, fields }) => {
    const one = new DynamicModel({ found: 0 }) as unknown as { found: number };
    const isNamed = fields.map((field) => `COALESCE([[${field}]], '') NOT IN ('', '[]')`);
    app
      .db()
      .newQuery(`SELECT EXISTS (SELECT 1 FROM {{${table}}} WHERE ${isNamed.join(" OR ")}) AS found`)
      .one(one);
    return one.found > 0;
  });
}

/** The names in a folder; none where there is no such folder. */
function namesIn(folder: string): string[] {
  try {
    return Array.from($os.readDir(folder), (entry) => entry?.name() ?? "");
  } catch {
    return [];
  }
}

/** Files lie at `storage/<collection>/<record>/<name>`. */
function hasFilesOnDisk(app: CoreApp): boolean {
  const storage = $filepath.join(app.dataDir(), "storage");
  return namesIn(storage).some((collection) => {
    const folder = $filepath.join(storage, collection);
    return namesIn(folder).some((row) => namesIn($filepath.join(folder, row)).length > 0);
  });
}
