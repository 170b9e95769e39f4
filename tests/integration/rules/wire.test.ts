/** The wire as the golden files of tests/contract have it: the keys of every record, and whole refusals. */

import recordKeys from "@tests/contract/records.json";
import refusals from "@tests/contract/refusals.json";
import { afterAll, beforeAll, expect, test } from "vitest";
import { must, type Stage, setStage } from "./stage";

let stage: Stage;
const names: Record<string, string> = {};

beforeAll(async () => {
  stage = await setStage();
  const { ann, bob, admin } = stage;
  const media = await stage.media(bob);
  Object.assign(names, {
    media,
    "ann.id": ann.id,
    "ann.email": ann.email,
    "ann.username": ann.record.username,
    "bob.id": bob.id,
    "admin.id": admin.id,
  });
  must(await stage.create("likes", { mediaId: media, userId: ann.id }, ann));
  must(await stage.create("saves", { mediaId: media, userId: ann.id }, ann));
  must(await stage.create("comments", { mediaId: media, userId: ann.id, text: "Hi" }, ann));
  must(await stage.create("follows", { followerId: ann.id, followingId: bob.id }, ann));
  must(await stage.create("blocks", { blockerId: ann.id, blockedId: admin.id }, ann));
  // Of which ann is told.
  must(await stage.create("follows", { followerId: bob.id, followingId: ann.id }, bob));
  await stage.conversation(ann, bob);
  await stage.message(ann, bob);
});
afterAll(() => stage.server.stop());

test.each(Object.entries(recordKeys))("a row of %s has the agreed keys", async (name, keys) => {
  const { body } = must(await stage.list(name, "perPage=1", stage.ann));
  expect(Object.keys(body.items[0]).sort()).toEqual(keys);
});

const fill = (text: string) =>
  text.replace(/\{([a-z.]+)\}/g, (whole, name: string) => names[name] ?? whole);

test.each(refusals)("$name is refused as agreed", async ({ as, request, answer }) => {
  const [method, path, body] = JSON.parse(fill(JSON.stringify(request)));
  const people: Record<string, string> = {
    ann: stage.ann.token,
    bob: stage.bob.token,
    nobody: `${stage.ann.token}x`,
  };
  const got = await stage.server.api(method, path, body, as === null ? undefined : people[as]);
  expect({ status: got.status, body: got.body }).toEqual({ status: answer.status, body: answer });
});
