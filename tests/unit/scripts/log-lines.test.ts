/** What a log may say of a message: never whose address, token or search it was. */
import { withoutPeople } from "@scripts/checkout.mjs";
import { expect, test } from "vitest";

test.each([
  ["mail to <ann.lee+x@example.com>: 550", "mail to <[address]>: 550"],
  ["from 203.0.113.77:5044", "from [address]:5044"],
  ["from [2001:db8::8a2e:370:7334]:443", "from [[address]]:443"],
  ["from 2001:0db8:0000:0000:0000:8a2e:0370:7334.", "from [address]."],
  ["GET /api/search?q=harbour&type=photo failed", "GET /api/search?[query] failed"],
  ["/x?token=abc", "/x?[query]"],
  ["Bearer eyJhbGciOi.eyJpZCI6.nN56-F2l_q3", "Bearer [token]"],
])("%s", (line, shown) => {
  expect(withoutPeople(line)).toBe(shown);
});

test.each([
  "2026/11/24 00:21:54 Server started",
  "It ended at 2026-11-24T00:21:54.123Z.",
  "Augenblick is running at http://127.0.0.1:8090",
  "PocketBase 0.39.1 (/srv/node_modules/x-0.39.1/bin), data in /srv/pb_data",
  "PocketBase ended by itself (code 1). It is started again in 1 s.",
  "Is it there?",
])("%s stays", (line) => {
  expect(withoutPeople(line)).toBe(line);
});
