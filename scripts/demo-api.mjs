/** The demo's way to the server: the public API, as the app uses it. */
import { UserError } from "./user-error.mjs";

/**
 * @typedef {import("./demo-studio.mjs").Picture} Picture
 * @typedef {{ id: string, email: string, username: string, password: string, token: string }} Account
 * @typedef {{ base: string, call: (method: string, path: string, options?: CallOptions) => Promise<any> }} Api
 * @typedef {{ body?: unknown, token?: string, headers?: Record<string, string> }} CallOptions a FormData or Buffer is sent
 *   as it is, anything else as JSON
 */

const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

/** An id as the app makes it. */
export const newId = () =>
  Array.from({ length: 15 }, () => LETTERS[Math.floor(Math.random() * LETTERS.length)]).join("");

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

/** @param {string} base address of the server @returns {Api} */
export function createApi(base) {
  /** @type {Api["call"]} */
  const call = async (method, path, options = {}) => {
    for (;;) {
      const answer = await fetch(`${base}${path}`, { method, ...requestOf(options) });
      const text = await answer.text();
      if (answer.status === 429) {
        const seconds = Number(answer.headers.get("retry-after")) || 5;
        await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      } else if (!answer.ok) {
        throw new UserError(`${method} ${path} was answered with ${answer.status}: ${text}`);
      } else if (answer.headers.get("content-type")?.includes("json")) {
        return JSON.parse(text);
      } else {
        return { location: answer.headers.get("location") ?? "" };
      }
    }
  };
  return { base, call };
}

/** @param {Api} api @param {{ email: string, username: string, password: string }} who @returns {Promise<Account>} */
export async function joinAs(api, who) {
  const { email, username, password } = who;
  const form = { email, username, password, passwordConfirm: password, termsAccepted: true };
  await api.call("POST", "/api/collections/users/records", { body: form });
  return signInAs(api, who);
}

/** @param {Api} api @param {{ email: string, username: string, password: string }} who @returns {Promise<Account>} */
export async function signInAs(api, who) {
  const body = { identity: who.email, password: who.password };
  const answer = await api.call("POST", "/api/collections/users/auth-with-password", { body });
  return { ...who, id: answer.record.id, token: answer.token };
}

/** @param {Buffer} bytes @param {string} type */
const blobOf = (bytes, type) => new Blob([new Uint8Array(bytes)], { type });

/** @param {Record<string, string>} entries tus metadata, values in base64 */
const metadata = (entries) =>
  Object.entries(entries)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`)
    .join(",");

/** Sends a file as a resumable upload. @param {Api} api @param {Account} owner @param {Picture} picture @param {string} name */
async function sendFile(api, owner, picture, name) {
  const tus = { "tus-resumable": "1.0.0" };
  const { location } = await api.call("POST", "/api/uploads", {
    token: owner.token,
    headers: {
      ...tus,
      "upload-length": String(picture.file.length),
      "upload-metadata": metadata({
        filename: name,
        filetype: picture.contentType,
        originalName: name,
        uploader: owner.id,
        time: String(Date.now()),
      }),
    },
  });
  const path = new URL(location, api.base).pathname;
  await api.call("PATCH", path, {
    token: owner.token,
    body: picture.file,
    headers: { ...tus, "upload-offset": "0", "content-type": "application/offset+octet-stream" },
  });
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * Uploads a picture and makes a medium of it.
 * @param {Api} api
 * @param {Account} owner
 * @param {{ picture: Picture, post: import("./demo-plan.mjs").Post, name: string }} what
 * @returns {Promise<string>} the medium's id
 */
export async function publish(api, owner, { picture, post, name }) {
  const uploadId = await sendFile(api, owner, picture, name);
  const id = newId();
  const form = new FormData();
  const fields = {
    id,
    uploadId,
    caption: post.caption,
    tags: JSON.stringify(post.tags),
    alt: "",
    type: post.seconds > 0 ? "video" : "photo",
    width: String(post.width),
    height: String(post.height),
    duration: String(post.seconds),
    thumbhash: picture.thumbhash,
    originalFilename: name,
  };
  for (const [key, value] of Object.entries(fields)) form.set(key, value);
  form.set("thumbnail", blobOf(picture.thumbnail, "image/jpeg"), "thumbnail.jpg");
  form.set("preview", blobOf(picture.preview, picture.previewType), "preview");
  await api.call("POST", "/api/media", { token: owner.token, body: form });
  return id;
}

/** @param {Api} api @param {Account} account @param {{ picture: Picture, bio: string }} profile */
export async function dressProfile(api, account, { picture, bio }) {
  const form = new FormData();
  form.set("bio", bio);
  form.set("profilePicture", blobOf(picture.file, "image/jpeg"), "portrait.jpg");
  form.set("profileThumbnail", blobOf(picture.thumbnail, "image/jpeg"), "portrait-small.jpg");
  await api.call("PATCH", `/api/collections/users/records/${account.id}`, {
    token: account.token,
    body: form,
  });
}
