/**
 * A bad way to a real server: a proxy on loopback that asks `decide` about every request by its number and does to it
 * what that says. One proxy stands before one device, so that the numbers are that device's own.
 */
import { once } from "node:events";
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { constants, gunzipSync } from "node:zlib";

export type Fault =
  | { kind: "pass" }
  /** The server never hears of it. */
  | { kind: "drop-before" }
  /** It is done, and its answer is swallowed. */
  | { kind: "drop-after" }
  /** The server gets it twice; the second answer comes back. */
  | { kind: "duplicate" }
  /** It waits until the next request of this device has been answered. */
  | { kind: "hold" }
  /** The connection ends after `at` bytes of the body, in either direction. */
  | { kind: "cut-request"; at: number }
  | { kind: "cut-response"; at: number }
  /** `bytes` of the body are missing from `at` on, and its length says nothing of them. */
  | { kind: "lose"; at: number; bytes: number }
  /** The answer comes in pieces of `bytes`, a millisecond apart. */
  | { kind: "throttle"; bytes: number }
  | { kind: "delay"; ms: number }
  /** The server does it at once, and the device gets the answer when `until` resolves. */
  | { kind: "withhold"; until: Promise<void> }
  /** What a hotel's network answers to everything. */
  | { kind: "portal" }
  | { kind: "status"; status: 429 | 502 | 503 }
  /** A stream of events is accepted, and nothing comes through it. */
  | { kind: "silent" };

export interface ProxiedRequest {
  /** From 0, in the order in which they came. */
  ordinal: number;
  method: string;
  /** With its query. */
  path: string;
  bytes: number;
}

export interface Exchange extends ProxiedRequest {
  fault: Fault["kind"];
  /** What the device was told; 0 when it heard nothing. */
  status: number;
  /** Id of the account whose token it carried; "" without one. */
  as: string;
  /** Begin of what it sent, where that is JSON. */
  said: string;
  /** Begin of what it was told, where that is JSON and came whole. */
  heard: string;
}

/** Of a text that is kept. */
const TEXT_MOST = 300;

export interface FaultProxy {
  url: string;
  /** Every request, in the order in which they came. */
  seen: Exchange[];
  decide: (request: ProxiedRequest) => Fault;
  /** Lets go what is held, and passes everything from now on. */
  heal(): void;
  close(): Promise<void>;
}

export interface FaultProxyOptions {
  /** The server's address. */
  target: string;
  decide?: (request: ProxiedRequest) => Fault;
  /** Each way, for every request: a distance. Default 0. */
  latencyMs?: number;
  /** Answers what is the test's own by itself, without a fault or a number; false for all else. */
  answerItself?: (path: string, answer: ServerResponse) => boolean;
}

/** A request held back goes on after this time even where no other comes: a device may wait for it alone. */
const HOLD_MOST_MS = 150;
const PORTAL_PAGE = "<html><body>Welcome! Please accept our terms.</body></html>";

/** As our own server words it. */
const LIMITED = JSON.stringify({ status: 429, code: "rate_limited", message: "Wait.", data: {} });

export const pass = (): Fault => ({ kind: "pass" });

export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const upstream: Upstream = {
    target: new URL(options.target),
    agent: new Agent({ keepAlive: true }),
    latencyMs: options.latencyMs ?? 0,
  };
  const held = new Set<() => void>();
  const release = () => {
    for (const go of [...held]) go();
  };
  const seen: Exchange[] = [];
  const proxy: Pick<FaultProxy, "decide"> = { decide: options.decide ?? pass };
  let ordinal = 0;
  const server = createServer((incoming, answer) => {
    if (options.answerItself?.(incoming.url ?? "/", answer) === true) return;
    const number = ordinal;
    ordinal += 1;
    void serve(number, incoming, answer).catch(() => answer.destroy());
  });
  const serve = async (number: number, incoming: IncomingMessage, answer: ServerResponse) => {
    const { method = "GET", url: path = "/" } = incoming;
    const body = await bodyOf(incoming);
    const request = { ordinal: number, method, path, bytes: body.length };
    const fault = proxy.decide(request);
    const isJson = incoming.headers["content-type"]?.includes("json") === true;
    const said = isJson ? body.subarray(0, TEXT_MOST).toString() : "";
    const as = accountOf(incoming.headers.authorization ?? "");
    const exchange: Exchange = { ...request, fault: fault.kind, status: 0, as, said, heard: "" };
    seen.push(exchange);
    const job = { exchange, method, path, headers: incoming.headers, body, answer };
    if (fault.kind === "hold") await waitFor(held);
    await misbehave(upstream, job, fault);
    if (fault.kind !== "hold") release();
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${port}`,
    seen,
    heal() {
      proxy.decide = pass;
      release();
    },
    close: () => close(server, upstream.agent, release),
  });
}

interface Upstream {
  target: URL;
  agent: Agent;
  latencyMs: number;
}

interface Job {
  exchange: Exchange;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  answer: ServerResponse;
}

async function close(server: Server, agent: Agent, release: () => void): Promise<void> {
  release();
  server.closeAllConnections();
  agent.destroy();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function waitFor(held: Set<() => void>): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      held.delete(go);
      resolve();
    };
    const timer = setTimeout(go, HOLD_MOST_MS);
    held.add(go);
  });
}

/** A token names its account in its middle part. */
function accountOf(token: string): string {
  const claims = Buffer.from(token.split(".")[1] ?? "", "base64url").toString();
  return /"id":"(\w+)"/.exec(claims)?.[1] ?? "";
}

async function misbehave(upstream: Upstream, job: Job, fault: Fault): Promise<void> {
  switch (fault.kind) {
    case "pass":
    case "hold":
      return tell(job, await ask(upstream, job), upstream.latencyMs);
    case "drop-before":
      return hangUp(job);
    case "drop-after":
      await whole(await ask(upstream, job));
      return hangUp(job);
    case "duplicate":
      await whole(await ask(upstream, job));
      return tell(job, await ask(upstream, job));
    case "cut-request":
      await askPart(upstream, job, fault.at);
      return hangUp(job);
    case "lose":
      return tell(job, await ask(upstream, { ...job, ...withoutPart(job, fault) }));
    case "cut-response":
      return tellPart(job, await ask(upstream, job), fault.at);
    case "throttle":
      return tellSlowly(job, await ask(upstream, job), fault.bytes);
    case "delay":
      await pause(fault.ms);
      return tell(job, await ask(upstream, job));
    case "withhold": {
      const message = await ask(upstream, job);
      await fault.until;
      return tell(job, message);
    }
    case "portal":
      return say(job, 200, "text/html", PORTAL_PAGE);
    case "status":
      return fault.status === 429
        ? say(job, 429, "application/json", LIMITED)
        : say(job, fault.status, "text/plain", "busy");
    case "silent":
      job.exchange.status = 200;
      job.answer.writeHead(200, { "Content-Type": "text/event-stream" });
      job.answer.flushHeaders();
      return;
  }
}

function withoutPart(
  { headers, body }: Job,
  { at, bytes }: { at: number; bytes: number },
): Pick<Job, "headers" | "body"> {
  const rest = Buffer.concat([body.subarray(0, at), body.subarray(at + bytes)]);
  return { headers: { ...headers, "content-length": String(rest.length) }, body: rest };
}

const hangUp = ({ answer }: Job): void => void answer.destroy();

function say(job: Job, status: number, type: string, text: string): void {
  job.exchange.status = status;
  const retry = status === 429 ? { "Retry-After": "1" } : {};
  job.answer.writeHead(status, { "Content-Type": type, ...retry });
  job.answer.end(text);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function open({ target, agent }: Upstream, { method, path, headers, answer }: Job) {
  const outgoing = httpRequest({
    host: target.hostname,
    port: target.port,
    method,
    path,
    agent,
    headers: { ...headers, host: target.host },
  });
  // A device that hangs up takes its request along, or a stream would stay open for ever.
  answer.once("close", () => {
    if (!answer.writableFinished) outgoing.destroy();
  });
  return outgoing;
}

async function ask(upstream: Upstream, job: Job): Promise<IncomingMessage> {
  if (upstream.latencyMs > 0) await pause(upstream.latencyMs);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = open(upstream, job);
    outgoing.once("response", resolve);
    outgoing.once("error", reject);
    outgoing.end(job.body);
  });
  if (upstream.latencyMs > 0) await pause(upstream.latencyMs);
  return answer;
}

/** Sends the first bytes, and ends the connection once the server has had the time to read them. */
async function askPart(upstream: Upstream, job: Job, at: number): Promise<void> {
  const outgoing = open(upstream, job);
  outgoing.on("error", () => undefined);
  outgoing.flushHeaders();
  const part = job.body.subarray(0, Math.min(at, Math.max(0, job.body.length - 1)));
  await new Promise<void>((resolve) => {
    outgoing.once("error", () => resolve());
    outgoing.write(part, () => resolve());
  });
  await pause(5);
  outgoing.destroy();
}

async function whole(message: IncomingMessage): Promise<Buffer> {
  return bodyOf(message);
}

function head(job: Job, message: IncomingMessage): void {
  const { statusCode = 502, headers } = message;
  job.exchange.status = statusCode;
  const { connection: _, "transfer-encoding": __, "keep-alive": ___, ...rest } = headers;
  job.answer.writeHead(statusCode, rest);
}

function tell(job: Job, message: IncomingMessage, latencyMs = 0): Promise<void> {
  head(job, message);
  job.answer.flushHeaders();
  // What a stream says later has the same way to go as its beginning.
  const isStream = message.headers["content-type"]?.startsWith("text/event-stream") ?? false;
  const isJson = message.headers["content-type"]?.includes("json") ?? false;
  const pieces: Buffer[] = [];
  if (isJson) message.on("data", (piece: Buffer) => pieces.push(piece));
  return new Promise((resolve) => {
    message.once("error", () => hangUp(job));
    message.once("end", () => {
      job.exchange.heard = beginOf(message, Buffer.concat(pieces));
    });
    message.once("close", resolve);
    if (!isStream || latencyMs === 0) {
      message.pipe(job.answer);
      return;
    }
    message.on("data", (piece) => setTimeout(() => job.answer.write(piece), latencyMs));
    message.once("end", () => setTimeout(() => job.answer.end(), latencyMs));
  });
}

function beginOf({ headers }: IncomingMessage, body: Buffer): string {
  // A server that was killed meanwhile leaves a part of it.
  const whatCame = { finishFlush: constants.Z_SYNC_FLUSH };
  const plain = headers["content-encoding"] === "gzip" ? gunzipSync(body, whatCame) : body;
  return plain.subarray(0, TEXT_MOST).toString();
}

async function tellPart(job: Job, message: IncomingMessage, at: number): Promise<void> {
  const body = await whole(message);
  head(job, message);
  const part = body.subarray(0, Math.min(at, Math.max(0, body.length - 1)));
  await new Promise<void>((resolve) => job.answer.write(part, () => resolve()));
  job.exchange.status = 0;
  job.answer.destroy();
}

async function tellSlowly(job: Job, message: IncomingMessage, bytes: number): Promise<void> {
  const body = await whole(message);
  head(job, message);
  job.exchange.heard = beginOf(message, body);
  for (let at = 0; at < body.length && !job.answer.destroyed; at += bytes) {
    job.answer.write(body.subarray(at, at + bytes));
    await pause(1);
  }
  job.answer.end();
}
