import { findLongComments, findSlips } from "@scripts/rooms.mjs";
import { expect, test } from "vitest";

const SHORT = "export const a = 1;\n";
const LONG = SHORT.repeat(40);

test.each([
  [
    "a short file with one reader is a slip",
    { "src/a.ts": 'import { b } from "./b";\n', "src/b.ts": SHORT },
    ["src/b.ts"],
  ],
  [
    "the path may start at the root",
    { "src/x/a.ts": 'import type { B } from "@/y/b";\n', "src/y/b.tsx": SHORT },
    ["src/y/b.tsx"],
  ],
  [
    "the path may name the file",
    { "scripts/a.mjs": 'import "./b.mjs";\n', "scripts/b.mjs": SHORT },
    ["scripts/b.mjs"],
  ],
  [
    "a file with two readers is none",
    {
      "src/a.ts": 'import { b } from "./b";\n',
      "src/c.ts": 'import { b } from "./b";\n',
      "src/b.ts": SHORT,
    },
    [],
  ],
  ["a long file is none", { "src/a.ts": 'import { b } from "./b";\n', "src/b.ts": LONG }, []],
  ["an entry point is none", { "src/main.ts": SHORT }, []],
  [
    "what is loaded later is none",
    { "src/a.ts": 'const b = import("./b");\n', "src/b.ts": SHORT },
    [],
  ],
  [
    "a worker is none",
    { "src/a.ts": 'new Worker(new URL("./b.ts", import.meta.url));\n', "src/b.ts": SHORT },
    [],
  ],
  [
    "nor is one whose address is imported",
    { "src/a.ts": 'import address from "./b?worker&url";\n', "src/b.ts": SHORT },
    [],
  ],
])("%s", (_case, files, slips) => {
  expect(findSlips(new Map(Object.entries(files)))).toEqual(slips);
});

test("a comment line of more than 100 columns is named, code and suppressions are not", () => {
  const words = "x".repeat(100);
  const text = [
    `// ${words}`,
    ` * ${words}`,
    "// short",
    `const a = "${words}";`,
    `// biome-ignore ${words}`,
  ];
  expect(findLongComments(new Map([["src/a.ts", text.join("\n")]]))).toEqual([
    "src/a.ts:1",
    "src/a.ts:2",
  ]);
});
