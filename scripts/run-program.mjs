/** Runs other programs for the scripts. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { ROOT } from "./paths.mjs";

/**
 * Runs a program with this terminal as its own and waits for its end.
 * @param {string} program
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean, stdoutTo?: "stdout" | "stderr", onLine?: (line: string) => void }} [options] `quiet` throws its
 *   output away; `stdoutTo` sends what it prints to our stderr instead; `onLine` also hears each line of it.
 * @returns {Promise<number>} its exit code; 1 where a signal ended it or it could not be started
 */
export function runProgram(program, args, options = {}) {
  const { onLine } = options;
  const out = onLine ? "pipe" : options.stdoutTo === "stderr" ? 2 : "inherit";
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      env: options.env ?? process.env,
      stdio: options.quiet ? "ignore" : ["inherit", out, "inherit"],
    });
    if (onLine && child.stdout) {
      child.stdout.pipe(process.stdout, { end: false });
      createInterface({ input: child.stdout }).on("line", onLine);
    }
    child.once("error", () => resolve(1));
    child.once("close", (code) => resolve(code ?? 1));
  });
}
