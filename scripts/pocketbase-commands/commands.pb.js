// The commands that `npm run admin`, `demo` and `import` run inside PocketBase, with this folder as
// its hooks. The app's own hooks do not run, so that a running server notices only the changed
// rows. Each prints one line of JSON.
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

  // A token for the time of an import, for the user who may read the data folder. Nothing is
  // stored, no password is made.
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
