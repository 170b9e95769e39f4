/**
 * `npm run demo`: fills an empty database with a community of made-up people. Pictures and videos are painted on the spot, and
 * everything goes through the public API, as a user's would; only the dates are set afterwards. Uses the server that answers at
 * HOST and PORT, or starts one for the time of the work.
 */
import { randomInt } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildHooks } from "./build-hooks.mjs";
import { createApi, dressProfile, joinAs, newId, publish, signInAs } from "./demo-api.mjs";
import { CHATS, PEOPLE, PRIVACY, TERMS } from "./demo-people.mjs";
import { joinedAt, planFollows, planPosts } from "./demo-plan.mjs";
import { openStudio } from "./demo-studio.mjs";
import { REASONS } from "./demo-words.mjs";
import { ensureInstalled } from "./install.mjs";
import { DIST_DIR } from "./paths.mjs";
import { findPocketBase } from "./pocketbase.mjs";
import { runPocketBaseCommand } from "./pocketbase-command.mjs";
import { serve } from "./serve.mjs";
import { readServerSettings, requireFreePort, requireWritableData } from "./server-settings.mjs";
import { runCommand, UserError } from "./user-error.mjs";

const SEED = 20_261;
const PHOTOS = Number(process.env["DEMO_PHOTOS"] || "150");
const VIDEOS = Number(process.env["DEMO_VIDEOS"] || "10");
const MINUTE = 60_000;

/**
 * @typedef {import("./demo-api.mjs").Api} Api
 * @typedef {import("./demo-api.mjs").Account} Account
 * @typedef {import("./demo-plan.mjs").Post} Post
 * @typedef {[table: string, id: string, values: Record<string, string | number>]} Dated
 * @typedef {{ api: Api, accounts: Account[], dated: Dated[], now: number, dataDir: string }} Work
 */

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);
const account = (/** @type {Work} */ work, /** @type {number} */ place) =>
  /** @type {Account} */ (work.accounts[place]);
/** As PocketBase writes an instant. */
const instant = (/** @type {number} */ at) => new Date(at).toISOString().replace("T", " ");

/** A password that can be typed from a screen. */
function makeUpPassword() {
  const words = [
    "Linde",
    "Moor",
    "Kiesel",
    "Amsel",
    "Quelle",
    "Distel",
    "Birke",
    "Nebel",
    "Hafen",
    "Wolke",
  ];
  const word = () => words[randomInt(words.length)];
  return `${word()}-${word()}-${randomInt(1000, 10_000)}`;
}

/** @param {Work} work @param {string} collection @param {Account} as @param {Record<string, unknown>} body */
const create = ({ api }, collection, as, body) =>
  api.call("POST", `/api/collections/${collection}/records`, { token: as.token, body });

/** @param {Api} api */
async function requireEmpty(api) {
  for (const collection of ["profiles", "media"]) {
    const { totalItems } = await api.call(
      "GET",
      `/api/collections/${collection}/records?perPage=1`,
    );
    if (totalItems > 0) {
      throw new UserError(
        "The database is not empty, and the demo fills only an empty one: set DATA_DIR to a new folder.",
      );
    }
  }
}

/** @param {Work} work @param {import("./demo-studio.mjs").Studio} studio */
async function invitePeople(work, studio) {
  const { api, accounts, dated, now, dataDir } = work;
  for (const [place, person] of PEOPLE.entries()) {
    const email = `${person.username.replace(/[^a-z]/g, "")}@demo.example`;
    const joined = await joinAs(api, {
      email,
      username: person.username,
      password: makeUpPassword(),
    });
    await dressProfile(api, joined, {
      picture: await studio.portrait(SEED + place),
      bio: person.bio,
    });
    accounts.push(joined);
    const at = instant(joinedAt(place, now));
    dated.push(["users", joined.id, { createdAt: at, updatedAt: at, termsAcceptedDate: at }]);
    if (place > 0) continue;
    const { outcome } = await runPocketBaseCommand(dataDir, ["promote", email]);
    if (outcome !== "promoted") {
      throw new UserError(
        `The server at ${api.base} does not work on ${dataDir}: set DATA_DIR to the folder that it uses.`,
      );
    }
    accounts[0] = await signInAs(api, joined);
  }
}

/** @param {Work} work @param {Post} post @param {string} mediaId */
async function react(work, post, mediaId) {
  const { api, dated } = work;
  for (const { person, at } of post.likes) {
    const liker = account(work, person);
    const id = `${mediaId}_${liker.id}`;
    await create(work, "likes", liker, { id, mediaId, userId: liker.id });
    dated.push(["likes", id, { createdAt: instant(at) }]);
  }
  for (const { person, at, text } of post.comments) {
    const author = account(work, person);
    const id = newId();
    await create(work, "comments", author, { id, mediaId, userId: author.id, text });
    dated.push(["comments", id, { createdAt: instant(at) }]);
  }
  const look = () => api.call("POST", `/api/media/${mediaId}/view`, { body: { session: newId() } });
  await Promise.all(Array.from({ length: post.views }, look));
}

/** @param {Work} work @param {import("./demo-studio.mjs").Studio} studio @returns {Promise<string[]>} ids */
async function postPictures(work, studio) {
  const posts = planPosts({ photos: PHOTOS, videos: VIDEOS, seed: SEED, now: work.now });
  /** @type {string[]} */
  const ids = [];
  let sending = Promise.resolve();
  for (const [i, post] of posts.entries()) {
    const isVideo = post.seconds > 0;
    const picture = await (isVideo ? studio.video(post) : studio.photo(post));
    const name = `${isVideo ? "MOV" : "IMG"}_${1000 + i}.${isVideo ? picture.contentType.slice(6) : "jpg"}`;
    // One is sent while the next is painted; the order stays that of the plan.
    await sending;
    sending = (async () => {
      const id = await publish(work.api, account(work, post.person), { picture, post, name });
      ids.push(id);
      work.dated.push(["media", id, { createdAt: instant(post.at), updatedAt: instant(post.at) }]);
      await react(work, post, id);
    })();
    sending.catch(() => undefined);
    if ((i + 1) % 20 === 0) say(`  ${i + 1} of ${posts.length} pictures`);
  }
  await sending;
  return ids;
}

/** @param {Work} work */
async function followEachOther(work) {
  for (const [from, to] of planFollows(SEED)) {
    const [follower, followed] = [account(work, from), account(work, to)];
    const id = `${follower.id}_${followed.id}`;
    await create(work, "follows", follower, {
      id,
      followerId: follower.id,
      followingId: followed.id,
    });
    const at = Math.max(joinedAt(from, work.now), joinedAt(to, work.now)) + from * 90 * MINUTE;
    work.dated.push(["follows", id, { createdAt: instant(at) }]);
  }
}

/** @param {Work} work */
async function chat(work) {
  for (const [i, [first, second, lines]] of CHATS.entries()) {
    const pair = [account(work, first), account(work, second)];
    const ids = pair.map((who) => who.id).sort();
    const conversationId = ids.join("_");
    await create(work, "conversations", account(work, first), {
      id: conversationId,
      participants: ids,
    });
    // The first chats ended today, the last a week ago.
    const begin = work.now - i * 1440 * MINUTE - 4 * 60 * MINUTE;
    let at = begin;
    for (const [line, message] of lines.entries()) {
      const sender = /** @type {Account} */ (pair[line % 2]);
      const id = newId();
      at += (2 + ((line * 7 + i * 5) % 23)) * MINUTE;
      await create(work, "messages", sender, {
        id,
        conversationId,
        senderId: sender.id,
        message,
        type: "text",
      });
      work.dated.push([
        "messages",
        id,
        { createdAt: instant(at), timestamp: Math.floor(at / 1000) },
      ]);
    }
    work.dated.push(["conversations", conversationId, { createdAt: instant(begin) }]);
    // In the first chat the demo account finds something unread.
    for (const reader of i === 0 ? pair.slice(1) : pair) {
      const { token } = reader;
      await work.api.call("POST", `/api/conversations/${conversationId}/read`, { token, body: {} });
    }
  }
}

/** @param {Work} work @param {string[]} media */
async function reportAndRule(work, media) {
  const { api, now, dated } = work;
  for (const [i, reason] of REASONS.entries()) {
    const mediaId = media[Math.floor(((i + 1) * media.length) / (REASONS.length + 1))];
    const { userId } = await api.call("GET", `/api/collections/media/records/${mediaId}`);
    const reporter = work.accounts.find((who, place) => place > 1 && who.id !== userId);
    if (mediaId === undefined || reporter === undefined) continue;
    const id = `${mediaId}_${reporter.id}`;
    await create(work, "reports", reporter, { id, mediaId, userId: reporter.id, reason });
    dated.push(["reports", id, { createdAt: instant(now - (i + 1) * 1300 * MINUTE) }]);
  }
  const { token } = account(work, 0);
  for (const [id, content] of [
    ["terms", TERMS],
    ["privacy", PRIVACY],
  ]) {
    await api.call("PATCH", `/api/collections/settings/records/${id}`, {
      token,
      body: { content },
    });
  }
}

/** @param {Work} work */
async function setDates({ dated, dataDir }) {
  const folder = await mkdtemp(path.join(tmpdir(), "augenblick-demo-"));
  try {
    const file = path.join(folder, "dates.json");
    await writeFile(file, JSON.stringify(dated));
    const { outcome, reason } = await runPocketBaseCommand(dataDir, ["backdate", file]);
    if (outcome !== "done") throw new UserError(`The dates were not set: ${reason}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {Work} work */
async function fill(work) {
  await requireEmpty(work.api);
  const studio = await openStudio();
  try {
    say(`${PEOPLE.length} people sign up …`);
    await invitePeople(work, studio);
    await followEachOther(work);
    say(`${PHOTOS} photos and ${VIDEOS} videos are painted and posted …`);
    const media = await postPictures(work, studio);
    await chat(work);
    await reportAndRule(work, media);
    await setDates(work);
  } finally {
    await studio.close();
  }
  const [admin, guest] = [account(work, 0), account(work, 1)];
  say("Done. These passwords were made up just now and are written nowhere else:");
  say(`  administrator  ${admin.email}  ${admin.password}`);
  say(`  demo account   ${guest.email}  ${guest.password}`);
}

async function main() {
  await ensureInstalled(say);
  const settings = readServerSettings(process.env);
  const { url, dataDir } = settings;
  /** @type {Work} */
  const work = { api: createApi(url), accounts: [], dated: [], now: Date.now(), dataDir };
  const running = await fetch(`${url}/api/health`).catch(() => null);
  if (running?.ok) {
    await fill(work);
    return;
  }
  await requireFreePort(settings);
  await requireWritableData(settings);
  await buildHooks();
  const { path: binary } = await findPocketBase();
  const serving = await serve({ binary, settings, publicDir: DIST_DIR });
  try {
    await fill(work);
  } finally {
    await serving.stop();
  }
  say("Start it with: npm start");
}

await runCommand(main);
