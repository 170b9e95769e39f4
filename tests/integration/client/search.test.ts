/** The search of a device that the server's answer does not reach, or that cannot keep it. */
import {
  createSuperuser,
  type PocketBase,
  signUp,
  startPocketBase,
} from "@tests/support/pocketbase";
import { seedMedia } from "@tests/support/seed-media";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { createDevice } from "./device";
import { ready } from "./live";
import { createNetwork, cut, type Network } from "./network";

let server: PocketBase;
let network: Network;
let client: Client;

beforeAll(async () => {
  server = await startPocketBase();
  const { token } = await createSuperuser(server);
  const ada = await signUp(server);
  await seedMedia(server, token, ada.id, [
    { id: "harbour00000000", caption: "The harbour", age: 1 },
  ]);
});
afterEach(() => client?.close());
afterAll(() => server?.stop());

function start(): Client {
  network = createNetwork();
  client = createDevice(server.url, { fetch: network.fetch }).start();
  return client;
}
const isSearch = ({ path }: { path: string }): boolean => path.startsWith("/api/search");
const asked = (): number => network.seen.filter(isSearch).length;

test("what the server was not reached for is asked again once a pull succeeds, and then no more", async () => {
  const { reads, sync } = start();
  await sync();
  const query = { text: "zzzz", filter: "all", limit: 30 } as const;
  network.intercept = (request) => (isSearch(request) ? cut() : null);
  const found = reads.watchSearch(query);
  await reads.pullSearch(query);
  expect(await ready(found)).toMatchObject({ reach: "device", count: 0 });
  network.intercept = null;
  const leave = found.subscribe(() => undefined);
  await sync();
  expect(await ready(found, ({ reach }) => reach === "everywhere")).toMatchObject({ count: 0 });
  await sync();
  expect(asked()).toBe(1);
  leave();
});

test("an answer that is none of our server's ends the search on this device", async () => {
  const { reads, sync } = start();
  await sync();
  const query = { text: "harb", filter: "all", limit: 30 } as const;
  network.intercept = (request) =>
    isSearch(request) ? Promise.resolve(new Response("[]", { status: 200 })) : null;
  const found = reads.watchSearch(query);
  await reads.pullSearch(query);
  expect(await ready(found)).toMatchObject({ reach: "device", count: 1 });
});
