/**
 * Every file of `tests/files` goes through the upload form, and one table says what must come of it.
 * `npm test` takes one of each kind of which the same must come.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inRoot } from "@scripts/checkout.mjs";
import { readCatalogues } from "@scripts/texts.mjs";
import { type Film, type Photo, type Row, TABLE } from "@tests/files/table";
import { type App, type Profile, startApp } from "@tests/support/browser";
import { lettersOf, seeFilm, seePictures, whatLocates } from "@tests/support/look-at-files";
import { packetsOf } from "@tests/support/packets";
import { createSuperuser, RATES, temporaryFolder } from "@tests/support/pocketbase";
import { IS_THOROUGH } from "@tests/support/thorough";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MOST_FILES } from "@/features/upload/upload-entry";
import { openAsAda } from "./pages/ada";
import { type PickedFile, UploadPage } from "./pages/upload-page";

const FOLDER = inRoot("tests/files");
const NAMES = IS_THOROUGH ? Object.keys(TABLE) : oneOfEachKind();

/** The first of each format that ends alike: refused with the same words, or stored with the same said of it. */
function oneOfEachKind(): string[] {
  const kinds = new Map<string, string>();
  for (const [name, row] of Object.entries(TABLE)) {
    const end =
      "refused" in row
        ? [row.refused, row.when]
        : [...row.said, row.contentType, String(row.unchanged), "ink" in row && row.ink !== null];
    const kind = [path.extname(name), row.locates, ...end].join(" ");
    if (!kinds.has(kind)) kinds.set(kind, name);
  }
  return [...kinds.values()];
}

let app: App;
let profile: Profile;
let token: string;
let texts: ReadonlyMap<string, string>;
/** What this browser must make of each: not every Chromium draws JPEG XL. */
let table: Readonly<Record<string, Row>>;

const RAISED = { ...RATES, writesPerMinute: 100_000, uploadsPerHour: 10_000 };

beforeAll(async () => {
  const { catalogues } = await readCatalogues();
  texts = catalogues["en"] ?? new Map();
  app = await startApp();
  ({ token } = await createSuperuser(app));
  const settings = "/api/collections/settings/records/app";
  const { status } = await app.api("PATCH", settings, { limits: RAISED }, token);
  expect(status).toBe(200);
  profile = await openAsAda(app, { width: 1280, height: 800 });
  const drawsJxl = await profile.page.evaluate(
    (base64) => {
      const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
      return createImageBitmap(new Blob([bytes])).then(
        () => true,
        () => false,
      );
    },
    Buffer.from(bytesOf("plain.jxl")).toString("base64"),
  );
  const seen = (name: string, row: Row): Row =>
    name.endsWith(".jxl") && !drawsJxl && "kind" in row
      ? { refused: "file_unreadable", when: "chosen", locates: row.locates }
      : row;
  table = Object.fromEntries(Object.entries(TABLE).map(([name, row]) => [name, seen(name, row)]));
});

afterAll(async () => {
  await profile?.close();
  await app?.stop();
});

const bytesOf = (name: string) => new Uint8Array(readFileSync(path.join(FOLDER, name)));

/** As devices name them. What is missing they do not know. */
const TYPES: Record<string, string> = {
  ...{ jpg: "image/jpeg", png: "image/png", gif: "image/gif", webp: "image/webp" },
  ...{ heic: "image/heic", avif: "image/avif", bmp: "image/bmp", svg: "image/svg+xml" },
  ...{ mp4: "video/mp4", mov: "video/quicktime", m4v: "video/x-m4v", webm: "video/webm" },
  ...{ "3gp": "video/3gpp", mkv: "video/x-matroska", avi: "video/x-msvideo" },
  ...{ mp3: "audio/mpeg", m4a: "audio/mp4", ogg: "audio/ogg", wav: "audio/wav" },
  ...{ flac: "audio/flac", pdf: "application/pdf", html: "text/html", zip: "application/zip" },
};

const picked = (name: string): PickedFile => ({
  name,
  mimeType: TYPES[path.extname(name).slice(1)] ?? "",
  buffer: Buffer.from(bytesOf(name)),
});

/** What stands at an entry of the form, and how far it has come. */
interface Entry {
  state: string;
  words: string;
}

/** All entries, once each is in one of these states; all sent where the form has gone home. */
async function entriesIn(states: string[]): Promise<Map<string, Entry> | "home"> {
  const handle = await profile.page.waitForFunction((wanted) => {
    if (location.pathname === "/") return "home";
    const all = [...document.querySelectorAll<HTMLElement>('[data-testid="upload-entry"]')];
    const isThere = ({ dataset }: HTMLElement) => wanted.includes(dataset["state"] ?? "");
    if (all.length === 0 || !all.every(isThere)) return null;
    const said = '[data-testid="entry-ready"], [data-testid="entry-error"]';
    return all.map((one) => ({
      name: one.dataset["name"] ?? "",
      state: one.dataset["state"] ?? "",
      words: one.querySelector<HTMLElement>(said)?.innerText ?? "",
    }));
  }, states);
  const found = await handle.jsonValue();
  if (found === null || typeof found === "string") return "home";
  return new Map(found.map(({ name, ...entry }) => [name, entry]));
}

/** The expected keys where the words are theirs, and otherwise the words. */
function keysOf(words: string, expected: readonly string[]): string[] {
  const lines = expected.map((key) => texts.get(key) ?? key);
  const shown = words.split("\n").filter((line) => line !== "");
  return shown.join("\n") === lines.join("\n") ? [...expected] : shown;
}

const codeOf = (words: string, row: Row): string =>
  "refused" in row && words.includes(texts.get(`errors.${row.refused}`) ?? "?")
    ? row.refused
    : words;

/** What was seen so far of each file: at last as much as a row of the table says. */
const found: Record<string, Record<string, unknown>> = {};

async function uploadBatch(names: string[]): Promise<void> {
  const upload = new UploadPage(profile.page);
  await upload.open(app.url);
  await upload.input.setInputFiles(names.map(picked));
  const chosen = await entriesIn(["ready", "unfit"]);
  if (chosen === "home") throw new Error("the form is gone");
  await upload.upload([], { caption: "One of many" });
  const sent = await entriesIn(["uploaded", "failed", "unfit"]);
  for (const [name, { state, words }] of chosen) {
    const row = table[name];
    if (row === undefined) throw new Error(`${name} is not in the table`);
    const end = sent === "home" ? null : sent.get(name);
    if (state === "unfit") found[name] = { refused: codeOf(words, row), when: "chosen" };
    else if (end?.state === "failed")
      found[name] = { refused: codeOf(end.words, row), when: "sent" };
    else found[name] = { said: keysOf(words, "said" in row ? row.said : []) };
  }
}

interface Medium {
  id: string;
  type: string;
  contentType: string;
  width: number;
  height: number;
  duration: number;
  file: string;
  thumbnail: string;
  originalFilename: string;
}

async function storedMedia(): Promise<Medium[]> {
  const all: Medium[] = [];
  for (let page = 1; ; page++) {
    const list = `/api/collections/media/records?perPage=100&page=${page}`;
    const { body } = await app.api("GET", list, undefined, token);
    all.push(...body.items);
    if (body.items.length < 100) return all;
  }
}

const addressOf = ({ id }: Medium, file: string): string =>
  `${app.url}/api/files/media/${id}/${file}`;

const fetched = async (address: string) =>
  new Uint8Array(await (await fetch(address)).arrayBuffer());

const INK_TOLERANCE = 8;
const isNear = (one: readonly number[], other: readonly number[]): boolean =>
  one.every((value, i) => Math.abs(value - (other[i] ?? 0)) <= INK_TOLERANCE);

async function seePhoto(medium: Medium): Promise<Partial<Photo>> {
  const { originalFilename: name, contentType } = medium;
  const row = table[name];
  const base64 = Buffer.from(bytesOf(name)).toString("base64");
  const [seen, thumbnail, original] = await seePictures(profile.page, [
    { url: addressOf(medium, medium.file) },
    { url: addressOf(medium, medium.thumbnail) },
    { base64, type: contentType },
  ]);
  if (!seen || !thumbnail) return {};
  const [first = [0, 0, 0]] = seen.corners;
  const wanted = row && "ink" in row ? row.ink : null;
  const isConverted = row && "unchanged" in row && row.unchanged === null;
  return {
    kind: "photo",
    size: seen.size,
    corners: lettersOf(seen.corners),
    thumbnail: lettersOf(thumbnail.corners),
    frames: seen.frames,
    ink: wanted && isNear(first, wanted) ? wanted : wanted && first,
    unchanged: isConverted ? null : original?.hash === seen.hash,
  };
}

async function seeStoredFilm(medium: Medium, stored: Uint8Array<ArrayBuffer>) {
  const middle = medium.duration / 2;
  const [seen, [poster], before, after] = await Promise.all([
    seeFilm(profile.page, addressOf(medium, medium.file), middle),
    medium.thumbnail === ""
      ? [null]
      : seePictures(profile.page, [{ url: addressOf(medium, medium.thumbnail) }]),
    packetsOf(bytesOf(medium.originalFilename)),
    packetsOf(stored),
  ]);
  const { size, corners, soughtTo, plays } = seen ?? {
    size: "",
    corners: [],
    soughtTo: 0,
    plays: false,
  };
  const seeks = Math.abs(soughtTo - middle) < 0.2;
  const stated = `${medium.width}x${medium.height}`;
  return {
    kind: "film",
    size: seen === null || size === stated ? stated : `${stated}, shown as ${size}`,
    seconds: lengthOf(medium),
    shown: seen && { corners: lettersOf(corners), plays, seeks },
    poster: poster ? lettersOf(poster.corners) : "",
    unchanged: before.length === 0 ? null : before.join() === after.join(),
  } satisfies Partial<Film>;
}

/** Seconds. Of some films a browser first knows the length that the header states, then its own. */
function lengthOf({ originalFilename, duration }: Medium): number {
  const row = table[originalFilename];
  const stated = row !== undefined && "seconds" in row ? row.seconds : 0;
  return Math.abs(duration - stated) < 0.4 ? stated : Math.round(duration * 10) / 10;
}

const ours = temporaryFolder();

/** At once; more would only wait for each other. */
const AT_ONCE = 6;

const BATCHES = Array.from({ length: Math.ceil(NAMES.length / MOST_FILES) }, (_, i) =>
  NAMES.slice(i * MOST_FILES, (i + 1) * MOST_FILES),
);

test.each(BATCHES.map((names) => ({ names, first: names[0], last: names.at(-1) })))(
  "each is refused with its words, or stored as it is shown: $first to $last",
  async ({ names }) => {
    await uploadBatch(names);
    const media = await storedMedia();
    const look = async (medium: Medium) => {
      const { originalFilename: name, contentType, width, height } = medium;
      const stored = await fetched(addressOf(medium, medium.file));
      writeFileSync(path.join(ours, name), stored);
      const seen = await (medium.type === "photo"
        ? seePhoto(medium)
        : seeStoredFilm(medium, stored));
      const stated = `${width}x${height}`;
      const size = seen.size === stated ? stated : `${stated}, shown as ${seen.size}`;
      found[name] = { ...found[name], contentType, ...seen, size };
    };
    const waiting = media.filter(({ originalFilename }) => names.includes(originalFilename));
    const worker = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await look(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const expected = Object.fromEntries(
      names.map((name) => {
        const { locates: _apart, ...row } = table[name] as Row;
        return [name, row];
      }),
    );
    expect(Object.fromEntries(names.map((name) => [name, found[name]]))).toEqual(expected);
    expect(profile.errors).toEqual([]);
  },
);

test("nothing that is stored says where it was made, and what was chosen does", async () => {
  const [before, after] = await Promise.all([whatLocates(FOLDER), whatLocates(ours)]);
  const located = (all: Map<string, string[]>) =>
    [...all].filter(([, tags]) => tags.length > 0).map(([name]) => name);
  const isStored = (name: string) => !("refused" in (table[name] as Row));
  expect(after.size).toBe(NAMES.filter(isStored).length);
  expect(located(after)).toEqual([]);
  const expected = Object.keys(TABLE).filter((name) => table[name]?.locates);
  expect(located(before).sort()).toEqual(expected.sort());
});
