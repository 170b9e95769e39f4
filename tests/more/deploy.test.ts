/** What `deploy` holds beside the proxies' files (proxies.test.ts): the service, the image, and all of it together. */
import { execFile, spawn } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { inRoot } from "@scripts/checkout.mjs";
import { readReplica } from "@scripts/replica.mjs";
import { readS3Settings } from "@scripts/s3.mjs";
import { debianProgram } from "@tests/support/debian-programs";
import { endWithTests, freePort, temporaryFolder } from "@tests/support/pocketbase";
import { validate } from "dockerfile-utils";
import { expect, test } from "vitest";
import { parse } from "yaml";

const run = promisify(execFile);
const read = (file: string) => readFileSync(inRoot(file), "utf8");

test("the service of systemd is hardened: an exposure of 2.5 at most", async () => {
  const { file, env } = await debianProgram("systemd-analyze");
  const unit = inRoot("deploy/augenblick.service");
  const { stdout } = await run(
    file,
    ["security", "--offline=true", "--threshold=25", "--no-pager", unit],
    { env },
  );
  const exposure = /Overall exposure level for augenblick\.service: ([\d.]+)/.exec(stdout)?.[1];
  expect(Number(exposure)).toBeLessThanOrEqual(2.5);
  expect(read("deploy/augenblick.service")).toMatch(/^ExecStart=\S*node scripts\/start\.mjs$/m);
}, 420_000);

/** `[instruction, its text]` of each, with lines that go on joined. */
const instructions = (text: string): [string, string][] =>
  text
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => /^[A-Z]+ /.test(line))
    .map((line) => [line.split(" ")[0] ?? "", line.slice(line.indexOf(" ") + 1)]);

test("a linter has nothing to say about the Dockerfile", () => {
  const faults = validate(read("deploy/Dockerfile"));
  expect(faults.map(({ message }) => message)).toEqual([]);
  // It would say it.
  expect(validate("FROM node:20\nRUNN true").map(({ code }) => code)).not.toEqual([]);
});

/** The files that a build is sent: those of the checkout that `.dockerignore` does not name. */
async function copyContext(to: string): Promise<void> {
  const ignored = read(".dockerignore")
    .split("\n")
    .filter((line) => line !== "");
  const { stdout } = await run(
    "git",
    ["ls-files", "--cached", "--others", "--exclude-standard", "-z"],
    { cwd: inRoot("."), maxBuffer: 16 * 1_048_576 },
  );
  for (const file of stdout.split("\0").filter((name) => name !== "")) {
    if (ignored.some((name) => file === name || file.startsWith(`${name}/`))) continue;
    mkdirSync(path.dirname(path.join(to, file)), { recursive: true });
    cpSync(inRoot(file), path.join(to, file));
  }
}

/** Nobody, where this user may be somebody else. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

interface Image {
  app: string;
  data: string;
  env: Record<string, string>;
  command: string[];
}

/** Does in two folders what the Dockerfile says for `/app` and `/data`. */
async function buildImage(): Promise<Image> {
  const [context, app, data] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  await copyContext(context);
  chmodSync(app, 0o755);
  if (nobody.uid !== undefined) chownSync(data, nobody.uid, nobody.gid);
  const inside = (text: string) => text.replaceAll("/data", data).replaceAll("/app", app);
  const { PATH = "", HOME = "" } = process.env;
  const npm = Object.entries(process.env).filter(([name]) => /^npm_config_/i.test(name));
  const image: Image = { app, data, env: { PATH, HOME }, command: [] };
  for (const [name, value = ""] of npm) image.env[name] = value;
  const copy = (names: string[]) => {
    for (const name of names)
      cpSync(path.join(context, name), path.join(app, name), { recursive: true });
  };
  const steps: Record<string, (text: string) => unknown> = {
    ENV(text) {
      const [name = "", value = ""] = text.split("=");
      image.env[name] = inside(value);
    },
    COPY: (text) => copy(text.split(" ").slice(0, -1)),
    // Its folder is the volume, made above.
    RUN: (text) =>
      text.includes("chown")
        ? null
        : run("/bin/sh", ["-c", inside(text)], {
            cwd: app,
            env: image.env,
            maxBuffer: 64 * 1_048_576,
          }),
    CMD(text) {
      image.command = JSON.parse(text);
    },
  };
  for (const [word, text] of instructions(read("deploy/Dockerfile"))) await steps[word]?.(text);
  return image;
}

test("the image's steps, in a clean folder, make a place that a user without rights serves", async () => {
  const { app, data, env, command } = await buildImage();
  const port = String(await freePort());
  const [program = "", ...args] = command;
  const serving = endWithTests(
    spawn(program, args, {
      cwd: app,
      env: { ...env, HOME: data, HOST: "127.0.0.1", PORT: port },
      ...nobody,
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
  let printed = "";
  for (const stream of [serving.stdout, serving.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  const ended = new Promise<number | null>((resolve) => serving.once("exit", resolve));
  await expect.poll(() => printed, { timeout: 120_000 }).toContain("is running at");
  const page = await fetch(`http://127.0.0.1:${port}/`);
  expect(await page.text()).toContain("<title>Augenblick");
  expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200);
  serving.kill("SIGTERM");
  expect(await ended).toBe(0);
}, 900_000);

interface Service {
  image?: string;
  build?: { context: string; dockerfile: string };
  environment?: Record<string, string>;
  depends_on?: string[] | Record<string, unknown>;
  volumes?: string[];
}

function checkService(service: Service, names: string[], volumes: string[]): void {
  expect(service.image ?? service.build?.dockerfile).toMatch(/^(?!.*:latest$)./);
  const needed = service.depends_on ?? [];
  for (const other of Array.isArray(needed) ? needed : Object.keys(needed))
    expect(names).toContain(other);
  for (const [from = ""] of (service.volumes ?? []).map((volume) => volume.split(":"))) {
    if (from.startsWith("./")) read(path.join("deploy", from));
    else expect(volumes).toContain(from);
  }
}

test("app, proxy and store know each other by the names that the programs read", () => {
  const { services, volumes } = parse(read("deploy/compose.yaml")) as {
    services: Record<string, Service>;
    volumes: Record<string, unknown>;
  };
  for (const service of Object.values(services))
    checkService(service, Object.keys(services), Object.keys(volumes));
  const env = services["app"]?.environment ?? {};
  expect(readS3Settings(env)).toMatchObject({ bucket: "augenblick", forcePathStyle: true });
  expect(readReplica(env["REPLICA_URL"] ?? "", env)).toMatchObject({ folder: "main" });
  for (const name of Object.keys(services["proxy"]?.environment ?? {}))
    expect(read("deploy/Caddyfile")).toContain(`{$${name}`);
});
