/** The requests that unit tests pin are those that the real server takes. */
import golden from "@tests/contract/intents.json";
import { type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { conversationId } from "@/domain/ids";
import { createDevice } from "./device";
import { found, until } from "./live";
import { photo, signUp } from "./people";

let server: PocketBase;
let token: string;
let names: Record<string, string>;

async function person(): Promise<{ id: string; token: string; mediaId: string }> {
  const device = createDevice(server.url);
  const client = device.start();
  const { id } = await signUp(client);
  const queued = await client.writes.uploadMedia(photo("One"));
  if (!queued.success) throw new Error(queued.error);
  const { mediaId } = queued.value;
  await found(client.reads.watchMedia(mediaId), (medium) => medium.pending === null);
  await client.close();
  const stored: { token: string } = JSON.parse([...device.local.values()][0] ?? "{}");
  return { id, token: stored.token, mediaId };
}

beforeAll(async () => {
  server = await startPocketBase();
  const me = await person();
  const other = await person();
  token = me.token;
  names = {
    me: me.id,
    other: other.id,
    media: me.mediaId,
    theirs: other.mediaId,
    chat: conversationId(me.id, other.id),
    comment: "comment00000000",
    reply: "reply0000000000",
    message: "message00000000",
    folder: "folder000000000",
  };
});
afterAll(async () => {
  await server?.stop();
});

const named = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value).replace(/\{(\w+)\}/g, (_all, name: string) => names[name] ?? "?"),
  );

test.each(golden)("$kind as $request.method is taken", async ({ request, answer }) => {
  const { method, path, body } = named(request);
  const { status } = await server.api(method, path, body, token);
  expect(status).toBe(answer);
});

test("a medium that was changed without an answer shows the change, and then has it", async () => {
  const client: Client = createDevice(server.url).start();
  await signUp(client);
  const queued = await client.writes.uploadMedia(photo("Before"));
  if (!queued.success) throw new Error(queued.error);
  const { mediaId } = queued.value;
  const medium = client.reads.watchMedia(mediaId);
  await found(medium, (now) => now.pending === null);
  expect(await client.writes.updateMedia(mediaId, { caption: "x".repeat(2201) })).toMatchObject({
    error: "caption_long",
  });
  await client.writes.updateMedia(mediaId, { caption: "After", tags: ["new"] });
  await found(medium, (now) => now.caption === "After" && now.pending !== null);
  await until(client.outbox.watch(), (outbox) => outbox.ready && outbox.items.length === 0);
  expect((await server.api("GET", `/api/collections/media/records/${mediaId}`)).body).toMatchObject(
    { caption: "After", tags: ["new"] },
  );
  await client.close();
});
