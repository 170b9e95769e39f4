/** See warm-up.ts. */
// The order of names, in which the replica opens its collections; and short numbers, for cards.
"a".localeCompare("b");
new Intl.NumberFormat("en", { notation: "compact" }).format(1_000);
close();
