import { mkdirSync } from "node:fs";
import path from "node:path";
import { type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  buildDeviceThread,
  type FarDevice,
  removeDeviceThread,
  startFarDevice,
} from "./far-device";

let server: PocketBase;
let program: string;
let ann: FarDevice;
let bob: FarDevice;
beforeAll(async () => {
  const folder = path.resolve("node_modules/.cache/client-tests", String(process.pid));
  mkdirSync(folder, { recursive: true });
  program = await buildDeviceThread(folder);
  server = await startPocketBase();
  ann = startFarDevice(program, server.url);
  bob = startFarDevice(program, server.url);
});
afterAll(async () => {
  await Promise.all([ann?.end(), bob?.end()]);
  await server?.stop();
  await removeDeviceThread(program);
});

test("what one does, the other sees by itself, and both end with the same", async () => {
  const annsName = await ann.ask("signUp");
  await bob.ask("signUp");
  await bob.ask("settle");
  const first = await ann.ask("upload", "Ann one");
  await bob.ask("untilFeed", "Ann one");
  await bob.ask("upload", "Bob one");
  await ann.ask("untilFeed", "Bob one", "Ann one");

  await bob.ask("setLike", first, true);
  await ann.ask("untilMedium", first, { likes: 1, liked: false });
  await bob.ask("untilMedium", first, { likes: 1, liked: true });
  await bob.ask("comment", first, "Lovely");
  await ann.ask("untilMedium", first, { comments: 1 });
  await bob.ask("setLike", first, false);
  await ann.ask("untilMedium", first, { likes: 0 });

  await bob.ask("block", annsName.id);
  await bob.ask("untilFeed", "Bob one");
  await bob.ask("unblock", annsName.id);
  await bob.ask("untilFeed", "Bob one", "Ann one");

  await ann.ask("remove", first);
  await Promise.all([ann.ask("untilFeed", "Bob one"), bob.ask("untilFeed", "Bob one")]);
  await Promise.all([ann.ask("untilSent"), bob.ask("untilSent")]);
  const { body } = await server.api("GET", "/api/collections/media/records");
  expect(body.items.map((item: { caption: string }) => item.caption)).toEqual(["Bob one"]);
});
