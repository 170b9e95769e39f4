/** What every script of package.json answers before it does anything. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { inRoot } from "@scripts/checkout.mjs";
import { describe, expect, test } from "vitest";

const { scripts } = JSON.parse(readFileSync(inRoot("package.json"), "utf8")) as {
  scripts: Record<string, string>;
};
const FILES = Object.entries(scripts).map(
  ([name, command]) => [name, /scripts\/\S+\.mjs/.exec(command)?.[0] ?? ""] as const,
);

interface Ended {
  code: number;
  out: string;
  err: string;
}

const run = (file: string, ...args: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [inRoot(file), ...args], (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });

describe.each(FILES)("npm run %s", (name, file) => {
  test("says with --help how it is called", async () => {
    const { code, out, err } = await run(file, "--help");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(new RegExp(`^npm (?:run )?${name}\\b`, "m"));
  });

  test("refuses an option that it does not know, and says how it is called", async () => {
    const { code, out, err } = await run(file, "--no-such-option");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("--no-such-option");
    expect(err).toMatch(new RegExp(`^npm (?:run )?${name}\\b`, "m"));
  });
});

test.each(["start", "dev", "build", "check", "demo"])("npm run %s takes no words", async (name) => {
  const file = FILES.find(([known]) => known === name)?.[1] ?? "";
  const { code, err } = await run(file, "stray");
  expect(code).toBe(1);
  expect(err).toContain("stray");
});
