/**
 * Starts a real PocketBase with this repository's hooks and migrations on a free port and a fresh data folder, and
 * talks to it as any client would. Every server ends with the file or the process that started it, and its folder goes too.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { findPocketBase, pocketBaseEnv, pocketBaseFlags } from "@scripts/pocketbase.mjs";
import { SERVER_MS } from "./patience";

export interface StartOptions {
  /** Kept when given; a temporary one has today's schema, and is deleted with the process. */
  dataDir?: string;
  port?: number;
  env?: Record<string, string>;
  /** The folder of the built app. Default: an empty one. */
  publicDir?: string;
  /** Further flags of PocketBase; the last of a kind counts. */
  flags?: string[];
}

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed JSON, or the text where the answer is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape and assert what they find.
  body: any;
}

type Auth = string | Record<string, string>;

export interface PocketBase {
  url: string;
  port: number;
  /** PocketBase's own folder; what lies beside it is the test's alone too. */
  dataDir: string;
  readonly pid: number;
  /** Everything the server printed since the first start. */
  log(): string;
  /** SIGTERM, and the end of the process awaited. */
  stop(): Promise<void>;
  /** SIGKILL: nothing is flushed or closed. */
  kill(): Promise<void>;
  /** Stops it when it runs, and starts it on the same port and data. */
  restart(): Promise<void>;
  /** `body` is sent as JSON, or as it is when it is a FormData; `auth` is a token, or headers. */
  api(method: string, path: string, body?: unknown, auth?: Auth): Promise<Answer>;
}

const living = new Set<ChildProcess>();
const folders = new Set<string>();
/** Ends all that was begun here, and removes its folders. */
export function endAll(): void {
  for (const child of living) child.kill("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  folders.clear();
}
process.once("exit", endAll);
// The test runner ends its workers with a signal, and a process that a signal ends runs no "exit".
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => {
    endAll();
    process.kill(process.pid, signal);
  });
}

/** The program is killed at the end of this process, whichever way that comes. */
export function endWithTests<Child extends ChildProcess>(child: Child): Child {
  living.add(child);
  child.once("exit", () => living.delete(child));
  return child;
}

/** A folder for this process alone, deleted at its end. */
export function temporaryFolder(name = "augenblick-"): string {
  const folder = mkdtempSync(path.join(tmpdir(), name));
  folders.add(folder);
  return folder;
}

/** Below what the system gives to connections (ip_local_port_range). */
const PORTS = { from: 20_000, to: 32_767 };

/**
 * A port of the loopback interface that is free, and stays so while a server is stopped: no
 * connection gets it as its own end. One that calls a stopped server may otherwise be given that
 * server's port, reach itself, and keep the server from coming back.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to + 1);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

interface Running {
  child: ChildProcess;
  exited: Promise<void>;
}

function launch(binary: string, args: string[], env: NodeJS.ProcessEnv, log: string[]): Running {
  const child = endWithTests(spawn(binary, args, { env, stdio: ["ignore", "pipe", "pipe"] }));
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => log.push(text));
  }
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return { child, exited };
}

const hasExited = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

async function untilHealthy(url: string, running: Running, log: string[]): Promise<void> {
  const deadline = Date.now() + SERVER_MS;
  while (Date.now() < deadline) {
    if (hasExited(running.child)) throw new Error(`PocketBase ended:\n${log.join("")}`);
    const answer = await fetch(`${url}/api/health`).catch(() => null);
    if (answer?.ok && !hasExited(running.child)) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  running.child.kill("SIGKILL");
  throw new Error(`PocketBase did not answer:\n${log.join("")}`);
}

async function call(url: string, method: string, body: unknown, auth: Auth = {}): Promise<Answer> {
  const headers = new Headers(typeof auth === "string" ? { authorization: auth } : auth);
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers.set("content-type", "application/json");
  const init: RequestInit = { method, headers };
  if (body !== undefined) init.body = isForm ? body : JSON.stringify(body);
  const answer = await fetch(url, init);
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.includes("json") && text !== "";
  return {
    status: answer.status,
    headers: answer.headers,
    body: isJson ? JSON.parse(text) : text,
  };
}

/**
 * What an address may ask for in ten seconds, in a server with a copied folder: all devices and
 * browsers of a test have one, and a fast machine would have them told to come again. A test about
 * limits sets its own, and `{}` for what operators begin with.
 */
export const RATES = {
  requestsPer10Sec: 10_000,
  writesPer10Sec: 10_000,
  listsPer10Sec: 10_000,
  syncsPer10Sec: 10_000,
  searchesPer10Sec: 10_000,
  filesPer10Sec: 100_000,
  pagesPer10Sec: 100_000,
  listRowsPer10Sec: 1_000_000,
  syncRowsPer10Sec: 1_000_000,
};

/** The environment's name for the data folder that `before-all.ts` made. */
export const MADE_ONCE = "AUGENBLICK_TEST_DATA";

/** A data folder that is not there yet, for a server that starts from nothing. */
export const newFolder = (): string => path.join(temporaryFolder(), "pb_data");

/** A new data folder, in which a server has already made the schema. */
async function copiedDataDir(): Promise<string> {
  const folder = newFolder();
  const made = process.env[MADE_ONCE];
  if (made === undefined) throw new Error("before-all.ts did not run before this.");
  await cp(made, folder, { recursive: true });
  return folder;
}

/** Starts a server and waits until it answers. */
export async function startPocketBase(options: StartOptions = {}): Promise<PocketBase> {
  const binary = await findPocketBase();
  const dataDir = options.dataDir ?? (await copiedDataDir());
  const publicDir = options.publicDir ?? temporaryFolder();
  const env = { ...process.env, ...pocketBaseEnv(publicDir), ...options.env };
  const log: string[] = [];
  let port = options.port ?? (await freePort());
  const url = () => `http://127.0.0.1:${port}`;
  const flags = [...pocketBaseFlags({ dataDir, publicDir }), ...(options.flags ?? [])];

  const start = async (): Promise<Running> => {
    const running = launch(binary.path, ["serve", `--http=127.0.0.1:${port}`, ...flags], env, log);
    await untilHealthy(url(), running, log);
    return running;
  };
  const startAnywhere = async (tries: number): Promise<Running> => {
    try {
      return await start();
    } catch (error) {
      const taken = log.join("").includes("address already in use");
      if (!taken || options.port !== undefined || tries === 0) throw error;
      port = await freePort();
      log.length = 0;
      return startAnywhere(tries - 1);
    }
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!hasExited(running.child)) running.child.kill(signal);
    await running.exited;
  };

  let running = await startAnywhere(3);
  return {
    url: url(),
    port,
    dataDir,
    get pid() {
      return running.child.pid ?? -1;
    },
    log: () => log.join(""),
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
    restart: async () => {
      await end("SIGTERM");
      running = await start();
    },
    api: (method, where, body, auth) => call(`${url()}${where}`, method, body, auth),
  };
}

export interface SignedIn {
  token: string;
  id: string;
  email: string;
  password: string;
  // biome-ignore lint/suspicious/noExplicitAny: the record as PocketBase sent it; tests assert what they find.
  record: any;
}

async function signIn(
  server: PocketBase,
  collection: string,
  who: { email: string; password: string },
): Promise<SignedIn> {
  const { status, body } = await server.api(
    "POST",
    `/api/collections/${collection}/auth-with-password`,
    { identity: who.email, password: who.password },
  );
  if (status !== 200) throw new Error(`sign-in as ${who.email}: ${status} ${JSON.stringify(body)}`);
  return { ...who, token: body.token, id: body.record.id, record: body.record };
}

/** A superuser of this server, made on the command line, and signed in. */
export async function createSuperuser(
  server: PocketBase,
  who = { email: "superuser@example.com", password: "super-secret-1" },
): Promise<SignedIn> {
  const binary = await findPocketBase();
  const { dataDir } = server;
  const folders = [`--dir=${dataDir}`, `--hooksDir=${temporaryFolder()}`, "--dev=false"];
  await promisify(execFile)(binary.path, [
    "superuser",
    "upsert",
    who.email,
    who.password,
    ...folders,
    `--migrationsDir=${temporaryFolder()}`,
    "--hooksWatch=false",
    "--automigrate=false",
  ]);
  return signIn(server, "_superusers", who);
}

let people = 0;

/** Signs up as a visitor does, and signs in. Every name and address is new unless given. */
export async function signUp(
  server: PocketBase,
  wanted: { username?: string; email?: string; password?: string } = {},
): Promise<SignedIn> {
  people += 1;
  const username = wanted.username ?? `user${process.pid}-${people}`;
  const email = wanted.email ?? `${username.toLowerCase()}@example.com`;
  const password = wanted.password ?? "Kirschkuchen-7";
  const form = { email, username, password, passwordConfirm: password, termsAccepted: true };
  const { status, body } = await server.api("POST", "/api/collections/users/records", form);
  if (status !== 200) throw new Error(`sign-up as ${username}: ${status} ${JSON.stringify(body)}`);
  return signIn(server, "users", { email, password });
}
