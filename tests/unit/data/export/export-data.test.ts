import { readZip } from "@tests/support/read-zip";
import { expect, test } from "vitest";
import { zipOf } from "@/data/export/export-data";

const NOW = new Date(2026, 10, 21, 11, 30, 12);

async function zip(...entries: [name: string, input: Blob | string][]): Promise<Blob> {
  return zipOf(
    (async function* () {
      for (const [name, input] of entries) yield { name, input };
    })(),
    NOW,
  );
}

test("holds each file under its name, whatever script it is in, with the right checksum", async () => {
  const archive = await zip(
    ["profile.json", '{"name":"Ännchen 🌊"}'],
    ["media/küste 🌊.jpg", new Blob([new Uint8Array([1, 2, 3, 250])])],
    ["empty", ""],
  );
  const entries = await readZip(archive);
  expect([...entries.keys()]).toEqual(["profile.json", "media/küste 🌊.jpg", "empty"]);
  expect(entries.get("profile.json")?.bytes.toString()).toBe('{"name":"Ännchen 🌊"}');
  expect([...(entries.get("media/küste 🌊.jpg")?.bytes ?? [])]).toEqual([1, 2, 3, 250]);
  // The check value of this checksum's definition.
  const check = await readZip(await zip(["check", "123456789"]));
  expect(check.get("check")?.crc).toBe(0xcbf43926);
});

test("says that its names are UTF-8, and when it was made", async () => {
  const all = Buffer.from(await (await zip(["küste.jpg", "x"])).arrayBuffer());
  const directory = all.lastIndexOf(Buffer.from("504b0102", "hex"));
  expect(all.readUInt16LE(directory + 8) & 0x0800).toBe(0x0800);
  const [time, date] = [all.readUInt16LE(directory + 12), all.readUInt16LE(directory + 14)];
  expect([time >> 11, (time >> 5) & 63, (time & 31) * 2]).toEqual([11, 30, 12]);
  expect([1980 + (date >> 9), (date >> 5) & 15, date & 31]).toEqual([2026, 11, 21]);
});

test("a file larger than one piece of the archive comes out whole", async () => {
  const video = new Uint8Array(9 * 1_048_576).map((_, i) => i % 251);
  const entries = await readZip(
    await zip(["a.json", "{}"], ["v.mp4", new Blob([video])], ["b", "!"]),
  );
  expect(entries.get("v.mp4")?.bytes.equals(video)).toBe(true);
  expect(entries.get("b")?.bytes.toString()).toBe("!");
});

test("an empty archive is an archive", async () => {
  expect((await readZip(await zip())).size).toBe(0);
});

test("more entries than the old format counts are counted in its 64-bit records", async () => {
  const many = 65_600;
  const entries = Array.from({ length: many }, (_, i): [string, string] => [`f${i}`, ""]);
  const all = Buffer.from(await (await zip(...entries)).arrayBuffer());
  const end = all.lastIndexOf(Buffer.from("504b0506", "hex"));
  expect(all.readUInt16LE(end + 10)).toBe(0xffff);
  const locator = end - 20;
  expect(all.readUInt32LE(locator)).toBe(0x07064b50);
  const whole = Number(all.readBigUInt64LE(locator + 8));
  expect(all.readUInt32LE(whole)).toBe(0x06064b50);
  expect(Number(all.readBigUInt64LE(whole + 32))).toBe(many);
});
