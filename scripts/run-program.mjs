/** Runs other programs for the scripts. */
import { spawn } from "node:child_process";
import { ROOT } from "./paths.mjs";

/**
 * Runs a program with this terminal as its own and waits for its end.
 * @param {string} program
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean, stdoutTo?: "stdout" | "stderr" }} [options] `quiet` throws its
 *   output away; `stdoutTo` sends what it prints to our stderr instead.
 * @returns {Promise<number>} its exit code; 1 where a signal ended it or it could not be started
 */
export function runProgram(program, args, options = {}) {
  const out = options.stdoutTo === "stderr" ? 2 : "inherit";
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      env: options.env ?? process.env,
      stdio: options.quiet ? "ignore" : ["inherit", out, "inherit"],
    });
    child.once("error", () => resolve(1));
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
