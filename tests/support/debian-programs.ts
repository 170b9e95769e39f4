/**
 * Programs of Debian that the tests in `tests/more` run: the one on the PATH, or else taken out of
 * Debian's packages into a folder of the cache. Nothing is installed, started or set up, and no
 * rights are needed for it.
 */
import { execFile } from "node:child_process";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { CACHE_DIR, isExecutable, messageOf } from "@scripts/checkout.mjs";

const run = promisify(execFile);
/** Registries that do not answer must not hold a test up for ever. */
const FETCH_MS = 180_000;

/** The packages that hold a program and the libraries that come with it alone. */
const PACKAGES = {
  caddy: ["caddy"],
  nginx: ["nginx"],
  // With promtool beside it.
  prometheus: ["prometheus"],
  "systemd-analyze": ["systemd", "libsystemd-shared"],
} as const;
const FOLDERS = ["usr/bin", "usr/sbin", "bin"];

export interface DebianProgram {
  file: string;
  env: NodeJS.ProcessEnv;
}

const firstOf = async (places: string[]): Promise<string | null> => {
  for (const place of places) if (await isExecutable(place)) return place;
  return null;
};

export async function debianProgram(name: keyof typeof PACKAGES): Promise<DebianProgram> {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter((one) => one !== "");
  const system = [...folders, "/usr/sbin"].map((folder) => path.join(folder, name));
  const installed = await firstOf(system);
  if (installed !== null) return { file: installed, env: process.env };
  const root = path.join(CACHE_DIR, "debian", name);
  const unpacked = FOLDERS.map((folder) => path.join(root, folder, name));
  if ((await firstOf(unpacked)) === null) await unpack(name, root);
  const file = await firstOf(unpacked);
  if (file === null) throw new Error(`${missing(name)} Its package does not hold it.`);
  const libraries = path.join(root, "usr/lib/x86_64-linux-gnu/systemd");
  return { file, env: { ...process.env, LD_LIBRARY_PATH: libraries } };
}

const missing = (name: keyof typeof PACKAGES): string =>
  `${name} is missing: install it (on Debian "apt-get install ${PACKAGES[name][0]}").`;

async function unpack(name: keyof typeof PACKAGES, root: string): Promise<void> {
  const fresh = `${root}.${process.pid}`;
  await mkdir(fresh, { recursive: true });
  const fetchPackages = () =>
    run("apt-get", ["-qq", "download", ...PACKAGES[name]], { cwd: fresh, timeout: FETCH_MS });
  try {
    await fetchPackages().catch(async () => {
      // The lists of this machine may be missing, or name versions that are gone.
      await run("apt-get", ["-qq", "update"], { timeout: FETCH_MS }).catch(() => undefined);
      await fetchPackages();
    });
    for (const archive of (await readdir(fresh)).filter((one) => one.endsWith(".deb")))
      await run("dpkg-deb", ["-x", path.join(fresh, archive), fresh]);
    // Pages and their links, which lead nowhere here; the check walks through this folder.
    await rm(path.join(fresh, "usr/share"), { recursive: true, force: true });
    await rm(root, { recursive: true, force: true });
    await rename(fresh, root);
  } catch (error) {
    throw new Error(`${missing(name)} Its package could not be fetched: ${messageOf(error)}`);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}
