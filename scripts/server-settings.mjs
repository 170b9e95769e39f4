/** What the environment says about the server, checked before anything is started. Everything here has a default. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { ROOT } from "./paths.mjs";
import { UserError } from "./user-error.mjs";

/** @typedef {{ host: string, port: number, dataDir: string, url: string }} ServerSettings */

/** @param {string} host an address to listen on, as one that a browser can open */
function reachable(host) {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {ServerSettings}
 */
export function readServerSettings(env) {
  const port = Number(env["PORT"] || "8090");
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new UserError(`PORT is "${env["PORT"]}", and must be a number from 1 to 65535.`);
  }
  const host = env["HOST"] || "127.0.0.1";
  const dataDir = path.resolve(ROOT, env["DATA_DIR"] || "pb_data");
  return { host, port, dataDir, url: `http://${reachable(host)}:${port}` };
}

/** @param {unknown} error */
const codeOf = (error) =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);

/** @type {Record<string, (settings: ServerSettings) => string>} */
const PORT_TROUBLE = {
  EADDRINUSE: ({ host, port }) =>
    `Port ${port} on ${host} is in use: stop the program that uses it, or set PORT to another one.`,
  EACCES: ({ port }) => `This user may not open port ${port}: set PORT to one above 1023.`,
  EADDRNOTAVAIL: ({ host }) => `HOST is "${host}", which is no address of this machine.`,
  ENOTFOUND: ({ host }) => `HOST is "${host}", which is no address of this machine.`,
};

/** @param {ServerSettings} settings */
export function requireFreePort(settings) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error) => {
      const code = codeOf(error);
      const sentence = PORT_TROUBLE[code]?.(settings);
      reject(new UserError(sentence ?? `Port ${settings.port} cannot be opened (${code}).`));
    });
    probe.listen(settings.port, settings.host, () => probe.close(() => resolve(undefined)));
  });
}

/**
 * Step by step, because Node's own recursive way never ends where the parent exists and refuses with "no such file" (/proc).
 * @param {string} folder
 */
async function makeFolder(folder) {
  if (existsSync(folder)) return;
  await makeFolder(path.dirname(folder));
  await mkdir(folder);
}

/**
 * PocketBase writes into the data folder; unfinished uploads and the mark of the last start lie beside it, so that a backup or a restore leaves
 * them alone.
 * @param {ServerSettings} settings
 */
export async function requireWritableData({ dataDir }) {
  for (const folder of [dataDir, path.dirname(dataDir)]) {
    const probe = path.join(folder, `.probe-${randomBytes(6).toString("hex")}`);
    try {
      await makeFolder(folder);
      await writeFile(probe, "");
      await rm(probe);
    } catch (error) {
      throw new UserError(
        `The data folder ${dataDir} cannot be used, for ${folder} cannot be written (${codeOf(error)}): set DATA_DIR to a folder that this user may write to, and beside.`,
      );
    }
  }
}
