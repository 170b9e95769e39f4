/**
 * Vite plugin: leaves out of the build what the app never uses of its libraries and no bundler can
 * know to be unused. Each cut names the library's own text; where a release words it otherwise, the
 * build stops, and somebody decides again. Tests of rules and server run on the libraries as they
 * are, those in a browser on the build.
 */
import { fileURLToPath } from "node:url";
import { defaultClientConditions, type Plugin } from "vite";

interface Cut {
  file: RegExp;
  /** Each text, which stands there exactly once, and what stands there instead. */
  texts: readonly (readonly [text: string, instead: string])[];
  /** All from one text up to another, each of which stands there exactly once. */
  spans?: readonly (readonly [from: string, to: string])[];
}

const CUTS: readonly Cut[] = [
  {
    // The storage advertises a paid one in the console; its licence lets us leave that out.
    file: /rxdb\/dist\/esm\/plugins\/storage-dexie\/rx-storage-instance-dexie\.js$/,
    texts: [["!shownNonPremiumLog && !(await hasPremiumFlag())", "false"]],
  },
  {
    // Ways of writing that the app has no use for, and what only says that a plugin is missing.
    file: /rxdb\/dist\/esm\/rx-collection\.js$/,
    texts: [],
    spans: [
      ["  get insert$() {", "  _incrementalUpsertQueues = "],
      ["  migrationNeeded() {", "  async insert(json) {"],
      ["  async insertIfNotExists(json) {", "  async bulkInsert(docsData) {"],
      ["  async bulkUpsert(docsData, options) {", "  incrementalUpsert(json, options) {"],
      ["  exportJSON(_options) {", "  addHook(when, key, fun, parallel = false) {"],
    ],
  },
  {
    // Rows are read as JSON and written in turn, by id or as a whole list.
    file: /rxdb\/dist\/esm\/rx-document\.js$/,
    texts: [],
    spans: [
      ["  get $$() {", "  /**\n   * get data by objectPath"],
      ["  /**\n   * updates document", "  /**\n   * runs an incremental update"],
      ["  patch(patch) {", "  /**\n   * patches the given"],
      ["  async remove() {", "  close() {"],
    ],
  },
  {
    // Queries only read.
    file: /rxdb\/dist\/esm\/rx-query\.js$/,
    texts: [],
    spans: [
      ["  get $$() {", "  // stores the changeEvent-number"],
      ["  async remove(throwIfMissing) {", "  /**\n   * helper function to transform RxQueryBase"],
      ["  update(_updateObj) {", "}\nexport function _getDefaultQuery"],
    ],
  },
  {
    // What only says that a plugin is missing.
    file: /rxdb\/dist\/esm\/rx-database\.js$/,
    texts: [],
    spans: [
      ["  get collections$() {", "  _subs = [];"],
      ["  exportJSON(_collectionsOrOptions", "  leaderElector() {"],
      ["  migrationStates() {", "  /**\n   * closes the database-instance"],
      ["  registerWebMCP(_options) {", "}\n\n/**\n * checks if an instance with same name"],
    ],
  },
  {
    // Operators that no query of ours has: one that is missing throws.
    file: /rxdb\/dist\/esm\/rx-query-mingo\.js$/,
    texts: [
      ["        $sort,\n        $project\n", ""],
      [
        "        $elemMatch,\n        $eq,\n        $nor,\n        $exists,\n        $regex,\n",
        "        $eq,\n",
      ],
      [
        "        $mod,\n        $not,\n        $or,\n        $size,\n        $type\n",
        "        $or\n",
      ],
    ],
  },
  {
    // RxDB asks whether a row fits, and never for a list.
    file: /mingo\/esm\/query\.js$/,
    texts: [
      [
        `return new Cursor(
      collection,
      (o) => this.test(o),
      projection || {},
      this.#options
    );`,
        "",
      ],
    ],
  },
  {
    // Dexie's live queries, which the app leaves to RxDB: without them no write is told to anybody.
    file: /dexie\/dist\/modern\/dexie\.mjs$/,
    texts: [
      ["this.use(cacheMiddleware);", ""],
      ["this.use(observabilityMiddleware);", ""],
      ["this.use(hooksMiddleware);", ""],
      ["    liveQuery,\n    extendObservabilitySet,\n", ""],
    ],
    // Ways of asking and writing that neither RxDB nor the store of the device has.
    spans: [
      ["    async: function (generatorFn) {", "    currentTransaction: {"],
      ["    mapToClass(constructor) {", "    add(obj, key) {"],
      ["    upsert(key, modifications) {", "    put(obj, key) {"],
      ["    bulkUpdate(keysAndChanges) {", "    bulkDelete(keys) {"],
      ["    sortBy(keyPath, cb) {", "    toArray(cb) {"],
      ["    until(filterFunction, bIncludeStopEntry) {", "    first(cb) {"],
      ["    eachKey(cb) {", "    primaryKeys(cb) {"],
      ["    uniqueKeys(cb) {", "}\nconst deleteCallback ="],
      ["    startsWithIgnoreCase(str) {", "    anyOf() {"],
      ["    notEqual(value) {", "}\n\nfunction createWhereClauseConstructor("],
    ],
  },
  {
    // Ways for tabs to talk in browsers without BroadcastChannel, which cannot run the app either.
    file: /broadcast-channel\/dist\/esbrowser\/method-chooser\.js$/,
    texts: [
      ["IndexedDBMethod, LocalstorageMethod]", "]"],
      ["return SimulateMethod;", ""],
    ],
  },
  {
    // Keys given as functions, for which the hook would bring all of i18next.
    file: /react-i18next\/dist\/es\/useTranslation\.js$/,
    texts: [["import { keyFromSelector } from 'i18next';", "const keyFromSelector = String;"]],
  },
  {
    // The router's warnings, loaders, forms and prefetching. What it names for developers stays
    // alive by that alone.
    file: /react-router\/dist\/development\/chunk-6KYCQHYJ\.mjs$/,
    texts: [
      ["var ENABLE_DEV_WARNINGS = true;", "var ENABLE_DEV_WARNINGS = false;"],
      ['HistoryRouter.displayName = "unstable_HistoryRouter";', ""],
      ['NavLink.displayName = "NavLink";', ""],
      ["var NavLink = React10.", "var NavLink = /* @__PURE__ */ React10."],
      ['\nForm.displayName = "Form";', ""],
      ["var Form = React10.", "var Form = /* @__PURE__ */ React10."],
      ['ScrollRestoration.displayName = "ScrollRestoration";', ""],
      ["= usePrefetchBehavior(\n      prefetch,\n      rest\n    );", "= [false, null, {}];"],
      ["return shouldPrefetch && !isAbsolute ?", "return false ?"],
      ["|| defaultErrorElement;", ";"],
      ["RenderErrorBoundary.contextType = RSCRouterContext;", ""],
      ["return dataRouterState && (match.route.ErrorBoundary ||", "return false && ("],
    ],
  },
];

/** The smaller builds of these, for browsers that know ES2022. */
const DEXIE = fileURLToPath(
  new URL("../node_modules/dexie/dist/modern/dexie.mjs", import.meta.url),
);
/** What every browser has by now, instead of the packages that tus-js-client brings for it. */
const BUILT_IN: Readonly<Record<string, string>> = {
  "url-parse": "export default URL;",
  "js-base64": `export const Base64 = {
    encode: (text) =>
      btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("")),
  };`,
};
const BUILT_IN_PREFIX = "\0built-in:";
const CONDITIONS = ["es2015", ...defaultClientConditions];

/** `isWhole`: every library named above must be part of the build. */
export function lean({ isWhole }: { isWhole: boolean }): Plugin {
  const done = new Set<Cut>();
  return {
    name: "lean",
    apply: "build",
    enforce: "pre",
    config: () => ({ resolve: { conditions: CONDITIONS } }),
    resolveId(id, importer = "") {
      if (id === "dexie") return DEXIE;
      return id in BUILT_IN && importer.includes("/tus-js-client/") ? BUILT_IN_PREFIX + id : null;
    },
    load: (id) => BUILT_IN[id.replace(BUILT_IN_PREFIX, "")] ?? null,
    transform(code, id) {
      const cut = CUTS.find(({ file }) => file.test(id));
      if (cut === undefined) return null;
      done.add(cut);
      const halves = (text: string, wanted: string): [string, string] => {
        const [before = "", after = "", ...more] = text.split(wanted);
        if (text.includes(wanted) && more.length === 0) return [before, after];
        throw new Error(`${id} has ${text.split(wanted).length - 1} times: ${wanted}`);
      };
      const whole = cut.texts.reduce(
        (text, [wanted, instead]) => halves(text, wanted).join(instead),
        code,
      );
      return (cut.spans ?? []).reduce((text, [from, to]) => {
        const [before, inside] = halves(text, from);
        return before + to + halves(inside, to)[1];
      }, whole);
    },
    buildEnd(error) {
      if (error !== undefined || !isWhole || done.size === CUTS.length) return;
      const left = CUTS.filter((cut) => !done.has(cut)).map(({ file }) => file);
      throw new Error(`The build knows no such file: ${left.join(", ")}`);
    },
  };
}
