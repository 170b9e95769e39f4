/** Something the person at the keyboard can put right: shown as one sentence, without a stack, with exit code 1. */
export class UserError extends Error {
  /** @override */
  name = "UserError";
}

/**
 * Runs a command of ours. A UserError becomes its sentence on stderr and exit code 1; anything else is a bug and keeps its stack.
 * @param {() => Promise<unknown>} main
 */
export async function runCommand(main) {
  try {
    await main();
  } catch (error) {
    const text =
      error instanceof UserError
        ? error.message
        : error instanceof Error
          ? error.stack
          : String(error);
    process.stderr.write(`${text}\n`);
    process.exitCode = 1;
  }
}
