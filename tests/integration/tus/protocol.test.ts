/** What the text of tus 1.0.0 asks of a server with the word MUST: a row for each sentence, in its order. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { type PocketBase, type SignedIn, signUp, startPocketBase } from "@tests/support/pocketbase";
import { chunk, LAST_CHUNK, type RawAnswer, rawRequest } from "@tests/support/raw-http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const TYPE = "Content-Type: application/offset+octet-stream";
const MAX = 200 * 1_048_576;
const ALL = "/api/uploads";

let server: PocketBase;
let ann: SignedIn;
beforeAll(async () => {
  server = await startPocketBase();
  ann = await signUp(server);
});
afterAll(() => server?.stop());

/** Exactly these headers, and whose request it is. */
function send(
  request: string,
  headers: string[] = [],
  body: Uint8Array | string = "",
): Promise<RawAnswer> {
  const length = body.length > 0 ? [`Content-Length: ${body.length}`] : [];
  const head = [`${request} HTTP/1.1`, `Authorization: ${ann.token}`, ...headers, ...length];
  return rawRequest(server.port, head, body.length > 0 ? [body] : []);
}
/** The same with the version. */
const tus = (request: string, headers: string[] = [], body: Uint8Array | string = "") =>
  send(request, ["Tus-Resumable: 1.0.0", ...headers], body);

const create = (...headers: string[]) => tus(`POST ${ALL}`, headers);
async function begin(size: number, ...headers: string[]): Promise<string> {
  const { status, headers: told } = await create(`Upload-Length: ${size}`, ...headers);
  expect(status).toBe(201);
  return told.get("location") ?? "";
}
const patch = (where: string, offset: number, body: Uint8Array | string, ...headers: string[]) =>
  tus(`PATCH ${where}`, [TYPE, `Upload-Offset: ${offset}`, ...headers], body);
const head = (where: string) => tus(`HEAD ${where}`);
const offsetOf = async (where: string) => (await head(where)).headers.get("upload-offset");
const bytesOf = (where: string) =>
  readFileSync(path.join(`${server.dataDir}_uploads`, path.basename(where)));
const listOf = (answer: RawAnswer, name: string) => answer.headers.get(name)?.split(",") ?? [];
const options = (...headers: string[]) => send(`OPTIONS ${ALL}`, headers);
const openUploads = async (): Promise<number> =>
  (await server.api("GET", "/api/collections/uploads/records?perPage=500", undefined, ann.token))
    .body.items.length;
const sum = (algorithm: string, body: Uint8Array | string) =>
  `Upload-Checksum: ${algorithm} ${createHash(algorithm).update(body).digest("base64")}`;

type Row = [sentence: string, check: () => Promise<void>];

const CORE: Row[] = [
  [
    "Upload-Offset: the value MUST be a non-negative integer",
    async () => {
      const where = await begin(5);
      for (const wrong of ["-1", "1.5", "0x0", "1e0", "", "zero"]) {
        const { status } = await tus(`PATCH ${where}`, [TYPE, `Upload-Offset: ${wrong}`], "a");
        expect([wrong, status]).toEqual([wrong, 400]);
      }
      expect(await offsetOf(where)).toBe("0");
    },
  ],
  [
    "Upload-Length: the value MUST be a non-negative integer",
    async () => {
      for (const wrong of ["-1", "1.5", "0x5", "1e3", "five"]) {
        const { status } = await create(`Upload-Length: ${wrong}`);
        expect([wrong, status]).toEqual([wrong, 400]);
      }
      const where = await begin(5);
      expect((await head(where)).headers.get("upload-length")).toBe("5");
    },
  ],
  [
    "Tus-Version MUST be a comma-separated list of protocol versions",
    async () => expect(listOf(await options(), "tus-version")).toEqual(["1.0.0"]),
  ],
  [
    "Tus-Resumable MUST be included in every response",
    async () => {
      const where = await begin(5);
      const about = [TYPE, "Upload-Offset: 0"];
      const answers = [
        await head(where),
        await head(`${ALL}/aaaaaaaaaaaaaaa`),
        await patch(where, 3, "a"),
        await patch(where, 0, "abcdef"),
        await patch(where, 0, "ab", "Upload-Checksum: crc32 AAAA"),
        await patch(where, 0, "ab", sum("sha1", "other")),
        await tus(`PATCH ${where}`, ["Upload-Offset: 0"], "a"),
        await patch(where, 0, "ab"),
        await tus(`PUT ${where}`),
        await create(),
        await create(`Upload-Length: ${MAX + 1}`),
        await rawRequest(server.port, [
          `PATCH ${where} HTTP/1.1`,
          "Tus-Resumable: 1.0.0",
          ...about,
        ]),
        await tus(`DELETE ${where}`),
        await options(),
      ];
      expect(answers.map(({ status }) => status)).toEqual([
        200, 404, 409, 413, 400, 460, 415, 204, 405, 400, 413, 401, 204, 204,
      ]);
      for (const { headers } of answers) expect(headers.get("tus-resumable")).toBe("1.0.0");
    },
  ],
  [
    "a version that is not supported MUST be 412 with Tus-Version, and MUST NOT be processed",
    async () => {
      const where = await begin(5);
      const before = await openUploads();
      for (const version of ["Tus-Resumable: 0.2.2", "X-None: 1"]) {
        const answers = [
          await send(`POST ${ALL}`, [version, "Upload-Length: 5"]),
          await send(`HEAD ${where}`, [version]),
          await send(`PATCH ${where}`, [version, TYPE, "Upload-Offset: 0"], "hello"),
          await send(`DELETE ${where}`, [version]),
        ];
        for (const { status, headers } of answers) {
          expect([status, headers.get("tus-version")]).toEqual([412, "1.0.0"]);
        }
      }
      expect(await openUploads()).toBe(before);
      expect(await offsetOf(where)).toBe("0");
    },
  ],
  [
    "Tus-Extension MUST be a comma-separated list of the extensions supported by the server",
    async () => {
      const extensions = listOf(await options(), "tus-extension");
      expect(extensions).toEqual([
        "creation",
        "creation-with-upload",
        "termination",
        "expiration",
        "checksum",
      ]);
    },
  ],
  [
    "Tus-Max-Size MUST be a non-negative integer",
    async () => expect((await options()).headers.get("tus-max-size")).toBe(String(MAX)),
  ],
  [
    "X-HTTP-Method-Override MUST be interpreted as the method, and the actual one MUST be ignored",
    async () => {
      for (const actual of ["POST", "GET", "PUT", "DELETE", "PATCH", "HEAD"]) {
        const as = (method: string, where: string, headers: string[] = [], body = "") =>
          tus(`${actual} ${where}`, [`X-HTTP-Method-Override: ${method}`, ...headers], body);
        const made = await as("POST", ALL, ["Upload-Length: 5"]);
        const where = made.headers.get("location") ?? "";
        const sent = await as("PATCH", where, [TYPE, "Upload-Offset: 0"], "hel");
        const stands = await as("HEAD", where);
        const told = await as("OPTIONS", ALL);
        const gone = await as("DELETE", where);
        expect([actual, ...[made, sent, stands, told, gone].map(({ status }) => status)]).toEqual([
          actual,
          201,
          204,
          200,
          204,
          204,
        ]);
        expect(stands.headers.get("upload-offset")).toBe("3");
        expect(await offsetOf(where)).toBeNull();
      }
      const where = await begin(5);
      const unknown = await tus(`DELETE ${where}`, ["X-HTTP-Method-Override: constructor"]);
      expect([unknown.status, unknown.headers.get("allow")]).toEqual([
        405,
        "OPTIONS, HEAD, PATCH, DELETE",
      ]);
      expect(await offsetOf(where)).toBe("0");
    },
  ],
  [
    "HEAD MUST include Upload-Offset, even if it is 0 or the upload is complete, and Upload-Length",
    async () => {
      const where = await begin(5);
      const seen: unknown[] = [];
      for (const part of ["", "he", "llo"]) {
        if (part !== "") await patch(where, part === "he" ? 0 : 2, part);
        const { status, headers } = await head(where);
        seen.push([status, headers.get("upload-offset"), headers.get("upload-length")]);
      }
      expect(seen).toEqual([
        [200, "0", "5"],
        [200, "2", "5"],
        [200, "5", "5"],
      ]);
    },
  ],
  [
    "HEAD MUST carry Cache-Control: no-store",
    async () => {
      const { headers } = await head(await begin(5));
      expect(headers.get("cache-control")).toBe("no-store");
    },
  ],
  [
    "an offset that does not match MUST be 409 without modifying the upload",
    async () => {
      const where = await begin(10);
      await patch(where, 0, "hello");
      for (const offset of [0, 4, 6, 9]) {
        expect((await patch(where, offset, "x")).status).toBe(409);
      }
      expect(String(bytesOf(where))).toBe("hello");
    },
  ],
  [
    "PATCH MUST be acknowledged with 204 and Upload-Offset, the sum of offset and bytes received",
    async () => {
      const where = await begin(11);
      const first = await patch(where, 0, "hello");
      const rest = await rawRequest(
        server.port,
        [
          `PATCH ${where} HTTP/1.1`,
          `Authorization: ${ann.token}`,
          "Tus-Resumable: 1.0.0",
          TYPE,
          "Upload-Offset: 5",
          "Transfer-Encoding: chunked",
        ],
        [chunk(Buffer.from(" wo")), chunk(Buffer.from("rld")), LAST_CHUNK],
      );
      expect(
        [first, rest].map(({ status, headers }) => [status, headers.get("upload-offset")]),
      ).toEqual([
        [204, "5"],
        [204, "11"],
      ]);
      expect(String(bytesOf(where))).toBe("hello world");
    },
  ],
  [
    "OPTIONS MUST be answered with Tus-Version, and MUST ignore Tus-Resumable",
    async () => {
      for (const headers of [[], ["Tus-Resumable: 0.2.2"], ["Tus-Resumable: 1.0.0"]]) {
        const { status, headers: told } = await options(...headers);
        expect([status, told.get("tus-version")]).toEqual([204, "1.0.0"]);
      }
    },
  ],
];

const CREATION: Row[] = [
  [
    "Upload-Metadata: keys MUST NOT be empty or hold spaces, and MUST be unique; values MUST be Base64",
    async () => {
      for (const wrong of [
        "a YQ==,a Yg==",
        "a,b YQ==,a",
        "a YQ== YQ==",
        "a YQ==,,b YQ==",
        ",a YQ==",
        ",",
        "a ü",
        "ü YQ==",
        "a Y-_=",
      ]) {
        const { status } = await create("Upload-Length: 5", `Upload-Metadata: ${wrong}`);
        expect([wrong, status]).toEqual([wrong, 400]);
      }
    },
  ],
  [
    "HEAD MUST include Upload-Metadata and its value as the client sent it",
    async () => {
      for (const sent of [
        "filename d29ybGQucGRm,is_confidential",
        "filename d29ybGQucGRm,is_confidential ,x-unknown AAEC/w==",
        "filename d29ybGQucGRm,",
        "filename d29ybGQucGRm, filetype aW1hZ2UvcG5n",
      ]) {
        const where = await begin(5, `Upload-Metadata: ${sent}`);
        expect((await head(where)).headers.get("upload-metadata")).toBe(sent);
        await tus(`DELETE ${where}`);
      }
      expect((await head(await begin(5))).headers.has("upload-metadata")).toBe(false);
    },
  ],
  [
    "a creation MUST carry Upload-Length, where the server does not offer to defer it",
    async () => {
      expect((await create()).status).toBe(400);
      expect((await create("Upload-Defer-Length: 1")).status).toBe(400);
    },
  ],
  [
    "a length beyond Tus-Max-Size MUST be 413",
    async () => expect((await create(`Upload-Length: ${MAX + 1}`)).status).toBe(413),
  ],
  [
    "a creation MUST be acknowledged with 201 and Location",
    async () => {
      const { status, headers } = await create("Upload-Length: 100");
      expect(status).toBe(201);
      expect(headers.get("location")).toMatch(/^\/api\/uploads\/[a-z0-9]{15}$/);
    },
  ],
  [
    "what comes with a creation MUST be answered with Upload-Offset",
    async () => {
      const made = await tus(`POST ${ALL}`, [TYPE, "Upload-Length: 100"], "hello");
      expect([made.status, made.headers.get("upload-offset")]).toEqual([201, "5"]);
      expect(String(bytesOf(made.headers.get("location") ?? ""))).toBe("hello");
    },
  ],
];

const EXPIRATION: Row[] = [
  [
    "Upload-Expires MUST be in every answer to a PATCH and in that to the creation, as RFC 9110 dates",
    async () => {
      const made = await create("Upload-Length: 5");
      const where = made.headers.get("location") ?? "";
      const answers = [made, await patch(where, 0, "he"), await patch(where, 1, "l")];
      expect(answers.map(({ status }) => status)).toEqual([201, 204, 409]);
      for (const { headers } of answers) {
        const expires = headers.get("upload-expires") ?? "";
        expect(expires).toMatch(/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/);
        expect(Date.parse(expires)).toBeGreaterThan(Date.now());
      }
    },
  ],
];

const CHECKSUM: Row[] = [
  [
    "the bytes MUST be verified: 460 where they differ, and they and the offset are as before",
    async () => {
      const where = await begin(11);
      await patch(where, 0, "hello");
      for (const algorithm of listOf(await options(), "tus-checksum-algorithm")) {
        const { status } = await patch(where, 5, " world", sum(algorithm, " World"));
        expect([algorithm, status]).toEqual([algorithm, 460]);
        expect(String(bytesOf(where))).toBe("hello");
      }
      // The example of the text.
      const example = await begin(11);
      const right = "Upload-Checksum: sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=";
      expect((await patch(example, 0, "hello world", right)).status).toBe(204);
    },
  ],
  [
    "an algorithm that is not supported MUST leave the upload as it was",
    async () => {
      const where = await begin(11);
      for (const wrong of [
        "crc32 AAAA",
        "SHA1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
        "sha1",
        "sha1  x",
        "a".repeat(900_000),
      ]) {
        const { status } = await patch(where, 0, "hello world", `Upload-Checksum: ${wrong}`);
        expect([wrong.slice(0, 20), status]).toEqual([wrong.slice(0, 20), 400]);
      }
      expect(await offsetOf(where)).toBe("0");
    },
  ],
  [
    "Tus-Checksum-Algorithm MUST be a comma-separated list in small letters, with sha1",
    async () => {
      const names = listOf(await options(), "tus-checksum-algorithm");
      expect(names).toContain("sha1");
      for (const name of names) expect(name).toMatch(/^[a-z0-9]+$/);
    },
  ],
];

const TERMINATION: Row[] = [
  [
    "DELETE MUST be answered with 204",
    async () => {
      const where = await begin(5);
      await patch(where, 0, "he");
      const file = path.join(`${server.dataDir}_uploads`, path.basename(where));
      expect(existsSync(file)).toBe(true);
      expect((await tus(`DELETE ${where}`)).status).toBe(204);
      expect((await head(where)).status).toBe(404);
      expect(existsSync(file)).toBe(false);
    },
  ],
];

const PARTS: [name: string, rows: Row[]][] = [
  ["the core protocol", CORE],
  ["creation, and creation with upload", CREATION],
  ["expiration", EXPIRATION],
  ["checksum", CHECKSUM],
  ["termination", TERMINATION],
];

describe.each(PARTS)("%s", (_name, rows) => {
  test.each(rows)("%s", async (_sentence, check) => {
    // Nobody may have more than twenty open.
    const { items } = (
      await server.api("GET", "/api/collections/uploads/records?perPage=500", undefined, ann.token)
    ).body as { items: { id: string }[] };
    for (const { id } of items) await tus(`DELETE ${ALL}/${id}`);
    await check();
  });
});
