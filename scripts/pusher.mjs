/**
 * The pusher: a process beside the server that sends Web Pushes, so that no write waits for a push
 * service. It takes from the server the devices that are to be woken (pb_hooks/src/push.ts), sends
 * each an empty push, signed with the place's key (VAPID, RFC 8292), and says what became of it.
 * `npm start` runs it, starts it again when it has died, and wakes it by a line.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { inRoot, isMain, messageOf, note, runCommand, speakJson, UserError } from "./checkout.mjs";
import { readServerSettings } from "./server.mjs";

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** Beside the server's calls, for whatever calls were missed. */
const LOOK_MS = 60_000;
const ANSWER_MS = 10_000;
const SENT_AT_ONCE = 10;
/** So that many calls are few turns. */
const LEAST_MS = 500;
/** Push services, and sentences about them. */
const KNOWN_MOST = 500;
/** A push service may keep a push so long for a device that is off. */
const TTL_SECONDS = 24 * 3600;
const HALF_DAY_SECONDS = 12 * 3600;
const HOUR_SECONDS = 3600;
const FIRST_TRY_SECONDS = 15;

/**
 * @typedef {{ publicKey: string, privateKey: string }} Keys
 * @typedef {{ from: string, to: string, zone: string }} QuietHours
 * @typedef {{ session: string, endpoint: string, n: number, tries: number,
 *   quiet: QuietHours | null }} Push
 * @typedef {{ keys: Keys | null, subject: string, pushes: Push[], next: number | null }} Turn
 *   `next`: in so many seconds the next one is due
 * @typedef {{ outcome: "sent" | "gone" | "later" | "quiet", seconds: number }} Outcome
 */

/** @param {string} clock `07:30` */
const minuteOf = (clock) => {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return hours * 60 + minutes;
};

/** @param {string} zone @param {Date} now */
function clockIn(zone, now) {
  const form = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  try {
    return new Intl.DateTimeFormat("en-GB", { ...form, timeZone: zone }).format(now);
  } catch {
    // A zone that this Node does not know.
    return new Intl.DateTimeFormat("en-GB", { ...form, timeZone: "UTC" }).format(now);
  }
}

/**
 * For how many seconds more it is quiet; 0 where it is not.
 * @param {QuietHours | null} quiet @param {Date} now
 */
export function quietFor(quiet, now) {
  if (quiet === null) return 0;
  const DAY = 24 * 60;
  const [from, to, at] = [quiet.from, quiet.to, clockIn(quiet.zone, now)].map(minuteOf);
  const since = (Number(at) - Number(from) + DAY) % DAY;
  const long = (Number(to) - Number(from) + DAY) % DAY;
  return since < long ? (long - since) * 60 : 0;
}

/** @param {number} tries how often it was tried before */
const pauseAfter = (tries) => Math.min(FIRST_TRY_SECONDS * 2 ** tries, HOUR_SECONDS);

/**
 * What a push service's answer means (RFC 8030).
 * @param {number} status @param {string | null} retryAfter its header, in seconds or as a date
 * @param {number} tries @returns {Outcome}
 */
export function outcomeOf(status, retryAfter, tries) {
  if (status >= 200 && status < 300) return { outcome: "sent", seconds: 0 };
  if (status === 404 || status === 410) return { outcome: "gone", seconds: 0 };
  const asked = Number(retryAfter ?? 0);
  const seconds = Math.max(pauseAfter(tries), Number.isFinite(asked) ? asked : 0);
  return { outcome: "later", seconds: Math.min(Math.ceil(seconds), HALF_DAY_SECONDS) };
}

/** One signature for each push service and half a day. */
async function createSigner() {
  const { default: webPush } = await import("web-push");
  /** @type {Map<string, { header: string, until: number }>} */
  const signed = new Map();
  return {
    makeKeys: () => webPush.generateVAPIDKeys(),
    /** @param {string} audience @param {Keys} keys @param {string} subject */
    sign(audience, { publicKey, privateKey }, subject) {
      const now = Math.floor(Date.now() / 1000);
      const name = `${audience} ${publicKey} ${subject}`;
      const known = signed.get(name);
      if (known && known.until > now) return known.header;
      const until = now + HALF_DAY_SECONDS;
      const ends = until + HOUR_SECONDS;
      const headers = webPush.getVapidHeaders(
        audience,
        subject,
        publicKey,
        privateKey,
        "aes128gcm",
        ends,
      );
      if (signed.size >= KNOWN_MOST) signed.clear();
      signed.set(name, { header: headers.Authorization, until });
      return headers.Authorization;
    },
  };
}

/** Says a trouble of a push service once in an hour. */
function createComplaints() {
  /** @type {Map<string, number>} */
  const said = new Map();
  return (/** @type {string} */ sentence) => {
    const now = Date.now();
    if (now - (said.get(sentence) ?? 0) < HOUR_SECONDS * 1000) return;
    if (said.size >= KNOWN_MOST) said.clear();
    said.set(sentence, now);
    note(sentence);
  };
}

/** @param {string} url @param {string} token @param {AbortSignal} ended */
async function createPusher(url, token, ended) {
  const signer = await createSigner();
  const complain = createComplaints();

  /** @param {{ keys?: Keys, outcomes?: object[] }} body @returns {Promise<Turn>} */
  async function turn(body) {
    const answer = await fetch(`${url}/api/push/turn`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.any([ended, AbortSignal.timeout(ANSWER_MS)]),
    });
    if (answer.ok) return answer.json();
    throw new Error(`the server answered ${answer.status}`);
  }

  /** @param {Push} push @param {Keys} keys @param {string} subject @returns {Promise<Outcome>} */
  async function send({ endpoint, tries, quiet }, keys, subject) {
    const seconds = quietFor(quiet, new Date());
    if (seconds > 0) return { outcome: "quiet", seconds };
    const { origin, host } = new URL(endpoint);
    try {
      const answer = await fetch(endpoint, {
        method: "POST",
        headers: {
          Authorization: signer.sign(origin, keys, subject),
          TTL: String(TTL_SECONDS),
          Urgency: "high",
          // One that the device has not had yet is replaced.
          Topic: "news",
        },
        redirect: "manual",
        signal: AbortSignal.any([ended, AbortSignal.timeout(ANSWER_MS)]),
      });
      await answer.body?.cancel();
      const outcome = outcomeOf(answer.status, answer.headers.get("Retry-After"), tries);
      if (outcome.outcome === "later") complain(`${host} answered a push with ${answer.status}.`);
      return outcome;
    } catch (error) {
      complain(`${host} cannot be reached for pushes (${messageOf(error)}).`);
      return { outcome: "later", seconds: pauseAfter(tries) };
    }
  }

  /** @param {Turn} given */
  async function sendAll({ keys, subject, pushes }) {
    const waiting = [...pushes];
    /** @type {object[]} */
    const outcomes = [];
    const work = async () => {
      for (let push = waiting.shift(); push && keys; push = waiting.shift()) {
        const { session, endpoint, n } = push;
        outcomes.push({ session, endpoint, n, ...(await send(push, keys, subject)) });
      }
    };
    await Promise.all(Array.from({ length: SENT_AT_ONCE }, work));
    return outcomes;
  }

  return {
    /** Sends all that is due. @returns {Promise<number>} the next one is due in so many seconds */
    async run() {
      let given = await turn({});
      if (given.keys === null) given = await turn({ keys: signer.makeKeys() });
      while (given.pushes.length > 0) given = await turn({ outcomes: await sendAll(given) });
      return given.next ?? Infinity;
    },
  };
}

/** Lines on the standard input. With `isChild` its end ends `ended`, too. */
function listenToCalls(/** @type {boolean} */ isChild) {
  const ended = new AbortController();
  let isCalled = false;
  let wake = () => {};
  const lines = createInterface({ input: process.stdin });
  lines.on("line", () => {
    isCalled = true;
    wake();
  });
  if (isChild) lines.once("close", () => ended.abort());
  return {
    ended: ended.signal,
    /** Until the time is over, or somebody calls or has called since. @param {number} ms */
    async untilCalled(ms) {
      const woken = new AbortController();
      wake = () => woken.abort();
      if (isCalled) wake();
      const signal = AbortSignal.any([woken.signal, ended.signal]);
      await delay(ms, undefined, { signal }).catch(() => undefined);
      isCalled = false;
    },
  };
}

/** @param {import("./checkout.mjs").Given} given */
async function pushUntilTheEnd({ values }) {
  if (process.env["LOG_FORMAT"] === "json") speakJson();
  const token = process.env["PUSH_TOKEN"] ?? "";
  if (token === "") throw new UserError("PUSH_TOKEN is missing: npm start sets it.");
  const { ended, untilCalled } = listenToCalls(values["child"] === true);
  const pusher = await createPusher(readServerSettings().url, token, ended);
  const pause = (/** @type {number} */ ms) =>
    delay(ms, undefined, { signal: ended }).catch(() => undefined);
  let faultMs = FIRST_PAUSE_MS;
  while (!ended.aborted) {
    try {
      const seconds = await pusher.run();
      faultMs = FIRST_PAUSE_MS;
      await pause(LEAST_MS);
      await untilCalled(Math.min(seconds * 1000, LOOK_MS));
    } catch (error) {
      if (ended.aborted) return;
      // The server is started again, or is busy: no call makes that shorter.
      note(`Pushes wait: ${messageOf(error)}. Next try in ${faultMs / 1000} s.`);
      await pause(faultMs);
      faultMs = Math.min(2 * faultMs, LONGEST_PAUSE_MS);
    }
  }
}

/**
 * Keeps a pusher beside the server until the signal.
 * @param {AbortSignal} signal
 * @returns {{ call: () => void, ended: Promise<void> }} `call` wakes it
 */
export function keepPushing(signal) {
  /** @type {import("node:child_process").ChildProcess | null} */
  let child = null;
  const keep = async () => {
    let pause = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const since = Date.now();
      // A Ctrl-C is for this process, which ends the pusher by ending its input.
      child = spawn(process.execPath, [inRoot("scripts/pusher.mjs"), "--child"], {
        stdio: ["pipe", "inherit", "inherit"],
        detached: true,
      });
      child.stdin?.on("error", () => undefined);
      const end = () => void child?.stdin?.end();
      signal.addEventListener("abort", end);
      const how = await once(child, "exit").then(
        ([code, by]) => by ?? `code ${code}`,
        (error) => messageOf(error),
      );
      signal.removeEventListener("abort", end);
      child = null;
      if (signal.aborted) return;
      if (Date.now() - since > LONGEST_PAUSE_MS) pause = FIRST_PAUSE_MS;
      note(`The pusher ended by itself (${how}). It is started again in ${pause / 1000} s.`);
      await delay(pause, undefined, { signal }).catch(() => undefined);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
  };
  return { call: () => void child?.stdin?.write("\n"), ended: keep() };
}

const USAGE = `node scripts/pusher.mjs   sends the pushes of the server at HOST and PORT; npm start runs it
It needs PUSH_TOKEN, the server's own. With --child it is woken by lines, and ends with its input.`;

if (isMain(import.meta.url))
  await runCommand(USAGE, pushUntilTheEnd, { options: { child: { type: "boolean" } } });
