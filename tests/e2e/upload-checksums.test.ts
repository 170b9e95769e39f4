/** Checksums of what is uploaded, in a browser: computed piece by piece, and not by the page. */
import { createHash } from "node:crypto";
import { type App, openProfile, type Profile, startApp } from "@tests/support/browser";
import { drawPhoto } from "@tests/support/draw-photo";
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { serveTestPage, type TestPage } from "@tests/support/test-page";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MB, UPLOAD_CHUNK_BYTES } from "@/domain/limits";
import { signAdaUp } from "./pages/ada";
import { photoFile, UploadPage } from "./pages/upload-page";

const SIZE = 12 * MB;

let app: App;
let site: TestPage;
let profile: Profile;
let ann: SignedIn;
beforeAll(async () => {
  app = await startApp();
  ann = await signUp(app);
  site = await serveTestPage(`
    import { checksumInWorker } from "@/data/files/checksums";
    import { sendFile } from "@/data/files/tus";
    Object.assign(window, {
      /** How many bytes the page itself has read to send so many. */
      async send(base: string, token: string, size: number) {
        const blob = new Blob([new Uint8Array(size).fill(7)]);
        let bytes = 0;
        const { arrayBuffer } = Blob.prototype;
        Blob.prototype.arrayBuffer = function () {
          bytes += this.size;
          return arrayBuffer.call(this);
        };
        const remote = { address: (path: string) => base + path, token: () => token };
        const about = { signal: new AbortController().signal, onProgress() {} };
        const sending = { ...about, remote, checksum: checksumInWorker };
        const file = { blob, uploadUrl: null, metadata: {}, keep: async () => {} };
        const answer = await sendFile(sending as never, file);
        Blob.prototype.arrayBuffer = arrayBuffer;
        return { isSent: "uploadUrl" in answer, bytes };
      },
    });
  `);
  profile = await openProfile();
});
afterAll(async () => {
  await profile?.close();
  await site?.close();
  await app?.stop();
});

const digestOf = (size: number): string =>
  `sha256 ${createHash("sha256").update(Buffer.alloc(size, 7)).digest("base64")}`;
const PIECES = [UPLOAD_CHUNK_BYTES, UPLOAD_CHUNK_BYTES, SIZE - 2 * UPLOAD_CHUNK_BYTES];

test.each([
  ["the worker computes them, and the page reads none of the file", false, 0],
  ["where the worker does not come, the page reads one piece after the other", true, SIZE],
])("%s", async (_what, isWorkerGone, read) => {
  const { page } = profile;
  const sums: (string | undefined)[] = [];
  if (isWorkerGone) await page.route(/checksum-worker/, (route) => route.abort());
  await page.goto(site.url);
  page.on("request", (request) => {
    if (request.method() === "PATCH") sums.push(request.headers()["upload-checksum"]);
  });
  const sent = await page.evaluate(
    ([base, token, size]) =>
      (
        window as unknown as {
          send: (base: string, token: string, size: number) => Promise<unknown>;
        }
      ).send(base, token, size),
    [app.url, ann.token, SIZE] as const,
  );
  expect(sent).toEqual({ isSent: true, bytes: read });
  expect(sums).toEqual(PIECES.map(digestOf));
  page.removeAllListeners("request");
});

test("the app sends them with what is uploaded", async () => {
  const { page } = profile;
  await signAdaUp(app, page);
  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  const upload = new UploadPage(page);
  await upload.open(app.url);
  const photo = photoFile("photo.jpg", await drawPhoto(profile.context, 20));
  await upload.upload([photo], { caption: "Whole" });
  const request = await sent;
  const digest = createHash("sha256")
    .update(request.postDataBuffer() ?? "")
    .digest("base64");
  expect(request.headers()["upload-checksum"]).toBe(`sha256 ${digest}`);
  expect((await request.response())?.status()).toBe(204);
});
