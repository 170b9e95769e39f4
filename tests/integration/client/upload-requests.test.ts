/** What the text of tus 1.0.0 asks of clients with the word MUST, held against every request that ours makes. */
import { createHash } from "node:crypto";
import { type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { createDevice } from "./device";
import { found } from "./live";
import { photo, signUp } from "./people";

interface Request {
  method: string;
  path: string;
  headers: Headers;
  body: Uint8Array;
  /** What it was told. */
  status: number;
  told: Headers;
}

let server: PocketBase;
let client: Client;
const requests: Request[] = [];
const draft = photo("By the book");

beforeAll(async () => {
  server = await startPocketBase();
  let isCut = false;
  const device = createDevice(server.url, {
    async fetch(input, init) {
      const path = new URL(String(input)).pathname;
      if (!path.startsWith("/api/uploads")) return fetch(input, init);
      // The first piece does not arrive, so that the client has to ask where it stands.
      if (init?.method === "PATCH" && !isCut) {
        isCut = true;
        throw new TypeError("fetch failed");
      }
      const answer = await fetch(input, init);
      const { body, method = "GET" } = init ?? {};
      requests.push({
        method,
        path,
        headers: new Headers(init?.headers),
        body: new Uint8Array(body instanceof ArrayBuffer ? body : []),
        status: answer.status,
        told: answer.headers,
      });
      return answer;
    },
  });
  client = device.start();
  await signUp(client);
  const queued = await client.writes.uploadMedia(draft);
  if (!queued.success) throw new Error(queued.error);
  await found(client.reads.watchMedia(queued.value.mediaId), (medium) => medium.pending === null);
});
afterAll(async () => {
  await client?.close();
  await server?.stop();
});

const of = (method: string): Request[] => requests.filter((request) => request.method === method);

describe("our client", () => {
  test("creates, asks and sends, and nothing of it is refused", () => {
    expect(requests.map(({ method, status }) => [method, status])).toEqual([
      ["POST", 201],
      ["HEAD", 200],
      ["PATCH", 204],
    ]);
  });

  test("Tus-Resumable MUST be included in every request", () => {
    for (const { headers } of requests) expect(headers.get("tus-resumable")).toBe("1.0.0");
  });

  test("a creation MUST include Upload-Length, and sends no body without saying so", () => {
    const [creation] = of("POST");
    expect(creation?.headers.get("upload-length")).toBe(String(draft.media.file.size));
    expect(creation?.headers.has("upload-defer-length")).toBe(false);
    expect(creation?.body).toHaveLength(0);
  });

  test("the keys of Upload-Metadata MUST be unique, its values MUST be Base64", () => {
    const pairs = (of("POST")[0]?.headers.get("upload-metadata") ?? "").split(",");
    const known = Object.fromEntries(pairs.map((pair) => pair.split(" ")));
    expect(Object.keys(known)).toHaveLength(pairs.length);
    expect(Buffer.from(known["filename"], "base64").toString()).toBe("photo.jpg");
    for (const value of Object.values(known)) expect(value).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
  });

  test("a PATCH MUST have its type, and the offset at which the upload stands", () => {
    const stands = of("HEAD")[0]?.told.get("upload-offset");
    const [piece] = of("PATCH");
    expect(piece?.headers.get("content-type")).toBe("application/offset+octet-stream");
    expect(piece?.headers.get("upload-offset")).toBe(stands);
  });

  test("Upload-Checksum MUST be the name of the algorithm and the Base64 of the sum", () => {
    for (const { headers, body } of of("PATCH")) {
      const digest = createHash("sha256").update(body).digest("base64");
      expect(headers.get("upload-checksum")).toBe(`sha256 ${digest}`);
    }
  });
});
