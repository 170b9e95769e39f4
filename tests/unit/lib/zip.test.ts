import { readZip } from "@tests/support/read-zip";
import { expect, test } from "vitest";
import { createZip } from "@/lib/zip";

const NOW = new Date(2026, 10, 21, 11, 30, 12);

test("holds each file under its name, whatever script it is in, with the right checksum", async () => {
  const zip = createZip(NOW);
  await zip.add("profile.json", '{"name":"Ännchen 🌊"}');
  await zip.add("media/küste 🌊.jpg", new Blob([new Uint8Array([1, 2, 3, 250])]));
  await zip.add("empty", "");
  const entries = await readZip(zip.finish());
  expect([...entries.keys()]).toEqual(["profile.json", "media/küste 🌊.jpg", "empty"]);
  expect(entries.get("profile.json")?.bytes.toString()).toBe('{"name":"Ännchen 🌊"}');
  expect([...(entries.get("media/küste 🌊.jpg")?.bytes ?? [])]).toEqual([1, 2, 3, 250]);
  // The check value of this checksum's definition.
  const check = createZip(NOW);
  await check.add("check", "123456789");
  expect((await readZip(check.finish())).get("check")?.crc).toBe(0xcbf43926);
});

test("an empty archive is an archive", async () => {
  expect((await readZip(createZip(NOW).finish())).size).toBe(0);
});

test("more entries than the old format counts are counted in its 64-bit records", async () => {
  const zip = createZip(NOW);
  const many = 65_600;
  for (let i = 0; i < many; i++) await zip.add(`f${i}`, "");
  const all = Buffer.from(await zip.finish().arrayBuffer());
  const end = all.lastIndexOf(Buffer.from("504b0506", "hex"));
  expect(all.readUInt16LE(end + 10)).toBe(0xffff);
  const locator = end - 20;
  expect(all.readUInt32LE(locator)).toBe(0x07064b50);
  const whole = Number(all.readBigUInt64LE(locator + 8));
  expect(all.readUInt32LE(whole)).toBe(0x06064b50);
  expect(Number(all.readBigUInt64LE(whole + 32))).toBe(many);
}, 60_000);
