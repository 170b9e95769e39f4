/**
 * A thread of devices online: each has a stream of hints, and pulls as the app does (sync-loop.ts):
 * at a hint, at some time of the span that it gives, once in two seconds at most, and every thirty
 * seconds. Each is somebody else, at an address of its own of this machine.
 */
import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

/**
 * @typedef {{ url: string, tokens: string[], since: number, mediaFrom: number }} Devices
 * @typedef {{ pulls: number, bytes: number, refused: number }} Told
 *   what was pulled since the last `tell`, with the headers of the answers
 * @typedef {{ i: number, token: string, since: number, due: boolean, paused: boolean,
 *   spanMs: number, pulling: boolean, clock: NodeJS.Timeout | undefined }} Device
 */

const AT_ONCE = 50;
const HINTS_MS = 2_000;
const CLOCK_MS = 30_000;

/** @type {Devices} */
const { url, tokens, since, mediaFrom } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 2 });
let isPulling = false;
/** @type {Told} */
let told = { pulls: 0, bytes: 0, refused: 0 };

/** @type {Device[]} */
const devices = tokens.map((token, i) => ({
  ...{ i, token, since, spanMs: 0, clock: undefined },
  ...{ due: false, paused: false, pulling: false },
}));

/** One of 127.20.0.0/16. @param {Device} device */
const addressOf = ({ i }) => `127.20.${(i >> 8) & 255}.${i & 255}`;

/**
 * @param {Device} device @param {string} method @param {string} path @param {object} [body]
 * @returns {Promise<{ status: number, text: string, bytes: number }>}
 */
const ask = (device, method, path, body) =>
  new Promise((resolve, reject) => {
    const headers = { authorization: device.token, "content-type": "application/json" };
    const options = { method, agent, headers, localAddress: addressOf(device) };
    const asked = request(url + path, options, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece) => {
        text += piece;
      });
      answer.once("end", () => {
        const bytes = text.length + answer.rawHeaders.join(": \n").length;
        resolve({ status: answer.statusCode ?? 0, text, bytes });
      });
    });
    asked.once("error", reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });

/** @param {Device} device @param {string} clientId */
async function subscribe(device, clientId) {
  const body = { clientId, subscriptions: ["sync"] };
  const { status } = await ask(device, "POST", "/api/realtime", body);
  if (status !== 204) throw new Error(`subscribed: ${status}`);
}

/** Opens its stream, and subscribes it. @param {Device} device @returns {Promise<void>} */
const listen = (device) =>
  new Promise((resolve, reject) => {
    const options = { agent: false, localAddress: addressOf(device) };
    const asked = request(`${url}/api/realtime`, options, (answer) => {
      let rest = "";
      answer.setEncoding("utf8").on("data", (piece) => {
        const events = (rest + piece).split("\n\n");
        rest = events.pop() ?? "";
        for (const event of events) {
          const data = /^data: ?(.*)$/m.exec(event)?.[1] ?? "{}";
          if (event.includes("PB_CONNECT")) {
            subscribe(device, JSON.parse(data).clientId).then(resolve, reject);
          } else hear(device, Number(JSON.parse(data).within ?? 0) * 1000);
        }
      });
    });
    asked.once("error", reject);
    asked.end();
  });

/** @param {Device} device @param {number} withinMs */
function hear(device, withinMs) {
  device.due = true;
  device.spanMs = withinMs;
  look(device);
}

/** @param {Device} device @param {number} ms @param {(device: Device) => void} then */
function pause(device, ms, then) {
  device.paused = true;
  setTimeout(() => {
    device.paused = false;
    then(device);
  }, ms);
}

/** @param {Device} device */
function look(device) {
  if (!isPulling || !device.due || device.paused) return;
  if (device.spanMs > HINTS_MS) pause(device, Math.random() * device.spanMs, act);
  else act(device);
}

/** @param {Device} device */
function act(device) {
  if (!device.due) return;
  pause(device, HINTS_MS, look);
  void pull(device);
}

/** @param {Device} device */
async function pull(device) {
  if (device.pulling) return;
  device.due = false;
  device.pulling = true;
  clearTimeout(device.clock);
  const path = `/api/sync?since=${device.since}&mediaFrom=${mediaFrom}&comments=held`;
  const { status, text, bytes } = await ask(device, "GET", path);
  if (status === 200) device.since = JSON.parse(text).checkpoint;
  else told.refused += 1;
  told.pulls += 1;
  told.bytes += bytes;
  device.pulling = false;
  device.clock = setTimeout(() => void pull(device), CLOCK_MS);
}

parentPort?.on("message", async (/** @type {"open" | "pull" | "tell"} */ order) => {
  if (order === "open") {
    for (let i = 0; i < devices.length; i += AT_ONCE)
      await Promise.all(devices.slice(i, i + AT_ONCE).map(listen));
  }
  if (order === "pull") {
    isPulling = true;
    // As if each had pulled for the last time at some moment of the last thirty seconds.
    for (const device of devices)
      device.clock = setTimeout(() => void pull(device), Math.random() * CLOCK_MS);
  }
  parentPort?.postMessage(told);
  told = { pulls: 0, bytes: 0, refused: 0 };
});
