/**
 * The epoch: an id of this database's history. A word in the database (`boot`) is kept beside the data folder
 * too, and both change together at each start and after each backup; a database whose word is not the one beside
 * it came out of a backup, and gets a new epoch. Clients that see it pull afresh.
 */
const RANDOM_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";

const randomWord = (): string => $security.randomStringWithAlphabet(16, RANDOM_ALPHABET);

/** The file beside the data folder: a restore swaps everything within. */
const wordsPath = (app: CoreApp): string => `${$filepath.clean(app.dataDir())}.boot`;

/** A database that never had a word is as good as a file that is not there. */
function readWords(app: CoreApp): string[] {
  try {
    return toString($os.readFile(wordsPath(app))).split("\n");
  } catch {
    return [""];
  }
}

const writeWords = (app: CoreApp, words: string[]): void =>
  $os.writeFile(wordsPath(app), words.join("\n"), 0o600 as unknown as os.FileMode);

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
    // First start: the migrations that make the table run later.
    return null;
  }
}

/** Both words are in the file while the database changes from one to the other, so a crash between leaves a match. */
function rotate(app: CoreApp, history: History): void {
  const boot = randomWord();
  writeWords(app, [history.boot, boot]);
  app
    .db()
    .newQuery("UPDATE _seq SET boot = {:boot}, epoch = {:epoch}")
    .bind({ boot, epoch: history.epoch })
    .execute();
  writeWords(app, [boot]);
}

/** At start, once the database is open. */
export function checkHistory(e: core.BootstrapEvent): void {
  e.next();
  const history = readHistory(e.app);
  if (history === null) return;
  const isOurs = readWords(e.app).includes(history.boot);
  rotate(e.app, isOurs ? history : { ...history, epoch: randomWord() });
}

/** After a backup was written: what it holds must differ from what stays. */
export function leaveBackupBehind(e: core.BackupEvent): void {
  e.next();
  const history = readHistory(e.app);
  if (history !== null) rotate(e.app, history);
}
