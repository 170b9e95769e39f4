/**
 * `npm run import -- <folder> [--dry-run] [--report FILE]`: brings an export of older records with their files into an empty
 * server (docs/operations.md). Run again, it goes on where it stopped. Uses the server that answers at HOST and PORT, or
 * starts one for the time of the work.
 */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { buildHooks } from "./build-hooks.mjs";
import { createApi } from "./demo-api.mjs";
import { createMedia, createUser, readIds, setDates } from "./import-api.mjs";
import { readExport } from "./import-files.mjs";
import { ensureInstalled } from "./install.mjs";
import { DIST_DIR, inRoot } from "./paths.mjs";
import { findPocketBase } from "./pocketbase.mjs";
import { runPocketBaseCommand } from "./pocketbase-command.mjs";
import { serve } from "./serve.mjs";
import { readServerSettings, requireFreePort, requireWritableData } from "./server-settings.mjs";
import { runCommand, UserError } from "./user-error.mjs";

const USAGE = "Say where the export is: npm run import -- <folder> [--dry-run] [--report FILE]";
const STEP = 20;

/**
 * @typedef {typeof import("./import/plan-import")} Planner
 * @typedef {typeof import("./import/prepare-file")} Preparer
 * @typedef {import("./import/plan-import").ImportPlan} ImportPlan
 * @typedef {import("./import/plan-import").PlannedMedia} PlannedMedia
 * @typedef {import("./import-api.mjs").Target} Target
 * @typedef {{ imported: number, present: number, people: number, renamed: string[] }} Counts
 * @typedef {{ source: import("./import-files.mjs").Export, plan: ImportPlan, preparer: Preparer, counts: Counts }} Work
 */

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

/** The parts that share the app's own rules are TypeScript. @returns {Promise<Planner & Preparer>} */
async function loadParts() {
  const outdir = inRoot(".cache/import");
  await mkdir(outdir, { recursive: true });
  const parts = ["plan-import", "prepare-file"];
  await build({
    entryPoints: parts.map((part) => inRoot(`scripts/import/${part}.ts`)),
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    alias: { "@": inRoot("src") },
    logLevel: "silent",
  });
  const load = (/** @type {string} */ part) =>
    import(pathToFileURL(path.join(outdir, `${part}.mjs`)).href);
  const [planner, preparer] = await Promise.all(parts.map(load));
  return { ...planner, ...preparer };
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      args: process.argv.slice(2),
      options: {
        "dry-run": { type: "boolean", default: false },
        report: { type: "string", default: "" },
      },
      allowPositionals: true,
    });
    const [folder] = positionals;
    if (folder === undefined || positionals.length > 1) throw new UserError(USAGE);
    return { folder, dryRun: values["dry-run"], report: values.report };
  } catch {
    throw new UserError(USAGE);
  }
}

/** The files of a record as they are sent, or a sentence that says why it does not come. @param {Work} work @param {PlannedMedia} media */
async function prepare({ source, preparer }, media) {
  const bytes = await source.file(media.file);
  if (typeof bytes === "string") return bytes;
  const file = await preparer.prepareFile(bytes);
  if (typeof file === "string") return file;
  const small = media.thumbnail === "" ? "" : await source.file(media.thumbnail);
  const thumbnail = typeof small === "string" ? null : await preparer.prepareThumbnail(small);
  return { file, thumbnail };
}

/** Only what an earlier run made may be there. @param {Target} target @param {ImportPlan} plan */
async function requireOwnMedia(target, plan) {
  const present = await readIds(target, "media");
  const planned = new Set(plan.media.map(({ id }) => id));
  const strange = [...present.keys()].filter((id) => !planned.has(id)).length;
  if (strange > 0) {
    throw new UserError(
      `The server holds ${strange} media that are not of this export, and the import fills only an empty server: set DATA_DIR to a new folder.`,
    );
  }
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
    await createMedia(target, media, files);
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

/** Fills the server that answers, or one for the time of the work. @param {Work} work */
async function fillServer(work) {
  const settings = readServerSettings(process.env);
  const { url, dataDir } = settings;
  const enter = async () => {
    const {
      outcome,
      token = "",
      reason,
    } = await runPocketBaseCommand(dataDir, ["superuser-token"]);
    if (outcome !== "done") throw new UserError(`There is no way into ${dataDir}: ${reason}`);
    await fill(work, { api: createApi(url), token });
  };
  const running = await fetch(`${url}/api/health`).catch(() => null);
  if (running?.ok) return enter();
  await requireFreePort(settings);
  await requireWritableData(settings);
  await buildHooks();
  const { path: binary } = await findPocketBase();
  const serving = await serve({ binary, settings, publicDir: DIST_DIR });
  try {
    await enter();
  } finally {
    await serving.stop();
  }
}

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

async function main() {
  const { folder, dryRun, report } = readArguments();
  await ensureInstalled((line) => process.stderr.write(`${line}\n`));
  const source = await readExport(folder);
  const parts = await loadParts();
  const plan = parts.planImport(source.media, source.users);
  const counts = { imported: 0, present: 0, people: 0, renamed: [] };
  /** @type {Work} */
  const work = { source, plan, preparer: parts, counts };
  say(`${plan.media.length} media of ${plan.users.length} people in the export.`);
  if (dryRun) await tryOut(work);
  else await fillServer(work);
  tell(work, dryRun);
  if (report === "") return;
  const { leftOut, shortened } = plan;
  await writeFile(
    report,
    `${JSON.stringify({ dryRun, ...counts, shortened, leftOut }, null, 2)}\n`,
  );
}

await runCommand(main);
