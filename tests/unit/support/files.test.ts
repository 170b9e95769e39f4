import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { inRoot } from "@scripts/checkout.mjs";
import { TABLE } from "@tests/files/table";
import { expect, test } from "vitest";

const FOLDER = inRoot("tests/files");
const files = readdirSync(FOLDER).filter((name) => !/\.(?:mjs|ts|md)$/.test(name));

test("each file of the collection has a row in its table, and each row its file", () => {
  expect(Object.keys(TABLE).sort()).toEqual(files.sort());
});

test("the collection is large in number and small in bytes", () => {
  expect(files.length).toBeGreaterThanOrEqual(200);
  const bytes = files.map((name) => statSync(path.join(FOLDER, name)).size);
  expect(bytes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(12 * 1_048_576);
});
