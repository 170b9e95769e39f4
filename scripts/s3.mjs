/**
 * The bucket of an S3-compatible store, as the scripts use it: its address and keys from the
 * environment, a few requests, and the check that it can do what the server needs. Each request
 * ends after a while, and one that met a fault of the way or of the store is tried again.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { messageOf, UserError } from "./checkout.mjs";

/**
 * PocketBase's names for them.
 * @typedef {{ endpoint: string, bucket: string, region: string, accessKey: string, secret: string,
 *   forcePathStyle: boolean }} S3Settings
 *
 * @typedef {{ key: string, size: number, changed: number }} StoredObject `changed` in milliseconds
 *
 * @typedef {{ method?: string, headers?: Record<string, string>, body?: Uint8Array,
 *   query?: Record<string, string> }} S3Request
 * @typedef {{ answer: Response, bytes: Buffer }} S3Answer
 */

const REQUIRED = ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY", "S3_SECRET"];
const TRIES = 4;
const FIRST_PAUSE_MS = 200;
/** Without a byte of the answer. What is sent has a second more for each of these. */
const TIMEOUT_MS = 20_000;
const SENT_IN_A_SECOND = 250_000;

/** Null where nothing of it is set. @param {NodeJS.ProcessEnv} env @returns {S3Settings | null} */
export function readS3Settings(env = process.env) {
  const given = REQUIRED.filter((name) => env[name]?.trim());
  if (given.length === 0) return null;
  const missing = REQUIRED.filter((name) => !given.includes(name));
  if (missing.length > 0)
    throw new UserError(`Set ${missing.join(" and ")} too: a bucket needs all of them.`);
  const [endpoint = "", bucket = "", accessKey = "", secret = ""] = REQUIRED.map(
    (name) => env[name]?.trim() ?? "",
  );
  if (!URL.canParse(endpoint) || !/^https?:/.test(endpoint))
    throw new UserError(`S3_ENDPOINT is "${endpoint}", and must begin with https:// or http://.`);
  const pathStyle = env["S3_FORCE_PATH_STYLE"]?.trim() || "false";
  if (!["true", "false"].includes(pathStyle))
    throw new UserError(`S3_FORCE_PATH_STYLE is "${pathStyle}", and must be true or false.`);
  const region = env["S3_REGION"]?.trim() || "us-east-1";
  return { endpoint, bucket, region, accessKey, secret, forcePathStyle: pathStyle === "true" };
}

/** What the store said no with. */
class S3Error extends Error {
  /** @param {number} status @param {string} code */
  constructor(status, code) {
    super(code === "" ? `status ${status}` : `${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

/** @param {S3Settings} settings */
function addressOf({ endpoint, bucket, forcePathStyle }) {
  const base = new URL(endpoint);
  if (!forcePathStyle) base.host = `${bucket}.${base.host}`;
  const folder = forcePathStyle ? `/${bucket}/` : "/";
  return (/** @type {string} */ key, /** @type {Record<string, string>} */ query = {}) => {
    const url = new URL(base);
    url.pathname = folder + key.split("/").map(encodeURIComponent).join("/");
    url.search = String(new URLSearchParams(query)).replaceAll("+", "%20");
    return String(url);
  };
}

/** @param {string} xml @param {string} name */
const textIn = (xml, name) =>
  (new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? "")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

const unquoted = (/** @type {string} */ etag) => etag.replaceAll('"', "");

/** Aborts the signal when nothing has come for so long. @param {number} firstMs */
function watchFor(firstMs) {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error("the store does not go on answering"));
  let timer = setTimeout(abort, firstMs);
  const end = () => clearTimeout(timer);
  const restart = () => {
    end();
    timer = setTimeout(abort, TIMEOUT_MS);
  };
  return { signal: controller.signal, restart, end };
}

/**
 * One request after another to the same object until one is answered.
 * @param {(key: string, request: S3Request) => Promise<S3Answer>} askOnce
 */
const patiently =
  (askOnce) =>
  /** @param {string} key @param {S3Request} [request] */
  async (key, request = {}) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await askOnce(key, request);
      } catch (error) {
        const isFinal = error instanceof S3Error && error.status < 500 && error.status !== 429;
        if (isFinal || attempt === TRIES) throw error;
        await delay(FIRST_PAUSE_MS * 2 ** attempt);
      }
    }
  };

/**
 * Needs the packages to be installed.
 * @param {S3Settings} settings
 */
export async function openBucket(settings) {
  const { AwsClient } = await import("aws4fetch");
  const { accessKey: accessKeyId, secret: secretAccessKey, region } = settings;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries: 0 });
  const urlOf = addressOf(settings);

  const ask = patiently(async (key, { method = "GET", headers = {}, body, query }) => {
    const watch = watchFor(TIMEOUT_MS + ((body?.length ?? 0) / SENT_IN_A_SECOND) * 1000);
    const init = { method, headers, signal: watch.signal };
    const sent = body === undefined ? init : { ...init, body: /** @type {BodyInit} */ (body) };
    const chunks = [];
    try {
      const answer = await client.fetch(urlOf(key, query), sent);
      for await (const chunk of answer.body ?? []) {
        watch.restart();
        chunks.push(chunk);
      }
      const bytes = Buffer.concat(chunks);
      if (answer.ok) return { answer, bytes };
      throw new S3Error(answer.status, textIn(bytes.toString(), "Code"));
    } finally {
      watch.end();
    }
  });

  const named = (/** @type {string} */ key) => (/** @type {unknown} */ error) => {
    throw new Error(`${key}: ${messageOf(error)}`, { cause: error });
  };
  const nullIfMissing = (/** @type {string} */ key) => (/** @type {unknown} */ error) => {
    const isMissing = error instanceof S3Error && error.status === 404;
    return isMissing && error.code !== "NoSuchBucket" ? null : named(key)(error);
  };

  return {
    /** @param {string} key @param {Uint8Array} body @param {Record<string, string>} [headers] */
    put: (key, body, headers = {}) => ask(key, { method: "PUT", body, headers }).catch(named(key)),

    /**
     * Null where there is no such object.
     * @param {string} key @param {Record<string, string>} [headers]
     */
    get: (key, headers = {}) => ask(key, { headers }).catch(nullIfMissing(key)),

    /** Null where there is no such object. @param {string} key */
    async head(key) {
      const found = await ask(key, { method: "HEAD" }).catch(nullIfMissing(key));
      if (found === null) return null;
      const { headers } = found.answer;
      return {
        size: Number(headers.get("content-length")),
        etag: unquoted(headers.get("etag") ?? ""),
      };
    },

    /** @param {string} key */
    remove: (key) => ask(key, { method: "DELETE" }),

    /** All under `prefix`, by name. @param {string} prefix */
    async *list(prefix) {
      for (let token = ""; ; ) {
        const more = token === "" ? {} : { "continuation-token": token };
        const { bytes } = await ask("", { query: { "list-type": "2", prefix, ...more } });
        const xml = bytes.toString();
        for (const [, entry = ""] of xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
          yield/** @type {StoredObject} */ ({
            key: textIn(entry, "Key"),
            size: Number(textIn(entry, "Size")),
            changed: Date.parse(textIn(entry, "LastModified")),
          });
        }
        token = textIn(xml, "NextContinuationToken");
        if (token === "") return;
      }
    },
  };
}

/** @typedef {Awaited<ReturnType<typeof openBucket>>} Bucket */

/** What lies under the names that were put round it. @param {unknown} error @returns {unknown} */
const originOf = (error) =>
  error instanceof Error && error.cause !== undefined ? originOf(error.cause) : error;

/** @param {unknown} error */
function reasonOf(error) {
  const origin = originOf(error);
  const code = origin instanceof S3Error ? undefined : Object(origin).code;
  return code || messageOf(origin);
}

/** @param {unknown} error */
function adviceFor(error) {
  const cause = originOf(error);
  if (!(cause instanceof S3Error)) return "Is S3_ENDPOINT right, and does the store run?";
  if (cause.code === "NoSuchBucket" || cause.status === 404)
    return "Make the bucket, or correct S3_BUCKET or S3_FORCE_PATH_STYLE.";
  if (cause.status === 401 || cause.status === 403)
    return "Correct S3_ACCESS_KEY, S3_SECRET or S3_REGION, and let the key read, write, list and delete.";
  return "Look into the store's own log.";
}

/**
 * Writes, reads, reads a part of, lists and deletes an object of its own; a UserError says which of
 * these does not work. An S3 store that cannot do one of them must not be used.
 * @param {S3Settings} settings
 */
export async function checkS3(settings) {
  const bucket = await openBucket(settings);
  const key = `augenblick-check/${randomBytes(8).toString("hex")}`;
  const bytes = randomBytes(64);
  /** @type {[string, () => Promise<boolean>][]} */
  const steps = [
    ["write", async () => (await bucket.put(key, bytes)).answer.ok],
    ["read", async () => (await bucket.get(key))?.bytes.equals(bytes) === true],
    [
      "read a part of",
      async () => {
        const part = await bucket.get(key, { range: "bytes=8-15" });
        return part?.answer.status === 206 && part.bytes.equals(bytes.subarray(8, 16));
      },
    ],
    [
      "list",
      async () => {
        for await (const { size } of bucket.list(key)) return size === bytes.length;
        return false;
      },
    ],
    [
      "delete",
      async () => (await bucket.remove(key)).answer.ok && (await bucket.head(key)) === null,
    ],
  ];
  const where = `The bucket ${settings.bucket} at ${settings.endpoint} cannot be used`;
  for (const [what, works] of steps) {
    const isDone = await works().catch((error) => {
      throw new UserError(
        `${where}: it would not ${what} an object (${reasonOf(error)}). ${adviceFor(error)}`,
      );
    });
    if (!isDone) throw new UserError(`${where}: it does not ${what} objects as S3 does.`);
  }
}
