// The command line that `npm run admin` runs: PocketBase with this folder as its hooks. The app's own hooks do not run, so
// that a running server notices nothing but the changed row.
$app.rootCmd.addCommand(
  new Command({
    use: "promote <email>",
    run: (_command, args) => {
      const email = String(args[0] ?? "");
      // biome-ignore lint/suspicious/noConsole: the only way of this engine to standard output.
      const print = (outcome) => console.log(`augenblick:${JSON.stringify(outcome)}`);
      try {
        let user = null;
        try {
          user = $app.findAuthRecordByEmail("users", email);
        } catch (_) {
          print({ outcome: "unknown" });
          return;
        }
        const username = user.getString("username");
        if (user.getBool("isAdmin")) {
          print({ outcome: "already", username });
          return;
        }
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
        print({ outcome: "promoted", username });
      } catch (error) {
        print({ outcome: "failed", reason: String(error) });
      }
    },
  }),
);
