/** The requests to a bucket, against a store that answers as no friendly one would. */
import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { openBucket } from "@scripts/s3.mjs";
import { afterEach, expect, test, vi } from "vitest";

const closing: (() => void)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  for (const close of closing.splice(0)) close();
});

async function bucketAt(answer: RequestListener) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const rest = { region: "us-east-1", accessKey: "k", secret: "s", forcePathStyle: true };
  return openBucket({ endpoint: `http://127.0.0.1:${port}`, bucket: "pictures", ...rest });
}

const REST = "<Size>7</Size><LastModified>2026-02-01T10:00:00.000Z</LastModified>";
const CHANGED = Date.UTC(2026, 1, 1, 10);

/** As a store writes it. */
const page = (keys: string[], next = "") =>
  `<?xml version="1.0"?><ListBucketResult>${keys
    .map((key) => `<Contents><Key>${key}</Key>${REST}</Contents>`)
    .join(
      "",
    )}${next && `<NextContinuationToken>${next}</NextContinuationToken>`}</ListBucketResult>`;

test("a list goes on where its page ended", async () => {
  const asked: (string | null)[] = [];
  const bucket = await bucketAt((request, response) => {
    const token = new URL(request.url ?? "", "http://x").searchParams.get("continuation-token");
    asked.push(token);
    response.end(token === null ? page(["c/1/a&amp;b", "c/2/b"], "1+x=/&amp;") : page(["c/3/c"]));
  });
  const found: unknown[] = [];
  for await (const object of bucket.list("c/")) found.push(object);
  const keys = ["c/1/a&b", "c/2/b", "c/3/c"];
  expect(found).toEqual(keys.map((key) => ({ key, size: 7, changed: CHANGED })));
  expect(asked).toEqual([null, "1+x=/&"]);
});

test("a slow download ends only when nothing comes any more", async () => {
  const timers = ["setTimeout", "clearTimeout"] as const;
  vi.useFakeTimers({ toFake: [...timers] });
  const set = vi.spyOn(globalThis, "setTimeout");
  const watches = () => set.mock.calls.filter(([, ms]) => ms === 20_000).length;
  let response: ServerResponse | undefined;
  const bucket = await bucketAt((_request, answer) => {
    response = answer;
    answer.write("0");
  });
  const slow = bucket.get("c/1/film.mp4");
  for (let at = 1; at < 5; at++) {
    await expect.poll(watches).toBe(at + 1);
    vi.advanceTimersByTime(15_000);
    response?.write(String(at));
  }
  response?.end();
  expect(String((await slow)?.bytes)).toBe("01234");

  const silent = bucket.get("c/1/film.mp4");
  const ended = expect(silent).rejects.toThrow("c/1/film.mp4: the store does not go on answering");
  // It is tried four times.
  for (let attempt = 1; attempt <= 4; attempt++) {
    await expect.poll(watches).toBe(5 + 2 * attempt);
    vi.advanceTimersByTime(20_000);
  }
  await ended;
});

test("what could not be written is named", async () => {
  const bucket = await bucketAt((_request, response) => {
    response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>");
  });
  await expect(bucket.put("c/1/a.jpg", Buffer.from("x"))).rejects.toThrow(
    "c/1/a.jpg: 403 AccessDenied",
  );
});
