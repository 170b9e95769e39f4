/**
 * `npm run doctor`: a look at a place, whether it runs or not: one sentence for each thing, with
 * what to do. It changes nothing; `--repair` gives counters the number of their rows, and no more.
 * Exit code 1 where something is to be done.
 */
import { execFile } from "node:child_process";
import { readdir, readFile, stat, statfs } from "node:fs/promises";
import { isIP } from "node:net";
import path from "node:path";
import { connect } from "node:tls";
import { promisify } from "node:util";
import { buildHooks } from "./build.mjs";
import { ensureInstalled, inRoot, messageOf, runCommand, say, UserError } from "./checkout.mjs";
import { bucketStore, diskStore } from "./file-stores.mjs";
import { findPocketBase, POCKETBASE_VERSION, pocketBaseVersion } from "./pocketbase.mjs";
import { readReplica, streamedLag } from "./replica.mjs";
import { checkS3, openBucket, readS3Settings } from "./s3.mjs";
import { missingFiles, readServerSettings, runPocketBaseCommand } from "./server.mjs";

const USAGE = `npm run doctor                looks at the place at DATA_DIR, and changes nothing
npm run doctor -- --repair    gives counters the number of their rows, first
With the same DATA_DIR, HOST, PORT, S3_… and REPLICA_URL as the server. Exit code 1 if something is to be done.`;

/**
 * @typedef {"good" | "look" | "bad"} Level `look`: works, and could be better
 * @typedef {{ level: Level, about: string, text: string }} Line
 * @typedef {{ findings: { code: string, level: Level, values: Record<string, unknown> }[],
 *   appUrl: string, s3: import("./s3.mjs").S3Settings & { enabled: boolean },
 *   smtp: { enabled: boolean, host: string, port: number, username: string, password: string,
 *   authMethod: string, tls: boolean, localName: string }, migrations: string[] }} Examined
 * @typedef {{ dataDir: string, url: string, isRunning: boolean, collections: string[],
 *   examined: Examined }} Place
 * @typedef {(place: Place) => Promise<Line[]> | Line[]} Look
 */

const REQUEST_MS = 10_000;
const AUDIT_MS = 30_000;
const MAIL_MS = 10_000;
const DAY_MS = 86_400_000;
const CERTIFICATE_DAYS = 14;
const CLOCK_SECONDS = 30;
const LAG_SECONDS = 60;
/** A file may be a moment before its row, and longer than it. */
const SETTLED_MS = 3_600_000;
/** The first release without known faults that strangers can use (docs/operations.md). */
const SOUND_POCKETBASE = "0.39.8";

const line = (
  /** @type {Level} */ level,
  /** @type {string} */ about,
  /** @type {string} */ text,
) => /** @type {Line} */ ({ level, about, text });
const good = (/** @type {string} */ about, /** @type {string} */ text) => line("good", about, text);
const look = (/** @type {string} */ about, /** @type {string} */ text) => line("look", about, text);
const bad = (/** @type {string} */ about, /** @type {string} */ text) => line("bad", about, text);

const megabytes = (/** @type {number} */ bytes) => `${Math.round(bytes / 1_048_576)} MB`;

/** Whether `version` comes before `other`. @param {string} version @param {string} other */
const isBefore = (version, other) => version.localeCompare(other, "en", { numeric: true }) < 0;

/** @type {Look} */
async function lookAtVersions({ examined }) {
  const { version, engines } = JSON.parse(await readFile(inRoot("package.json"), "utf8"));
  const { path: binary } = await findPocketBase();
  const base = await pocketBaseVersion(binary);
  const oldest = String(engines.node).replace(/^\D+/, "");
  const files = (await readdir(inRoot("pb_migrations"))).filter((name) => name.endsWith(".js"));
  const [behind, ahead] = [
    files.filter((name) => !examined.migrations.includes(name)),
    examined.migrations.filter((name) => !files.includes(name)),
  ];
  return [
    isBefore(process.versions.node, oldest)
      ? bad("Node", `Node ${process.versions.node} is too old: install ${oldest} or newer.`)
      : good("Node", `Node ${process.versions.node}.`),
    isBefore(base, POCKETBASE_VERSION)
      ? bad("PocketBase", `PocketBase ${base} is too old: ${POCKETBASE_VERSION} is the oldest.`)
      : isBefore(base, SOUND_POCKETBASE)
        ? look(
            "PocketBase",
            `PocketBase ${base} has known faults: on a public server set POCKETBASE_BIN to ${SOUND_POCKETBASE} or newer.`,
          )
        : good("PocketBase", `PocketBase ${base}.`),
    ahead.length > 0
      ? bad("Version", `The database is newer than Augenblick ${version} (${ahead[0]}): update.`)
      : behind.length > 0
        ? look("Version", `Augenblick ${version} changes the database at its next start: back up.`)
        : good("Version", `Augenblick ${version}, and its database.`),
  ];
}

/** @type {Look} */
async function lookAtAdvisories() {
  const npm = process.env["npm_execpath"];
  const [program, ...first] = npm?.endsWith(".js") ? [process.execPath, npm] : ["npm"];
  const args = [...first, "audit", "--omit=dev", "--json"];
  // It ends with 1 where it found something.
  const { stdout } = await promisify(execFile)(program ?? "npm", args, {
    cwd: inRoot("."),
    timeout: AUDIT_MS,
    maxBuffer: 64 * 1_048_576,
  }).catch((error) => ({ stdout: String(error.stdout ?? "") }));
  const report = readJson(stdout);
  const found = report?.metadata?.vulnerabilities;
  const about = "Packages";
  if (found === undefined)
    return [look(about, "npm could not be asked for known faults of packages: try again later.")];
  const names = Object.values(report.vulnerabilities ?? {})
    .filter((/** @type {any} */ { severity }) => ["high", "critical"].includes(severity))
    .map((/** @type {any} */ { name }) => name);
  if (names.length > 0)
    return [
      bad(about, `Packages with grave known faults: ${names.join(", ")}. Update Augenblick.`),
    ];
  if (found.total > 0)
    return [look(about, `Lesser known faults of packages: ${found.total}. See npm audit.`)];
  return [good(about, "No package has a known fault.")];
}

/** @param {string} text @returns {any} */
function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** By the first word of a finding's code. @type {Record<string, string>} */
const ABOUT = {
  url: "Address",
  proxy: "Proxy",
  limits: "Limits",
  backups: "Backups",
  mail: "Mail",
  files: "Storage",
  disk: "Disk",
  statistics: "Statistics",
  slow: "Speed",
  counters: "Counters",
  sequence: "Sequence",
};

/** What the server itself would say, in the words of the panel. @type {Look} */
async function lookFromInside({ examined }) {
  const words = await loadWords();
  return examined.findings.map(({ code, level, values }) => {
    const text = (words[code] ?? code).replaceAll(/{{(\w+)}}/g, (_all, name) => {
      const value = values[name];
      const isBytes = name === "bytes" || name === "needed";
      return isBytes ? megabytes(Number(value)) : String(value);
    });
    return line(level, ABOUT[code.split("_")[0] ?? ""] ?? code, text);
  });
}

/** @returns {Promise<Record<string, string>>} */
async function loadWords() {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [inRoot("src/i18n/en/admin-settings.ts")],
    // The service's user may not write there.
    write: false,
    format: "esm",
    logLevel: "silent",
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString("base64");
  const { settingsPages } = await import(`data:text/javascript;base64,${code}`);
  return settingsPages.health.found;
}

/** @type {Look} */
const lookAtServer = ({ url, isRunning }) => [
  isRunning
    ? good("Server", `The server answers at ${url}.`)
    : look("Server", `No server answers at ${url}: start it, or set HOST and PORT as it has them.`),
];

/** Signs in to the mail server, and sends nothing. @type {Look} */
async function tryMail({ examined: { smtp } }) {
  if (!smtp.enabled) return [];
  const { createTransport } = await import("nodemailer");
  const { host, port, tls: secure, username: user, password: pass, localName } = smtp;
  const transport = createTransport({
    host,
    port,
    secure,
    ...(localName !== "" && { name: localName }),
    ...(user !== "" && { auth: { user, pass } }),
    ...(smtp.authMethod !== "" && { authMethod: smtp.authMethod }),
    connectionTimeout: MAIL_MS,
    greetingTimeout: MAIL_MS,
    socketTimeout: MAIL_MS,
  });
  try {
    await transport.verify();
    return [good("Mail", `The mail server ${host}:${port} lets us in.`)];
  } catch (error) {
    const where = "dashboard, Settings → Mail settings";
    const reason = messageOf(error);
    return [
      bad("Mail", `The mail server ${host}:${port} cannot be used (${reason}): correct ${where}.`),
    ];
  } finally {
    transport.close();
  }
}

/** The bucket that the place uses, by its own setting. @type {Look} */
async function tryBucket({ examined: { s3 } }) {
  const named = process.env["S3_BUCKET"] ? readS3Settings() : null;
  if (!s3.enabled && named === null) return [];
  if (!s3.enabled)
    return [
      look(
        "Bucket",
        "S3_BUCKET is set, but files are on the disk: npm run storage -- move --to s3.",
      ),
    ];
  if (named !== null && named.bucket !== s3.bucket)
    return [
      bad("Bucket", `S3_BUCKET is ${named.bucket}, but files are in ${s3.bucket}: set that.`),
    ];
  await checkS3(s3);
  return [good("Bucket", `The bucket ${s3.bucket} can be written, read, listed and emptied.`)];
}

/** @type {Look} */
async function lookAtStream({ dataDir }) {
  const url = process.env["REPLICA_URL"]?.trim();
  if (!url) return [];
  const lag = await streamedLag(readReplica(url), dataDir);
  if (lag === null)
    return [bad("Stream", `Nothing was streamed to ${url} yet: start with npm start.`)];
  if (lag > LAG_SECONDS)
    return [
      bad(
        "Stream",
        `The stream to ${url} is ${Math.round(lag)} s behind: see what npm start prints.`,
      ),
    ];
  return [good("Stream", `The stream to ${url} is ${Math.max(0, lag).toFixed(1)} s behind.`)];
}

/** @type {Look} */
async function lookAtInodes({ dataDir }) {
  const { files, ffree } = await statfs(dataDir);
  // Some systems do not count files, and say 0.
  if (files > 0 && ffree < 10_000)
    return [bad("Disk", `The disk of ${dataDir} has room for ${ffree} files only: make room.`)];
  return [];
}

/** @type {Look} */
async function lookAtPermissions({ dataDir }) {
  const open = [];
  for (const name of ["", "data.db", "auxiliary.db", "storage"]) {
    const found = await stat(path.join(dataDir, name)).catch(() => null);
    if (found !== null && (found.mode & 0o077) !== 0) open.push(path.join(dataDir, name));
  }
  // A folder that others cannot enter hides what is in it.
  if (open.includes(path.join(dataDir, "")))
    return [bad("Permissions", `Others may read ${dataDir}: chmod 700 ${dataDir}.`)];
  return [good("Permissions", `${dataDir} is closed to other users.`)];
}

/** What is stored against what the rows name. @type {Look} */
async function lookAtFiles({ dataDir, collections, examined: { s3 } }) {
  const store = s3.enabled
    ? bucketStore(await openBucket(s3))
    : diskStore(path.join(dataDir, "storage"));
  /** @type {Map<string, import("./file-stores.mjs").FoundFile>} */
  const stored = new Map();
  for (const collection of collections)
    for await (const file of store.list(collection)) stored.set(file.key, file);
  const all = stored.size;
  const missing = await missingFiles((key) => stored.delete(key), { dataDir });
  const settled = Date.now() - SETTLED_MS;
  let orphans = 0;
  for (const { stat: look } of stored.values()) if ((await look()).changed < settled) orphans += 1;
  return [
    missing.length === 0
      ? good("Files", `Every file that a row names is there (stored files: ${all}).`)
      : bad(
          "Files",
          `Files missing in ${store.name}: ${missing.length}, such as ${missing[0]}. Bring them back from a backup.`,
        ),
    orphans === 0
      ? good("Orphans", "No file is without a row.")
      : look("Orphans", `Files without a row: ${orphans}. The panel's Cleanup removes them.`),
  ];
}

/** By whoever can be reached first, and is not this machine's own server. @type {Look} */
async function lookAtClock({ examined: { appUrl, s3 } }) {
  const others = [s3.enabled ? s3.endpoint : "", appUrl, "https://registry.npmjs.org/"];
  for (const other of others.filter((one) => URL.canParse(one))) {
    const begun = Date.now();
    const answer = await fetch(other, {
      method: "HEAD",
      redirect: "manual",
      signal: AbortSignal.timeout(REQUEST_MS),
    }).catch(() => null);
    const theirs = Date.parse(answer?.headers.get("date") ?? "");
    if (Number.isNaN(theirs)) continue;
    const off = Math.round(((begun + Date.now()) / 2 - theirs) / 1000);
    const { host } = new URL(other);
    return [
      Math.abs(off) > CLOCK_SECONDS
        ? bad(
            "Clock",
            `This clock is ${Math.abs(off)} s ${off > 0 ? "ahead of" : "behind"} that of ${host}: set it, and let it be kept by NTP.`,
          )
        : good("Clock", `The clock agrees with that of ${host}.`),
    ];
  }
  return [look("Clock", "Nobody could be asked for the time: compare the clock by hand.")];
}

/** @type {Look} */
async function lookAtCertificate({ examined: { appUrl } }) {
  if (!URL.canParse(appUrl)) return [];
  const { protocol, hostname, port } = new URL(appUrl);
  if (protocol !== "https:") return [];
  const about = "Certificate";
  try {
    const { fault, end } = await certificateOf(hostname, Number(port || 443));
    const days = Math.floor((end - Date.now()) / DAY_MS);
    if (days < 0) return [bad(about, `The certificate of ${hostname} has ended: renew it.`)];
    if (days < CERTIFICATE_DAYS)
      return [bad(about, `The certificate of ${hostname} ends in ${days} days: renew it.`)];
    if (fault !== null)
      return [
        bad(about, `Browsers do not trust the certificate of ${hostname} (${fault}): get one.`),
      ];
    return [good(about, `The certificate of ${hostname} holds for ${days} days.`)];
  } catch (error) {
    return [
      bad(
        about,
        `${appUrl} cannot be reached (${messageOf(error)}): is the proxy up, and the name right?`,
      ),
    ];
  }
}

/**
 * @param {string} host @param {number} port
 * @returns {Promise<{ fault: string | null, end: number }>} `fault` is why it is not trusted
 */
function certificateOf(host, port) {
  return new Promise((resolve, reject) => {
    const name = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ host, port, ...name, rejectUnauthorized: false }, () => {
      const { valid_to: end } = socket.getPeerCertificate();
      const fault = socket.authorized ? null : String(socket.authorizationError);
      socket.destroy();
      resolve({ fault, end: Date.parse(end) });
    });
    socket.setTimeout(REQUEST_MS, () => socket.destroy(new Error("no answer")));
    socket.once("error", reject);
  });
}

/** What each look is about, for when it fails itself. @type {[string, Look][]} */
const LOOKS = [
  ["Server", lookAtServer],
  ["Versions", lookAtVersions],
  ["Packages", lookAtAdvisories],
  ["Inside", lookFromInside],
  ["Mail", tryMail],
  ["Bucket", tryBucket],
  ["Stream", lookAtStream],
  ["Disk", lookAtInodes],
  ["Permissions", lookAtPermissions],
  ["Files", lookAtFiles],
  ["Clock", lookAtClock],
  ["Certificate", lookAtCertificate],
];

const MARKS = { good: "ok  ", look: "look", bad: "DO  " };

/** @param {import("./checkout.mjs").Given} given */
async function main({ values }) {
  const { dataDir, url } = readServerSettings();
  await ensureInstalled();
  await buildHooks();
  const run = async (/** @type {string[]} */ ...command) => {
    const answer = await runPocketBaseCommand(dataDir, command);
    if (answer.outcome === "done") return answer;
    throw new UserError(`The database cannot be looked at: ${answer.reason}`);
  };
  if (values["repair"])
    say(`Counters that were wrong, and are right now: ${(await run("recount")).rows}.`);
  const { examined, collections = [] } = await run("examine");
  if (examined === undefined) throw new UserError("The database cannot be looked at.");
  const health = await fetch(`${url}/api/health`, {
    signal: AbortSignal.timeout(REQUEST_MS),
  }).catch(() => null);
  const place = { dataDir, url, isRunning: health?.ok === true, collections, examined };
  let toDo = 0;
  for (const [about, lookAt] of LOOKS) {
    const lines = await Promise.resolve(place)
      .then(lookAt)
      .catch((error) => [bad(about, messageOf(error))]);
    for (const { level, about: what, text } of lines) {
      say(`${MARKS[level]}  ${what.padEnd(11)}  ${text.replaceAll(/\s*\n\s*/g, " ")}`);
      if (level === "bad") toDo += 1;
    }
  }
  say(toDo === 0 ? "Nothing has to be done." : `To do: ${toDo}.`);
  if (toDo > 0) process.exitCode = 1;
}

await runCommand(USAGE, main, { options: { repair: { type: "boolean" } } });
