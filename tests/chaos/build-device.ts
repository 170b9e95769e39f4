/** Builds the program of a device's thread, as it is or with one mutant in it. */
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { CACHE_DIR, inRoot } from "@scripts/checkout.mjs";
import { type BuildOptions, build, type Plugin } from "esbuild";

/** A fault put into the client while its copy is built; the sources stay as they are. */
export interface Mutant {
  name: string;
  /** Below the repository. */
  file: string;
  /** Must occur exactly once, or the mutant is out of date. */
  find: string;
  replace: string;
}

export interface Programs {
  /** Files: of a device in a thread, and of a tab in a browser. */
  thread: string;
  page: string;
}

const small = (name: string, usual: number, here: number): Mutant => ({
  name: `a smaller ${name}`,
  file: "src/domain/limits.ts",
  find: `export const ${name} = ${usual};`,
  replace: `export const ${name} = ${here};`,
});

/** Devices hold a part of the media, although there are but a few dozen of them. */
const SMALL_REPLICA = [
  small("PAGE_SIZE", 30, 1),
  small("REPLICA_FIRST_MEDIA", 300, 6),
  small("REPLICA_MAX_MEDIA", 5000, 10),
];

/** `removeDevice` deletes them. */
export async function buildDevice(faults: readonly Mutant[] = []): Promise<Programs> {
  const mutants = [...faults, ...SMALL_REPLICA];
  const [thread, page] = await Promise.all([
    buildProgram("device-thread.ts", mutants, { platform: "node", packages: "external" }),
    buildProgram("device-page.ts", mutants, { platform: "browser" }),
  ]);
  return { thread, page };
}

async function buildProgram(
  entry: string,
  mutants: readonly Mutant[],
  kind: Pick<BuildOptions, "platform" | "packages">,
): Promise<string> {
  const name = mutants.map((mutant) => mutant.name.replaceAll(/\W+/g, "-")).join("-");
  // In the repository, so that its packages are found.
  const outfile = path.join(CACHE_DIR, "chaos", `${entry}-${name}-${process.pid}.mjs`);
  const placed = new Set<string>();
  await build({
    entryPoints: [path.join(import.meta.dirname, entry)],
    outfile,
    bundle: true,
    format: "esm",
    logLevel: "error",
    plugins: [mutation(mutants, placed)],
    ...kind,
  });
  for (const { name: fault, file } of mutants) {
    if (!placed.has(file)) throw new Error(`"${fault}" is out of date: no device runs ${file}`);
  }
  return outfile;
}

export const removeDevice = async ({ thread, page }: Programs): Promise<void> => {
  await Promise.all([rm(thread, { force: true }), rm(page, { force: true })]);
};

/** `placed` takes the files that were changed. */
function mutation(mutants: readonly Mutant[], placed: Set<string>): Plugin {
  return {
    name: "mutation",
    setup({ onLoad }) {
      for (const file of new Set(mutants.map((mutant) => mutant.file))) {
        const whole = inRoot(file);
        const filter = new RegExp(`${whole.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
        onLoad({ filter }, async () => {
          placed.add(file);
          const contents = mutants
            .filter((mutant) => mutant.file === file)
            .reduce(mutate, await readFile(whole, "utf8"));
          return { contents, loader: "ts" };
        });
      }
    },
  };
}

export function mutate(source: string, { name, file, find, replace }: Mutant): string {
  const parts = source.split(find);
  if (parts.length !== 2) {
    throw new Error(
      `"${name}" is out of date: its text occurs ${parts.length - 1} times in ${file}`,
    );
  }
  return parts.join(replace);
}
