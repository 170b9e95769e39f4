/** `npm run release` in a small checkout of its own, where a build and the tests take no time. */
import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { inRoot } from "@scripts/checkout.mjs";
import { oldClients, releaseFaults } from "@scripts/release.mjs";
import { temporaryFolder } from "@tests/support/pocketbase";
import { beforeEach, describe, expect, test } from "vitest";

const CHANGELOG = `# Changelog

## Unreleased

### Added
- Photos.

## 0.1.0 (2026-01-02)

- The first.
`;

const standing: Parameters<typeof releaseFaults>[1] = {
  branch: "main",
  changed: [],
  tags: ["v0.1.0"],
  version: "0.1.0",
  changelog: CHANGELOG,
  schemas: [{ commit: "abcdef1", day: "2026-01-01", migrations: { "1.js": "one" } }],
  migrations: { "1.js": "one", "2.js": "two" },
};

describe("what stands in the way", () => {
  test.each(["0.1.1", "0.2.0", "1.0.0"])("nothing of %s after 0.1.0", (version) => {
    expect(releaseFaults(version, standing)).toEqual([]);
  });

  test.each(["0.1.0", "0.0.9", "0.1.2", "0.3.0", "1.1.0", "2.0.0"])(
    "%s skips or repeats one",
    (version) => {
      expect(releaseFaults(version, standing).join()).toContain(`${version} does not follow 0.1.0`);
    },
  );

  test.each<[string, Partial<typeof standing>, string]>([
    ["another branch", { branch: "waiting" }, "the branch waiting, not main"],
    ["no branch", { branch: "" }, "the branch of no name"],
    ["what no commit holds", { changed: ["a.ts", "b.ts"] }, "in no commit: a.ts, b.ts"],
    ["a tag that is there", { tags: ["v0.2.0"] }, "The tag v0.2.0 is there"],
    ["an empty changelog", { changelog: "## Unreleased\n\n## 0.1.0\n- Old.\n" }, "nothing under"],
    ["a changelog without the heading", { changelog: "# Changelog\n" }, "nothing under"],
    [
      "a migration that was changed",
      { migrations: { "1.js": "other" } },
      "1.js is not what it was",
    ],
    ["a migration that is gone", { migrations: {} }, "1.js is gone"],
  ])("%s", (_name, change, sentence) => {
    const faults = releaseFaults("0.2.0", { ...standing, ...change });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(sentence);
  });
});

test("the clients of the newest three versions are kept, by number and not by letter", () => {
  const names = ["0.10.0.a.tar.br", "0.1.0-3.f.tar.br", "0.9.1.b.tar.br", "0.1.0.c.tar.br"];
  expect(oldClients(names)).toEqual(["0.1.0-3.f.tar.br"]);
  expect(oldClients(names.slice(0, 3))).toEqual([]);
});

let root = inRoot(".");
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", ...args], {
    cwd: root,
    encoding: "utf8",
  }).trimEnd();
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const put = (file: string, text: string) => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
};
const release = (...args: string[]) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const env = {
      ...process.env,
      GIT_AUTHOR_NAME: "Ann",
      GIT_AUTHOR_EMAIL: "ann@example.com",
      GIT_COMMITTER_NAME: "Ann",
      GIT_COMMITTER_EMAIL: "ann@example.com",
    };
    execFile(
      process.execPath,
      [path.join(root, "scripts/release.mjs"), ...args],
      { cwd: root, env },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
/** Says how it was called, and ends as the file beside it says. */
const TEST_SCRIPT = `import { appendFileSync, readFileSync } from "node:fs";
appendFileSync(".cache/tested", JSON.stringify(process.argv.slice(2)) + "\\n");
process.exit(Number(readFileSync(".cache/ends-with", "utf8")));
`;
const BUILD_SCRIPT = `import { writeFileSync } from "node:fs";
export const CHUNKS_FILE = ".cache/chunks.json";
if (process.argv[1].endsWith("build.mjs")) writeFileSync(".cache/built", "");
`;

function makeCheckout(): void {
  root = temporaryFolder("augenblick-release-");
  for (const name of ["checkout", "release", "size-budget"])
    cpSync(inRoot(`scripts/${name}.mjs`), path.join(root, `scripts/${name}.mjs`), {
      recursive: true,
    });
  symlinkSync(inRoot("node_modules"), path.join(root, "node_modules"));
  for (const file of ["package.json", "package-lock.json", "docs/openapi.yaml"])
    put(file, readFileSync(inRoot(file), "utf8"));
  put("CHANGELOG.md", CHANGELOG);
  put("scripts/build.mjs", BUILD_SCRIPT);
  put("scripts/test.mjs", TEST_SCRIPT);
  put(".gitignore", "node_modules\n.cache\ndist\n");
  put(".cache/ends-with", "0");
  put(".cache/chunks.json", JSON.stringify([{ file: "assets/common-passwords-1.js" }]));
  put("dist/sw.js", 'precache([{"url":"index.html","revision":"1"},{"url":"assets/a.js"}])');
  const parts = ["a", "common-passwords-1", "old"].map((name) => `assets/${name}.js`);
  for (const file of ["index.html", "sender.js", ...parts]) put(`dist/${file}`, `it is ${file}`);
  put("pb_migrations/1795000001-people.js", "migrate();\n");
  put("tests/upgrades/schemas.json", "[]\n");
  for (const name of ["0.0.1.a", "0.0.2.b", "0.0.3.c"])
    put(`tests/upgrades/clients/${name}.tar.br`, name);
  git("init", "--quiet", "--initial-branch", "main");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Begin");
}

const VERSION = JSON.parse(readFileSync(inRoot("package.json"), "utf8")).version as string;
const [major, minor] = VERSION.split(".").map(Number);
const NEXT = `${major}.${(minor ?? 0) + 1}.0`;

describe("a release", () => {
  beforeEach(makeCheckout);

  test("writes the version everywhere, keeps schema and client, and is a commit with a tag", async () => {
    const commit = git("rev-parse", "--short=7", "HEAD");
    const { code, out, err } = await release(NEXT);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain(`Released ${NEXT}`);
    expect(read(".cache/tested")).toBe('[]\n["--more"]\n');

    expect(JSON.parse(read("package.json")).version).toBe(NEXT);
    const lock = JSON.parse(read("package-lock.json"));
    expect([lock.version, lock.packages[""].version]).toEqual([NEXT, NEXT]);
    expect(read("docs/openapi.yaml")).toContain(`\n  version: ${NEXT}\n`);
    expect(read("CHANGELOG.md")).toMatch(
      /## Unreleased\n\n## [\d.]+ \(\d{4}-\d\d-\d\d\)\n\n### Added\n- Photos\.\n/,
    );
    const schemas = JSON.parse(read("tests/upgrades/schemas.json"));
    const hash = expect.stringMatching(/^[\da-f]{16}$/);
    expect(schemas).toMatchObject([{ commit, migrations: { "1795000001-people.js": hash } }]);

    const clients = readdirSync(path.join(root, "tests/upgrades/clients")).sort();
    const name = `${NEXT}.${commit}.tar.br`;
    expect(clients).toEqual(["0.0.2.b.tar.br", "0.0.3.c.tar.br", name]);
    const bytes = readFileSync(path.join(root, "tests/upgrades/clients", name));
    const tar = brotliDecompressSync(bytes).toString("latin1");
    for (const file of ["index.html", "sender.js", "assets/a.js", "assets/common-passwords-1.js"])
      expect(tar).toContain(`it is ${file}`);
    expect(tar).not.toContain("old.js");

    expect(git("status", "--porcelain")).toBe("");
    expect(git("log", "--format=%s", "-2")).toBe(`Release ${NEXT}\nBegin`);
    expect(git("describe", "--exact-match")).toBe(`v${NEXT}`);
    // Nothing is new since.
    expect((await release(NEXT)).err).toContain(`${NEXT} does not follow ${NEXT}`);
  });

  test("is taken back when a test is red", async () => {
    put(".cache/ends-with", "1");
    const { code, err } = await release(NEXT);
    expect([code, err]).toEqual([1, "A test is red: nothing was released.\n"]);
    expect(git("status", "--porcelain")).toBe("");
    expect(git("log", "--format=%s")).toBe("Begin");
    expect(git("tag", "--list")).toBe("");
    expect(readdirSync(path.join(root, "tests/upgrades/clients"))).toHaveLength(3);
  });

  test("only looks when asked to, and says all that stands in the way", async () => {
    expect(await release(NEXT, "--look")).toMatchObject({
      code: 0,
      out: `Nothing stands in the way of ${NEXT}.\n`,
    });
    put("stray.txt", "x");
    git("checkout", "--quiet", "-b", "other");
    const { code, err } = await release("99.0.0", "--look");
    expect(code).toBe(1);
    expect(err.split("\n").slice(0, 3)).toEqual([
      expect.stringContaining("99.0.0 does not follow"),
      expect.stringContaining("the branch other"),
      expect.stringContaining("stray.txt"),
    ]);
    expect(git("log", "--format=%s")).toBe("Begin");
  });
});

test.each(["", "1.2", "v1.2.3", "1.2.3-rc.1", "01.2.3"])("%j is no version", async (version) => {
  const { code, err } = await release(version);
  expect(code).toBe(1);
  expect(err).toContain("Say which version");
});
