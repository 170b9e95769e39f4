/** See warmUp in main.tsx. Its name is the language that is read. */
// Collation, which the replica needs to open its collections, and short numbers, for cards.
"a".localeCompare("b");
new Intl.NumberFormat(self.name, { notation: "compact" }).format(1_000);
close();
