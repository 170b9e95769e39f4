import { type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { IDBKeyRange } from "fake-indexeddb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { LIFETIMES_MS } from "@/domain/limits";
import { createDevice } from "./device";
import { found, ready, until } from "./live";
import { createNetwork, cut, type Network, type Seen } from "./network";
import { newPerson, photo, signUp } from "./people";

let server: PocketBase;
let network: Network;
let client: Client;
let me: { id: string; username: string };
let otherId: string;
let mediaId: string;
let token: string;
/** Milliseconds by which the device's clock is ahead. */
let later = 0;

beforeAll(async () => {
  server = await startPocketBase();
  network = createNetwork();
  client = createDevice(server.url, {
    fetch: network.fetch,
    now: () => Date.now() + later,
  }).start();
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
    const { service } = client;
    expect(await service.getUser(me.id)).toMatchObject({ success: true, value: { id: me.id } });
    const shouted = me.username.toUpperCase();
    expect(await service.getUserIdByUsername(shouted)).toMatchObject({ value: me.id });
    expect(await service.isUsernameTaken(shouted)).toMatchObject({ success: true, value: true });
    expect(await service.isUsernameTaken("nobody-at-all")).toMatchObject({ value: false });
    expect(await service.getUser("nobody000000000")).toMatchObject({ success: true, value: null });
  });

  test("list and count media, and say whether there is more", async () => {
    const { service } = client;
    const latest = await service.getLatestMedia(1);
    expect(latest).toMatchObject({ success: true, hasMore: true, items: [{ id: mediaId }] });
    expect(await service.getUserMedia(me.id)).toMatchObject({
      hasMore: false,
      items: [{ id: mediaId }],
    });
    expect((await service.getUserMedia(me.id, 20, 1)).items).toEqual([]);
    expect(await service.countUserMedia(me.id)).toMatchObject({ success: true, count: 1 });
    expect(await service.getMedia(mediaId)).toMatchObject({ value: { caption: "Mine" } });
  });

  test("ask again only when the last answer's lifetime is over", async () => {
    const { service } = client;
    await service.getUser(otherId);
    await service.getLatestMedia(3);
    const before = network.seen.length;
    await service.getUser(otherId);
    await service.getLatestMedia(3);
    expect(network.seen.slice(before).filter(isQuestion)).toEqual([]);
    later = LIFETIMES_MS.user;
    await service.getUser(otherId);
    await service.getLatestMedia(3);
    expect(network.seen.slice(before).filter(isQuestion)).toHaveLength(2);
  });

  test("add a comment and take it away", async () => {
    const { service } = client;
    expect(await service.addComment(mediaId, "   ")).toMatchObject({
      success: false,
      error: "text_empty",
    });
    const added = await service.addComment(mediaId, "  Well done  ");
    await sent();
    const listed = await service.listComments(mediaId);
    expect(listed.items).toMatchObject([
      { id: added.value?.commentId, text: "Well done", username: me.username },
    ]);
    await service.deleteComment(mediaId, listed.items[0]?.id ?? "");
    await sent();
    await client.sync();
    expect((await service.listComments(mediaId)).items).toEqual([]);
  });

  test("like, follow and block, each as a state that can be asked for at once", async () => {
    const { service } = client;
    await service.likeMedia(mediaId);
    expect(await service.isLiked(mediaId)).toMatchObject({ success: true, value: true });
    await service.followUser(otherId);
    expect(await service.isFollowing(otherId)).toMatchObject({ value: true });
    await sent();
    expect(
      (await server.api("GET", `/api/collections/profiles/records/${otherId}`)).body.followers,
    ).toBe(1);
    await service.blockUser(otherId);
    expect(await service.isBlocked(otherId)).toMatchObject({ value: true });
    expect(await service.isFollowing(otherId)).toMatchObject({ value: false });
    await sent();
    expect(
      (await server.api("GET", `/api/collections/profiles/records/${otherId}`)).body.followers,
    ).toBe(0);
    await service.unblockUser(otherId);
    await service.unlikeMedia(mediaId);
    await sent();
    expect(await service.isLiked(mediaId)).toMatchObject({ value: false });
    expect(await service.followUser(me.id)).toMatchObject({ success: false, error: "self" });
  });

  test("change the profile, and tell a taken name in the server's word", async () => {
    const { service, auth } = client;
    const taken = (await service.getUser(otherId)).value?.username ?? "";
    expect(await service.updateProfile({ username: taken })).toMatchObject({
      success: false,
      error: "username_taken",
    });
    const username = `${me.username}.2`;
    const left = await until(client.outbox.watch(), ({ ready: isRead }) => isRead);
    expect(left.items.filter(({ kind }) => kind === "profile.update")).toEqual([]);
    expect(await service.updateProfile({ username, bio: "Hello" })).toMatchObject({
      success: true,
    });
    expect(auth.session.getSnapshot()).toMatchObject({ user: { username } });
    await client.sync();
    expect((await service.getUser(me.id)).value).toMatchObject({ username, bio: "Hello" });
  });

  test("keep the legal texts from those who are no admins", async () => {
    expect(await client.service.saveSettings("terms", "<p>Mine now</p>")).toMatchObject({
      success: false,
    });
  });

  test("count a view of somebody else's medium, and report it", async () => {
    const reported = await client.service.reportMedia(mediaId, "It is my own");
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
    const { service } = client;
    expect(await service.getLatestMedia()).toMatchObject({
      success: true,
      items: [{ id: mediaId }],
    });
    expect(await service.getUser("nobody000000000")).toMatchObject({
      success: false,
      error: "network",
      value: null,
    });
    expect(await service.listComments("nothing00000000")).toMatchObject({
      success: false,
      items: [],
    });
    expect(await service.countUserMedia("nobody000000000")).toMatchObject({
      success: false,
      count: 0,
    });
    expect(await service.isLiked(mediaId)).toMatchObject({ success: true, value: false });
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
