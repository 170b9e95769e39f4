/** The import's way to the server: the public API with a superuser's token, in the name of whoever owns a medium. */
import { randomBytes } from "node:crypto";
import { UserError } from "./user-error.mjs";

const CHUNK_BYTES = 5 * 1_048_576;
const PAGE = 500;
const TUS = { "tus-resumable": "1.0.0" };

/**
 * @typedef {import("./demo-api.mjs").Api} Api
 * @typedef {import("./import/plan-import").PlannedMedia} PlannedMedia
 * @typedef {import("./import/plan-import").PlannedUser} PlannedUser
 * @typedef {import("./import/prepare-file").PreparedFile} PreparedFile
 * @typedef {{ api: Api, token: string }} Target
 */

/** As PocketBase writes an instant. @param {number} at */
const instant = (at) => new Date(at).toISOString().replace("T", " ");

/**
 * Every id of a collection with the instant at which its row was made.
 * @param {Target} target @param {"media" | "users"} collection @returns {Promise<Map<string, number>>}
 */
export async function readIds({ api, token }, collection) {
  const found = new Map();
  for (let after = ""; ; ) {
    const filter = encodeURIComponent(`id > '${after}'`);
    const query = `perPage=${PAGE}&sort=id&skipTotal=1&fields=id,createdAt&filter=${filter}`;
    const { items } = await api.call("GET", `/api/collections/${collection}/records?${query}`, {
      token,
    });
    for (const { id, createdAt } of items) found.set(id, Date.parse(createdAt));
    if (items.length < PAGE) return found;
    after = items.at(-1).id;
  }
}

/**
 * Makes the account, with a password that nobody knows. Where its name or address is taken, it gets one that is free.
 * @param {Target} target @param {PlannedUser} user @returns {Promise<boolean>} whether it kept its name and address
 */
export async function createUser({ api, token }, user) {
  const password = randomBytes(24).toString("base64url");
  const create = (/** @type {string} */ username, /** @type {string} */ email) =>
    api.call("POST", "/api/collections/users/records", {
      token,
      body: {
        id: user.id,
        username,
        email,
        bio: user.bio,
        password,
        passwordConfirm: password,
        ...(user.createdAt > 0 && { createdAt: instant(user.createdAt) }),
      },
    });
  try {
    await create(user.username, user.email);
    return true;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    await create(
      `${user.username.slice(0, 58)}-${user.id.slice(0, 5)}`,
      `${user.id}@import.invalid`,
    );
    return false;
  }
}

/**
 * Sends the file in parts, as the owner.
 * @param {Target} target @param {string} owner @param {Uint8Array} bytes @param {string} contentType
 */
async function sendFile({ api, token }, owner, bytes, contentType) {
  const headers = { ...TUS, "x-acting-user": owner };
  const filetype = Buffer.from(contentType).toString("base64");
  const { location } = await api.call("POST", "/api/uploads", {
    token,
    headers: {
      ...headers,
      "upload-length": String(bytes.length),
      "upload-metadata": `filetype ${filetype}`,
    },
  });
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    await api.call("PATCH", location, {
      token,
      body: Buffer.from(bytes.subarray(at, at + CHUNK_BYTES)),
      headers: {
        ...headers,
        "upload-offset": String(at),
        "content-type": "application/offset+octet-stream",
      },
    });
  }
  return location.slice(location.lastIndexOf("/") + 1);
}

/**
 * @param {Target} target
 * @param {PlannedMedia} media
 * @param {{ file: PreparedFile, thumbnail: Uint8Array | null }} files
 */
export async function createMedia(target, media, { file, thumbnail }) {
  const { api, token } = target;
  const uploadId = await sendFile(target, media.userId, file.bytes, file.detected.contentType);
  const form = new FormData();
  const fields = {
    id: media.id,
    uploadId,
    caption: media.caption,
    tags: JSON.stringify(media.tags),
    alt: media.alt,
    type: file.detected.kind,
    width: String(file.width),
    height: String(file.height),
    originalFilename: media.originalFilename,
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (thumbnail !== null) {
    form.set(
      "thumbnail",
      new Blob([Buffer.from(thumbnail)], { type: "image/jpeg" }),
      "thumbnail.jpg",
    );
  }
  const headers = { "x-acting-user": media.userId };
  await api.call("POST", "/api/media", { token, headers, body: form });
}

/** @param {Target} target @param {PlannedMedia} media */
export async function setDates({ api, token }, { id, createdAt, updatedAt }) {
  if (createdAt === 0) return;
  await api.call("PATCH", `/api/collections/media/records/${id}`, {
    token,
    body: { createdAt: instant(createdAt), updatedAt: instant(updatedAt) },
  });
}
