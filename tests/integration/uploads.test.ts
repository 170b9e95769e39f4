/** tus 1.0.0 against the real server: what it promises, and every way to break it that we know. */
import { createHash, randomBytes } from "node:crypto";
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  createSuperuser,
  type PocketBase,
  type SignedIn,
  signUp,
  startPocketBase,
} from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import {
  beginUpload,
  metadataHeader,
  offsetOf,
  sendPiece,
  tusCall,
  upload,
} from "@tests/support/tus";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const MB = 1_048_576;

let server: PocketBase;
let superuser: SignedIn;
let ann: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  server = await startPocketBase();
  superuser = await createSuperuser(server);
  ann = await signUp(server);
  bob = await signUp(server);
});
afterAll(() => server?.stop());

const partials = (): string => `${server.dataDir}_uploads`;
const partialOf = (where: string): string => path.join(partials(), path.basename(where));
const sha256 = (bytes: Uint8Array, encoding: "hex" | "base64" = "hex"): string =>
  createHash("sha256").update(bytes).digest(encoding);
const setLimits = (limits: Record<string, number>): Promise<unknown> =>
  server.api("PATCH", "/api/collections/settings/records/app", { limits }, superuser.token);

/** Opens a PATCH by hand and sends only `part` of what it announces. */
async function hangingPatch(
  where: string,
  announced: number,
  part: Uint8Array,
): Promise<net.Socket> {
  const offset = await offsetOf(server, ann.token, where);
  const socket = net.connect(server.port, "127.0.0.1");
  await new Promise<void>((resolve, reject) =>
    socket.once("connect", resolve).once("error", reject),
  );
  socket.on("error", () => undefined);
  socket.write(
    [
      `PATCH ${where} HTTP/1.1`,
      "Host: test",
      `Authorization: ${ann.token}`,
      "Tus-Resumable: 1.0.0",
      `Upload-Offset: ${offset}`,
      "Content-Type: application/offset+octet-stream",
      `Content-Length: ${announced}`,
      "",
      "",
    ].join("\r\n"),
  );
  socket.write(part);
  return socket;
}

async function untilSize(where: string, size: number): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (statSync(partialOf(where)).size !== size) {
    if (Date.now() > deadline) throw new Error(`never ${size} bytes`);
    await delay(20);
  }
}

describe("the protocol", () => {
  test("OPTIONS names version, extensions, size and checksums", async () => {
    const { status, headers } = await tusCall(server, "OPTIONS", "/api/uploads");
    expect(status).toBe(204);
    expect(headers.get("tus-version")).toBe("1.0.0");
    expect(headers.get("tus-max-size")).toBe(String(200 * MB));
    expect(headers.get("tus-extension")?.split(",")).toEqual(
      expect.arrayContaining([
        "creation",
        "creation-with-upload",
        "termination",
        "expiration",
        "checksum",
      ]),
    );
    expect(headers.get("tus-checksum-algorithm")?.split(",")).toEqual(
      expect.arrayContaining(["sha1", "sha256"]),
    );
  });

  test("another version is refused and told which one is spoken", async () => {
    const where = await beginUpload(server, ann.token, 10);
    for (const method of ["POST", "HEAD", "PATCH", "DELETE"]) {
      const { status, headers } = await tusCall(
        server,
        method,
        method === "POST" ? "/api/uploads" : where,
        { token: ann.token, headers: { "tus-resumable": "0.2.2" } },
      );
      expect([method, status, headers.get("tus-version")]).toEqual([method, 412, "1.0.0"]);
    }
  });

  test("a file arrives in pieces, and each answer says where it stands and when it expires", async () => {
    const bytes = randomBytes(300_000);
    const where = await beginUpload(server, ann.token, bytes.length, { filename: "ü 1.jpg" });
    expect(await offsetOf(server, ann.token, where)).toBe(0);
    for (const [from, to] of [
      [0, 100_000],
      [100_000, 250_000],
      [250_000, 300_000],
    ] as const) {
      const body = bytes.subarray(from, to);
      const { status, headers } = await sendPiece(server, ann.token, where, { offset: from, body });
      expect([status, headers.get("upload-offset")]).toEqual([204, String(to)]);
      expect(Date.parse(headers.get("upload-expires") ?? "")).toBeGreaterThan(Date.now());
    }
    const { headers } = await tusCall(server, "HEAD", where, { token: ann.token });
    expect(headers.get("upload-length")).toBe("300000");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(sha256(readFileSync(partialOf(where)))).toBe(sha256(bytes));
  });

  test("the first bytes may come with the creation", async () => {
    const bytes = randomBytes(5_000);
    const { status, headers } = await tusCall(server, "POST", "/api/uploads", {
      token: ann.token,
      headers: { "upload-length": "8000", "content-type": "application/offset+octet-stream" },
      body: bytes,
    });
    expect([status, headers.get("upload-offset")]).toEqual([201, "5000"]);
    const where = headers.get("location") ?? "";
    expect(sha256(readFileSync(partialOf(where)))).toBe(sha256(bytes));
  });

  test("a wrong offset is 409 and writes nothing", async () => {
    const where = await beginUpload(server, ann.token, 1_000);
    await sendPiece(server, ann.token, where, { offset: 0, body: randomBytes(400) });
    for (const offset of [0, 399, 401, 1_000]) {
      const body = randomBytes(Math.max(0, Math.min(100, 1_000 - offset)));
      const { status } = await sendPiece(server, ann.token, where, { offset, body });
      expect([offset, status]).toEqual([offset, 409]);
    }
    expect(await offsetOf(server, ann.token, where)).toBe(400);
  });

  test("more bytes than announced are 413 and none of them is written", async () => {
    const where = await beginUpload(server, ann.token, 1_000);
    const body = randomBytes(1_001);
    const { status, code } = await sendPiece(server, ann.token, where, { offset: 0, body });
    expect([status, code]).toEqual([413, "too_large"]);
    expect(await offsetOf(server, ann.token, where)).toBe(0);
  });

  test("a body of another type is 415", async () => {
    const where = await beginUpload(server, ann.token, 1_000);
    const { status } = await sendPiece(server, ann.token, where, {
      offset: 0,
      body: randomBytes(10),
      headers: { "content-type": "image/jpeg" },
    });
    expect(status).toBe(415);
    expect(await offsetOf(server, ann.token, where)).toBe(0);
  });

  test.each([
    ["no length", {}],
    ["a length that is no number", { "upload-length": "1e3" }],
    ["a negative length", { "upload-length": "-1" }],
    ["a deferred length", { "upload-defer-length": "1" }],
    ["metadata that is not base64", { "upload-length": "5", "upload-metadata": "filename ü!" }],
  ])("creation with %s is refused", async (_what, headers) => {
    const { status, code } = await tusCall(server, "POST", "/api/uploads", {
      token: ann.token,
      headers: headers as Record<string, string>,
    });
    expect([status, code]).toEqual([400, "invalid"]);
  });

  test("a file that is too large is refused before a byte is sent", async () => {
    const begin = (size: number, filetype: string) =>
      tusCall(server, "POST", "/api/uploads", {
        token: ann.token,
        headers: {
          "upload-length": String(size),
          "upload-metadata": metadataHeader({ filetype }),
        },
      });
    expect(await begin(200 * MB + 1, "video/mp4")).toMatchObject({
      status: 413,
      code: "video_too_large",
    });
    expect(await begin(5 * MB + 1, "image/jpeg")).toMatchObject({
      status: 413,
      code: "image_too_large",
    });
    expect(await begin(0, "image/jpeg")).toMatchObject({ status: 400, code: "file_empty" });
  });

  test("DELETE ends an upload and leaves nothing", async () => {
    const where = await beginUpload(server, ann.token, 1_000);
    await sendPiece(server, ann.token, where, { offset: 0, body: randomBytes(10) });
    expect((await tusCall(server, "DELETE", where, { token: ann.token })).status).toBe(204);
    expect(existsSync(partialOf(where))).toBe(false);
    expect(await offsetOf(server, ann.token, where)).toBe(-1);
  });
});

describe("checksums", () => {
  test.each(["sha1", "sha256", "sha512", "md5"])("a right %s passes", async (algorithm) => {
    const bytes = randomBytes(70_000);
    const where = await beginUpload(server, ann.token, 140_000);
    for (const offset of [0, 70_000]) {
      const digest = createHash(algorithm).update(bytes).digest("base64");
      const { status } = await sendPiece(server, ann.token, where, {
        offset,
        body: bytes,
        headers: { "upload-checksum": `${algorithm} ${digest}` },
      });
      expect(status).toBe(204);
    }
    await tusCall(server, "DELETE", where, { token: ann.token });
  });

  test.each(["sha1", "sha256"])(
    "a wrong %s is 460 and the bytes are dropped",
    async (algorithm) => {
      const where = await beginUpload(server, ann.token, 1_000);
      await sendPiece(server, ann.token, where, { offset: 0, body: randomBytes(100) });
      const digest = createHash(algorithm).update("something else").digest("base64");
      const { status } = await sendPiece(server, ann.token, where, {
        offset: 100,
        body: randomBytes(200),
        headers: { "upload-checksum": `${algorithm} ${digest}` },
      });
      expect(status).toBe(460);
      expect(await offsetOf(server, ann.token, where)).toBe(100);
    },
  );

  test("an unknown algorithm is refused", async () => {
    const where = await beginUpload(server, ann.token, 1_000);
    const { status } = await sendPiece(server, ann.token, where, {
      offset: 0,
      body: randomBytes(10),
      headers: { "upload-checksum": "crc32 AAAA" },
    });
    expect(status).toBe(400);
  });
});

describe("whose it is", () => {
  test("a visitor and a bad token get 401, a superuser 403", async () => {
    const headers = { "upload-length": "10" };
    const begin = (token?: string) =>
      tusCall(
        server,
        "POST",
        "/api/uploads",
        token === undefined ? { headers } : { headers, token },
      );
    expect(await begin()).toMatchObject({ status: 401, code: "unauthenticated" });
    expect(await begin("nonsense")).toMatchObject({ status: 401, code: "unauthenticated" });
    expect(await begin(superuser.token)).toMatchObject({ status: 403, code: "forbidden" });
  });

  test("only a superuser may upload for somebody else", async () => {
    const begin = async (token: string) => {
      const headers = { "upload-length": "10", "x-acting-user": bob.id };
      const made = await tusCall(server, "POST", "/api/uploads", { token, headers });
      return made.headers.get("location") ?? "";
    };
    expect(await offsetOf(server, bob.token, await begin(superuser.token))).toBe(0);
    const anns = await begin(ann.token);
    expect(await offsetOf(server, bob.token, anns)).toBe(-1);
    expect(await offsetOf(server, ann.token, anns)).toBe(0);
  });

  test("somebody else's upload is 404, exactly as one that does not exist", async () => {
    const where = await beginUpload(server, ann.token, 100);
    for (const target of [where, "/api/uploads/aaaaaaaaaaaaaaa", "/api/uploads/..%2f..%2fx"]) {
      expect(await offsetOf(server, bob.token, target)).toBe(-1);
      const patch = await sendPiece(server, bob.token, target, { offset: 0, body: randomBytes(5) });
      const remove = await tusCall(server, "DELETE", target, { token: bob.token });
      expect([patch.status, patch.code, remove.status]).toEqual([404, "not_found", 404]);
    }
    expect(await offsetOf(server, ann.token, where)).toBe(0);
  });

  test("a suspended account can go no further", async () => {
    const eve = await signUp(server);
    const where = await beginUpload(server, eve.token, 100);
    await server.api(
      "PATCH",
      `/api/collections/users/records/${eve.id}`,
      { isBlocked: true },
      superuser.token,
    );
    const { status } = await sendPiece(server, eve.token, where, {
      offset: 0,
      body: randomBytes(5),
    });
    expect([401, 403]).toContain(status);
    expect(statSync(partialOf(where)).size).toBe(0);
  });
});

describe("cuts", () => {
  test("what arrived before the sender fell silent is kept, and the rest completes it", async () => {
    const bytes = randomBytes(3 * MB);
    const where = await beginUpload(server, ann.token, bytes.length);
    const socket = await hangingPatch(where, bytes.length, bytes.subarray(0, MB));
    await untilSize(where, MB);
    socket.destroy();
    const offset = await offsetOf(server, ann.token, where);
    expect(offset).toBe(MB);
    const rest = await sendPiece(server, ann.token, where, {
      offset,
      body: bytes.subarray(offset),
    });
    expect(rest.status).toBe(204);
    expect(sha256(readFileSync(partialOf(where)))).toBe(sha256(bytes));
  });

  test("a writer that hangs gives way to its successor", async () => {
    const bytes = randomBytes(2 * MB);
    const where = await beginUpload(server, ann.token, bytes.length);
    const socket = await hangingPatch(where, bytes.length, bytes.subarray(0, MB));
    await untilSize(where, MB);
    const next = await sendPiece(server, ann.token, where, {
      offset: MB,
      body: bytes.subarray(MB),
    });
    expect(next.status).toBe(204);
    socket.destroy();
    expect(sha256(readFileSync(partialOf(where)))).toBe(sha256(bytes));
  });

  test("of two writers at one offset exactly one is taken", async () => {
    const bytes = randomBytes(4 * MB);
    const where = await beginUpload(server, ann.token, bytes.length);
    const both = await Promise.all(
      [0, 1].map(() =>
        sendPiece(server, ann.token, where, { offset: 0, body: bytes }).then(
          ({ status }) => status,
          // The server hangs up on whoever still sends after its 409, which may then be lost.
          (error: { cause?: { code?: string } }) => error.cause?.code,
        ),
      ),
    );
    expect(both.filter((status) => status === 204)).toHaveLength(1);
    expect([409, "ECONNRESET", "EPIPE"]).toContain(both.find((status) => status !== 204));
    expect(sha256(readFileSync(partialOf(where)))).toBe(sha256(bytes));
  });

  test("while one writer is still sending, a second one is kept out", async () => {
    const bytes = randomBytes(8 * MB);
    const where = await beginUpload(server, ann.token, bytes.length);
    const socket = await hangingPatch(where, bytes.length, bytes.subarray(0, MB));
    await untilSize(where, MB);
    let isRefused = false;
    const second = sendPiece(server, ann.token, where, { offset: MB, body: randomBytes(MB) }).then(
      (answer) => {
        isRefused = true;
        return answer;
      },
    );
    let sent = MB;
    while (!isRefused && sent < 7 * MB) {
      socket.write(bytes.subarray(sent, sent + MB / 16));
      sent += MB / 16;
      await delay(50);
    }
    expect((await second).status).toBe(423);
    socket.write(bytes.subarray(sent));
    await untilSize(where, bytes.length);
    socket.destroy();
    expect(sha256(readFileSync(partialOf(where)))).toBe(sha256(bytes));
  });

  test("after kill -9 in the middle it goes on where it stood, and the bytes are the same", async () => {
    const bytes = randomBytes(6 * MB);
    const where = await beginUpload(server, ann.token, bytes.length);
    await sendPiece(server, ann.token, where, { offset: 0, body: bytes.subarray(0, 2 * MB) });
    const socket = await hangingPatch(where, 4 * MB, bytes.subarray(2 * MB, 3 * MB));
    await untilSize(where, 3 * MB);
    await server.kill();
    socket.destroy();
    await server.restart();
    const offset = await offsetOf(server, ann.token, where);
    expect(offset).toBe(3 * MB);
    const rest = await sendPiece(server, ann.token, where, {
      offset,
      body: bytes.subarray(offset),
    });
    expect(rest.status).toBe(204);
    expect(sha256(readFileSync(partialOf(where)))).toBe(sha256(bytes));
  });
});

describe("limits", () => {
  test("the defaults: 20 open uploads, a gigabyte in them, 200 an hour", async () => {
    const carl = await signUp(server);
    for (let i = 0; i < 20; i++) await beginUpload(server, carl.token, 1_000);
    await expect(beginUpload(server, carl.token, 1_000)).rejects.toThrow("413 quota");
    const dora = await signUp(server);
    for (let i = 0; i < 5; i++) await beginUpload(server, dora.token, 200 * MB);
    await expect(beginUpload(server, dora.token, 25 * MB)).rejects.toThrow("413 quota");
    await beginUpload(server, dora.token, 24 * MB);
  });

  test("a burst cannot slip past the number of open uploads", async () => {
    const fay = await signUp(server);
    const all = await Promise.allSettled(
      Array.from({ length: 40 }, () => beginUpload(server, fay.token, 1_000)),
    );
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
  });

  test("the hour's uploads are counted even when each one is finished or removed", async () => {
    const gus = await signUp(server);
    await setLimits({ uploadsPerHour: 3 });
    for (let i = 0; i < 3; i++) {
      const where = await beginUpload(server, gus.token, 1_000);
      await tusCall(server, "DELETE", where, { token: gus.token });
    }
    const { status, code, headers } = await tusCall(server, "POST", "/api/uploads", {
      token: gus.token,
      headers: { "upload-length": "10" },
    });
    await setLimits({});
    expect([status, code]).toEqual([429, "rate_limited"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("a disk that would run full takes no new upload, and what is under way stays", async () => {
    const hal = await signUp(server);
    const where = await beginUpload(server, hal.token, 10);
    await setLimits({ minFreeDiskBytes: Number.MAX_SAFE_INTEGER });
    await expect(beginUpload(server, hal.token, 10)).rejects.toThrow("507 storage_full");
    expect(await offsetOf(server, hal.token, where)).toBe(0);
    await setLimits({});
  });
});

describe("expiry", () => {
  const age = (where: string): Promise<unknown> =>
    sql(
      server,
      superuser.token,
      `UPDATE uploads SET expiresAt = '2020-01-01 00:00:00.000Z' WHERE id = '${path.basename(where)}'`,
    );
  const sweep = (): Promise<unknown> =>
    server.api("POST", "/api/crons/sweepUploads", undefined, superuser.token);

  test("an expired upload is gone for its owner, and the sweep removes row and bytes", async () => {
    const where = await beginUpload(server, bob.token, 1_000);
    const kept = await beginUpload(server, bob.token, 1_000);
    await sendPiece(server, bob.token, where, { offset: 0, body: randomBytes(100) });
    await age(where);
    const patch = await sendPiece(server, bob.token, where, { offset: 100, body: randomBytes(1) });
    expect([patch.status, patch.code]).toEqual([410, "gone"]);
    await sweep();
    await expect.poll(() => existsSync(partialOf(where))).toBe(false);
    const rows = await sql(
      server,
      superuser.token,
      `SELECT id FROM uploads WHERE id = '${path.basename(where)}'`,
    );
    expect(rows).toEqual([]);
    expect(await offsetOf(server, bob.token, kept)).toBe(0);
  });

  test("what a deleted account left unfinished goes too", async () => {
    const ida = await signUp(server);
    const where = await beginUpload(server, ida.token, 1_000);
    const account = `/api/collections/users/records/${ida.id}`;
    const removed = await server.api("DELETE", account, undefined, superuser.token);
    expect(removed.status).toBe(204);
    expect(existsSync(partialOf(where))).toBe(false);
  });

  test("bytes without a row are swept after an hour, not before", async () => {
    const [old, young] = ["aaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbb"].map((id) => partialOf(id));
    for (const file of [old, young]) writeFileSync(file ?? "", "x");
    utimesSync(old ?? "", new Date(0), new Date(0));
    await sweep();
    await expect.poll(() => existsSync(old ?? "")).toBe(false);
    expect(existsSync(young ?? "")).toBe(true);
  });

  test("partials lie beside the data folder, not in it", async () => {
    const id = await upload(server, bob.token, randomBytes(100));
    expect(readdirSync(partials())).toContain(id);
    expect(readdirSync(server.dataDir)).not.toContain("uploads");
  });
});
