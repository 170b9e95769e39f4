import { expect, test } from "vitest";
import { partOf, rangeOf } from "@/sw/range";

test.each([
  ["bytes=0-", 0, 99],
  ["bytes=0-9", 0, 9],
  ["bytes=90-200", 90, 99],
  ["bytes=-10", 90, 99],
  ["bytes=-500", 0, 99],
  ["bytes=99-99", 99, 99],
])("%s of 100 bytes is %i to %i", (header, first, last) => {
  expect(rangeOf(header, 100)).toEqual({ first, last });
});

test.each([
  "bytes=100-",
  "bytes=200-300",
  "bytes=9-3",
  "bytes=-",
  "bytes=-0",
  "lines=0-9",
  "bytes=0-1,5-6",
])("%s of 100 bytes is nothing", (header) => expect(rangeOf(header, 100)).toBeNull());

test("a part says which one it is, and keeps the type", async () => {
  const whole = new Response(Uint8Array.of(1, 2, 3, 4), {
    headers: { "Content-Type": "video/mp4" },
  });
  const part = await partOf(whole, "bytes=1-2");
  expect(part.status).toBe(206);
  expect(Object.fromEntries(part.headers)).toMatchObject({
    "content-type": "video/mp4",
    "content-range": "bytes 1-2/4",
    "content-length": "2",
  });
  expect([...new Uint8Array(await part.arrayBuffer())]).toEqual([2, 3]);
});
