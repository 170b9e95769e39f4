/**
 * `npm start`: from a fresh checkout to a running server. Installs what is missing, builds what is
 * stale, finds PocketBase, applies migrations, serves everything on one port, and starts a server
 * that died again. Standard output has the address (and the link that makes the first superuser of
 * an empty database); everything else goes to standard error.
 */
import { randomBytes } from "node:crypto";
import {
  DIST_DIR,
  ensureInstalled,
  note,
  runCommand,
  runNode,
  say,
  speakJson,
  UserError,
} from "./checkout.mjs";
import { findPocketBase, pocketBaseVersion } from "./pocketbase.mjs";
import { keepPushing } from "./pusher.mjs";
import { checkReplica, findLitestream, keepStreaming, readReplica } from "./replica.mjs";
import { checkS3, readS3Settings } from "./s3.mjs";
import { keepServing, requireNoThumbnails, requireUsableSettings } from "./server.mjs";

const NO_SUPERUSER =
  "There is no superuser: set POCKETBASE_SUPERUSER_EMAIL and POCKETBASE_SUPERUSER_PASSWORD for one start.";

/** @returns {string} "json" or "text" */
function readLogFormat() {
  const format = process.env["LOG_FORMAT"] || "text";
  if (format === "json" || format === "text") return format;
  throw new UserError(`LOG_FORMAT is "${format}", and must be json or text.`);
}

const TOKEN_MIN = 16;

/** The server treats a shorter one as none. */
function requireLongToken() {
  const token = process.env["METRICS_TOKEN"] ?? "";
  if (token !== "" && !/^[\x21-\x7e]+$/.test(token))
    throw new UserError("METRICS_TOKEN may have letters, digits and signs of ASCII alone.");
  if (token !== "" && (token.length < TOKEN_MIN || token.length > 400))
    throw new UserError(`METRICS_TOKEN must have from ${TOKEN_MIN} to 400 signs.`);
}

/** Ctrl-C before the server runs ends the whole process at once, without an error. */
function endEarly() {
  process.exit(0);
}

/** For who starts PocketBase by other means. */
async function tryOnly() {
  const { path: binary } = await findPocketBase();
  await requireNoThumbnails(binary);
  say(
    `PocketBase ${await pocketBaseVersion(binary)} (${binary}) draws no thumbnails: it may serve.`,
  );
}

const USAGE = `npm start            installs what is missing, builds what is stale, and serves on one port
npm start -- --try   only tries whether this PocketBase may serve, for who starts it by other means
Set by environment variables, such as HOST, PORT and DATA_DIR (docs/operations.md).`;

/** @param {import("./checkout.mjs").Given} given */
async function main({ values }) {
  if (values["try"]) return tryOnly();
  const isJson = readLogFormat() === "json";
  requireLongToken();
  if (isJson) speakJson();
  const signals = /** @type {const} */ (["SIGINT", "SIGTERM"]);
  for (const signal of signals) process.on(signal, endEarly);
  if (process.env["POCKETBASE_BIN"]) await findPocketBase();
  const settings = await requireUsableSettings();
  const url = process.env["REPLICA_URL"]?.trim();
  const replica = url ? readReplica(url) : null;
  // With keys for the stream alone, files stay on the disk.
  const isForStream = replica?.s3 && !process.env["S3_BUCKET"];
  const s3 = isForStream ? null : readS3Settings();
  await ensureInstalled();
  if (s3 !== null) await checkS3(s3);
  const stream = replica && { replica, binary: await findLitestream() };
  if (replica !== null) await checkReplica(replica);
  if ((await runNode("scripts/build.mjs", [], { stdoutTo: "stderr" })) !== 0)
    throw new UserError("The app was not built, so it was not started.");
  const { path: binary, source } = await findPocketBase();
  const version = await pocketBaseVersion(binary);
  note(`PocketBase ${version} (${binary}, from ${source}), data in ${settings.dataDir}`);

  const ending = new AbortController();
  const served = new AbortController();
  let streaming = Promise.resolve();
  let pushing = { call: () => {}, ended: Promise.resolve() };
  // Server and pusher alone know it.
  process.env["PUSH_TOKEN"] ||= randomBytes(32).toString("base64url");
  const onPush = () => pushing.call();
  const options = { binary, settings, publicDir: DIST_DIR, signal: ending.signal, onPush };
  await keepServing(options, (serving) => {
    for (const signal of signals) {
      process.off(signal, endEarly);
      process.on(signal, () => ending.abort());
    }
    say(`${process.env["APP_NAME"] || "Augenblick"} is running at ${settings.url}`);
    const { dataDir } = settings;
    pushing = keepPushing(served.signal);
    if (stream) streaming = keepStreaming({ ...stream, dataDir, signal: served.signal });
    void serving.installer.then((link) =>
      // The link is a key to the place, and no line of a log.
      say(isJson ? NO_SUPERUSER : `Create the first superuser: ${link}`),
    );
  }).finally(() => served.abort());
  await Promise.all([streaming, pushing.ended]);
}

await runCommand(USAGE, main, { options: { try: { type: "boolean" } } });
