/** `npm run backup`: one archive of a place in use, and what stands where it is unpacked. */
import {
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { openBucket, readS3Settings } from "@scripts/s3.mjs";
import { must, type Stage, setStage } from "@tests/integration/rules/stage";
import { finish } from "@tests/integration/storage/finish";
import { pass, startFaultProxy } from "@tests/support/fault-proxy";
import { mediaFixture } from "@tests/support/media-fixtures";
import {
  newFolder,
  type PocketBase,
  startPocketBase,
  temporaryFolder,
} from "@tests/support/pocketbase";
import { type S3Store, startS3 } from "@tests/support/s3";
import { startScript } from "@tests/support/start-script";
import { extract } from "tar-stream";
import { afterAll, beforeAll, expect, test } from "vitest";

let store: S3Store;
beforeAll(async () => {
  store = await startS3();
});
afterAll(() => store?.close());

const PHOTO = Buffer.from(mediaFixture("photo.jpg"));

let made = 0;
async function post({ server, ann }: Stage): Promise<string> {
  const id = `backupmedium${String(made++).padStart(3, "0")}`;
  must(await finish(server, ann, id));
  return id;
}

function withheld() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

async function unpack(file: string): Promise<string> {
  const folder = newFolder();
  const entries = extract();
  entries.on("entry", async ({ name }, stream, next) => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), Buffer.concat(chunks));
    next();
  });
  await pipeline(createReadStream(file), entries);
  return folder;
}

const epochOf = async (server: PocketBase) =>
  must(await server.api("GET", "/api/sync?since=head")).body.epoch;

test.each([
  ["on the disk", () => ({})],
  ["in a bucket", () => store.env()],
])(
  "an archive made under load holds each row with its files, where they are %s",
  async (_where, env) => {
    const stage = await setStage({ env: env() });
    // Its history is marked from the second start on.
    await stage.server.restart();
    const before: string[] = [];
    for (let i = 0; i < 5; i++) before.push(await post(stage));
    const file = path.join(temporaryFolder(), "deep", "backup.tar");
    const { dataDir, port } = stage.server;
    const vars = { ...env(), DATA_DIR: dataDir, PORT: String(port) };
    const backup = startScript("backup.mjs", ["--to", file], vars).ended;
    let isOver = false;
    void backup.then(() => {
      isOver = true;
    });
    while (!isOver) await post(stage);
    const { code, out, err } = await backup;
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/backup\.tar: 3 users, \d+ media,/);
    const epoch = await epochOf(stage.server);
    await stage.server.stop();

    const unpacked = await unpack(file);
    // As in the place of the server from which it came.
    copyFileSync(`${dataDir}.boot`, `${unpacked}.boot`);
    const elsewhere = await startPocketBase({ dataDir: unpacked, env: env() });
    const { items } = must(
      await elsewhere.api("GET", "/api/collections/media/records?perPage=500"),
    ).body;
    const ids = items.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(before));
    for (const { id, file: name, thumbnail, preview } of items) {
      for (const one of [name, thumbnail, preview]) {
        const answer = await fetch(`${elsewhere.url}/api/files/media/${id}/${one}`);
        expect(answer.headers.get("content-type")).toBe("image/jpeg");
        expect(Buffer.from(await answer.arrayBuffer()).equals(PHOTO)).toBe(true);
      }
    }
    expect(await epochOf(elsewhere)).not.toBe(epoch);
    await elsewhere.stop();
  },
);

test("files that a row names and nobody has are counted, and the same bucket elsewhere is refused", async () => {
  const stage = await setStage({ env: store.env() });
  const [lost] = [await post(stage), await post(stage)];
  const settings = readS3Settings(store.env());
  if (settings === null) throw new Error("the store has no address");
  const bucket = await openBucket(settings);
  for (const key of store.keys().filter((one) => one.includes(lost))) await bucket.remove(key);
  const folder = temporaryFolder();
  const backup = (name: string, env: Record<string, string>) => {
    const { dataDir, port } = stage.server;
    const vars = { ...env, DATA_DIR: dataDir, PORT: String(port) };
    return startScript("backup.mjs", ["--to", path.join(folder, name)], vars).ended;
  };
  const { code, out, err } = await backup("lacking.tar", store.env());
  expect([code, err]).toEqual([1, expect.stringMatching(/^3 files are missing there/)]);
  expect(out).toMatch(/lacking\.tar: 3 users, 2 media,/);
  const other = await backup("other.tar", store.env(store.url.replace("127.0.0.1", "localhost")));
  expect([other.code, other.err]).toEqual([1, expect.stringMatching(/^Files are in the bucket/)]);
  expect(readdirSync(folder)).toEqual(["lacking.tar"]);
  await stage.server.stop();
});

test("a backup that is stopped leaves nothing behind", async () => {
  const proxy = await startFaultProxy({ target: store.url });
  const env = store.env(proxy.url);
  const stage = await setStage({ env });
  await post(stage);
  const { promise: until, resolve: letGo } = withheld();
  let asked = 0;
  proxy.decide = ({ method }) => {
    if (method !== "GET") return pass();
    asked += 1;
    return { kind: "withhold", until };
  };
  const folder = temporaryFolder();
  const { dataDir, port } = stage.server;
  const vars = { ...env, DATA_DIR: dataDir, PORT: String(port) };
  const backup = startScript("backup.mjs", ["--to", path.join(folder, "backup.tar")], vars);
  await expect.poll(() => asked).toBeGreaterThan(0);
  expect(readdirSync(folder)).toHaveLength(1);
  backup.child.kill("SIGTERM");
  await backup.untilPrinted(/Stopping/);
  letGo();
  expect(await backup.ended).toMatchObject({ code: 1, err: expect.stringMatching(/^Stopped\./m) });
  expect(readdirSync(folder)).toEqual([]);
  await stage.server.stop();
  await proxy.close();
});

test("a file that is there, and one in the data folder, are refused", async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, "backup.tar");
  writeFileSync(file, "precious");
  const run = (to: string) =>
    startScript("backup.mjs", ["--to", to], { DATA_DIR: path.join(folder, "pb") }).ended;
  expect(await run(file)).toMatchObject({ code: 1, err: expect.stringContaining("there already") });
  const inside = path.join(folder, "pb", "backup.tar");
  expect(await run(inside)).toMatchObject({ code: 1, err: expect.stringContaining("elsewhere") });
  expect(existsSync(inside)).toBe(false);
});
