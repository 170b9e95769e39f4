/**
 * What a list may be asked: PocketBase's language of filters and sorts without functions, relations
 * and lists, as SQL over one table; and whether an index has what is asked.
 */
export type Binds = Record<string, string | number>;

/** PocketBase's own, by which clients cut their filters. */
const FILTER_MAX = 3_500;
const TESTS_MAX = 200;
const DEPTH_MAX = 4;
const SORT_MAX = 200;

/** An index to read by: `by` is the order, after the columns in `set` have one value each. */
export interface Order {
  by: readonly string[];
  set: readonly string[];
}

/** One comparison of a filter. */
interface Test {
  field: string;
  op: string;
  value: string | number | boolean;
  /** `field:lower`. */
  isLower: boolean;
}

export type Tree = Test | { every: Tree[] } | { some: Tree[] };

const ALL: Tree = { every: [] };

const TOKEN =
  /\s*(?:(&&|\|\||[()])|([a-zA-Z]\w*)(:lower)?\s*(<=|>=|!=|!~|=|<|>|~)\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?|true|false|null)))/y;

/**
 * PocketBase's filter language without functions, relations, lists and placeholders; null for
 * everything else. As there, `&&` and `||` have no order of their own: they may not be mixed
 * without parentheses.
 */
export function parseFilter(text: string, columns: ReadonlySet<string>): Tree | null {
  if (text.trim() === "") return ALL;
  if (text.length > FILTER_MAX) return null;
  const tokens = tokensOf(text);
  const tests = tokens?.flatMap((token) => (typeof token === "string" ? [] : [token])) ?? [];
  if (tokens === null || tests.length > TESTS_MAX) return null;
  if (tests.some(({ field }) => !columns.has(field))) return null;
  const tree = parseGroup(tokens, 0);
  return tokens.length === 0 ? tree : null;
}

/** `(`, `)`, `&&`, `||` and the tests between them; null where something else stands. */
function tokensOf(text: string): (string | Test)[] | null {
  const tokens: (string | Test)[] = [];
  for (let at = 0; at < text.trimEnd().length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found === null) return null;
    const token = found[1] ?? testOf(found);
    // PocketBase takes it for any text, and so many of them take long to compare.
    if (typeof token !== "string" && token.op.endsWith("~") && String(token.value).includes("%")) {
      return null;
    }
    tokens.push(token);
  }
  return tokens;
}

/** Takes a group with the sign that ends it off the front of `tokens`. */
function parseGroup(tokens: (string | Test)[], depth: number): Tree | null {
  const parts: Tree[] = [];
  const end = depth === 0 ? undefined : ")";
  let joint: string | Test | undefined;
  for (;;) {
    const part = parseTerm(tokens, depth);
    if (part === null) return null;
    parts.push(part);
    const sign = tokens.shift();
    if (sign === end) return joint === "||" ? { some: parts } : { every: parts };
    joint ??= sign;
    if ((sign !== "&&" && sign !== "||") || sign !== joint) return null;
  }
}

function parseTerm(tokens: (string | Test)[], depth: number): Tree | null {
  const token = tokens.shift();
  if (token === "(" && depth < DEPTH_MAX) return parseGroup(tokens, depth + 1);
  return token === undefined || typeof token === "string" ? null : token;
}

function testOf(found: RegExpExecArray): Test {
  const [, , field = "", lower, op = "", single, double, bare] = found;
  const quoted = single ?? double;
  const isLower = lower !== undefined;
  if (quoted !== undefined)
    return { field, op, isLower, value: quoted.replace(/\\(['"\\])/g, "$1") };
  if (bare === "true" || bare === "false") return { field, op, isLower, value: bare === "true" };
  return { field, op, isLower, value: bare === "null" ? "" : Number(bare) };
}

export function sqlOf(tree: Tree, binds: Binds): string {
  if ("field" in tree) return testSql(tree, binds);
  const keyset = keysetOf(tree);
  if (keyset !== null) {
    const [above, equal, below] = keyset;
    const values = [equal, below].map((test) => bind(binds, test.value));
    return `(${above.field}, ${below.field}) ${above.op} (${values.join(", ")})`;
  }
  const isEvery = "every" in tree;
  const parts = (isEvery ? tree.every : tree.some).map((each) => sqlOf(each, binds));
  return parts.length === 0 ? "" : `(${parts.join(isEvery ? " AND " : " OR ")})`;
}

function testSql({ field, op, value, isLower }: Test, binds: Binds): string {
  const bound = bind(binds, value);
  if (op.endsWith("~"))
    return `instr(lower(${field}), lower(${bound})) ${op === "~" ? "> 0" : "= 0"}`;
  const plain = `${field} ${op} ${bound}`;
  // The index on posts leaves out what is in none, and SQLite must be told that none is asked for.
  if (isOfPost(field, op, value)) return `(${plain} AND post != '')`;
  if (field !== "username" || op !== "=")
    return isLower ? `lower(${plain.replace(" ", ") ")}` : plain;
  // The index on names ignores case.
  return isLower ? `${plain} COLLATE NOCASE` : `(${plain} COLLATE NOCASE AND ${plain})`;
}

const isOfPost = (field: string, op: string, value: Test["value"]): boolean =>
  field === "post" && op === "=" && value !== "";

function bind(binds: Binds, value: Test["value"]): string {
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  const name = `v${Object.keys(binds).length}`;
  binds[name] = value;
  return `{:${name}}`;
}

/** `a < x || (a = x && b < y)`, by which clients ask for the page after a row. */
function keysetOf(tree: Tree): [above: Test, equal: Test, below: Test] | null {
  if (!("some" in tree) || tree.some.length !== 2) return null;
  const [above, rest] = tree.some;
  if (above === undefined || !("field" in above) || rest === undefined || !("every" in rest))
    return null;
  const [equal, below] = rest.every;
  if (rest.every.length !== 2 || equal === undefined || below === undefined) return null;
  if (!("field" in equal) || !("field" in below)) return null;
  const isSame = equal.field === above.field && equal.value === above.value && equal.op === "=";
  const isStrict = (above.op === "<" || above.op === ">") && below.op === above.op;
  return isSame && isStrict ? [above, equal, below] : null;
}

/** What all must hold, without parentheses around it. */
const demands = (tree: Tree): Tree[] => ("every" in tree ? tree.every.flatMap(demands) : [tree]);

const isSetting = (tree: Tree, field: string): boolean =>
  "field" in tree && tree.field === field && tree.op === "=";

/** Most media are in no post. */
const isEmpty = (tree: Tree): boolean => "field" in tree && tree.value === "";

/** Whether the filter alone leaves few rows. */
export function isNarrow(tree: Tree, narrow: readonly string[]): boolean {
  const isFew = (each: Tree): boolean =>
    [...narrow, "id"].some((field) => isSetting(each, field) && !isEmpty(each)) ||
    ("some" in each && each.some.every((one) => isSetting(one, "id")));
  return demands(tree).some(isFew);
}

/** Each row that no index leads to is put to all of them. */
const SHORT = 10;

const testsOf = (tree: Tree): Test[] =>
  "field" in tree ? [tree] : ("every" in tree ? tree.every : tree.some).flatMap(testsOf);

/** Whether there are few comparisons beside those with an id, which an index answers. */
export const isShort = (tree: Tree): boolean =>
  testsOf(tree).filter((test) => !isSetting(test, "id")).length <= SHORT;

const RANGE = ["<", "<=", ">", ">="];

/**
 * Whether one index has exactly these rows in this order. Each of its values and each end may be
 * named once: what is more would be put to every row between the ends.
 */
export function isCovered(tree: Tree, sorted: readonly Sorted[], { by, set }: Order): boolean {
  const isOrder =
    sorted.every(({ field, sign }, i) => field === by[i] && sign === sorted[0]?.sign) &&
    sorted.length <= by.length;
  const all = demands(tree);
  const partOf = (each: Tree): string | null => {
    const field = set.find((name) => isSetting(each, name));
    if (field !== undefined) return `${field} =`;
    const keyset = "field" in each ? null : keysetOf(each);
    const [end, next] = "field" in each ? [each] : [keyset?.[0], keyset?.[2]];
    if (end === undefined || end.field !== by[0] || end.isLower || !RANGE.includes(end.op))
      return null;
    if (next !== undefined && next.field !== by[1]) return null;
    return end.op[0] ?? null;
  };
  const parts = all.map(partOf);
  return (
    isOrder &&
    set.every((field) => parts.includes(`${field} =`)) &&
    !parts.includes(null) &&
    new Set(parts).size === parts.length
  );
}

export interface Sorted {
  field: string;
  sign: "+" | "-";
}

export const ascending = (field: string): Sorted => ({ field, sign: "+" });

export function parseSort(text: string, columns: ReadonlySet<string>): Sorted[] | null {
  if (text.length > SORT_MAX) return null;
  const fields = text.split(",").map((part) => part.trim());
  const sorted = fields
    .filter((part) => part !== "")
    .map(
      (part): Sorted => ({
        field: part.replace(/^[+-]/, ""),
        sign: part.startsWith("-") ? "-" : "+",
      }),
    );
  return sorted.every(({ field }) => columns.has(field)) ? sorted : null;
}
