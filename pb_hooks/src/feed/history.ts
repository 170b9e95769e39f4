/**
 * The history of this database, as the feed knows it.
 *
 * The epoch is the history's id. A word in the database (`boot`) is also in a file beside the data
 * folder, and both change at each start and after each backup. When they differ, the database was
 * restored from a backup: it gets a new epoch, and clients that see it pull everything again.
 *
 * Tombstones are kept for 90 days. `floor` is the highest number removed; a client below it has
 * missed deletions, and the feed tells it to begin again.
 */
import { filesApplied } from "@hooks/admin/health";
import { secondsOf } from "@/domain/times";

export const historyHandlers = {
  /**
   * Before anything else touches the database: refuses to serve one that a later version changed,
   * whose rules this one would not keep.
   */
  requireKnownDatabase(e: core.BootstrapEvent): void {
    e.next();
    if (!$os.args.includes("serve")) return;
    const folder = $filepath.join(__hooks, "..", "pb_migrations");
    const known = Array.from($os.readDir(folder), (entry) => entry?.name() ?? "");
    const unknown = filesApplied(e.app as CoreApp).filter((file) => !known.includes(file));
    if (unknown.length > 0) {
      throw new Error(
        `The database is newer than this version of Augenblick, which knows no ${unknown[0]}: start the later version, or put back the backup from before the update (docs/operations.md, Updates).`,
      );
    }
  },

  /** Runs at start, once the database is open. */
  checkHistory(e: core.BootstrapEvent): void {
    e.next();
    const history = readHistory(e.app);
    if (history === null) return;
    const isOurs = readBootWords(e.app).includes(history.boot);
    changeBootWordOf(e.app, isOurs ? history : { ...history, epoch: randomWord() });
    // Statistics of a table's first days would make SQLite go through all of it.
    e.app.db().newQuery("PRAGMA analysis_limit = 1000; PRAGMA optimize = 0x10002").execute();
  },

  /** Runs after a backup was written, so that the backup's word differs from this server's. */
  changeBootWord(e: core.BackupEvent): void {
    e.next();
    const history = readHistory(e.app);
    if (history !== null) changeBootWordOf(e.app, history);
  },

  /** Runs every day. */
  pruneTombstones(): void {
    while (pruneSomeTombstones($app) > 0);
  },
};

const RANDOM_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";

const randomWord = (): string => $security.randomStringWithAlphabet(16, RANDOM_ALPHABET);

/** Outside the data folder, because a restore replaces everything inside. */
const bootFile = (app: CoreApp): string => `${$filepath.clean(app.dataDir())}.boot`;

/** A missing file counts as the empty word, which a database without a word has too. */
function readBootWords(app: CoreApp): string[] {
  try {
    return toString($os.readFile(bootFile(app))).split("\n");
  } catch {
    return [""];
  }
}

const writeBootWords = (app: CoreApp, words: string[]): void =>
  $os.writeFile(bootFile(app), words.join("\n"), 0o600 as unknown as os.FileMode);

interface History {
  epoch: string;
  boot: string;
}

function readHistory(app: CoreApp): History | null {
  const row = new DynamicModel({ epoch: "", boot: "" }) as unknown as History;
  try {
    app.db().newQuery("SELECT epoch, boot FROM _seq").one(row);
    return { epoch: row.epoch, boot: row.boot };
  } catch {
    // On the first start, the migrations that create the table run later.
    return null;
  }
}

/** The file holds both words while the database changes, so that a crash leaves a match. */
function changeBootWordOf(app: CoreApp, history: History): void {
  const boot = randomWord();
  writeBootWords(app, [history.boot, boot]);
  app
    .db()
    .newQuery("UPDATE _seq SET boot = {:boot}, epoch = {:epoch}")
    .bind({ boot, epoch: history.epoch })
    .execute();
  writeBootWords(app, [boot]);
}

const TOMBSTONE_SECONDS = 90 * 24 * 3_600;
/** Tombstones that one step removes. */
const STEP_ROWS = 5_000;

const oldestKept = (): number => secondsOf(Date.now()) - TOMBSTONE_SECONDS;

export function countOldTombstones(app: CoreApp): number {
  const row = new DynamicModel({ n: 0 }) as unknown as { n: number };
  app
    .db()
    .newQuery("SELECT count(*) AS n FROM _tombs WHERE at < {:before}")
    .bind({ before: oldestKept() })
    .one(row);
  return row.n;
}

/** Removes some of the oldest tombstones and raises the floor. Answers how many went. */
export function pruneSomeTombstones(app: CoreApp): number {
  let removed = 0;
  app.runInTransaction((tx) => {
    tx.db()
      .newQuery(
        `UPDATE _seq SET floor = max(floor, COALESCE((SELECT max(seq) FROM
           (SELECT seq FROM _tombs WHERE at < {:before} ORDER BY seq LIMIT ${STEP_ROWS})), 0))`,
      )
      .bind({ before: oldestKept() })
      .execute();
    const result = tx
      .db()
      .newQuery("DELETE FROM _tombs WHERE seq <= (SELECT floor FROM _seq)")
      .execute();
    removed = Number(result.rowsAffected());
  });
  return removed;
}
