/** What an act of moderation does on the devices of those it meets. */
import { createDevice } from "@tests/integration/client/device";
import { ready, until, untilSent } from "@tests/integration/client/live";
import { PASSWORD, photo, signUp } from "@tests/integration/client/people";
import { must } from "@tests/integration/rules/stage";
import {
  createSuperuser,
  type PocketBase,
  signUp as signUpAt,
  startPocketBase,
} from "@tests/support/pocketbase";
import { listen } from "@tests/support/sse";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Client } from "@/data/client";
import type { ClientEvent, SessionState } from "@/data/shapes";
import { specificationOf } from "@/data/specification";

let server: PocketBase;
let superuser: { token: string };
const clients: Client[] = [];
beforeAll(async () => {
  server = await startPocketBase();
  superuser = await createSuperuser(server);
  // The last admin stays one: this one does nothing else.
  const keeper = await signUpAt(server);
  await patch(keeper.id, { isAdmin: true });
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(() => server?.stop());

function open(change: Parameters<typeof createDevice>[1] = {}): Client {
  const client = createDevice(server.url, change).start();
  clients.push(client);
  return client;
}
const patch = async (id: string, body: Record<string, unknown>) =>
  must(await server.api("PATCH", `/api/collections/users/records/${id}`, body, superuser.token));
const isAdmin = (session: SessionState) => session.state === "signed-in" && session.user.isAdmin;

test("a promotion and a demotion are on the person's device with the next hint", async () => {
  const client = open();
  const { id } = await signUp(client);
  await client.sync();
  await patch(id, { isAdmin: true });
  await until(client.auth.session, isAdmin);
  expect(await client.admin.stats()).toMatchObject({ success: true });
  await patch(id, { isAdmin: false });
  await until(client.auth.session, (session) => !isAdmin(session));
  expect(await client.admin.stats()).toMatchObject({ success: false, error: "forbidden" });
});

test("a demoted admin whom no hint reaches sees it at the panel's next question", async () => {
  const client = open({ eventSource: () => ({ addEventListener: () => {}, close: () => {} }) });
  const { id } = await signUp(client);
  await patch(id, { isAdmin: true });
  await client.auth.refresh();
  expect(isAdmin(client.auth.session.getSnapshot())).toBe(true);
  await patch(id, { isAdmin: false });
  expect(await client.admin.users()).toMatchObject({ success: false, error: "forbidden" });
  expect(isAdmin(client.auth.session.getSnapshot())).toBe(false);
});

test("a suspended account is signed out where it is open, and its queue waits sealed", async () => {
  let cut = false;
  const device = createDevice(server.url, {
    fetch: (input, init) => {
      const isSend = (init?.method ?? "GET") === "POST" && String(input).includes("/comments/");
      return cut && isSend ? Promise.reject(new TypeError("cut")) : fetch(input, init);
    },
  });
  const client = device.start();
  clients.push(client);
  const person = await signUp(client);
  const uploaded = await client.writes.uploadMedia(photo("Stays"));
  if (!uploaded.success) throw new Error(uploaded.error);
  await untilSent(client);
  await client.sync();
  const events: ClientEvent[] = [];
  client.onEvent((event) => events.push(event));
  cut = true;
  await client.writes.addComment(uploaded.value.mediaId, "Queued before");
  await patch(person.id, { isBlocked: true });
  await until(client.auth.session, ({ state }) => state === "signed-out");
  expect(events.filter(({ type }) => type === "suspended")).toHaveLength(1);
  // Its media stay, for everybody.
  const feed = { filter: "all", sort: "latest", limit: 30 } as const;
  await ready(client.reads.watchFeed(feed), ({ items }) =>
    items.some(({ id }) => id === uploaded.value.mediaId),
  );
  expect(await client.auth.signIn(person.email, PASSWORD)).toMatchObject({
    success: false,
    error: "suspended",
    message: "Login failed",
  });
  cut = false;
  await patch(person.id, { isBlocked: false });
  expect(await client.auth.signIn(person.email, PASSWORD)).toMatchObject({ success: true });
  await expect
    .poll(async () => (await specificationOf(client).listComments(uploaded.value.mediaId)).items)
    .toMatchObject([{ text: "Queued before", pending: null }]);
});

test("an account suspended while its device was off learns it at the next start", async () => {
  const device = createDevice(server.url);
  const before = device.start();
  const { id } = await signUp(before);
  await before.close();
  await patch(id, { isBlocked: true });
  const client = device.start();
  clients.push(client);
  await until(client.auth.session, ({ state }) => state === "signed-out");
});

test("a write that meets the suspension first ends the session too", async () => {
  const client = open({ eventSource: () => ({ addEventListener: () => {}, close: () => {} }) });
  const { id } = await signUp(client);
  await client.sync();
  await patch(id, { isBlocked: true });
  await client.writes.followUser("abcdefghijklmno");
  await until(client.auth.session, ({ state }) => state === "signed-out");
});

test("the stream of a suspended account tells it to ask, and ends", async () => {
  const client = open();
  const { id } = await signUp(client);
  const { body } = must(
    await server.api("POST", `/api/collections/users/impersonate/${id}`, {}, superuser.token),
  );
  const [own, others] = [await listen(server), await listen(server)];
  must(await own.subscribe(["sync"], body.token));
  must(await others.subscribe(["sync"]));
  await patch(id, { isBlocked: true });
  await own.ended;
  expect(own.heard.map(({ name }) => name)).toEqual(["sync"]);
  const again = await listen(server);
  expect((await again.subscribe(["sync"], body.token)).status).toBe(401);
  again.close();
  await others.hears(1);
  await server.api("GET", "/api/sync?since=head");
  others.forget();
  await patch(id, { bio: "Still there" });
  await others.hears(1);
  others.close();
});
