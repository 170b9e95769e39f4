/**
 * How demo, import and storage talk to the server: through its public API, one request after
 * another.
 */
import { UserError } from "./checkout.mjs";

/**
 * @typedef {{ body?: unknown, token?: string, headers?: Record<string, string> }} CallOptions a
 *   FormData or Buffer is sent as it is, anything else as JSON
 * @typedef {(method: string, path: string, options?: CallOptions) => Promise<any>} Call
 * @typedef {{ base: string, call: Call }} Api
 */

const CHUNK_BYTES = 5 * 1_048_576;
const TUS = { "tus-resumable": "1.0.0" };

/** A time as PocketBase writes it. @param {number} at */
export const instant = (at) => new Date(at).toISOString().replace("T", " ");

/** @param {Uint8Array} bytes @param {string} type */
export const blobOf = (bytes, type) => new Blob([new Uint8Array(bytes)], { type });

/** @param {CallOptions} options @returns {RequestInit} */
function requestOf({ body, token, headers = {} }) {
  const authorization = token === undefined ? {} : { authorization: token };
  if (body === undefined) return { headers: { ...headers, ...authorization } };
  const raw = body instanceof FormData || Buffer.isBuffer(body);
  const type = raw ? {} : { "content-type": "application/json" };
  return {
    headers: { ...type, ...headers, ...authorization },
    body: raw ? /** @type {BodyInit} */ (body) : JSON.stringify(body),
  };
}

/**
 * Waits if the server asks for it; any other refusal is a UserError.
 * @param {string} base @returns {Api}
 */
export function createApi(base) {
  /** @type {Call} */
  const call = async (method, path, options = {}) => {
    for (;;) {
      const response = await fetch(`${base}${path}`, { method, ...requestOf(options) });
      const text = await response.text();
      if (response.status === 429) {
        const seconds = Number(response.headers.get("retry-after")) || 5;
        await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      } else if (!response.ok) {
        throw new UserError(`${method} ${path} was answered with ${response.status}: ${text}`);
      } else if (response.headers.get("content-type")?.includes("json")) {
        return JSON.parse(text);
      } else {
        return { location: response.headers.get("location") ?? "" };
      }
    }
  };
  return { base, call };
}

/**
 * Sends a file as a resumable upload.
 * @param {Api} api
 * @param {{ token: string, headers?: Record<string, string>, bytes: Uint8Array, metadata:
 *   Record<string, string> }} upload
 * @returns {Promise<string>} the upload's id
 */
export async function sendFile({ base, call }, { token, headers: given = {}, bytes, metadata }) {
  const headers = { ...TUS, ...given };
  const words = Object.entries(metadata).map(([key, value]) => `${key} ${btoa(value)}`);
  const sizes = { "upload-length": String(bytes.length), "upload-metadata": words.join(",") };
  const opened = { token, headers: { ...headers, ...sizes } };
  const { location } = await call("POST", "/api/uploads", opened);
  const path = new URL(location, base).pathname;
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const part = { "upload-offset": String(at), "content-type": "application/offset+octet-stream" };
    const body = Buffer.from(bytes.subarray(at, at + CHUNK_BYTES));
    await call("PATCH", path, { token, body, headers: { ...headers, ...part } });
  }
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * Makes a medium of a sent file.
 * @param {Api} api @param {{ token: string, headers?: Record<string, string> }} sender
 * @param {Record<string, string | Blob>} fields
 */
export async function createMedia({ call }, sender, fields) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") form.set(name, value);
    else form.set(name, value, value.type === "image/jpeg" ? `${name}.jpg` : name);
  }
  await call("POST", "/api/media", { ...sender, body: form });
}
