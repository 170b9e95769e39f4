/** Programs of others that speak tus: tus-js-client in Node in every mode that we advertise, and curl as one types it. */
import { createHash, randomBytes } from "node:crypto";
import { createReadStream, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type FaultProxy, startFaultProxy } from "@tests/support/fault-proxy";
import {
  type PocketBase,
  type SignedIn,
  signUp,
  startPocketBase,
  temporaryFolder,
} from "@tests/support/pocketbase";
import { type RawAnswer, rawRequest } from "@tests/support/raw-http";
import { offsetOf, tusCall } from "@tests/support/tus";
import { DetailedError, Upload, type UploadOptions } from "tus-js-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

const MB = 1_048_576;
const CHUNK = 300_000;
const bytes = randomBytes(MB);
const file = path.join(temporaryFolder(), "film.mp4");
const metadata = { filename: "film.mp4", filetype: "video/mp4", relativePath: "" };

let server: PocketBase;
let proxy: FaultProxy;
let ann: SignedIn;
beforeAll(async () => {
  writeFileSync(file, bytes);
  server = await startPocketBase();
  proxy = await startFaultProxy({ target: server.url });
});
beforeEach(async () => {
  ann = await signUp(server);
  proxy.heal();
  proxy.seen.length = 0;
});
afterAll(async () => {
  await proxy?.close();
  await server?.stop();
});

const partialOf = (url: string): string =>
  path.join(`${server.dataDir}_uploads`, path.basename(url));
const openOf = async (): Promise<{ id: string }[]> =>
  (await server.api("GET", "/api/collections/uploads/records", undefined, ann.token)).body.items;

type Source = ConstructorParameters<typeof Upload>[0];

/** The finished upload; `begin` may stop it meanwhile. */
function send(
  source: Source,
  options: Partial<UploadOptions>,
  begin: (upload: Upload) => void = (upload) => upload.start(),
): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const upload: Upload = new Upload(source, {
      endpoint: `${proxy.url}/api/uploads`,
      headers: { Authorization: ann.token },
      metadata,
      retryDelays: null,
      ...options,
      onSuccess: () => resolve(upload),
      onError: reject,
    });
    begin(upload);
  });
}
const stream = () => createReadStream(file) as unknown as Source;

describe("tus-js-client sends", () => {
  test.each<[how: string, source: () => Source, options: Partial<UploadOptions>]>([
    ["a file in one request", () => bytes, {}],
    ["a file in pieces", () => bytes, { chunkSize: CHUNK }],
    ["a stream in one request", stream, { uploadSize: MB }],
    ["a stream in pieces", stream, { uploadSize: MB, chunkSize: CHUNK }],
    ["the whole with the creation", () => bytes, { uploadDataDuringCreation: true }],
    [
      "the first piece with the creation",
      () => bytes,
      { uploadDataDuringCreation: true, chunkSize: CHUNK },
    ],
    [
      "a stream with the creation",
      stream,
      { uploadDataDuringCreation: true, uploadSize: MB, chunkSize: CHUNK },
    ],
    [
      "pieces as POST, where the network lets no PATCH through",
      () => bytes,
      { overridePatchMethod: true, chunkSize: CHUNK },
    ],
    ["a name of its own with each request", () => bytes, { addRequestId: true }],
  ])("%s", async (_how, source, options) => {
    const { url } = await send(source(), options);
    expect(readFileSync(partialOf(url ?? "")).equals(bytes)).toBe(true);
    const { headers } = await tusCall(server, "HEAD", new URL(url ?? "").pathname, {
      token: ann.token,
    });
    expect(headers.get("upload-metadata")).toBe(
      "filename ZmlsbS5tcDQ=,filetype dmlkZW8vbXA0,relativePath",
    );
    const methods = new Set(proxy.seen.map(({ method }) => method));
    expect(methods.has("PATCH")).toBe(
      options.overridePatchMethod !== true &&
        (options.uploadDataDuringCreation !== true || options.chunkSize !== undefined),
    );
  });

  test("what is missing after a cut, by asking where it stands", async () => {
    let pieces = 0;
    proxy.decide = ({ method }) => {
      pieces += method === "PATCH" ? 1 : 0;
      return method === "PATCH" && pieces === 2
        ? { kind: "cut-request", at: 100_000 }
        : { kind: "pass" };
    };
    const { url } = await send(bytes, { chunkSize: CHUNK, retryDelays: [0, 100, 1_000] });
    expect(readFileSync(partialOf(url ?? "")).equals(bytes)).toBe(true);
    expect(proxy.seen.map(({ method }) => method)).toContain("HEAD");
  });

  test("what is missing in a later run, from the address that it kept", async () => {
    let url = "";
    await expect(
      send(bytes, { chunkSize: CHUNK }, (upload) => {
        upload.options.onChunkComplete = (_size, sent) => {
          if (sent < 2 * CHUNK) return;
          url = upload.url ?? "";
          proxy.decide = () => ({ kind: "drop-before" });
        };
        upload.start();
      }),
    ).rejects.toThrow();
    proxy.heal();
    expect(await offsetOf(server, ann.token, new URL(url).pathname)).toBe(2 * CHUNK);
    const again = await send(bytes, { uploadUrl: url });
    expect(again.url).toBe(url);
    expect(readFileSync(partialOf(url)).equals(bytes)).toBe(true);
  });

  test("no more of what it takes back, and the server keeps none of it", async () => {
    const upload = await new Promise<Upload>((resolve, reject) => {
      void send(bytes, { chunkSize: CHUNK }, (begun) => {
        begun.options.onChunkComplete = () =>
          void begun.abort(true).then(() => resolve(begun), reject);
        begun.start();
      }).catch(reject);
    });
    expect(readdirSync(`${server.dataDir}_uploads`)).not.toContain(path.basename(upload.url ?? ""));
    expect(await openOf()).toEqual([]);
    const whole = await send(bytes, {});
    const headers = { Authorization: ann.token };
    await Upload.terminate(whole.url ?? "", { headers });
    expect(await openOf()).toEqual([]);
  });

  test.each<[what: string, options: Partial<UploadOptions>, status: number]>([
    ["parts side by side", { parallelUploads: 2 }, 400],
    ["a length that comes later", { uploadLengthDeferred: true }, 400],
    [
      "the draft of the next protocol",
      { protocol: "ietf-draft-05" } as Partial<UploadOptions>,
      412,
    ],
  ])(
    "%s, which we do not advertise, and is refused before a byte",
    async (_what, options, status) => {
      const refused = send(bytes, options).then(
        () => null,
        (error: unknown) => error,
      );
      const error = await refused;
      expect(error).toBeInstanceOf(DetailedError);
      expect((error as DetailedError).originalResponse?.getStatus()).toBe(status);
      expect(proxy.seen.reduce((sum, { bytes: size }) => sum + size, 0)).toBe(0);
      expect(await openOf()).toEqual([]);
    },
  );
});

describe("a page of another origin", () => {
  const origin = { origin: "https://elsewhere.example" };

  test("may send every header that it asks for", async () => {
    const asked = "authorization,content-type,tus-resumable,upload-length,x-http-method-override";
    const { status, headers } = await tusCall(server, "OPTIONS", "/api/uploads/aaaaaaaaaaaaaaa", {
      headers: {
        ...origin,
        "access-control-request-method": "PATCH",
        "access-control-request-headers": asked,
      },
    });
    expect([status, headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    expect(headers.get("access-control-allow-headers")).toBe(asked);
    expect(headers.get("access-control-allow-methods")?.split(",")).toEqual(
      expect.arrayContaining(["POST", "HEAD", "PATCH", "DELETE"]),
    );
    expect(Number(headers.get("access-control-max-age"))).toBeGreaterThan(0);
  });

  test("may read what the protocol tells, with refusals too; others are told nothing of that", async () => {
    const { token } = ann;
    const ask = (method: string, where: string, headers: Record<string, string>) =>
      tusCall(server, method, where, { token, headers });
    const made = await ask("POST", "/api/uploads", { ...origin, "upload-length": "5" });
    const where = made.headers.get("location") ?? "";
    const answers = [
      made,
      await ask("HEAD", where, origin),
      await ask("PATCH", where, origin),
      await ask("HEAD", "/api/uploads/aaaaaaaaaaaaaaa", origin),
      await tusCall(server, "HEAD", where, { headers: origin }),
      await ask("DELETE", where, origin),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 415, 404, 401, 204]);
    for (const { headers } of answers) {
      expect(headers.get("access-control-allow-origin")).toBe("*");
      const shown = headers.get("access-control-expose-headers")?.split(", ") ?? [];
      for (const name of headers.keys()) {
        if (/^(?:tus|upload|location|retry)/.test(name)) {
          expect(shown.map((word) => word.toLowerCase())).toContain(name);
        }
      }
      expect(shown).toContain("Upload-Offset");
    }
    const own = await ask("POST", "/api/uploads", { "upload-length": "5" });
    expect(own.headers.has("access-control-expose-headers")).toBe(false);
  });
});

/** What curl sends of itself. */
const CURL = ["User-Agent: curl/8.5.0", "Accept: */*"];

describe("curl", () => {
  const curl = (request: string, headers: string[], body: Uint8Array[] = []): Promise<RawAnswer> =>
    rawRequest(
      server.port,
      [`${request} HTTP/1.1`, ...CURL, `Authorization: Bearer ${ann.token}`, ...headers],
      body,
    );

  test("asks, creates, sends, looks, goes on and ends, as the protocol's text has it", async () => {
    const what = await curl("OPTIONS /api/uploads", []);
    expect([what.status, what.headers.get("tus-version")]).toEqual([204, "1.0.0"]);
    // curl -X POST -H 'Content-Length: 0' …
    const made = await curl("POST /api/uploads", [
      "Tus-Resumable: 1.0.0",
      "Content-Length: 0",
      "Upload-Length: 100",
      "Upload-Metadata: filename d29ybGRfZG9taW5hdGlvbl9wbGFuLnBkZg==,is_confidential",
    ]);
    expect(made.status).toBe(201);
    const where = made.headers.get("location") ?? "";
    const patch = (from: number, to: number, ...more: string[]) =>
      curl(
        `PATCH ${where}`,
        [
          "Tus-Resumable: 1.0.0",
          "Content-Type: application/offset+octet-stream",
          `Upload-Offset: ${from}`,
          `Content-Length: ${to - from}`,
          ...more,
        ],
        [bytes.subarray(from, to)],
      );
    expect((await patch(0, 70)).headers.get("upload-offset")).toBe("70");
    const stands = await curl(`HEAD ${where}`, ["Tus-Resumable: 1.0.0"]);
    expect(stands.headers.get("upload-offset")).toBe("70");
    const sum = createHash("sha1").update(bytes.subarray(70, 100)).digest("base64");
    const rest = await patch(70, 100, `Upload-Checksum: sha1 ${sum}`);
    expect([rest.status, rest.headers.get("upload-offset")]).toEqual([204, "100"]);
    expect(readFileSync(partialOf(where)).equals(bytes.subarray(0, 100))).toBe(true);
    expect((await curl(`DELETE ${where}`, ["Tus-Resumable: 1.0.0"])).status).toBe(204);
  });

  // curl --data-binary waits for a word of the server's before it sends more than a megabyte.
  test("waits to be asked for a large body, and is not asked for one that is refused", async () => {
    const create = (length: number) =>
      curl(
        "POST /api/uploads",
        [
          "Tus-Resumable: 1.0.0",
          "Content-Type: application/offset+octet-stream",
          `Upload-Length: ${length}`,
          `Content-Length: ${MB}`,
          "Expect: 100-continue",
        ],
        [bytes],
      );
    const taken = await create(MB);
    expect([taken.wasAskedFor, taken.status, taken.headers.get("upload-offset")]).toEqual([
      true,
      201,
      String(MB),
    ]);
    expect(readFileSync(partialOf(taken.headers.get("location") ?? "")).equals(bytes)).toBe(true);
    const refused = await create(MB - 1);
    expect([refused.wasAskedFor, refused.status]).toEqual([false, 413]);
  });

  // curl -d names a type of its own, which makes no upload of the body.
  test("that sends a form creates an upload without its bytes", async () => {
    const made = await curl(
      "POST /api/uploads",
      [
        "Tus-Resumable: 1.0.0",
        "Content-Type: application/x-www-form-urlencoded",
        "Upload-Length: 5",
        "Content-Length: 5",
      ],
      [Buffer.from("hello")],
    );
    expect([made.status, made.headers.has("upload-offset")]).toEqual([201, false]);
    const where = made.headers.get("location") ?? "";
    expect(await offsetOf(server, ann.token, where)).toBe(0);
  });
});
