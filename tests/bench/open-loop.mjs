/**
 * A thread that sends requests at a pace, whatever comes back ("open loop"). Each is due at a
 * moment and timed from there, so that a server that stalls is not asked less. Every request comes
 * from one of many addresses of this machine.
 */
import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

/**
 * @typedef {{ method: string, path: string, body?: string, token?: string }} Shot
 * @typedef {{ url: string, shots: Shot[], perSecond: number, addresses: number }} Load
 * @typedef {{ times: number[], refused: number, failed: number }} Outcome
 *   `times`: milliseconds until the end of each good answer; refused are 429 and 503
 */

const PATIENCE_MS = 30_000;
const TICK_MS = 2;

/** @type {Load} */
const { url, shots, perSecond, addresses } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 4 });
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
