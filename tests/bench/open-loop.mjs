/**
 * A thread that sends requests at a pace, whatever comes back ("open loop"). Each is due at a
 * moment and timed from there, so that a server that stalls is not asked less. Every request comes
 * from one of many addresses of this machine.
 */
import * as plain from "node:http";
import * as secure from "node:https";
import { parentPort, workerData } from "node:worker_threads";

/**
 * @typedef {{ method: string, path: string, body?: string, token?: string }} Shot
 * @typedef {{ url: string, certificate?: string, shots: Shot[], perSecond: number,
 *   addresses: number }} Load `certificate`: what `https:` is trusted by
 * @typedef {{ times: number[], refused: number, failed: number }} Outcome
 *   `times`: milliseconds until the end of each good answer; refused are 429 and 503
 */

const PATIENCE_MS = 30_000;
const TICK_MS = 2;

/** @type {Load} */
const { url, shots, perSecond, addresses, certificate: ca } = workerData;
const { Agent, request } = url.startsWith("https:") ? secure : plain;
const agent = new Agent({ keepAlive: true, maxSockets: 4, family: 4, ...(ca && { ca }) });
/** @type {Outcome} */
const outcome = { times: [], refused: 0, failed: 0 };
let open = 0;
let sent = 0;

/** One of 127.10.0.0/16. @param {number} i */
const addressOf = (i) => `127.10.${(i >> 8) & 255}.${i & 255}`;

/** @param {Shot} shot @param {number} due */
function shoot({ method, path, body, token }, due) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined) headers["content-type"] = "application/json";
  if (token !== undefined) headers["authorization"] = token;
  const localAddress = addressOf(sent % addresses);
  const options = { method, agent, headers, localAddress, timeout: PATIENCE_MS };
  open += 1;
  const asked = request(url + path, options, (answer) => {
    answer.resume();
    answer.once("error", () => undefined);
    answer.once("end", () => {
      const { statusCode = 0 } = answer;
      if (statusCode < 300) outcome.times.push(performance.now() - due);
      else if (statusCode === 429 || statusCode === 503) outcome.refused += 1;
      else outcome.failed += 1;
    });
  });
  asked.once("timeout", () => asked.destroy());
  asked.once("error", () => {
    outcome.failed += 1;
  });
  asked.once("close", () => {
    open -= 1;
    if (sent === shots.length && open === 0) end();
  });
  asked.end(body);
}

function end() {
  agent.destroy();
  parentPort?.postMessage(outcome);
}

/** Whoever asks has a connection already. @param {number} i @returns {Promise<void>} */
const connect = (i) =>
  new Promise((resolve, reject) => {
    const asked = request(`${url}/api/health`, { agent, localAddress: addressOf(i) }, (answer) => {
      answer.resume().once("end", resolve);
    });
    asked.once("error", reject).end();
  });

const AT_ONCE = 20;
for (let i = 0; i < addresses; i += AT_ONCE)
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, addresses - i) }, (_, k) => connect(i + k)),
  );

const started = performance.now();
const timer = setInterval(() => {
  const now = performance.now();
  for (; sent < shots.length; ) {
    const due = started + (sent / perSecond) * 1000;
    if (due > now) return;
    const shot = /** @type {Shot} */ (shots[sent]);
    shoot(shot, due);
    sent += 1;
  }
  clearInterval(timer);
}, TICK_MS);
