/**
 * `npm run demo`: fills an empty database with a community of made-up people. Pictures and videos
 * are painted, and everything goes through the public API, as a user's would; only the dates are
 * set afterwards. Uses the server at HOST and PORT, or starts one for this work.
 */
import { randomBytes, randomInt } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { findChromium } from "./browsers.mjs";
import { ensureInstalled, inRoot, runCommand, say, UserError } from "./checkout.mjs";
import { joinedAt, planFollows, planPosts } from "./demo-plan.mjs";
import { ANSWERS, CHATS, PEOPLE, PRIVACY, REASONS, TERMS } from "./demo-texts.mjs";
import { runPocketBaseCommand, withServer } from "./server.mjs";
import { blobOf, createApi, createMedia, instant, sendFile } from "./server-api.mjs";

const SEED = 20_261;
const PHOTOS = Number(process.env["DEMO_PHOTOS"] || "150");
const VIDEOS = Number(process.env["DEMO_VIDEOS"] || "10");
const MINUTE = 60_000;

/**
 * @typedef {import("./server-api.mjs").Api} Api
 * @typedef {{ id: string, email: string, username: string, password: string, token: string }}
 *   Account
 * @typedef {import("./demo-plan.mjs").Post} Post
 * @typedef {Awaited<ReturnType<typeof openStudio>>} Studio
 * @typedef {Awaited<ReturnType<Studio["paint"]>>} Picture
 * @typedef {[table: string, id: string, values: Record<string, string | number>]} Dated
 * @typedef {{ api: Api, accounts: Account[], dated: Dated[], now: number, dataDir: string }} Work
 */

const account = (/** @type {Work} */ work, /** @type {number} */ place) =>
  /** @type {Account} */ (work.accounts[place]);
/** An id as the app makes it. */
const newId = () => Array.from(randomBytes(15), (byte) => (byte % 36).toString(36)).join("");

/** A password that can be typed from a screen. */
function makeUpPassword() {
  const words = "Linde Moor Kiesel Amsel Quelle Distel Birke Nebel Hafen Wolke".split(" ");
  const word = () => words[randomInt(words.length)];
  return `${word()}-${word()}-${randomInt(1000, 10_000)}`;
}

/**
 * Makes a row through the API, and notes the dates that it gets in the end.
 * @param {Work} work @param {string} collection @param {Account} as
 * @param {{ row: { id: string, [field: string]: unknown }, at: number }} made
 */
async function create({ api, dated }, collection, as, { row, at }) {
  const path = `/api/collections/${collection}/records`;
  await api.call("POST", path, { token: as.token, body: row });
  dated.push([collection, row.id, { createdAt: instant(at), timestamp: Math.floor(at / 1000) }]);
}

/** WebCodecs need a secure context, which a page of localhost is; no server is there. */
const STUDIO = "http://localhost/studio";

async function bundle() {
  const { build } = await import("esbuild");
  const result = await build({
    entryPoints: [inRoot("scripts/demo-paint/studio.ts")],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    alias: { "@": inRoot("src"), "@scripts": inRoot("scripts") },
    logLevel: "silent",
  });
  return result.outputFiles[0]?.text ?? "";
}

/** Opens the painter (`scripts/demo-paint`) in a headless Chromium. */
async function openStudio() {
  // Loaded here, because packages may be missing when a script starts.
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
  });
  const page = await browser.newPage();
  const empty = { contentType: "text/html", body: "<!doctype html>" };
  await page.route("**/*", (route) => route.fulfill(empty));
  await page.goto(STUDIO);
  await page.addScriptTag({ content: await bundle() });
  return {
    paint: async (/** @type {import("./demo-paint/studio").Order} */ order) => {
      const painted = await page.evaluate((it) => window.paintPicture(it), order);
      const bytes = (/** @type {"file" | "thumbnail" | "preview"} */ name) =>
        Buffer.from(painted[name], "base64");
      const files = { file: bytes("file"), thumbnail: bytes("thumbnail") };
      return { ...painted, ...files, preview: bytes("preview") };
    },
    close: () => browser.close(),
  };
}

/** @param {Api} api */
async function requireEmpty(api) {
  for (const collection of ["profiles", "media"]) {
    const path = `/api/collections/${collection}/records?perPage=1`;
    const { items } = await api.call("GET", path);
    if (items.length > 0)
      throw new UserError(
        "The database is not empty, and the demo fills only an empty one: set DATA_DIR to a new folder.",
      );
  }
}

/** @param {Api} api @param {Omit<Account, "id" | "token">} who @returns {Promise<Account>} */
async function signIn(api, who) {
  const body = { identity: who.email, password: who.password };
  const path = "/api/collections/users/auth-with-password";
  const { record, token } = await api.call("POST", path, { body });
  return { ...who, id: record.id, token };
}

/** @param {Api} api @param {Picture} picture @param {{ username: string, bio: string }} person */
async function join(api, picture, { username, bio }) {
  const email = `${username.replace(/[^a-z]/g, "")}@demo.example`;
  const who = { email, username, password: makeUpPassword() };
  const body = { ...who, passwordConfirm: who.password, termsAccepted: true };
  await api.call("POST", "/api/collections/users/records", { body });
  const joined = await signIn(api, who);
  const form = new FormData();
  form.set("bio", bio);
  form.set("profilePicture", blobOf(picture.file, "image/jpeg"), "portrait.jpg");
  form.set("profileThumbnail", blobOf(picture.thumbnail, "image/jpeg"), "portrait-small.jpg");
  const own = `/api/collections/users/records/${joined.id}`;
  await api.call("PATCH", own, { token: joined.token, body: form });
  return joined;
}

/** @param {Work} work @param {Studio} studio */
async function invitePeople(work, studio) {
  const { api, accounts, dated, now, dataDir } = work;
  for (const [place, person] of PEOPLE.entries()) {
    const order = { scene: /** @type {const} */ ("portrait"), seed: SEED + place, seconds: 0 };
    const picture = await studio.paint({ ...order, width: 512, height: 512 });
    const joined = await join(api, picture, person);
    accounts.push(joined);
    const at = instant(joinedAt(place, now));
    dated.push(["users", joined.id, { createdAt: at, updatedAt: at, termsAcceptedDate: at }]);
    if (place > 0) continue;
    const { outcome } = await runPocketBaseCommand(dataDir, ["promote", joined.email]);
    if (outcome !== "promoted")
      throw new UserError(
        `The server at ${api.base} does not work on ${dataDir}: set DATA_DIR to the folder that it uses.`,
      );
    accounts[0] = await signIn(api, joined);
  }
}

/**
 * @param {Api} api @param {Account} owner
 * @param {{ picture: Picture, post: Post, name: string }} what
 */
async function publish(api, { id: uploader, token }, { picture, post, name }) {
  const { file: bytes, contentType, thumbnail, preview, previewType, thumbhash } = picture;
  const time = String(Date.now());
  const metadata = { filename: name, filetype: contentType, originalName: name, uploader, time };
  const uploadId = await sendFile(api, { token, bytes, metadata });
  const id = newId();
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
    thumbhash,
    originalFilename: name,
    thumbnail: blobOf(thumbnail, "image/jpeg"),
    preview: blobOf(preview, previewType),
  };
  await createMedia(api, { token }, fields);
  return id;
}

/** @param {Work} work @param {Post} post @param {string} mediaId */
async function react(work, post, mediaId) {
  for (const { person, at } of post.likes) {
    const liker = account(work, person);
    const row = { id: `${mediaId}_${liker.id}`, mediaId, userId: liker.id };
    await create(work, "likes", liker, { row, at });
  }
  for (const { person, at, text } of post.comments) {
    const author = account(work, person);
    const row = { id: newId(), mediaId, userId: author.id, text };
    await create(work, "comments", author, { row, at });
    const answer = ANSWERS[text];
    if (answer === undefined) continue;
    const owner = account(work, post.person);
    const reply = { id: newId(), mediaId, userId: owner.id, text: answer, parentId: row.id };
    await create(work, "comments", owner, {
      row: reply,
      at: Math.min(work.now - MINUTE, at + 45 * MINUTE),
    });
  }
  const path = `/api/media/${mediaId}/view`;
  const look = () => work.api.call("POST", path, { body: { session: newId() } });
  await Promise.all(Array.from({ length: post.views }, look));
}

/** @param {Work} work @param {Studio} studio @returns {Promise<string[]>} ids */
async function postPictures(work, studio) {
  const posts = planPosts({ photos: PHOTOS, videos: VIDEOS, seed: SEED, now: work.now });
  /** @type {string[]} */
  const ids = [];
  let sending = Promise.resolve();
  for (const [i, post] of posts.entries()) {
    const isVideo = post.seconds > 0;
    const { scene, seed, width, height, seconds } = post;
    const picture = await studio.paint({ scene, seed, width, height, seconds });
    const name = `${isVideo ? "MOV" : "IMG"}_${1000 + i}.${isVideo ? picture.contentType.slice(6) : "jpg"}`;
    // One is sent while the next is painted, in the order of the plan.
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
    const [follower, { id: followingId }] = [account(work, from), account(work, to)];
    const row = { id: `${follower.id}_${followingId}`, followerId: follower.id, followingId };
    const at = Math.max(joinedAt(from, work.now), joinedAt(to, work.now)) + from * 90 * MINUTE;
    await create(work, "follows", follower, { row, at });
  }
}

/** @param {Work} work */
async function chat(work) {
  for (const [i, { first, second, said }] of CHATS.entries()) {
    const pair = [account(work, first), account(work, second)];
    const ids = pair.map((who) => who.id).sort();
    const conversationId = ids.join("_");
    // The first chats ended today, the last a week ago.
    const begin = work.now - i * 1440 * MINUTE - 4 * 60 * MINUTE;
    const conversation = { id: conversationId, participants: ids };
    await create(work, "conversations", account(work, first), { row: conversation, at: begin });
    let at = begin;
    for (const [line, message] of said.entries()) {
      const sender = /** @type {Account} */ (pair[line % 2]);
      const row = { id: newId(), conversationId, senderId: sender.id, message, type: "text" };
      at += (2 + ((line * 7 + i * 5) % 23)) * MINUTE;
      await create(work, "messages", sender, { row, at });
    }
    // In the first chat the demo account has unread messages.
    for (const reader of i === 0 ? pair.slice(1) : pair) {
      const { token } = reader;
      await work.api.call("POST", `/api/conversations/${conversationId}/read`, { token, body: {} });
    }
  }
}

/** @param {Work} work @param {string[]} media */
async function reportAndRule(work, media) {
  const { api, now } = work;
  for (const [i, reason] of REASONS.entries()) {
    const mediaId = media[Math.floor(((i + 1) * media.length) / (REASONS.length + 1))];
    const { userId } = await api.call("GET", `/api/collections/media/records/${mediaId}`);
    const reporter = work.accounts.find((who, place) => place > 1 && who.id !== userId);
    if (mediaId === undefined || reporter === undefined) continue;
    const row = { id: `${mediaId}_${reporter.id}`, mediaId, userId: reporter.id, reason };
    await create(work, "reports", reporter, { row, at: now - (i + 1) * 1300 * MINUTE });
  }
  const { token } = account(work, 0);
  for (const [id, content] of Object.entries({ terms: TERMS, privacy: PRIVACY })) {
    const path = `/api/collections/settings/records/${id}`;
    await api.call("PATCH", path, { token, body: { content } });
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

const USAGE = `npm run demo   fills an empty database with a community of made-up people
DEMO_PHOTOS and DEMO_VIDEOS in the environment say how much they share (150 and 10).`;

await runCommand(USAGE, async () => {
  await ensureInstalled(say);
  const wasRunning = await withServer(({ url, dataDir }) =>
    fill({ api: createApi(url), accounts: [], dated: [], now: Date.now(), dataDir }),
  );
  if (!wasRunning) say("Start it with: npm start");
});
