/** See warmUp in main.tsx. */
// Collation, which the replica needs to open its collections, and short numbers, for cards.
"a".localeCompare("b");
new Intl.NumberFormat("en", { notation: "compact" }).format(1_000);
close();
