/**
 * `npm run import -- <folder> [--dry-run] [--report FILE]`: brings an export of older records with
 * their files into an empty server (docs/operations.md), as a superuser in the name of each owner.
 * Run again, it goes on where it stopped. Uses the server at HOST and PORT, or starts one.
 */
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { ensureInstalled, inRoot, runCommand, say, UserError } from "./checkout.mjs";
import { readExport } from "./import-files.mjs";
import { runPocketBaseCommand, withServer } from "./server.mjs";
import { blobOf, createApi, createMedia, instant, sendFile } from "./server-api.mjs";

const USAGE = `npm run import -- <folder> [--dry-run] [--report FILE]
Brings an export of older records with their files into an empty server. Run again, it goes on
where it stopped. --dry-run says what it would do; --report writes down what it did.`;
/** @type {import("./checkout.mjs").Takes} */
const TAKES = {
  options: { "dry-run": { type: "boolean" }, report: { type: "string" } },
  positionals: true,
};
const STEP = 20;
const PAGE = 500;

/**
 * @typedef {typeof import("./import-records")} Records
 * @typedef {import("./import-records").ImportPlan} ImportPlan
 * @typedef {import("./import-records").PlannedMedia} PlannedMedia
 * @typedef {{ api: import("./server-api.mjs").Api, token: string }} Target
 * @typedef {{ imported: number, present: number, people: number, renamed: string[] }} Counts
 * @typedef {{ source: import("./import-files.mjs").Export, plan: ImportPlan, records: Records,
 *   counts: Counts }} Work
 */

/** The part that shares the app's own rules is TypeScript. @returns {Promise<Records>} */
async function loadRecords() {
  const { build } = await import("esbuild");
  const outfile = inRoot(".cache/import/import-records.mjs");
  await mkdir(inRoot(".cache/import"), { recursive: true });
  await build({
    entryPoints: [inRoot("scripts/import-records.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    alias: { "@": inRoot("src") },
    logLevel: "silent",
  });
  return import(pathToFileURL(outfile).href);
}

/** @param {import("./checkout.mjs").Given} given */
function readChoice({ values, positionals }) {
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1)
    throw new UserError(`Say where the export is.\n\n${USAGE}`);
  return { folder, dryRun: values["dry-run"] === true, report: String(values["report"] ?? "") };
}

/**
 * Every id of a collection with the time at which its row was made.
 * @param {Target} target @param {"media" | "users"} collection
 * @returns {Promise<Map<string, number>>}
 */
async function readIds({ api, token }, collection) {
  const found = new Map();
  for (let after = ""; ; ) {
    const filter = encodeURIComponent(`id > '${after}'`);
    const query = `perPage=${PAGE}&sort=id&skipTotal=1&fields=id,createdAt&filter=${filter}`;
    const path = `/api/collections/${collection}/records?${query}`;
    const { items } = await api.call("GET", path, { token });
    for (const { id, createdAt } of items) found.set(id, Date.parse(createdAt));
    if (items.length < PAGE) return found;
    after = items.at(-1).id;
  }
}

/**
 * Makes the account, with a password that nobody knows. If its name or address is taken, it gets a
 * free one.
 * @param {Target} target @param {import("./import-records").PlannedUser} user
 * @returns {Promise<boolean>} whether it kept its name and address
 */
async function createUser({ api, token }, { id, username, email, bio, createdAt }) {
  const password = randomBytes(24).toString("base64url");
  const dated = createdAt > 0 && { createdAt: instant(createdAt) };
  const create = (/** @type {{ username: string, email: string }} */ names) => {
    const body = { id, ...names, bio, password, passwordConfirm: password, ...dated };
    return api.call("POST", "/api/collections/users/records", { token, body });
  };
  try {
    await create({ username, email });
    return true;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const free = `${username.slice(0, 58)}-${id.slice(0, 5)}`;
    await create({ username: free, email: `${id}@import.invalid` });
    return false;
  }
}

/**
 * The files of a record as they are sent, or a sentence that says why it is left out.
 * @param {Work} work @param {PlannedMedia} media
 */
async function prepare({ source, records }, media) {
  const bytes = await source.file(media.file);
  if (typeof bytes === "string") return bytes;
  const file = await records.prepareFile(bytes);
  if (typeof file === "string") return file;
  const small = media.thumbnail === "" ? "" : await source.file(media.thumbnail);
  const thumbnail = typeof small === "string" ? null : await records.prepareThumbnail(small);
  return { file, thumbnail };
}

/**
 * @param {Target} target @param {PlannedMedia} media
 * @param {Exclude<Awaited<ReturnType<typeof prepare>>, string>} files
 */
async function sendMedia({ api, token }, media, { file, thumbnail }) {
  const sender = { token, headers: { "x-acting-user": media.userId } };
  const metadata = { filetype: file.detected.contentType };
  const uploadId = await sendFile(api, { ...sender, bytes: file.bytes, metadata });
  await createMedia(api, sender, {
    id: media.id,
    uploadId,
    caption: media.caption,
    tags: JSON.stringify(media.tags),
    alt: media.alt,
    type: file.detected.kind,
    width: String(file.width),
    height: String(file.height),
    originalFilename: media.originalFilename,
    ...(media.place && { post: media.place.post, postIndex: String(media.place.postIndex) }),
    ...(thumbnail !== null && { thumbnail: blobOf(thumbnail, "image/jpeg") }),
  });
}

/** @param {Target} target @param {PlannedMedia} media */
async function setDates({ api, token }, { id, createdAt, updatedAt }) {
  if (createdAt === 0) return;
  const body = { createdAt: instant(createdAt), updatedAt: instant(updatedAt) };
  await api.call("PATCH", `/api/collections/media/records/${id}`, { token, body });
}

/**
 * The server may have only what an earlier run made.
 * @param {Target} target @param {ImportPlan} plan
 */
async function requireOwnMedia(target, plan) {
  const present = await readIds(target, "media");
  const planned = new Set(plan.media.map(({ id }) => id));
  const strange = [...present.keys()].filter((id) => !planned.has(id)).length;
  if (strange > 0)
    throw new UserError(
      `The server holds ${strange} media that are not of this export, and the import fills only an empty server: set DATA_DIR to a new folder.`,
    );
  return present;
}

/** @param {Work} work @param {Target} target */
async function bringPeople({ plan, counts }, target) {
  const present = await readIds(target, "users");
  for (const user of plan.users) {
    if (present.has(user.id)) continue;
    if (!(await createUser(target, user))) counts.renamed.push(user.username);
    counts.people += 1;
  }
}

/** @param {Work} work @param {Target} target @param {PlannedMedia} media */
async function bring(work, target, media) {
  const files = await prepare(work, media);
  if (typeof files === "string") {
    work.plan.leftOut.push({ record: media.oldId, why: files });
    return;
  }
  try {
    await sendMedia(target, media, files);
    await setDates(target, media);
    work.counts.imported += 1;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    work.plan.leftOut.push({ record: media.oldId, why: error.message });
  }
}

/** @param {Work} work @param {Target} target */
async function fill(work, target) {
  const { plan, counts } = work;
  const present = await requireOwnMedia(target, plan);
  await bringPeople(work, target);
  for (const [i, media] of plan.media.entries()) {
    const at = present.get(media.id);
    if (at === undefined) await bring(work, target, media);
    else {
      counts.present += 1;
      // A run that was cut off right after the file had not set its date yet.
      if (at !== media.createdAt) await setDates(target, media);
    }
    if ((i + 1) % STEP === 0) say(`  ${i + 1} of ${plan.media.length}`);
  }
}

/** @param {Work} work */
async function tryOut(work) {
  for (const [i, media] of work.plan.media.entries()) {
    const files = await prepare(work, media);
    if (typeof files === "string") work.plan.leftOut.push({ record: media.oldId, why: files });
    else work.counts.imported += 1;
    if ((i + 1) % STEP === 0) say(`  ${i + 1} of ${work.plan.media.length}`);
  }
  work.counts.people = work.plan.users.length;
}

/** @param {Work} work */
const fillServer = (work) =>
  withServer(async ({ url, dataDir }) => {
    const issued = await runPocketBaseCommand(dataDir, ["superuser-token"]);
    const { outcome, reason, token = "" } = issued;
    if (outcome !== "done") throw new UserError(`There is no way into ${dataDir}: ${reason}`);
    const target = { api: createApi(url), token };
    await fill(work, target);
    await target.api.call("POST", "/api/sql", { token, body: { query: "PRAGMA optimize" } });
  });

/** @param {Work} work @param {boolean} dryRun */
function tell({ plan, counts }, dryRun) {
  const { imported, present, people, renamed } = counts;
  say(`${dryRun ? "Would import" : "Imported"} ${imported} media of ${people} new people.`);
  if (present > 0) say(`${present} were there already.`);
  for (const name of renamed)
    say(`  ${name}: the name or the address was taken, so another was given`);
  if (plan.shortened.length > 0) say(`${plan.shortened.length} could not be taken over whole:`);
  for (const { record, why } of plan.shortened) say(`  ${record}: ${why}`);
  if (plan.leftOut.length > 0) say(`${plan.leftOut.length} were left out:`);
  for (const { record, why } of plan.leftOut) say(`  ${record}: ${why}`);
}

/** @param {import("./checkout.mjs").Given} given */
async function main(given) {
  const { folder, dryRun, report } = readChoice(given);
  await ensureInstalled();
  const source = await readExport(folder);
  const records = await loadRecords();
  const plan = records.planImport(source.media, source.users);
  const counts = { imported: 0, present: 0, people: 0, renamed: [] };
  /** @type {Work} */
  const work = { source, plan, records, counts };
  say(`${plan.media.length} media of ${plan.users.length} people in the export.`);
  if (dryRun) await tryOut(work);
  else await fillServer(work);
  tell(work, dryRun);
  if (report === "") return;
  const told = { dryRun, ...counts, shortened: plan.shortened, leftOut: plan.leftOut };
  await writeFile(report, `${JSON.stringify(told, null, 2)}\n`);
}

await runCommand(USAGE, main, TAKES);
