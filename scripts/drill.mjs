/**
 * `npm run drill`: tries whether the replica could be restored, without touching it or the place:
 * fetches the databases into a temporary folder, looks them over, and says how long it took and
 * how old the newest row is.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureInstalled, runCommand, say, UserError } from "./checkout.mjs";
import { fetchDatabases, readReplica } from "./replica.mjs";
import { runPocketBaseCommand } from "./server.mjs";

const USAGE = `npm run drill [-- --from URL]   tries whether the replica can be restored, and changes nothing
URL is REPLICA_URL unless given: s3://bucket/path (with S3_ENDPOINT and the others) or file:///folder`;

const secondsSince = (/** @type {number} */ begun) =>
  `${((Date.now() - begun) / 1000).toFixed(1)} s`;

/** @param {import("./checkout.mjs").Given} given */
async function main({ values }) {
  const url = values["from"] ?? process.env["REPLICA_URL"];
  if (!url) throw new UserError(`Say where from, or set REPLICA_URL.\n\n${USAGE}`);
  const replica = readReplica(String(url));
  await ensureInstalled();
  const folder = await mkdtemp(path.join(tmpdir(), "augenblick-drill-"));
  try {
    const begun = Date.now();
    await fetchDatabases(replica, folder, null);
    say(`fetched    ${secondsSince(begun)}`);
    const fetched = Date.now();
    const {
      outcome,
      reason,
      counts = {},
      newest,
    } = await runPocketBaseCommand(folder, ["look-over"]);
    if (outcome !== "done") throw new UserError(`The replica is damaged: ${reason}`);
    say(`checked    ${secondsSince(fetched)}, the database is whole`);
    for (const [table, count] of Object.entries(counts)) say(`${table.padEnd(10)} ${count}`);
    say(`newest row ${newest || "none"} (UTC)`);
    say("The replica can be restored. Nothing was changed.");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const text = { type: /** @type {const} */ ("string") };
await runCommand(USAGE, main, { options: { from: text } });
