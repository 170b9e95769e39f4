import type { Chunk } from "@scripts/build.mjs";
import { measureAside, measureSizes } from "@scripts/size-budget.mjs";
import { expect, test } from "vitest";

const KB = 1024;
const chunk = (file: string, more: Partial<Chunk> = {}): Chunk => ({
  file,
  isEntry: false,
  facade: "",
  imports: [],
  dynamicImports: [],
  modules: [],
  gzip: 10 * KB,
  ...more,
});
const app = (changes: { entry?: Partial<Chunk>; data?: Partial<Chunk> } = {}): Chunk[] => [
  chunk("index.js", { isEntry: true, imports: ["react.js"], gzip: 30 * KB, ...changes.entry }),
  chunk("react.js", { gzip: 70 * KB }),
  chunk("data.js", {
    facade: "src/data/browser-client.ts",
    imports: ["rxdb.js"],
    gzip: 30 * KB,
    ...changes.data,
  }),
  chunk("rxdb.js", { modules: ["node_modules/rxdb/dist/index.js"], gzip: 90 * KB }),
  chunk("admin.js", { facade: "src/routes/admin.tsx", gzip: 500 * KB }),
];

test("the entry counts with what it imports, the gallery with what it loads, other routes not at all", () => {
  expect(measureSizes(app())).toEqual({ entry: 100 * KB, gallery: 220 * KB, faults: [] });
});

test.each([
  ["an entry over the limit", app({ entry: { gzip: 61 * KB } }), "The entry is 131.0 KB"],
  [
    "a gallery over the limit",
    app({ data: { gzip: 61 * KB } }),
    "All that the gallery needs is 251.0 KB",
  ],
  [
    "RxDB in the entry",
    app({ entry: { imports: ["react.js", "rxdb.js"], gzip: KB } }),
    "RxDB is in rxdb.js",
  ],
  [
    "tus in the entry",
    app({ entry: { modules: ["node_modules/tus-js-client/lib/index.js"] } }),
    "tus is in index.js",
  ],
  [
    "a decoder of pictures in any script of the page",
    [...app(), chunk("upload.js", { modules: ["node_modules/libheif-js/index.js"] })],
    "A decoder of pictures is in upload.js",
  ],
  [
    "a gallery without its data",
    app({ data: { facade: "src/data/renamed.ts" } }),
    "GALLERY_LOADS is out of date",
  ],
  ["a build without an entry", app({ entry: { isEntry: false } }), "The build names no entry."],
])("%s breaks the budget", (_case, chunks, fault) => {
  expect(measureSizes(chunks).faults).toEqual(
    expect.arrayContaining([expect.stringContaining(fault)]),
  );
});

test.each([
  ["more than its limit", 210 * KB, '[{"url":"a.js"},{"url":"b.js"}]', "is 420.0 KB"],
  ["nothing", KB, "[]", "puts nothing aside"],
])("a service worker that puts %s aside breaks the budget", async (_case, bytes, list, fault) => {
  const { faults } = await measureAside(list, async () => bytes);
  expect(faults).toEqual([expect.stringContaining(fault)]);
});

test("what is put aside counts as it is sent", async () => {
  const list = '[{"revision":null,"url":"a.js"},{"url":"b.js"}]';
  const bytesOf = async (url: string) => (url === "a.js" ? 5 : 7);
  expect(await measureAside(list, bytesOf)).toEqual({ aside: 12, faults: [] });
});
