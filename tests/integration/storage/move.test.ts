/** `npm run storage`: the files of a living place go into a bucket and back, while people use it. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { openBucket, readS3Settings } from "@scripts/s3.mjs";
import { must, type Stage, setStage } from "@tests/integration/rules/stage";
import { finish, small } from "@tests/integration/storage/finish";
import { type FaultProxy, pass, startFaultProxy } from "@tests/support/fault-proxy";
import { mediaFixture } from "@tests/support/media-fixtures";
import { newFolder } from "@tests/support/pocketbase";
import { REPLICA_BUCKET, type S3Store, startS3 } from "@tests/support/s3";
import { startScript } from "@tests/support/start-script";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

let store: S3Store;
let proxy: FaultProxy;
let stage: Stage;
beforeAll(async () => {
  store = await startS3();
  proxy = await startFaultProxy({ target: store.url });
  stage = await setStage();
});
afterEach(() => proxy.heal());
afterAll(async () => {
  await stage?.server.stop();
  await proxy?.close();
  await store?.close();
});

const PHOTO = Buffer.from(mediaFixture("photo.jpg"));

let made = 0;
/** Address of each file that the server has said is stored. */
const stored = new Map<string, string[]>();

async function post(): Promise<string> {
  const id = `movedmedium${String(made++).padStart(4, "0")}`;
  const { body } = must(await finish(stage.server, stage.ann, id));
  const urls = [body.file, body.thumbnail, body.preview].map(
    (name) => `${stage.server.url}/api/files/media/${id}/${name}`,
  );
  stored.set(id, urls);
  return id;
}

async function drop(id: string): Promise<void> {
  must(await stage.remove("media", id, stage.ann));
  stored.delete(id);
}

async function read(url: string): Promise<string> {
  const answer = await fetch(url);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const isRight = answer.headers.get("content-type") === "image/jpeg" && bytes.equals(PHOTO);
  return isRight ? "right" : `${answer.status} ${url}`;
}

/** Posts and reads until `ended`; answers what was served wrong. */
async function live(ended: Promise<unknown>): Promise<string[]> {
  const wrong: string[] = [];
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const writer = async () => {
    while (!isOver) await post();
  };
  const reader = async () => {
    while (!isOver) {
      for (const url of [...stored.values()].flat()) {
        const got = await read(url);
        if (got !== "right") wrong.push(got);
      }
    }
  };
  await Promise.all([writer(), reader()]);
  return wrong;
}

const storage = (...args: string[]) =>
  startScript("storage.mjs", args, {
    ...store.env(proxy.url),
    PORT: String(stage.server.port),
    DATA_DIR: stage.server.dataDir,
  });

const onDisk = (): string[] => {
  const folder = path.join(stage.server.dataDir, "storage");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jpg"))
    .sort();
};
const namesStored = () =>
  [...stored.values()].flat().map((url) => url.split("/").slice(-2).join("/"));
const namesIn = (keys: string[]) => keys.map((key) => key.split("/").slice(-2).join("/"));

const isPut = ({ method }: { method: string }) => method === "PUT";

test("check tries the bucket, and what is not understood is refused", async () => {
  expect(await storage("check").ended).toMatchObject({
    code: 0,
    out: expect.stringMatching(/works\.$/m),
  });
  for (const args of [[], ["move"], ["move", "--to", "tape"], ["check", "--remove"]]) {
    expect((await storage(...args).ended).code).toBe(1);
  }
  expect(store.keys()).toEqual([]);
});

test("the files go into a bucket while people post, read and delete, although the move died once", async () => {
  for (let i = 0; i < 12; i++) await post();
  const [deleted = ""] = stored.keys();
  let puts = 0;
  proxy.decide = (request) => {
    if (!isPut(request)) return pass();
    puts += 1;
    return puts > 8 ? { kind: "drop-before" } : pass();
  };
  const broken = storage("move", "--to", "s3");
  await expect.poll(() => puts).toBeGreaterThan(8);
  broken.child.kill("SIGKILL");
  await broken.ended;
  expect(store.keys().length).toBeGreaterThan(0);
  for (const url of [...stored.values()].flat()) expect(await read(url)).toBe("right");

  proxy.heal();
  // Another place, of which this one is a copy, goes on storing there.
  const settings = readS3Settings(store.env());
  if (settings === null) throw new Error("the store has no address");
  const bucket = await openBucket(settings);
  const theirs = `${store.keys()[0]?.split("/")[0]}/ofanotherplace1/theirs.jpg`;
  await bucket.put(theirs, PHOTO);
  const again = storage("move", "--to", "s3");
  // Deleted once its copy has been made.
  await again.untilPrinted(/files seen/);
  await drop(deleted);
  expect(await live(again.ended)).toEqual([]);
  const { code, err } = await again.ended;
  expect([code, err]).toEqual([0, expect.stringContaining("what came meanwhile")]);
  expect(store.keys()).toContain(theirs);
  await bucket.remove(theirs);
  expect(namesIn(store.keys()).sort()).toEqual(namesStored().sort());
  const before = onDisk();
  await post();
  expect(onDisk()).toEqual(before);
});

test("they come back the same way, and are taken away where they were", async () => {
  const back = storage("move", "--to", "local", "--remove");
  expect(await live(back.ended)).toEqual([]);
  const { code, out } = await back.ended;
  expect([code, out]).toEqual([0, expect.stringMatching(/files were removed from the bucket/)]);
  expect(store.keys()).toEqual([]);
  expect(namesIn(onDisk())).toEqual(expect.arrayContaining(namesStored()));
  for (const url of [...stored.values()].flat()) expect(await read(url)).toBe("right");
});

test("a copy that differs is made anew", async () => {
  const once = storage("move", "--to", "s3");
  let broken = 0;
  proxy.decide = (request) => {
    if (!isPut(request) || request.path.includes("check") || broken > 0) return pass();
    broken += 1;
    return { kind: "lose", at: 100, bytes: 50 };
  };
  const { code, err } = await once.ended;
  expect([code, err]).toEqual([0, expect.stringContaining("what came meanwhile")]);
  expect(broken).toBe(1);
  for (const key of store.keys()) expect(store.bytes(key).equals(PHOTO)).toBe(true);
});

test("new files are held back by a superuser alone, and no longer than said", async () => {
  const hold = (seconds: unknown, token: string) =>
    stage.server.api("POST", "/api/storage/hold", { seconds }, token);
  expect((await hold(5, stage.admin.token)).status).toBe(403);
  for (const seconds of [-1, 601, "soon"]) {
    expect((await hold(seconds, stage.superuser.token)).status).toBe(400);
  }
  must(await hold(600, stage.superuser.token));
  const form = new FormData();
  form.set("profilePicture", small(), "a.jpg");
  const held = await stage.update("users", stage.bob.id, form, stage.bob);
  expect([held.status, held.headers.get("retry-after")]).toEqual([503, "3"]);
  must(await stage.update("users", stage.bob.id, { bio: "No file" }, stage.bob));
  must(await hold(0, stage.superuser.token));
  must(await stage.update("users", stage.bob.id, form, stage.bob));
});

test("a server with files on its disk does not look for them in a bucket", async () => {
  const moved = await setStage({ dataDir: newFolder() });
  const { file } = must(await finish(moved.server, moved.ann, "staysondisk0001")).body;
  const { dataDir } = moved.server;
  await moved.server.stop();
  const later = await setStage({ dataDir, env: store.env() });
  expect(later.server.log()).toContain("S3 is not used yet");
  const url = `${later.server.url}/api/files/media/staysondisk0001/${file}`;
  expect(await read(url)).toBe("right");
  await later.server.stop();
});

test("a server with files in a bucket does not look for them in another one", async () => {
  const first = await setStage({ env: store.env() });
  const { server, ann } = first;
  const { file } = must(await finish(server, ann, "staysinbucket01")).body;
  await server.stop();
  const env = { ...store.env(), S3_BUCKET: REPLICA_BUCKET };
  const later = await setStage({ dataDir: server.dataDir, env });
  expect(later.server.log()).toContain("are not used, for files are in pictures at");
  expect(await read(`${later.server.url}/api/files/media/staysinbucket01/${file}`)).toBe("right");
  await later.server.stop();
});

test("where the setting was changed by hand, what the bucket lacks is copied", async () => {
  const byHand = await setStage();
  const { server, ann, superuser } = byHand;
  const { file } = must(await finish(server, ann, "movedbyhand0001")).body;
  const s3 = { ...readS3Settings(store.env()), enabled: true };
  must(await server.api("PATCH", "/api/settings", { s3 }, superuser.token));
  const url = `${server.url}/api/files/media/movedbyhand0001/${file}`;
  expect(await read(url)).toMatch(/^404/);
  const { code, err } = await startScript("storage.mjs", ["move", "--to", "s3"], {
    ...store.env(),
    PORT: String(server.port),
    DATA_DIR: server.dataDir,
  }).ended;
  expect([code, err]).toEqual([0, expect.stringMatching(/already: 3 that it lacked were copied/)]);
  expect(await read(url)).toBe("right");
  await server.stop();
});
