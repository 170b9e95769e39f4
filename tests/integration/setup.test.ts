/** The commands of package.json, run as a person at a keyboard runs them: what they print, and how they end. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { inRoot } from "@scripts/checkout.mjs";
import { findPocketBase } from "@scripts/pocketbase.mjs";
import {
  freePort,
  newFolder,
  signUp,
  startPocketBase,
  temporaryFolder,
} from "@tests/support/pocketbase";
import { afterEach, expect, test } from "vitest";

interface Run {
  child: ChildProcess;
  /** What came on standard output and standard error so far. */
  printed: { out: string; err: string };
  ended: Promise<number | null>;
}

const runs: Run[] = [];
afterEach(async () => {
  for (const { child, ended } of runs.splice(0)) {
    child.kill("SIGTERM");
    await ended;
  }
});

const run = (script: string, args: string[], env: Record<string, string> = {}): Run =>
  runProgram(process.execPath, [inRoot(`scripts/${script}`), ...args], env);

function runProgram(program: string, args: string[], env: Record<string, string>): Run {
  const child = spawn(program, args, {
    cwd: inRoot("."),
    env: { ...process.env, NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed = { out: "", err: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    printed.out += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    printed.err += text;
  });
  const started = { child, printed, ended: once(child, "close").then(([code]) => code) };
  runs.push(started);
  return started;
}

/** Resolves when standard output or the other one matches, rejects when the program ends before. */
function untilPrinted(
  { child, printed, ended }: Run,
  pattern: RegExp,
  where: "out" | "err" = "out",
): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (pattern.test(printed[where])) resolve();
    };
    child[where === "out" ? "stdout" : "stderr"]?.on("data", look);
    look();
    void ended.then((code) =>
      reject(new Error(`ended with ${code}: ${printed.out}${printed.err}`)),
    );
  });
}

const lines = (text: string): string[] => text.split("\n").filter((line) => line !== "");

async function fresh(): Promise<{ PORT: string; DATA_DIR: string }> {
  return { PORT: String(await freePort()), DATA_DIR: newFolder() };
}

/** Ends by itself, with one sentence on standard error. */
async function expectRefusal(refused: Run, sentence: RegExp): Promise<void> {
  expect(await refused.ended).toBe(1);
  expect(refused.printed.out).toBe("");
  expect(lines(refused.printed.err)).toEqual([expect.stringMatching(sentence)]);
}

test("npm start prints one line with the address and the first superuser's link, serves, and ends cleanly on a signal", async () => {
  const env = await fresh();
  const start = run("start.mjs", [], { ...env, APP_NAME: "Fotofreunde" });
  await untilPrinted(start, /pbinstal/);
  const address = `http://127.0.0.1:${env.PORT}`;
  expect(lines(start.printed.out)).toEqual([
    `Fotofreunde is running at ${address}`,
    expect.stringMatching(/^Create the first superuser: http:\/\/\S+pbinstal\S+$/),
  ]);
  expect(start.printed.err).toMatch(/PocketBase \d+\.\d+\.\d+ \(\/\S+, from \w+\)/);

  const page = await fetch(`${address}/`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("<!doctype html>");
  expect((await fetch(`${address}/api/collections/media/records`)).status).toBe(200);

  const modeOf = (file: string) => statSync(file).mode & 0o777;
  const database = path.join(env.DATA_DIR, "data.db");
  expect([modeOf(env.DATA_DIR), modeOf(database)]).toEqual([0o700, 0o600]);

  start.child.kill("SIGTERM");
  expect(await start.ended).toBe(0);
  await expect(fetch(`${address}/api/health`)).rejects.toThrow();
});

test("a signal to npm itself ends the server too, cleanly", async () => {
  const env = await fresh();
  const start = runProgram("npm", ["start"], env);
  await untilPrinted(start, /is running at/);
  start.child.kill("SIGTERM");
  expect(await start.ended).toBe(0);
  await expect(fetch(`http://127.0.0.1:${env.PORT}/api/health`)).rejects.toThrow();
});

test("a superuser named in the environment is made at the first start, and no link is printed", async () => {
  const env = await fresh();
  const who = { identity: "root@example.com", password: "super-secret-1" };
  const start = run("start.mjs", [], {
    ...env,
    POCKETBASE_SUPERUSER_EMAIL: who.identity,
    POCKETBASE_SUPERUSER_PASSWORD: who.password,
  });
  await untilPrinted(start, /is running at/);
  const answer = await fetch(
    `http://127.0.0.1:${env.PORT}/api/collections/_superusers/auth-with-password`,
    { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(who) },
  );
  expect(answer.status).toBe(200);
  start.child.kill("SIGINT");
  expect(await start.ended).toBe(0);
  expect(lines(start.printed.out)).toHaveLength(1);
});

test("a port in use is one sentence and exit code 1", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as { port: number };
  const env = { ...(await fresh()), PORT: String(port) };
  await expectRefusal(
    run("start.mjs", [], env),
    new RegExp(`^Port ${port} on 127.0.0.1 is in use`),
  );
  other.close();
});

test("a missing binary is one sentence and exit code 1", async () => {
  const env = { ...(await fresh()), POCKETBASE_BIN: "/nonexistent" };
  await expectRefusal(run("start.mjs", [], env), /^POCKETBASE_BIN names \/nonexistent/);
});

test("npm test with a PocketBase that does not exist is one sentence and exit code 1", async () => {
  const asked = run("test.mjs", ["--pocketbase", "/nonexistent"], await fresh());
  await expectRefusal(asked, /^POCKETBASE_BIN names \/nonexistent/);
});

test("a program that is not PocketBase is one sentence and exit code 1", async () => {
  const fake = path.join(temporaryFolder(), "pocketbase");
  await writeFile(fake, "#!/bin/sh\nexit 3\n", { mode: 0o755 });
  const start = run("start.mjs", [], { ...(await fresh()), POCKETBASE_BIN: fake });
  expect(await start.ended).toBe(1);
  expect(lines(start.printed.err).at(-1)).toMatch(/does not run as PocketBase/);
});

/** A program that does `first` and then becomes the real PocketBase. */
async function wrapper(first: string): Promise<string> {
  const { path: binary } = await findPocketBase();
  const file = path.join(temporaryFolder(), "pocketbase");
  await writeFile(file, `#!/bin/sh\n${first}\nexec ${binary} "$@"\n`, { mode: 0o755 });
  return file;
}

/** The PocketBase that a running `npm start` started. */
async function serverOf({ child }: Run): Promise<number> {
  const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
  for (const pid of children.trim().split(" ")) {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8");
    if (command.split("\0").includes("serve")) return Number(pid);
  }
  throw new Error(`${children} has no server.`);
}

test("npm start starts a server that died again, on the same port, and says so", async () => {
  const env = await fresh();
  const broken = path.join(temporaryFolder(), "broken");
  const POCKETBASE_BIN = await wrapper(
    `case "$*" in *" --dir=${env.DATA_DIR} "*) test -e ${broken} && exit 3;; esac`,
  );
  const start = run("start.mjs", [], { ...env, POCKETBASE_BIN });
  await untilPrinted(start, /pbinstal/);
  const health = () => fetch(`http://127.0.0.1:${env.PORT}/api/health`);
  const first = await serverOf(start);
  await writeFile(broken, "");
  process.kill(first, "SIGKILL");
  const died = /PocketBase ended by itself \(SIGKILL\)\. It is started again in 1 s\.\n/;
  await untilPrinted(start, died, "err");
  await expect(health()).rejects.toThrow();
  const failed = /PocketBase \(\S+\) did not start; .*\. It is started again in 2 s\.\n/;
  await untilPrinted(start, failed, "err");
  await rm(broken);
  await untilPrinted(start, /PocketBase is running again\.\n/, "err");
  expect((await health()).status).toBe(200);
  expect(await serverOf(start)).not.toBe(first);
  expect(lines(start.printed.out)).toHaveLength(2);

  process.kill(await serverOf(start), "SIGKILL");
  await untilPrinted(start, /\(SIGKILL\)\. It is started again in 4 s\.\n/, "err");
  start.child.kill("SIGINT");
  expect(await start.ended).toBe(0);
  await expect(health()).rejects.toThrow();
});

test("a server that dies at its first start is not started again", async () => {
  const env = await fresh();
  const POCKETBASE_BIN = await wrapper(`case "$*" in *" --dir=${env.DATA_DIR} "*) exit 3;; esac`);
  const start = run("start.mjs", [], { ...env, POCKETBASE_BIN });
  expect(await start.ended).toBe(1);
  expect(lines(start.printed.err).at(-1)).toMatch(/^PocketBase \(\S+\) did not start/);
});

test("a PocketBase that would decode pictures is not started", async () => {
  const POCKETBASE_BIN = await wrapper("export PB_THUMBS_MAX_WAIT=60");
  const start = run("start.mjs", [], { ...(await fresh()), POCKETBASE_BIN });
  expect(await start.ended).toBe(1);
  expect(start.printed.out).toBe("");
  expect(lines(start.printed.err).at(-1)).toMatch(/was not started: it draws thumbnails/);
});

test("whoever starts it by other means can only try it, as the guide's own unit does", async () => {
  const guide = await readFile(inRoot("docs/operations.md"), "utf8");
  const unit = /```ini\n([^`]*ExecStart=\S*pocketbase serve[^`]*)```/.exec(guide)?.[1] ?? "";
  expect(unit).toMatch(/^ +ExecStartPre=\S*node scripts\/start\.mjs --try$/m);
  const { DATA_DIR, ...env } = await fresh();
  const tried = run("start.mjs", ["--try"], { ...env, DATA_DIR });
  expect(await tried.ended).toBe(0);
  expect(tried.printed.out).toMatch(
    /^PocketBase \S+ \(\S+\) draws no thumbnails: it may serve\.\n$/,
  );
  expect(existsSync(DATA_DIR)).toBe(false);
  const POCKETBASE_BIN = await wrapper("export PB_THUMBS_MAX_WAIT=60");
  const refused = run("start.mjs", ["--try"], { ...env, DATA_DIR, POCKETBASE_BIN });
  expect(await refused.ended).toBe(1);
  expect(refused.printed.out).toBe("");
  expect(refused.printed.err).toMatch(/was not started: it draws thumbnails/);
});

test("a data folder that cannot be written is one sentence and exit code 1", async () => {
  const inTheWay = path.join(temporaryFolder(), "file");
  await writeFile(inTheWay, "");
  const env = { ...(await fresh()), DATA_DIR: path.join(inTheWay, "pb_data") };
  await expectRefusal(
    run("start.mjs", [], env),
    /^The data folder \S+ cannot be used, for \S+ cannot be written \(ENOTDIR\)/,
  );
});

test("a data folder where no folder can be made ends with the same sentence", async () => {
  await expectRefusal(
    run("start.mjs", [], { ...(await fresh()), DATA_DIR: "/proc/augenblick/pb_data" }),
    /^The data folder \/proc\/augenblick\/pb_data cannot be used/,
  );
});

test("npm run admin promotes an account, whatever case its address is typed in, while the server runs and when it does not", async () => {
  const server = await startPocketBase();
  const [anna, ben] = [await signUp(server), await signUp(server)];
  const isAdmin = async (user: typeof anna) => {
    const where = `/api/collections/users/records/${user.id}`;
    return (await server.api("GET", where, undefined, user.token)).body.isAdmin;
  };
  const env = { DATA_DIR: server.dataDir };
  expect(await isAdmin(anna)).toBe(false);

  const whileRunning = run("admin.mjs", [anna.email.toUpperCase()], env);
  expect(await whileRunning.ended).toBe(0);
  expect(whileRunning.printed.out).toBe(`${anna.record.username} is an administrator now.\n`);
  expect(await isAdmin(anna)).toBe(true);

  const again = run("admin.mjs", [anna.email], env);
  expect(await again.ended).toBe(0);
  expect(again.printed.out).toBe(`${anna.record.username} is an administrator already.\n`);

  await server.stop();
  expect(await run("admin.mjs", [ben.email], env).ended).toBe(0);
  await server.restart();
  expect(await isAdmin(ben)).toBe(true);
});

test("npm run admin says what is wrong with what it was given", async () => {
  const server = await startPocketBase();
  const env = { DATA_DIR: server.dataDir };
  await expectRefusal(
    run("admin.mjs", ["nobody@example.com"], env),
    /^No account has the e-mail address nobody@/,
  );
  for (const words of [[], ["anna"]]) {
    const refused = run("admin.mjs", words, env);
    expect(await refused.ended).toBe(1);
    expect(lines(refused.printed.err).slice(0, 2)).toEqual([
      "Say whose account it is.",
      expect.stringMatching(/^npm run admin -- <email>/),
    ]);
  }
  const empty = newFolder();
  await mkdir(empty);
  const nowhere = run("admin.mjs", ["anna@example.com"], { DATA_DIR: empty });
  await expectRefusal(nowhere, /^There is no database in /);
});
