import { isInstalled } from "@scripts/checkout.mjs";
import { expect, test } from "vitest";

const wanted = {
  "": { version: "0.1.0" },
  "node_modules/a": { version: "1.0.0", integrity: "sha512-a" },
  "node_modules/other-platform": { version: "2.0.0", integrity: "sha512-o", optional: true },
};
const a = { version: "1.0.0", integrity: "sha512-a" };

test.each([
  [
    "everything is there",
    {
      "node_modules/a": a,
      "node_modules/other-platform": { version: "2.0.0", integrity: "sha512-o" },
    },
    true,
  ],
  ["only an optional package of another platform is missing", { "node_modules/a": a }, true],
  ["a package is missing", {}, false],
  ["a package has another version", { "node_modules/a": { ...a, version: "1.0.1" } }, false],
  ["a package has other content", { "node_modules/a": { ...a, integrity: "sha512-b" } }, false],
  ["there is more than asked for", { "node_modules/a": a, "node_modules/b": a }, true],
])("where %s, an installation counts as whole: %s", (_case, present, whole) => {
  expect(isInstalled(wanted, present)).toBe(whole);
});
