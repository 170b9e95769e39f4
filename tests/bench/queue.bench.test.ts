/** A queue of messages that waited for a connection, against a plain loop of the SDK's creates on the same server. */
import { createDevice } from "@tests/integration/client/device";
import { until } from "@tests/integration/client/live";
import { createNetwork, cut } from "@tests/integration/client/network";
import { signUp } from "@tests/integration/client/people";
import {
  createSuperuser,
  type PocketBase,
  type SignedIn,
  signUp as signUpOnServer,
  startPocketBase,
} from "@tests/support/pocketbase";
import { valueIn } from "@tests/support/value-in";
import PocketBaseClient from "pocketbase";
import { afterAll, beforeAll, expect, test } from "vitest";
import { conversationId } from "@/domain/ids";

const MESSAGES = 200;
const ROUNDS = 3;
const LEAST = 0.5;

let server: PocketBase;
let other: SignedIn;
beforeAll(async () => {
  server = await startPocketBase();
  const { token } = await createSuperuser(server);
  const limits = { writesPerMinute: 1_000_000, writesPer10Sec: 1_000_000 };
  await server.api("PATCH", "/api/collections/settings/records/app", { limits }, token);
  other = await signUpOnServer(server);
});
afterAll(() => server?.stop());

/** Messages a second of a plain loop. */
async function loopRate(): Promise<number> {
  const me = await signUpOnServer(server);
  const sdk = new PocketBaseClient(server.url);
  sdk.authStore.save(me.token, null);
  const id = conversationId(me.id, other.id);
  await sdk.collection("conversations").create({ id, participants: [me.id, other.id].sort() });
  const start = performance.now();
  for (let i = 0; i < MESSAGES; i++) {
    await sdk.collection("messages").create({
      conversationId: id,
      senderId: me.id,
      message: `Message ${i}`,
      type: "text",
    });
  }
  return (MESSAGES / (performance.now() - start)) * 1000;
}

/** Messages a second of a device that comes back with a full queue, until the last one is acknowledged. */
async function queueRate(): Promise<number> {
  const network = createNetwork();
  const client = createDevice(server.url, { fetch: network.fetch }).start();
  await signUp(client);
  await client.sync();
  network.intercept = cut;
  await client.sync();
  await until(client.connection, (connection) => connection === "offline");
  const started = await client.writes.createOrGetConversation(other.id);
  const chat = valueIn(started).conversationId;
  for (let i = 0; i < MESSAGES; i++) await client.writes.sendTextMessage(chat, `Message ${i}`);
  network.intercept = null;
  const start = performance.now();
  void client.sync().then(() => client.outbox.drain());
  await until(client.outbox.watch(), ({ ready, items }) => ready && items.length === 0);
  const rate = (MESSAGES / (performance.now() - start)) * 1000;
  await client.close();
  return rate;
}

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

test("a queue of 200 messages drains at least half as fast as a plain loop of creates", async () => {
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const loop = await loopRate();
    const queue = await queueRate();
    ratios.push(queue / loop);
    process.stdout.write(`loop ${loop.toFixed(0)}/s, queue ${queue.toFixed(0)}/s\n`);
  }
  const ratio = median(ratios);
  process.stdout.write(
    `queue of ${MESSAGES} messages against a loop of creates: ratio ${ratio.toFixed(2)} (>= ${LEAST})\n`,
  );
  expect(ratio).toBeGreaterThanOrEqual(LEAST);
});
