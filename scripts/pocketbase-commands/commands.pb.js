// The commands that the scripts of package.json run inside PocketBase, with this folder as its
// hooks. The app's own hooks do not run, so that a running server notices only the changed rows.
// Each prints one line of JSON.
const isThere = (path) => {
  try {
    return !$os.stat(path).isDir();
  } catch (_) {
    return false;
  }
};

// The collections with files, and the names of the fields that hold them.
const withFiles = () =>
  $app
    .findAllCollections()
    .filter((collection) => !collection.isView())
    .map(({ id, name, fields }) => {
      const files = fields.filter((field) => field.type() === "file");
      return { id, name, fields: files.map((field) => field.getName()) };
    })
    .filter(({ fields }) => fields.length > 0);

// The server's own code, built (npm run build).
const doctor = () => require(`${__hooks}/../../pb_hooks/dist/app.js`).doctor;

const commands = {
  // Makes an account an administrator.
  promote: (email) => {
    let user = null;
    try {
      user = $app.findAuthRecordByEmail("users", String(email ?? ""));
    } catch (_) {
      return { outcome: "unknown" };
    }
    const username = user.getString("username");
    if (user.getBool("isAdmin")) return { outcome: "already", username };
    $app.runInTransaction((tx) => {
      user.ignoreUnchangedFields(true);
      user.set("isAdmin", true);
      tx.save(user);
      const audit = new Record(tx.findCollectionByNameOrId("audit"));
      audit.set("actor", "command line");
      audit.set("action", "user.promote");
      audit.set("target", user.id);
      audit.set("details", { username });
      tx.save(audit);
    });
    return { outcome: "promoted", username };
  },

  // Asks no admin for a code by mail any more. A running server follows within a minute.
  "no-codes": () => {
    $app.runInTransaction((tx) => {
      tx.db().newQuery("UPDATE settings SET adminCodes = FALSE WHERE id = 'app'").execute();
      const audit = new Record(tx.findCollectionByNameOrId("audit"));
      audit.set("actor", "command line");
      audit.set("action", "settings.update");
      audit.set("target", "app");
      audit.set("details", { changed: ["adminCodes"], adminCodes: false });
      tx.save(audit);
    });
    return { outcome: "done" };
  },

  // Sets the dates of the demo's rows, so that its community looks weeks old. Takes a JSON file:
  // [[table, id, {column: value}], …].
  backdate: (file) => {
    const dates = ["createdAt", "updatedAt", "termsAcceptedDate", "timestamp"];
    const plan = JSON.parse(toString($os.readFile(String(file))));
    $app.runInTransaction((tx) => {
      for (const [table, id, values] of plan) {
        const present = tx.findCollectionByNameOrId(table).fields.fieldNames();
        const columns = dates.filter((column) => column in values && present.includes(column));
        if (columns.length === 0) continue;
        const sets = columns.map((column) => `[[${column}]] = {:${column}}`).join(", ");
        const query = tx.db().newQuery(`UPDATE {{${table}}} SET ${sets} WHERE id = {:id}`);
        query.bind({ ...values, id }).execute();
      }
    });
    return { outcome: "done", rows: plan.length };
  },

  // Whether databases that came from elsewhere are whole, and how much is in them.
  "look-over": () => {
    for (const database of [$app.db(), $app.auxDB()]) {
      const rows = arrayOf(new DynamicModel({ integrity_check: "" }));
      database.newQuery("PRAGMA integrity_check").all(rows);
      const [first] = rows;
      if (first?.integrity_check !== "ok")
        return { outcome: "damaged", reason: first?.integrity_check };
    }
    const counts = {};
    for (const name of ["users", "media", "comments", "messages"]) {
      counts[name] = $app.countRecords(name);
    }
    const last = new DynamicModel({ newest: "" });
    $app
      .db()
      .newQuery(
        `SELECT COALESCE(max(at), '') AS newest FROM (SELECT max(createdAt) AS at FROM media
           UNION ALL SELECT max(createdAt) FROM comments UNION ALL SELECT max(createdAt) FROM users)`,
      )
      .one(last);
    return { outcome: "done", counts, newest: last.newest };
  },

  // The same, and then the next start finds a database that is not the one that ran there before:
  // it gives it a new epoch (pb_hooks/src/feed/history.ts).
  "begin-history": () => {
    const looked = commands["look-over"]();
    if (looked.outcome !== "done") return looked;
    const boot = $security.randomString(16);
    $app.db().newQuery("UPDATE _seq SET boot = {:boot}").bind({ boot }).execute();
    return looked;
  },

  // Copies the databases with their logs, while nobody writes.
  "copy-databases": (folder) => {
    $app.runInTransaction((tx) => {
      tx.auxRunInTransaction((both) => {
        // A transaction locks the others out with its first write, though it writes nothing.
        both.db().newQuery("UPDATE _seq SET v = v WHERE FALSE").execute();
        both.auxDB().newQuery("DELETE FROM _logs WHERE FALSE").execute();
        for (const name of ["data.db", "data.db-wal", "auxiliary.db", "auxiliary.db-wal"]) {
          const from = $filepath.join($app.dataDir(), name);
          if (isThere(from)) $os.cmd("cp", from, $filepath.join(String(folder), name)).run();
        }
      });
    });
    return { outcome: "done" };
  },

  // Makes of such a copy what goes into an archive: with a history of its own, and with the files,
  // which are in the archive too, on the disk. Says where they were.
  "as-backup": () => {
    const looked = commands["begin-history"]();
    if (looked.outcome !== "done") return looked;
    const collections = withFiles().map(({ id }) => id);
    const settings = $app.settings();
    const { enabled, endpoint, bucket } = settings.s3;
    if (enabled) {
      settings.s3.enabled = false;
      $app.save(settings);
    }
    return { ...looked, collections, s3: { enabled, endpoint, bucket } };
  },

  // What `npm run doctor` finds inside, by the same rules as the panel's Health.
  examine: () => ({
    outcome: "done",
    examined: doctor().examine($app),
    collections: withFiles().map(({ id }) => id),
  }),

  // Gives counters the number of their rows. A running server hands the changes on by its feed.
  recount: () => ({ outcome: "done", rows: doctor().recount($app) }),

  // Writes the keys of all files that a row names, a line each, into files in a folder, of some ten
  // thousand rows each.
  "name-files": (folder) => {
    const page = 10_000;
    // A field with several files holds a list.
    const namesIn = (value) => (value.startsWith("[") ? JSON.parse(value) : [value]);
    let files = 0;
    for (const { id, name, fields } of withFiles()) {
      const columns = fields.map((field) => `COALESCE([[${field}]], '')`).join(", ");
      const query = `SELECT id, json_array(${columns}) AS names FROM {{${name}}}
        WHERE id > {:after} ORDER BY id LIMIT ${page}`;
      for (let after = "", more = true; more; ) {
        const rows = arrayOf(new DynamicModel({ id: "", names: "" }));
        $app.db().newQuery(query).bind({ after }).all(rows);
        const keys = [];
        for (const row of rows) {
          const names = JSON.parse(row.names).flatMap(namesIn);
          for (const one of names.filter(Boolean)) keys.push(`${id}/${row.id}/${one}`);
          after = row.id;
        }
        more = rows.length === page;
        $os.writeFile($filepath.join(String(folder), String(files++)), keys.join("\n"), 0o600);
      }
    }
    return { outcome: "done" };
  },

  // A token for the time of an import or a move of files, for the user who may read the data
  // folder. Nothing is stored, no password is made.
  "superuser-token": () => {
    const twelveHours = 12 * 3_600_000_000_000;
    const [superuser] = $app.findRecordsByFilter("_superusers", "id != ''", "created", 1, 0);
    if (!superuser) return { outcome: "unknown" };
    return { outcome: "done", token: superuser.newStaticAuthToken(twelveHours) };
  },
};

for (const use of Object.keys(commands)) {
  const run = (_command, args) => {
    let outcome;
    try {
      outcome = commands[use](args[0]);
    } catch (error) {
      outcome = { outcome: "failed", reason: String(error) };
    }
    // biome-ignore lint/suspicious/noConsole: this engine has no other way to standard output.
    console.log(`augenblick:${JSON.stringify(outcome)}`);
  };
  $app.rootCmd.addCommand(new Command({ use, run }));
}
