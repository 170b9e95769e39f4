// The command line that `npm run import` runs first: a token for the time of the work, by the right of whoever may read the data
// folder. Nothing is stored, and no password is made.
$app.rootCmd.addCommand(
  new Command({
    use: "superuser-token",
    run: () => {
      const HOURS = 12;
      // biome-ignore lint/suspicious/noConsole: the only way of this engine to standard output.
      const print = (outcome) => console.log(`augenblick:${JSON.stringify(outcome)}`);
      try {
        const [superuser] = $app.findRecordsByFilter("_superusers", "id != ''", "created", 1, 0);
        if (!superuser) {
          print({ outcome: "unknown" });
          return;
        }
        print({ outcome: "done", token: superuser.newStaticAuthToken(HOURS * 3_600_000_000_000) });
      } catch (error) {
        print({ outcome: "failed", reason: String(error) });
      }
    },
  }),
);
