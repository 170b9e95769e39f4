// The command line that `npm run demo` runs at its end: sets the dates of rows that it made, so that the community looks as if it had
// grown over weeks. Takes a JSON file: [[table, id, {column: value}], …].
$app.rootCmd.addCommand(
  new Command({
    use: "backdate <plan>",
    run: (_command, args) => {
      const DATES = {
        users: ["createdAt", "updatedAt", "termsAcceptedDate"],
        media: ["createdAt", "updatedAt"],
        comments: ["createdAt"],
        likes: ["createdAt"],
        follows: ["createdAt"],
        reports: ["createdAt"],
        conversations: ["createdAt"],
        messages: ["createdAt", "timestamp"],
        settings: ["lastUpdated"],
      };
      // biome-ignore lint/suspicious/noConsole: the only way of this engine to standard output.
      const print = (outcome) => console.log(`augenblick:${JSON.stringify(outcome)}`);
      try {
        const plan = JSON.parse(toString($os.readFile(String(args[0]))));
        $app.runInTransaction((tx) => {
          for (const [table, id, values] of plan) {
            const present = tx.findCollectionByNameOrId(table).fields.fieldNames();
            const columns = Object.keys(values).filter(
              (column) => (DATES[table] ?? []).includes(column) && present.includes(column),
            );
            if (columns.length === 0) continue;
            const sets = columns.map((column) => `[[${column}]] = {:${column}}`).join(", ");
            const query = tx.db().newQuery(`UPDATE {{${table}}} SET ${sets} WHERE id = {:id}`);
            const bound = { id };
            for (const column of columns) bound[column] = values[column];
            query.bind(bound).execute();
          }
        });
        print({ outcome: "done", rows: plan.length });
      } catch (error) {
        print({ outcome: "failed", reason: String(error) });
      }
    },
  }),
);
