import { bucketStore, type FoundFile, forEachFile } from "@scripts/file-stores.mjs";
import type { Bucket } from "@scripts/s3.mjs";
import { expect, test } from "vitest";

const MEGABYTE = 1_048_576;

async function* filesOf(...megabytes: number[]): AsyncGenerator<FoundFile> {
  for (const [at, size] of megabytes.entries())
    yield { key: `${size}-${at}`, stat: async () => ({ size: size * MEGABYTE, changed: 0 }) };
}

/** Ends once nothing else is waiting to be done. */
const aMoment = () => new Promise((resolve) => setImmediate(resolve));

test("of large files one at a time is worked on, and small ones beside it", async () => {
  let [large, small, mostLarge, mostSmall] = [0, 0, 0, 0];
  await forEachFile(filesOf(1, 1, 1, 200, 200, 1, 200, 17, 1, 1), async (key) => {
    const isLarge = !key.startsWith("1-");
    if (isLarge) large += 1;
    else small += 1;
    [mostLarge, mostSmall] = [Math.max(large, mostLarge), Math.max(small, mostSmall)];
    await aMoment();
    if (isLarge) large -= 1;
    else small -= 1;
  });
  expect(mostLarge).toBe(1);
  expect(mostSmall).toBeGreaterThan(1);
});

test.each([1, 200])("after a failure no other file of %d MB is begun", async (size) => {
  let [begun, ended] = [0, 0];
  const all = forEachFile(filesOf(...new Array(20).fill(size)), async () => {
    begun += 1;
    if (begun === 1) throw new Error("the store is full");
    await aMoment();
    ended += 1;
  });
  await expect(all).rejects.toThrow("the store is full");
  expect(begun).toBeLessThanOrEqual(4);
  expect(ended).toBe(begun - 1);
});

test("what is stopped begins no other file", async () => {
  const controller = new AbortController();
  const worked: string[] = [];
  const work = async (key: string) => {
    worked.push(key);
    controller.abort(new Error("Stopped."));
  };
  const all = forEachFile(filesOf(...new Array(20).fill(1)), work, controller.signal);
  await expect(all).rejects.toThrow("Stopped.");
  expect(worked).toHaveLength(1);
});

test("of a bucket only names that are safe as paths are listed", async () => {
  const right = ["c0/abcdefghijklmno/photo_x1.jpg", "c0/abcdefghijklmno/a-b.tar+gz"];
  const keys = [
    ...right,
    "c0/../../escaped.jpg",
    "c0/abcdefghijklmno/..",
    "c0/abcdefghijklmno/.bashrc",
    "c0/abcdefghijklmno/deep/er.jpg",
    "c0/abcdefghijklmno/a\\b.jpg",
    "c0/abcdefghijklmno/",
    "c0/photo.jpg",
  ];
  const list = async function* () {
    for (const key of keys) yield { key, size: 1, changed: 0 };
  };
  const listed: string[] = [];
  for await (const { key } of bucketStore({ list } as unknown as Bucket).list("c0"))
    listed.push(key);
  expect(listed).toEqual(right);
});
