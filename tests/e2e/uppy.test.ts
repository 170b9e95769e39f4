/** Uppy on a page of another origin uploads to our server: the browser asks first, and hides what it is not told to show. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { openProfile, type Profile } from "@tests/support/browser";
import { type FaultProxy, startFaultProxy } from "@tests/support/fault-proxy";
import { type PocketBase, type SignedIn, signUp, startPocketBase } from "@tests/support/pocketbase";
import { serveTestPage, type TestPage } from "@tests/support/test-page";
import type { UppyOrder, UppyOutcome } from "@tests/support/uppy-page";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

const MB = 1_048_576;

let server: PocketBase;
let proxy: FaultProxy;
let site: TestPage;
let profile: Profile;
let ann: SignedIn;
beforeAll(async () => {
  server = await startPocketBase();
  proxy = await startFaultProxy({ target: server.url });
  ann = await signUp(server);
  site = await serveTestPage(`import "@tests/support/uppy-page";`);
  profile = await openProfile();
  await profile.page.goto(site.url);
});
beforeEach(() => {
  proxy.heal();
  proxy.seen.length = 0;
});
afterAll(async () => {
  await profile?.close();
  await site?.close();
  await proxy?.close();
  await server?.stop();
});

async function send(order: Pick<UppyOrder, "options" | "pauses">): Promise<void> {
  const endpoint = `${proxy.url}/api/uploads`;
  const { uploadUrl, digest, failed } = await profile.page.evaluate(
    (wanted) =>
      (window as unknown as { sendByUppy: (order: UppyOrder) => Promise<UppyOutcome> }).sendByUppy(
        wanted,
      ),
    { endpoint, token: ann.token, size: 3 * MB, ...order },
  );
  expect(failed).toEqual([]);
  expect(new URL(uploadUrl).origin).toBe(proxy.url);
  expect(new URL(uploadUrl).origin).not.toBe(new URL(site.url).origin);
  const stored = readFileSync(path.join(`${server.dataDir}_uploads`, path.basename(uploadUrl)));
  expect(createHash("sha256").update(stored).digest("hex")).toBe(digest);
}

test.each<[how: string, order: Pick<UppyOrder, "options" | "pauses">, methods: string[]]>([
  ["in one request", { options: {} }, ["POST", "PATCH"]],
  ["in pieces", { options: { chunkSize: MB } }, ["POST", "PATCH", "PATCH", "PATCH"]],
  [
    "in pieces that come as POST",
    { options: { chunkSize: MB, overridePatchMethod: true } },
    ["POST", "POST", "POST", "POST"],
  ],
  ["with the creation", { options: { uploadDataDuringCreation: true } }, ["POST"]],
])("a film goes %s", async (_how, order, methods) => {
  await send(order);
  const seen = proxy.seen.map(({ method }) => method).filter((method) => method !== "OPTIONS");
  expect(seen).toEqual(methods);
});

test("a film that was paused goes on from what the server says it has", async () => {
  await send({ options: { chunkSize: MB }, pauses: true });
  expect(proxy.seen.map(({ method }) => method)).toContain("HEAD");
});

test("a film that is cut goes on from what the server says it has", async () => {
  let pieces = 0;
  proxy.decide = ({ method }) => {
    pieces += method === "PATCH" ? 1 : 0;
    return method === "PATCH" && pieces === 2
      ? { kind: "cut-request", at: 300_000 }
      : { kind: "pass" };
  };
  await send({ options: { chunkSize: MB } });
  expect(proxy.seen.map(({ method }) => method)).toContain("HEAD");
});
