/** `npm run import`: an export of older records, with its files, into an empty server. */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { inRoot } from "@scripts/paths.mjs";
import { jpegWithSecrets, SECRET } from "@tests/support/exif";
import { mediaFixture } from "@tests/support/media-fixtures";
import { type PocketBase, startPocketBase, temporaryFolder } from "@tests/support/pocketbase";
import { afterAll, beforeAll, expect, test } from "vitest";

const RECORDS = [
  {
    id: "Photo-1",
    uid: "Uid-Ann",
    username: "Ann Lee",
    file: "files/photo.jpg",
    thumbnail: "small.jpg",
    date: 1_600_000_000,
    title: "Evening",
    picname: "IMG_1.jpg",
    tags: "sea, sky",
  },
  {
    id: "Clip-1",
    uid: "Uid-Ben",
    file: "https://files.example.org/o/files%2Fvideo.mp4?alt=media&token=x",
    date: { seconds: 1_610_000_000, nanoseconds: 0 },
    title: "Waves",
  },
  { id: "Lost-1", uid: "Uid-Ben", file: "lost.jpg" },
  { id: "Odd-1", uid: "Uid-Ben", file: "notes.jpg" },
];

let server: PocketBase;
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder();
  mkdirSync(path.join(folder, "files"));
  writeFileSync(path.join(folder, "media.json"), JSON.stringify({ media: RECORDS }));
  writeFileSync(
    path.join(folder, "files/photo.jpg"),
    jpegWithSecrets(mediaFixture("photo.jpg"), 6),
  );
  writeFileSync(path.join(folder, "small.jpg"), mediaFixture("photo.jpg"));
  writeFileSync(path.join(folder, "files/video.mp4"), mediaFixture("video.mp4"));
  writeFileSync(path.join(folder, "notes.jpg"), "not a picture");
  server = await startPocketBase();
});
afterAll(() => server?.stop());

async function run(...args: string[]) {
  const env = {
    ...process.env,
    HOST: "127.0.0.1",
    PORT: String(server.port),
    DATA_DIR: server.dataDir,
  };
  const program = [inRoot("scripts/import.mjs"), folder, ...args];
  return promisify(execFile)(process.execPath, program, { env }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, said: error.stderr }),
  );
}

const media = async () =>
  (await server.api("GET", "/api/collections/media/records?sort=createdAt")).body.items;

test("a dry run says what would come and what not, and changes nothing", async () => {
  const { code, said } = await run("--dry-run");
  expect(code).toBe(0);
  expect(said).toContain("Would import 2 media of 2 new people.");
  expect(said).toContain("Lost-1: its file is not in the folder: lost.jpg");
  expect(said).toContain("Odd-1: its file is no picture or video that is stored here");
  expect(await media()).toEqual([]);
});

test("media come with owner, date, words and file, clean of place and time; a second run changes nothing", async () => {
  const report = path.join(folder, "report.json");
  expect((await run("--report", report)).said).toContain("Imported 2 media of 2 new people.");
  const first = await media();
  expect(first).toMatchObject([
    {
      username: "Ann-Lee",
      caption: "Evening",
      tags: ["sea", "sky"],
      type: "photo",
      originalFilename: "IMG_1.jpg",
      createdAt: "2020-09-13 12:26:40.000Z",
    },
    {
      caption: "Waves",
      type: "video",
      contentType: "video/mp4",
      createdAt: "2021-01-07 06:13:20.000Z",
    },
  ]);
  expect(first[0].thumbnail).not.toBe("");
  expect(first[0].width).toBeGreaterThan(0);
  const { leftOut } = JSON.parse(readFileSync(report, "utf8"));
  expect(leftOut.map(({ record }: { record: string }) => record)).toEqual(["Lost-1", "Odd-1"]);
  const stored = await fetch(`${server.url}/api/files/media/${first[0].id}/${first[0].file}`);
  const bytes = Buffer.from(await stored.arrayBuffer());
  expect(bytes.includes(SECRET)).toBe(false);

  copyFileSync(path.join(folder, "small.jpg"), path.join(folder, "lost.jpg"));
  const again = await run();
  expect(again.said).toContain("Imported 1 media of 0 new people.");
  expect(again.said).toContain("2 were there already.");
  expect((await run()).said).toContain("Imported 0 media of 0 new people.");
  const now = await media();
  expect(now).toHaveLength(3);
  expect(
    now.filter(({ id }: { id: string }) => first.some((old: { id: string }) => old.id === id)),
  ).toEqual(first);
});

test("a server that holds other media is left alone, and a folder without an export is named", async () => {
  writeFileSync(path.join(folder, "media.json"), JSON.stringify(RECORDS.slice(1)));
  const { code, said } = await run();
  expect(code).toBe(1);
  expect(said).toContain("The server holds 1 media that are not of this export");
  writeFileSync(path.join(folder, "media.json"), "[");
  expect((await run()).said).toContain("media.json is not JSON.");
});
