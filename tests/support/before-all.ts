/**
 * Runs once, before the tests of a project that has servers: builds what is stale, and lets a
 * server make the schema in a folder, of which each server without data of its own then takes a
 * copy. The migrations cost two CPU-seconds; a copy costs none. What a first start does is
 * `launcher.test.ts`'s and `upgrades.test.ts`'s matter.
 */
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { inRoot } from "@scripts/checkout.mjs";
import { MADE_ONCE, startPocketBase, temporaryFolder } from "./pocketbase";

export default async function beforeAll(): Promise<void> {
  // For another project of this run.
  if (process.env[MADE_ONCE] !== undefined) return;
  await promisify(execFile)(process.execPath, [inRoot("scripts/build.mjs")]);
  const dataDir = path.join(temporaryFolder(), "pb_data");
  const server = await startPocketBase({ dataDir });
  // The history of a database gets its word at the second start; a copy then begins a new one.
  await server.restart();
  await server.stop();
  process.env[MADE_ONCE] = dataDir;
}
