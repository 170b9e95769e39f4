/** A thousand messages at once under the limits as they are shipped: what a minute allows passes, the rest waits on the device and follows. */
import { createDevice } from "@tests/integration/client/device";
import { until } from "@tests/integration/client/live";
import { createNetwork, cut } from "@tests/integration/client/network";
import { signUp as signUpOn } from "@tests/integration/client/people";
import {
  createSuperuser,
  type PocketBase,
  signUp,
  startPocketBase,
} from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import { valueIn } from "@tests/support/value-in";
import { afterAll, beforeAll, expect, test } from "vitest";

const MESSAGES = 1000;
/** The default (docs/data-contract.md). */
const A_MINUTE = 600;

let server: PocketBase;
let superuser: string;
beforeAll(async () => {
  server = await startPocketBase();
  superuser = (await createSuperuser(server)).token;
});
afterAll(() => server?.stop());

const arrived = async (): Promise<unknown[]> =>
  (await sql(server, superuser, "SELECT message FROM messages ORDER BY ord")).map(
    ({ message }) => message,
  );

test("a thousand messages in a minute end at a 429, stay queued, and are sent later, each once and in order", async () => {
  const network = createNetwork();
  const client = createDevice(server.url, { fetch: network.fetch }).start();
  await signUpOn(client);
  const other = await signUp(server);
  const started = await client.writes.createOrGetConversation(other.id);
  const chat = valueIn(started).conversationId;
  await client.sync();
  network.intercept = cut;
  await client.sync();
  const written = Array.from({ length: MESSAGES }, (_, i) => `message ${i}`);
  for (const text of written) await client.writes.sendTextMessage(chat, text);
  const answers: number[] = [];
  network.intercept = ({ method, path }, send) => {
    if (method !== "POST" || !path.includes("/messages/records")) return null;
    return send().then((answer) => {
      answers.push(answer.status);
      return answer;
    });
  };
  const began = performance.now();
  await client.sync();
  const drained = client.outbox.drain();
  const held = await until(client.outbox.watch(), ({ items }) =>
    items.some(({ code }) => code === "rate_limited"),
  );
  const passed = await arrived();
  const heldAt = performance.now() - began;
  expect(held.refused).toBe(0);
  // The chat's own start was a write of that minute too.
  expect(passed.length).toBeGreaterThan(A_MINUTE - 5);
  expect(passed.length).toBeLessThanOrEqual(A_MINUTE);
  expect(passed).toEqual(written.slice(0, passed.length));
  await drained;
  await until(client.outbox.watch(), ({ ready, items }) => ready && items.length === 0);
  const took = performance.now() - began;
  expect(await arrived()).toEqual(written);
  const refused = answers.filter((status) => status === 429).length;
  expect(refused).toBeLessThan(10);
  process.stdout.write(
    `${passed.length} of ${MESSAGES} passed in ${(heldAt / 1000).toFixed(1)} s, then ${refused} × 429; ` +
      `all there after ${(took / 1000).toFixed(1)} s, in order, each once\n`,
  );
  await client.close();
}, 600_000);
