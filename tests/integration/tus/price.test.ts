/** What uploads may cost the server that an ordinary account begins: each has a limit, and leaves nothing behind. */
import { createHash, randomBytes } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { cpuOf } from "@tests/support/cpu";
import { type PocketBase, type SignedIn, signUp, startPocketBase } from "@tests/support/pocketbase";
import { chunk, LAST_CHUNK, rawRequest } from "@tests/support/raw-http";
import { beginUpload, offsetOf, sendPiece, tusCall } from "@tests/support/tus";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const MB = 1_048_576;
const TYPE = "Content-Type: application/offset+octet-stream";
const CHUNKED = "Transfer-Encoding: chunked";
const sumOf = (algorithm: string, bytes: Uint8Array): string =>
  `${algorithm} ${createHash(algorithm).update(bytes).digest("base64")}`;

let server: PocketBase;
let ann: SignedIn;
beforeAll(async () => {
  server = await startPocketBase();
  ann = await signUp(server);
});
afterAll(() => server?.stop());

const headOf = (request: string, ...headers: string[]): string[] => [
  `${request} HTTP/1.1`,
  `Authorization: ${ann.token}`,
  "Tus-Resumable: 1.0.0",
  TYPE,
  ...headers,
];
const partials = (): string => `${server.dataDir}_uploads`;
const sizeOf = (where: string): number =>
  statSync(path.join(partials(), path.basename(where))).size;

describe("a body whose length is not announced", () => {
  /** Sends on until the server says no. */
  function* endless(part: Uint8Array): Generator<Buffer> {
    for (;;) yield chunk(part);
  }

  test.each([
    ["in small parts", 700],
    ["in large ones", 3 * MB],
  ])("is taken to the announced size and no further: %s", async (_how, size) => {
    const where = await beginUpload(server, ann.token, MB);
    const sizes: number[] = [];
    const body = (function* () {
      for (const part of endless(randomBytes(size))) {
        sizes.push(sizeOf(where));
        yield part;
      }
    })();
    const head = headOf(`PATCH ${where}`, "Upload-Offset: 0", CHUNKED);
    const { status } = await rawRequest(server.port, head, body);
    // Whoever still sends when the server hangs up may not hear why.
    expect([413, 0]).toContain(status);
    // A buffer of the copying beyond the limit.
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MB + 64 * 1024);
    await expect.poll(() => sizeOf(where)).toBe(0);
    expect(await offsetOf(server, ann.token, where)).toBe(0);
  });

  test("may have nothing to bring, and not a byte more than is missing", async () => {
    const where = await beginUpload(server, ann.token, 10);
    const at = (offset: number) => headOf(`PATCH ${where}`, `Upload-Offset: ${offset}`, CHUNKED);
    const whole = [chunk(randomBytes(10)), LAST_CHUNK];
    const one = [chunk(randomBytes(1)), LAST_CHUNK];
    const nine = [chunk(randomBytes(9)), LAST_CHUNK];
    const answers = [
      await rawRequest(server.port, at(0), [chunk(randomBytes(11)), LAST_CHUNK]),
      await rawRequest(server.port, at(0), [LAST_CHUNK]),
      await rawRequest(server.port, at(0), one),
      await rawRequest(server.port, at(1), whole),
      await rawRequest(server.port, at(1), nine),
      await rawRequest(server.port, at(10), one),
      await rawRequest(server.port, at(10), [LAST_CHUNK]),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get("upload-offset")])).toEqual([
      [413, null],
      [204, "0"],
      [204, "1"],
      [413, null],
      [204, "10"],
      [413, null],
      [204, "10"],
    ]);
  });

  test("is checked like any other", async () => {
    const where = await beginUpload(server, ann.token, 20);
    const bytes = randomBytes(10);
    const patch = (sum: string) =>
      rawRequest(
        server.port,
        headOf(`PATCH ${where}`, "Upload-Offset: 0", CHUNKED, `Upload-Checksum: ${sum}`),
        [chunk(bytes.subarray(0, 4)), chunk(bytes.subarray(4)), LAST_CHUNK],
      );
    expect((await patch(sumOf("sha1", bytes.subarray(1)))).status).toBe(460);
    expect(await offsetOf(server, ann.token, where)).toBe(0);
    expect((await patch(sumOf("sha1", bytes))).status).toBe(204);
  });

  test("keeps what came before its connection broke", async () => {
    const where = await beginUpload(server, ann.token, 1_000);
    const socket = connect(server.port, "127.0.0.1");
    const head = headOf(`PATCH ${where}`, "Upload-Offset: 0", CHUNKED, "Host: localhost");
    socket.write([...head, "", ""].join("\r\n"));
    socket.write(chunk(randomBytes(400)));
    await expect.poll(() => sizeOf(where)).toBe(400);
    socket.destroy();
    expect(await offsetOf(server, ann.token, where)).toBe(400);
  });
});

describe("a creation whose bytes are refused leaves nothing open:", () => {
  const create = (size: number, ...headers: string[]) =>
    headOf("POST /api/uploads", `Upload-Length: ${size}`, ...headers);
  const rows = async (): Promise<number> => {
    const { body } = await server.api(
      "GET",
      "/api/collections/uploads/records",
      undefined,
      ann.token,
    );
    return body.items.length;
  };
  const bytes = randomBytes(100);

  test.each<[what: string, status: number, head: () => string[], body: () => (Buffer | string)[]]>([
    ["more than announced", 413, () => create(99, "Content-Length: 100"), () => [bytes]],
    [
      "more than announced, in chunks",
      413,
      () => create(99, CHUNKED),
      () => [chunk(bytes), LAST_CHUNK],
    ],
    [
      "a checksum that differs",
      460,
      () =>
        create(100, "Content-Length: 100", `Upload-Checksum: ${sumOf("sha256", randomBytes(9))}`),
      () => [bytes],
    ],
    [
      "a checksum of an unknown kind",
      400,
      () => create(100, "Content-Length: 100", "Upload-Checksum: crc32 AAAA"),
      () => [bytes],
    ],
    ["chunks that are none", 400, () => create(100, CHUNKED), () => ["these are no chunks\r\n"]],
  ])("%s", async (_what, status, head, body) => {
    const before = [await rows(), readdirSync(partials()).length];
    const answer = await rawRequest(server.port, head(), body());
    expect(answer.status).toBe(status);
    expect(answer.headers.has("location")).toBe(false);
    expect([await rows(), readdirSync(partials()).length]).toEqual(before);
  });

  test("a connection that breaks", async () => {
    const before = readdirSync(partials()).length;
    const open = await rows();
    const socket = connect(server.port, "127.0.0.1");
    socket.write([...create(100, "Content-Length: 100", "Host: localhost"), "", ""].join("\r\n"));
    socket.write(bytes.subarray(50));
    await expect.poll(() => readdirSync(partials()).length).toBeGreaterThan(before);
    socket.destroy();
    await expect.poll(() => readdirSync(partials()).length).toBe(before);
    expect(await rows()).toBe(open);
  });
});

test("pieces that cannot be taken are refused unread", async () => {
  const where = await beginUpload(server, ann.token, MB);
  const body = Array.from({ length: 100 }, () => Buffer.alloc(MB));
  const length = `Content-Length: ${100 * MB}`;
  const cost = await cpuOf(server.pid, async () => {
    for (const [headers, status] of [
      [["Upload-Offset: 0"], 413],
      [["Upload-Offset: 5"], 413],
      [["Upload-Offset: 9000000"], 413],
      [["Upload-Offset: 0", "Upload-Checksum: crc32 AAAA"], 400],
      [["Upload-Offset: 0", `Upload-Checksum: sha1 ${"A".repeat(900_000)}`], 400],
    ] as const) {
      const head = headOf(`PATCH ${where}`, length, "Expect: 100-continue", ...headers);
      const answer = await rawRequest(server.port, head, body);
      expect([answer.status, answer.wasAskedFor]).toEqual([status, false]);
    }
  });
  expect(cost).toBeLessThan(0.5);
});

describe("a system without tools that hash", () => {
  let bare: PocketBase;
  let bob: SignedIn;
  beforeAll(async () => {
    bare = await startPocketBase({ env: { PATH: "" } });
    bob = await signUp(bare);
  });
  afterAll(() => bare?.stop());

  test("offers what PocketBase can compute, and no SHA-1", async () => {
    const { headers } = await tusCall(bare, "OPTIONS", "/api/uploads");
    expect(headers.get("tus-checksum-algorithm")).toBe("sha256,sha512,md5");
    const body = randomBytes(1_000);
    const where = await beginUpload(bare, bob.token, 4_000);
    const statuses: number[] = [];
    for (const algorithm of ["sha1", "sha256", "sha512", "md5"]) {
      const offset = await offsetOf(bare, bob.token, where);
      const sum = { "upload-checksum": sumOf(algorithm, body) };
      const sent = { offset, body, headers: sum };
      statuses.push((await sendPiece(bare, bob.token, where, sent)).status);
    }
    expect(statuses).toEqual([400, 204, 204, 204]);
    const wrong = { "upload-checksum": sumOf("sha256", body.subarray(1)) };
    const last = { offset: 3_000, body, headers: wrong };
    expect((await sendPiece(bare, bob.token, where, last)).status).toBe(460);
    expect(await offsetOf(bare, bob.token, where)).toBe(3_000);
  });

  test("takes no more bytes with a checksum than it may hold in memory", async () => {
    const body = randomBytes(8 * MB);
    const where = await beginUpload(bare, bob.token, 9 * MB);
    const sum = sumOf("sha256", body);
    const head = [
      `PATCH ${where} HTTP/1.1`,
      `Authorization: ${bob.token}`,
      "Tus-Resumable: 1.0.0",
      TYPE,
      "Upload-Offset: 0",
      `Upload-Checksum: ${sum}`,
      "Expect: 100-continue",
    ];
    const refused = await rawRequest(bare.port, [...head, `Content-Length: ${body.length + 1}`]);
    expect([refused.status, refused.wasAskedFor]).toEqual([413, false]);
    const taken = await rawRequest(bare.port, [...head, `Content-Length: ${body.length}`], [body]);
    expect([taken.status, taken.wasAskedFor]).toEqual([204, true]);
  });
});
