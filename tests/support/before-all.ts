/**
 * Runs once, before the tests of a project that has servers: builds what is stale, and lets a
 * server make the schema in a folder, of which each server without data of its own then takes a
 * copy. The migrations cost two CPU-seconds; a copy costs none. There a password is hashed in a
 * millisecond, not in seventy, because most tests begin with sign-ups, and `RATES` are set; not in
 * a bench. Tests of a first start, or of what a password costs, begin with a folder that is not
 * there (`newFolder`).
 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { inRoot } from "@scripts/checkout.mjs";
import type { TestProject } from "vitest/node";
import { MADE_ONCE, newFolder, RATES, startPocketBase, temporaryFolder } from "./pocketbase";

export default async function beforeAll({ name }: TestProject): Promise<void> {
  // For another project of this run.
  if (process.env[MADE_ONCE] !== undefined) return;
  await promisify(execFile)(process.execPath, [inRoot("scripts/build.mjs")]);
  const dataDir = newFolder();
  await (await startPocketBase({ dataDir })).stop();
  const hooksDir = temporaryFolder();
  if (name !== "bench") writeFileSync(path.join(hooksDir, "quick.pb.js"), QUICK);
  await (await startPocketBase({ dataDir, flags: [`--hooksDir=${hooksDir}`] })).stop();
  // The history of a database gets its word at a later start than the first; a copy begins a new one.
  await (await startPocketBase({ dataDir })).stop();
  process.env[MADE_ONCE] = dataDir;
}

/** Four is the least that bcrypt takes. */
const QUICK = `onBootstrap((e) => {
  e.next();
  for (const name of ["users", "_superusers"]) {
    const collection = e.app.findCollectionByNameOrId(name);
    collection.fields.getByName("password").cost = 4;
    e.app.save(collection);
  }
  const settings = e.app.findRecordById("settings", "app");
  settings.set("limits", ${JSON.stringify(RATES)});
  e.app.saveNoValidate(settings);
});`;
