/**
 * A 200 MB upload by tus in chunks of the client's size, against one plain multipart POST of the same file to a PocketBase
 * without our hooks, which would refuse it. And what memory the upload costs the server.
 */
import { createHash, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import { mediaFixture } from "@tests/support/media-fixtures";
import {
  createSuperuser,
  type PocketBase,
  type SignedIn,
  signUp,
  startPocketBase,
  temporaryFolder,
} from "@tests/support/pocketbase";
import { beginUpload, sendPiece } from "@tests/support/tus";
import { afterAll, beforeAll, expect, test } from "vitest";
import { UPLOAD_CHUNK_BYTES } from "@/domain/limits";

const MB = 1_048_576;
const SIZE = 200 * MB;
const ROUNDS = 3;
const MEMORY_MAX = 80 * MB;
/** A WebM of noise: its last element is void, so that players and checks skip it. */
function largeVideo(): Uint8Array<ArrayBuffer> {
  const video = mediaFixture("video.webm");
  const all = new Uint8Array(randomBytes(SIZE));
  all.set(video);
  all.set([0xec, 0x08], video.length);
  new DataView(all.buffer).setUint32(video.length + 2, SIZE - video.length - 9);
  return all;
}
const bytes = largeVideo();

let server: PocketBase;
let bare: PocketBase;
let ann: SignedIn;

beforeAll(async () => {
  server = await startPocketBase();
  bare = await startPocketBase({ flags: [`--hooksDir=${temporaryFolder()}`] });
  const superuser = await createSuperuser(server);
  ann = await signUp(server);
  const limits = { uploadsPerHour: 1_000, openUploads: 100, openUploadBytes: 100 * SIZE };
  await server.api("PATCH", "/api/collections/settings/records/app", { limits }, superuser.token);
  const { status } = await bare.api(
    "POST",
    "/api/collections",
    {
      name: "plain",
      type: "base",
      createRule: "",
      fields: [{ name: "file", type: "file", maxSelect: 1, maxSize: SIZE }],
    },
    (await createSuperuser(bare)).token,
  );
  expect(status).toBe(200);
});
afterAll(async () => {
  await server?.stop();
  await bare?.stop();
});

async function finish(uploadId: string): Promise<void> {
  count += 1;
  const form = new FormData();
  form.set("id", `media${String(count).padStart(10, "0")}`);
  form.set("uploadId", uploadId);
  const { status } = await server.api("POST", "/api/media", form, ann.token);
  if (status !== 200) throw new Error(`finishing: ${status}`);
}

let count = 0;
/** Answers the upload's id. Our client sends checksums, where it can. */
async function byTus(isChecked = false): Promise<string> {
  const where = await beginUpload(server, ann.token, SIZE, { filetype: "video/mp4" });
  for (let offset = 0; offset < SIZE; offset += UPLOAD_CHUNK_BYTES) {
    const body = bytes.subarray(offset, offset + UPLOAD_CHUNK_BYTES);
    const digest = () => createHash("sha256").update(body).digest("base64");
    const headers = isChecked ? { "upload-checksum": `sha256 ${digest()}` } : {};
    const { status } = await sendPiece(server, ann.token, where, { offset, body, headers });
    if (status !== 204) throw new Error(`PATCH at ${offset}: ${status}`);
  }
  return where.slice("/api/uploads/".length);
}

/** By hand, so that the client's own way of building forms is not measured. */
function byMultipart(): Promise<void> {
  const edge = "----bench";
  const head = Buffer.from(
    `--${edge}\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\nContent-Type: video/mp4\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${edge}--\r\n`);
  return new Promise((resolve, reject) => {
    const request = http.request(
      `${bare.url}/api/collections/plain/records`,
      {
        method: "POST",
        headers: {
          "content-type": `multipart/form-data; boundary=${edge}`,
          "content-length": head.length + bytes.length + tail.length,
        },
      },
      (answer) => {
        answer
          .resume()
          .once("end", () =>
            answer.statusCode === 200 ? resolve() : reject(new Error(String(answer.statusCode))),
          );
      },
    );
    request.once("error", reject);
    request.write(head);
    request.write(bytes);
    request.end(tail);
  });
}

/** Bytes of memory that the server's process holds (`VmRSS`) or held at most (`VmHWM`). */
function memory(which: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  return Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1]) * 1024;
}
/** Linux: starts the high-water mark anew. */
const forgetPeak = (): void => writeFileSync(`/proc/${server.pid}/clear_refs`, "5");

/** Milliseconds, and what `run` answered. */
async function timed<T>(run: () => Promise<T>): Promise<[number, T]> {
  const start = performance.now();
  const value = await run();
  return [performance.now() - start, value];
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const rate = (ms: number): string => `${Math.round(SIZE / MB / (ms / 1000))} MB/s`;
const mb = (size: number): string => `${(size / MB).toFixed(0)} MB`;

test("200 MB by tus are at least 0.9 times as fast as one plain POST, in at most 80 MB of memory", async () => {
  const idle = memory("VmRSS");
  forgetPeak();
  await finish(await byTus(true));
  const peak = memory("VmHWM");
  print(`memory: idle ${mb(idle)}, at most ${mb(peak)} while 200 MB came and were stored (+80)`);
  let [tus, checked, whole, plain] = [1, 1, 1, 1].map(() => Number.POSITIVE_INFINITY) as [
    number,
    number,
    number,
    number,
  ];
  for (let round = 0; round < ROUNDS; round++) {
    const [ms, id] = await timed(() => byTus());
    checked = Math.min(checked, (await timed(() => byTus(true)))[0]);
    const [more] = await timed(() => finish(id));
    tus = Math.min(tus, ms);
    whole = Math.min(whole, ms + more);
    plain = Math.min(plain, (await timed(byMultipart))[0]);
  }
  const ratio = plain / tus;
  print(`tus ${rate(tus)}, multipart ${rate(plain)}, ratio ${ratio.toFixed(2)} (>= 0.9)`);
  print(`tus with checksums ${rate(checked)}`);
  print(`tus with finishing ${rate(whole)}, ratio ${(plain / whole).toFixed(2)}`);
  expect(ratio).toBeGreaterThanOrEqual(0.9);
  expect(peak - idle).toBeLessThanOrEqual(MEMORY_MAX);
});
