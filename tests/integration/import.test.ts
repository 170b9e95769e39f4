/** `npm run import`: an export of older records, with its files, into an empty server. */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { inRoot } from "@scripts/checkout.mjs";
import { jpegWithSecrets, SECRET } from "@tests/support/exif";
import { mediaFixture } from "@tests/support/media-fixtures";
import { noisePng } from "@tests/support/noise-png";
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

test("a server that holds other media is left alone", async () => {
  writeFileSync(path.join(folder, "media.json"), JSON.stringify(RECORDS.slice(1)));
  const { code, said } = await run();
  expect(code).toBe(1);
  expect(said).toContain("The server holds 1 media that are not of this export");
});

test("what is no export is named in one sentence", async () => {
  const given = path.join(folder, "media.json");
  const refused = async (content: string) => {
    writeFileSync(given, content);
    return run("--dry-run");
  };
  expect(await refused("[")).toEqual({ code: 1, said: `${given} is not JSON.\n` });
  const neither = { code: 1, said: `${given} holds neither a list nor an object by id.\n` };
  expect(await refused("null")).toEqual(neither);
  expect(await refused('{"media": "none"}')).toEqual(neither);
  const whole = folder;
  folder = given;
  expect(await run()).toEqual({ code: 1, said: `${given} is no folder.\n` });
  folder = path.join(whole, "nothing");
  expect(await run()).toEqual({ code: 1, said: `There is no folder ${folder}.\n` });
  folder = whole;
});

test("a name that two files have, a cut file, a large one and what is no record are left out with their reasons", async () => {
  const photo = mediaFixture("photo.jpg");
  for (const year of ["2019", "2020"]) {
    mkdirSync(path.join(folder, year));
    writeFileSync(path.join(folder, year, "same.jpg"), photo);
  }
  writeFileSync(path.join(folder, "cut.jpg"), photo.subarray(0, photo.length / 2));
  writeFileSync(path.join(folder, "large.png"), noisePng(1_500, 1_200));
  const names = ["same.jpg", "2020/same.jpg", "cut.jpg", "large.png", "../../../etc/passwd"];
  const records = names.map((file, i) => ({ id: `Bad-${i}`, uid: "Uid-Ann", file, date: 1.6e9 }));
  // As some programs write it, with a mark before the first sign.
  writeFileSync(path.join(folder, "media.json"), `\ufeff${JSON.stringify([...records, 7])}`);
  const { code, said } = await run("--dry-run");
  expect(code).toBe(0);
  expect(said.split("\n").map((line) => line.trim())).toEqual([
    "5 media of 1 people in the export.",
    "Would import 1 media of 1 new people.",
    "5 were left out:",
    "record 6: it is no record",
    "Bad-0: several files in the folder are called so: same.jpg",
    "Bad-2: its file is broken",
    "Bad-3: its picture is larger than 5 MB",
    "Bad-4: its file is not in the folder: ../../../etc/passwd",
    "",
  ]);
});
