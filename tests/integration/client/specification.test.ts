import { type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { valueIn } from "@tests/support/value-in";
import { IDBKeyRange } from "fake-indexeddb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { type Specification, specificationOf } from "@/data/specification";
import { createDevice } from "./device";
import { found, ready, until } from "./live";
import { createNetwork, cut, type Network, type Seen } from "./network";
import { newPerson, photo, signUp } from "./people";

let server: PocketBase;
let network: Network;
let client: Client;
let specification: Specification;
let me: { id: string; username: string };
let otherId: string;
let mediaId: string;
let token: string;

beforeAll(async () => {
  server = await startPocketBase();
  network = createNetwork();
  client = createDevice(server.url, { fetch: network.fetch }).start();
  specification = specificationOf(client);
  me = await signUp(client);
  const queued = await client.writes.uploadMedia(photo("Mine"));
  if (!queued.success) throw new Error(queued.error);
  mediaId = queued.value.mediaId;
  await found(client.reads.watchMedia(mediaId), (medium) => medium.pending === null);
  const other = newPerson();
  await server.api("POST", "/api/collections/users/records", other);
  const signedIn = await server.api("POST", "/api/collections/users/auth-with-password", {
    identity: other.email,
    password: other.password,
  });
  otherId = signedIn.body.record.id;
  token = signedIn.body.token;
});
afterAll(async () => {
  await client?.close();
  await server?.stop();
});

const isQuestion = ({ path }: Seen): boolean => path.startsWith("/api/collections/");
const sent = () =>
  until(client.outbox.watch(), (outbox) => outbox.ready && outbox.items.length === 0);

describe("the operations by name", () => {
  test("find people, and tell a taken name from a free one regardless of case", async () => {
    expect(await specification.getUser(me.id)).toMatchObject({
      success: true,
      value: { id: me.id },
    });
    const shouted = me.username.toUpperCase();
    expect(await specification.getUserIdByUsername(shouted)).toMatchObject({ value: me.id });
    // Kept for whoever runs the place.
    expect(await specification.isUsernameTaken("Sup-port")).toMatchObject({ value: true });
    expect(await specification.isUsernameTaken(shouted)).toMatchObject({
      success: true,
      value: true,
    });
    expect(await specification.isUsernameTaken("nobody-at-all")).toMatchObject({ value: false });
    expect(await specification.getUser("nobody000000000")).toMatchObject({
      success: true,
      value: null,
    });
  });

  test("list and count media, and say whether there is more", async () => {
    const latest = await specification.getLatestMedia(1);
    expect(latest).toMatchObject({ success: true, hasMore: true, items: [{ id: mediaId }] });
    expect(await specification.getUserMedia(me.id)).toMatchObject({
      hasMore: false,
      items: [{ id: mediaId }],
    });
    expect((await specification.getUserMedia(me.id, 20, 1)).items).toEqual([]);
    expect(await specification.countUserMedia(me.id)).toMatchObject({ success: true, count: 1 });
    expect(await specification.getMedia(mediaId)).toMatchObject({ value: { caption: "Mine" } });
  });

  test("fall back to 'Unbekannt' for the name of somebody whom nobody knows", async () => {
    expect(await specification.getUsername(me.id)).toBe(me.username);
    expect(await specification.getUsername("nobody000000000")).toBe("Unbekannt");
  });

  test("ask nothing about a row that is here, which follows the server by the feed", async () => {
    await specification.getUser(otherId);
    await specification.getLatestMedia(3);
    const before = network.seen.length;
    await specification.getUser(otherId);
    await specification.getLatestMedia(3);
    expect(network.seen.slice(before).filter(isQuestion)).toEqual([]);
    const profile = `/api/collections/users/records/${otherId}`;
    const changed = await server.api("PATCH", profile, { bio: "Changed elsewhere" }, token);
    expect(changed.status).toBe(200);
    const bio = async () => (await specification.getUser(otherId)).value?.bio;
    await expect.poll(bio).toBe("Changed elsewhere");
    const asked = network.seen.slice(before).filter(isQuestion);
    expect(asked.filter(({ path }) => path.includes(otherId))).toEqual([]);
  });

  test("add a comment and take it away", async () => {
    const { writes } = client;
    expect(await writes.addComment(mediaId, "   ")).toMatchObject({
      success: false,
      error: "text_empty",
    });
    const added = await writes.addComment(mediaId, "  Well done  ");
    await sent();
    const listed = await specification.listComments(mediaId);
    expect(listed.items).toMatchObject([
      { id: valueIn(added).commentId, text: "Well done", username: me.username },
    ]);
    await writes.deleteComment(mediaId, listed.items[0]?.id ?? "");
    await sent();
    await client.sync();
    expect((await specification.listComments(mediaId)).items).toEqual([]);
  });

  test("like, follow and block, each as a state that can be asked for at once", async () => {
    const { writes } = client;
    await writes.setLike(mediaId, true);
    expect(await specification.isLiked(mediaId)).toMatchObject({ success: true, value: true });
    await writes.followUser(otherId);
    expect(await specification.isFollowing(otherId)).toMatchObject({ value: true });
    await sent();
    expect(
      (await server.api("GET", `/api/collections/profiles/records/${otherId}`)).body.followers,
    ).toBe(1);
    await writes.blockUser(otherId);
    expect(await specification.isBlocked(otherId)).toMatchObject({ value: true });
    expect(await specification.isFollowing(otherId)).toMatchObject({ value: false });
    await sent();
    expect(
      (await server.api("GET", `/api/collections/profiles/records/${otherId}`)).body.followers,
    ).toBe(0);
    await writes.unblockUser(otherId);
    await writes.setLike(mediaId, false);
    await sent();
    expect(await specification.isLiked(mediaId)).toMatchObject({ value: false });
    expect(await writes.followUser(me.id)).toMatchObject({ success: false, error: "self" });
  });

  test("change the profile, and tell a taken name in the server's word", async () => {
    const { writes, auth } = client;
    const taken = (await specification.getUser(otherId)).value?.username ?? "";
    expect(await writes.updateProfile({ username: taken })).toMatchObject({
      success: false,
      error: "username_taken",
    });
    const username = `${me.username}.2`;
    const left = await until(client.outbox.watch(), ({ ready: isRead }) => isRead);
    expect(left.items.filter(({ kind }) => kind === "profile.update")).toEqual([]);
    expect(await writes.updateProfile({ username, bio: "Hello" })).toMatchObject({
      success: true,
    });
    expect(auth.session.getSnapshot()).toMatchObject({ user: { username } });
    await client.sync();
    expect((await specification.getUser(me.id)).value).toMatchObject({ username, bio: "Hello" });
  });

  test("keep the legal texts from those who are no admins", async () => {
    expect(await client.writes.saveSettings("terms", "<p>Mine now</p>")).toMatchObject({
      success: false,
    });
  });

  test("count a view of somebody else's medium, and report it", async () => {
    const reported = await client.writes.report(
      { kind: "media", id: mediaId, place: "" },
      { topic: "other", said: "", words: "It is my own" },
    );
    expect(reported).toMatchObject({ success: true });
    const refused = await until(client.outbox.watch(), (outbox) => outbox.refused === 1);
    expect(refused.items[0]).toMatchObject({ kind: "report.create", state: "refused" });
    await client.outbox.discard(refused.items[0]?.id ?? "");
    await sent();
    const viewed = await server.api("POST", `/api/media/${mediaId}/view`, { session: "s" }, token);
    expect(viewed.body.views).toBe(1);
  });

  test("answer from this device without the network, and fail as empty where it has nothing", async () => {
    network.intercept = cut;
    expect(await specification.getLatestMedia()).toMatchObject({
      success: true,
      items: [{ id: mediaId }],
    });
    expect(await specification.getUser("nobody000000001")).toMatchObject({
      success: false,
      error: "network",
      value: null,
    });
    expect(await specification.listComments("nothing00000000")).toMatchObject({
      success: false,
      items: [],
    });
    expect(await specification.countUserMedia("nobody000000001")).toMatchObject({
      success: false,
      count: 0,
    });
    expect(await specification.isLiked(mediaId)).toMatchObject({ success: true, value: false });
    network.intercept = null;
  });
});

test("a browser without storage shows what is online", async () => {
  const blocked = createDevice(server.url, {
    storage: {
      indexedDB: {
        open: () => {
          throw new DOMException("No storage in this mode", "SecurityError");
        },
      } as unknown as IDBFactory,
      IDBKeyRange,
      local: { getItem: () => null, setItem: () => {}, removeItem: () => {} },
      name: "blocked",
    },
  });
  await client.close();
  const guest = blocked.start();
  const page = await ready(guest.reads.watchFeed({ filter: "all", sort: "latest", limit: 30 }));
  expect(page.items).toMatchObject([{ id: mediaId }]);
  expect(guest.storage.state.getSnapshot()).toBe("memory");
  await guest.close();
});
