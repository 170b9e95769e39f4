import { createHash, randomBytes } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { checksumOf } from "@/lib/checksum";

afterEach(() => vi.unstubAllGlobals());

test("is the SHA-256 of the bytes in Base64, after its name", async () => {
  for (const size of [0, 1, 300_000]) {
    const bytes = randomBytes(size);
    const digest = createHash("sha256").update(bytes).digest("base64");
    expect(await checksumOf(new Blob([new Uint8Array(bytes)]))).toBe(`sha256 ${digest}`);
  }
});

test("is nothing where a page came without TLS, and browsers withhold what computes it", async () => {
  vi.stubGlobal("crypto", {});
  expect(await checksumOf(new Blob(["hello"]))).toBe("");
});
