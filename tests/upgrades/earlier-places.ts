/**
 * Places as every earlier schema made them: a database by the migrations of that day, with rows in
 * every table that it has. `schemas.json` says which migrations each schema added, by the first
 * 16 digits of their SHA-256; what a migration said before it was changed lies beside it as a text.
 * A new schema is a new entry there, and a migration that is listed never changes any more.
 */
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync } from "node:fs";
import path from "node:path";
import { inRoot } from "@scripts/checkout.mjs";
import { mediaFixture } from "@tests/support/media-fixtures";
import {
  type Answer,
  createSuperuser,
  newFolder,
  type PocketBase,
  startPocketBase,
  temporaryFolder,
} from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";

interface Schema {
  commit: string;
  day: string;
  /** What it added or said otherwise: the hash of each, by file. */
  migrations: Record<string, string>;
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
const readText = (file: string) => readFileSync(inRoot(file), "utf8");

export const SCHEMAS: Schema[] = JSON.parse(readText("tests/upgrades/schemas.json"));

/** Each schema's migrations as they were then: hashes by file. */
const migrationsUpTo = (index: number): Record<string, string> =>
  Object.assign({}, ...SCHEMAS.slice(0, index + 1).map(({ migrations }) => migrations));

/** The folder with the migrations that made this schema. */
function folderOf(index: number): string {
  const folder = temporaryFolder("augenblick-migrations-");
  for (const [name, hash] of Object.entries(migrationsUpTo(index))) {
    const today = inRoot(`pb_migrations/${name}`);
    const isSame = hashOf(readFileSync(today, "utf8")) === hash;
    const kept = inRoot(`tests/upgrades/${path.parse(name).name}.${hash}.txt`);
    copyFileSync(isSame ? today : kept, path.join(folder, name));
  }
  return folder;
}

export const PASSWORD = "Kirschkuchen-7";
export const ANN = "annannannannann";
const BOB = "bobbobbobbobbob";
const CLEO = "cleocleocleocle";
export const PHOTO = "photophotophoto";
export const FILM = "filmfilmfilmfil";
export const CHAT = `${ANN}_${BOB}`;
export const SNAP = "snapsnapsnapsna";

type Values = Record<string, string | number | boolean | Blob | object>;

const file = (name: Parameters<typeof mediaFixture>[0], type: string) =>
  new File([mediaFixture(name)], name, { type });
const jpeg = () => file("photo.jpg", "image/jpeg");

const person = (id: string, username: string, more: Values = {}): [string, Values] => [
  "users",
  {
    id,
    username,
    email: `${username}@example.com`,
    password: PASSWORD,
    passwordConfirm: PASSWORD,
    termsAccepted: true,
    termsAcceptedDate: "2026-01-02 03:04:05.678Z",
    ...more,
  },
];

const medium = (id: string, userId: string, more: Values): [string, Values] => [
  "media",
  {
    id,
    userId,
    type: "photo",
    thumbnail: jpeg(),
    width: 640,
    height: 480,
    fileSize: 2000,
    ...more,
  },
];

const message = (id: string, senderId: string, text: string, more: Values = {}) =>
  [
    "messages",
    { id, conversationId: CHAT, senderId, message: text, type: "text", timestamp: 1e12, ...more },
  ] as [string, Values];

/** What people did. A field that a schema does not know yet is left out by PocketBase. */
const ROWS = (): [string, Values][] => [
  person(ANN, "ann", { bio: "By the sea", profilePicture: jpeg(), profileThumbnail: jpeg() }),
  person(BOB, "bob", { isAdmin: true, verified: true }),
  person(CLEO, "cleo", { isBlocked: true, chatDisabled: true }),
  medium(PHOTO, ANN, {
    caption: "Straße am Meer",
    tags: ["sea", "Küste"],
    alt: "A street",
    file: jpeg(),
    preview: jpeg(),
    contentType: "image/jpeg",
    post: "postpostpostpos",
    postIndex: 0,
  }),
  medium(FILM, BOB, {
    type: "video",
    caption: "Waves",
    tags: [],
    duration: 2.5,
    file: file("video.mp4", "video/mp4"),
    subtitles: new File(["WEBVTT\n"], "words.vtt", { type: "text/vtt" }),
    subtitlesSize: 7,
  }),
  medium("gonegonegonegon", ANN, { caption: "Soon gone", tags: [] }),
  ["likes", { id: `${PHOTO}_${BOB}`, mediaId: PHOTO, userId: BOB }],
  ["likes", { id: `${FILM}_${ANN}`, mediaId: FILM, userId: ANN }],
  ["comments", { id: "commentcomment1", mediaId: PHOTO, userId: BOB, text: "Well seen" }],
  ["comments", { id: "commentcomment2", mediaId: PHOTO, userId: ANN, text: "Thank you" }],
  [
    "reports",
    { id: `${FILM}_${ANN}`, mediaId: FILM, userId: ANN, reason: "Loud", status: "resolved" },
  ],
  ["reports", { id: `${PHOTO}_${BOB}`, mediaId: PHOTO, userId: BOB, reason: "x", status: "open" }],
  ["follows", { id: `${ANN}_${BOB}`, followerId: ANN, followingId: BOB }],
  ["blocks", { id: `${ANN}_${CLEO}`, blockerId: ANN, blockedId: CLEO }],
  ["conversations", { id: CHAT, participants: [ANN, BOB] }],
  message("messagemessage1", ANN, "Hello", { read: true, readAt: "2026-01-02 03:04:05.678Z" }),
  message("messagemessage2", BOB, "Taken back", { deleted: true }),
  message(SNAP, BOB, "", { type: "photo", image: jpeg(), thumbnail: jpeg() }),
  [
    "uploads",
    { owner: ANN, size: 9, metadata: { filename: "a.jpg" }, expiresAt: "2099-01-01 00:00:00.000Z" },
  ],
  ["audit", { actor: BOB, action: "user.block", target: CLEO, details: { why: "noise" } }],
  [
    "sessions",
    {
      userId: ANN,
      secretHash: "0".repeat(64),
      device: "Firefox",
      lastSeenAt: "2099-01-01 00:00:00.000Z",
    },
  ],
];

/** Of the tables that are no collections. Those that triggers fill are not here. */
const OWN: Record<string, string> = {
  _views: `INSERT INTO _views VALUES ('${PHOTO}', '${BOB}', 4000000000)`,
  _views_dirty: `UPDATE media SET views = views + 3 WHERE id = '${PHOTO}'`,
  _guesses: `INSERT INTO _guesses VALUES ('${ANN}', 2, '2099-01-01 00:00:00.000Z')`,
  _mails: `INSERT INTO _mails (kind, person, name, address)
    VALUES ('later', '${ANN}', 'ann', 'ann@example.com')`,
  _devices: `INSERT INTO _devices VALUES ('device', '${ANN}', 'hash', '2099-01-01 00:00:00.000Z')`,
  _health: "INSERT INTO _health VALUES ('2026-11-01', 'requests', 7)",
};

function bodyOf(values: Values): Values | FormData {
  if (!Object.values(values).some((value) => value instanceof Blob)) return values;
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) {
    if (value instanceof Blob) form.set(name, value);
    else form.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  return form;
}

function must({ status, body }: Answer, what: string): void {
  if (status >= 300) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`);
}

async function fill(server: PocketBase, token: string, tables: string[]): Promise<void> {
  for (const [collection, values] of ROWS()) {
    if (!tables.includes(collection)) continue;
    const where = `/api/collections/${collection}/records`;
    must(
      await server.api("POST", where, bodyOf(values), token),
      JSON.stringify([collection, values]),
    );
  }
  const gone = "/api/collections/media/records/gonegonegonegon";
  must(await server.api("DELETE", gone, undefined, token), gone);
  const settings: [string, Values][] = [
    ["app", { productName: "Our place", requireMutualFollow: true, limits: { maxTags: 7 } }],
    ["terms", { content: "<p>Be kind</p>", revision: 1 }],
  ];
  for (const [id, values] of settings) {
    const where = `/api/collections/settings/records/${id}`;
    must(await server.api("PATCH", where, values, token), where);
  }
  for (const [table, statement] of Object.entries(OWN)) {
    if (tables.includes(table)) await sql(server, token, statement);
  }
}

export type Rows = Record<string, Record<string, unknown>[]>;

/** PocketBase's own tables, and what is made of others' rows for the search. */
const LEFT_OUT =
  /^sqlite_|^_(?:collections|params|migrations|authOrigins|externalAuths|mfas|otps)$|^_search_|^_user_(?:search|numbers)/;

/** All rows of all tables; numbers come as text. */
export async function dump(server: PocketBase, token: string): Promise<Rows> {
  const found = await sql(server, token, "SELECT name FROM sqlite_master WHERE type = 'table'");
  const rows: Rows = {};
  for (const name of found.map((row) => String(row["name"])).filter((one) => !LEFT_OUT.test(one)))
    rows[name] = await sql(server, token, `SELECT * FROM \`${name}\``);
  return rows;
}

/** What the database is made of: tables, indexes, triggers, and collections as PocketBase has them. */
export async function shapeOf(server: PocketBase, token: string): Promise<string[]> {
  const made = await sql(
    server,
    token,
    "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
  );
  const { body } = await server.api("GET", "/api/collections?perPage=100", undefined, token);
  const { rateLimits } = (await server.api("GET", "/api/settings", undefined, token)).body;
  const text = (value: unknown) => String(value).replaceAll(/\s+/g, " ");
  return [
    // Columns that came later stand behind others.
    ...made.flatMap((row) =>
      row["type"] === "table" ? columnsOf(row) : [text(`${row["type"]} ${row["sql"]}`)],
    ),
    ...body.items.flatMap(wordsOf),
    JSON.stringify(rateLimits),
  ].sort();
}

function columnsOf({ name, sql: definition }: Record<string, unknown>): string[] {
  const inside = String(definition)
    .replace(/^[^(]*\(/, "")
    .replace(/\)[^)]*$/, "");
  const columns = inside
    .split(/,(?![^(]*\))/)
    .map((column) => column.trim().replaceAll(/\s+/g, " "));
  return columns.map((column) => `table ${name}: ${column}`);
}

const NOT_COMPARED = new Set(["id", "created", "updated", "fields", "indexes"]);

function wordsOf(collection: Record<string, unknown>): string[] {
  const { name } = collection;
  const fields = collection["fields"] as Record<string, unknown>[];
  const indexes = collection["indexes"] as string[];
  return [
    ...Object.entries(collection)
      .filter(([key]) => !NOT_COMPARED.has(key))
      .map(([key, value]) => `collection ${name} ${key}: ${JSON.stringify(value)}`),
    // A view's fields get a new id at each start.
    ...fields.map(({ id, ...field }) => {
      const own = collection["type"] === "view" ? field : { ...field, id };
      return `collection ${name} field: ${JSON.stringify(own)}`;
    }),
    ...indexes.map((index) => `collection ${name} index: ${index}`),
  ];
}

export interface EarlierPlace {
  dataDir: string;
  before: Rows;
}

/** Makes such a place, and stops its server. */
export async function buildEarlierPlace(index: number): Promise<EarlierPlace> {
  const none = temporaryFolder();
  const flags = [`--migrationsDir=${folderOf(index)}`, `--hooksDir=${none}`];
  const dataDir = newFolder();
  const server = await startPocketBase({ dataDir, flags });
  const { token } = await createSuperuser(server);
  await fill(server, token, Object.keys(await dump(server, token)));
  const before = await dump(server, token);
  await server.stop();
  return { dataDir, before };
}
