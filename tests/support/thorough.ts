/**
 * `npm test` looks at every screen, file and earlier version once, `npm run test:more` at each in
 * all its variants: it runs the same files as the project `thorough` (vitest.config.ts).
 */
export const IS_THOROUGH = process.env["TESTS_THOROUGH"] === "1";

/** One share of `of`, by turns, so that all shares together leave nothing out; where it is thorough, all. */
export const byTurns = <T>(all: readonly T[], share: number, of: number): T[] =>
  all.filter((_one, i) => IS_THOROUGH || i % of === share);
