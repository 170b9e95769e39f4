/** What `npm test` leaves behind, however it ends: no process, and nothing in the temporary folder. Both are read from the system. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { inRoot } from "@scripts/checkout.mjs";
import { busyLine } from "@scripts/test-run.mjs";
import { endWithTests, temporaryFolder } from "@tests/support/pocketbase";
import { expect, test } from "vitest";

/** A browser test that is over soon. */
const SHORT = "tests/e2e/legal.test";

const PROGRAMS = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /^(?:PATH|HOME|.*_BIN)$/.test(name)),
);

/** Of a process's flags: it runs none of its program any more (PF_EXITING in Linux). */
const EXITING = 4;

interface Running {
  /** The same process, even where its number is given out again. */
  key: string;
  id: number;
  parent: number;
  name: string;
}

function processes(): Running[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        const text = readFileSync(`/proc/${id}/stat`, "utf8");
        const [, name = "", rest = ""] = text.match(/\((.*)\) (.*)$/s) ?? [];
        const fields = rest.split(" ");
        // A zombie has ended, and only its parent has not looked yet; so has what is being ended.
        if (fields[0] === "Z" || (Number(fields[6]) & EXITING) !== 0) return [];
        return [{ key: `${id}:${fields[19]}`, id: Number(id), parent: Number(fields[1]), name }];
      } catch {
        return []; // It has just ended.
      }
    });
}

/** Starts `npm test` for one file, and notes all that ever descends from it. */
function start(env: Record<string, string> = {}) {
  // A short name: the path of a browser's socket in it has 108 characters at most.
  const folder = temporaryFolder("t-");
  const runner = endWithTests(
    spawn(process.execPath, [inRoot("scripts/test.mjs"), SHORT], {
      cwd: inRoot("."),
      // Nothing of the runner that runs this test, which would change how the other one behaves.
      env: { ...PROGRAMS, ...env, TMPDIR: folder },
      stdio: "ignore",
      // A process group of its own, as a terminal gives it.
      detached: true,
    }),
  );
  const seen = new Map<string, string>();
  const ids = new Set([runner.pid]);
  const look = () => {
    const all = processes();
    for (let before = -1; before !== ids.size; ) {
      before = ids.size;
      for (const { id, parent } of all) if (ids.has(parent)) ids.add(id);
    }
    for (const { key, id, name } of all) if (ids.has(id)) seen.set(key, name);
    return [...seen.values()];
  };
  const looking = setInterval(look, 100);
  const ended = once(runner, "exit").then(([code, signal]: (number | string | null)[]) => {
    clearInterval(looking);
    return code ?? signal;
  });
  const untilAtWork = () =>
    expect
      .poll(look)
      .toEqual(
        expect.arrayContaining([
          expect.stringContaining("chrom"),
          expect.stringContaining("pocketbase"),
        ]),
      );
  const left = () => ({
    processes: processes().flatMap(({ key, name }) => (seen.has(key) ? [name] : [])),
    files: readdirSync(folder),
  });
  return { id: runner.pid ?? 0, ended, untilAtWork, left };
}

const NOTHING = { processes: [], files: [] };

test("a green run leaves nothing behind", async () => {
  const run = start();
  await run.untilAtWork();
  expect(await run.ended).toBe(0);
  expect(run.left()).toEqual(NOTHING);
});

test("nor does a red one", async () => {
  const run = start({ CHROMIUM_BIN: "/bin/false" });
  expect(await run.ended).toBe(1);
  expect(run.left()).toEqual(NOTHING);
});

test("Ctrl-C, which reaches all of the terminal's processes, ends it and all that it started", async () => {
  const run = start();
  await run.untilAtWork();
  process.kill(-run.id, "SIGINT");
  expect(await run.ended).toBe(130);
  expect(run.left()).toEqual(NOTHING);
});

test("so does a signal that reaches the command alone", async () => {
  const run = start();
  await run.untilAtWork();
  process.kill(run.id, "SIGTERM");
  expect(await run.ended).toBe(143);
  expect(run.left()).toEqual(NOTHING);
});

test("where the command itself is killed, nothing is left soon after", async () => {
  const run = start();
  await run.untilAtWork();
  process.kill(run.id, "SIGKILL");
  expect(await run.ended).toBe("SIGKILL");
  await expect.poll(run.left).toEqual(NOTHING);
});

test("a machine that is busy already is named, with what keeps it so", async () => {
  const busy = endWithTests(spawn(process.execPath, ["-e", "for (;;);"]));
  expect(await busyLine([3.14])).toMatch(
    /^The machine is busy already, load 3\.1, with .+ \(\d+\)/,
  );
  busy.kill();
  expect(await busyLine([2])).toBeNull();
});
