/**
 * `npm run restore`: brings the databases back from where Litestream streamed them to, into an
 * empty data folder. They begin a new history there (epoch): devices pull everything again, and
 * offer what the stream had lost and they still hold. All is done in a folder beside it, which
 * takes its place at the end: what cannot be fetched or is damaged leaves nothing behind.
 */
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { ensureInstalled, note, runCommand, say, UserError } from "./checkout.mjs";
import { fetchDatabases, isEmptyFolder, readReplica } from "./replica.mjs";
import { readServerSettings, runPocketBaseCommand } from "./server.mjs";

const USAGE = `npm run restore -- --from URL [--at TIME]   the databases into the empty folder DATA_DIR
URL is a REPLICA_URL: s3://bucket/path (with S3_ENDPOINT and the others) or file:///folder
TIME is a time such as 2026-11-23T18:00:00Z; without it as late as possible`;

/** @param {unknown} text */
function readTime(text) {
  if (text === undefined) return null;
  const at = new Date(String(text));
  if (!/^\d{4}-\d\d-\d\dT/.test(String(text)) || Number.isNaN(at.getTime()))
    throw new UserError(`"${text}" is no time such as 2026-11-23T18:00:00Z.`);
  return at;
}

/**
 * Replaces an empty folder, and no other.
 * @param {string} folder @param {string} dataDir
 */
const putInPlace = (folder, dataDir) =>
  rename(folder, dataDir).catch(({ code }) => {
    throw new UserError(
      ["ENOTEMPTY", "EEXIST"].includes(code)
        ? `${dataDir} is not empty any more: a server was started there meanwhile. Nothing was changed.`
        : `${dataDir} cannot be replaced (${code}): set DATA_DIR to a folder within a volume.`,
    );
  });

/** @param {import("./checkout.mjs").Given} given */
async function main({ values }) {
  const { from, at: time } = values;
  if (from === undefined) throw new UserError(`Say where from.\n\n${USAGE}`);
  const replica = readReplica(String(from));
  const at = readTime(time);
  const { dataDir } = readServerSettings();
  if (!(await isEmptyFolder(dataDir)))
    throw new UserError(
      `${dataDir} is not empty: move it away, or set DATA_DIR to another folder.`,
    );
  await ensureInstalled();
  const begun = Date.now();
  process.umask(0o077);
  await mkdir(path.dirname(dataDir), { recursive: true });
  const fresh = await mkdtemp(`${dataDir}_restored-`);
  let looked;
  try {
    await fetchDatabases(replica, fresh, at);
    looked = await runPocketBaseCommand(fresh, ["begin-history"]);
    if (looked.outcome !== "done") throw new UserError(`The database is damaged: ${looked.reason}`);
    await putInPlace(fresh, dataDir);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  // What lies beside it belongs to the folder that was there before.
  for (const beside of [".boot", "_stream"])
    await rm(dataDir + beside, { recursive: true, force: true });
  const rows = Object.entries(looked.counts ?? {}).map(([table, count]) => `${count} ${table}`);
  note(`Checked: ${rows.join(", ")}.`);
  say(`Restored into ${dataDir} in ${((Date.now() - begun) / 1000).toFixed(1)} s. Now: npm start`);
}

const text = { type: /** @type {const} */ ("string") };
await runCommand(USAGE, main, { options: { from: text, at: text } });
