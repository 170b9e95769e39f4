/** A command of package.json, run as a person at a keyboard runs it. */
import { type ChildProcess, spawn } from "node:child_process";
import { inRoot } from "@scripts/checkout.mjs";
import { endWithTests } from "@tests/support/pocketbase";

export interface Started {
  child: ChildProcess;
  /** What came so far, of standard output and of the other one. */
  printed(): string;
  /** Resolves when something printed matches; rejects when the program ends before. */
  untilPrinted(pattern: RegExp): Promise<void>;
  ended: Promise<{ code: number | null; out: string; err: string }>;
}

export function startScript(
  script: string,
  args: string[],
  env: Record<string, string> = {},
): Started {
  const child = endWithTests(
    spawn(process.execPath, [inRoot(`scripts/${script}`), ...args], {
      cwd: inRoot("."),
      env: { ...process.env, NODE_ENV: "production", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
  const text = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    text.out += piece;
  });
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    text.err += piece;
  });
  const printed = () => text.out + text.err;
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, ...text }));
  });
  const untilPrinted = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (pattern.test(printed())) resolve();
      };
      child.stdout.on("data", look);
      child.stderr.on("data", look);
      look();
      void ended.then(({ code }) => reject(new Error(`ended with ${code}: ${printed()}`)));
    });
  return { child, printed, untilPrinted, ended };
}
