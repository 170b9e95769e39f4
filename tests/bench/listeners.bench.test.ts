/** What listeners that only wait cost the server: memory, and the time of whoever writes to one of them. */
import { readFileSync } from "node:fs";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import {
  createSuperuser,
  type PocketBase,
  type SignedIn,
  signUp,
  startPocketBase,
} from "@tests/support/pocketbase";
import { afterAll, beforeAll, expect, test } from "vitest";
import { conversationId } from "@/domain/ids";

const CLIENTS = 1000;
const PEOPLE = 25;
const WRITES = 60;
const ROUNDS = 5;
const MEMORY_MOST_MB = 150;
const WRITE_MOST = 2;

let server: PocketBase;
let writer: SignedIn;
/** With one listener. */
let reader: SignedIn;
/** With all the others. */
const people: SignedIn[] = [];
const streams: ClientRequest[] = [];

beforeAll(async () => {
  server = await startPocketBase();
  const { token } = await createSuperuser(server);
  const limits = { writesPerMinute: 1_000_000, writesPer10Sec: 1_000_000 };
  await server.api("PATCH", "/api/collections/settings/records/app", { limits }, token);
  writer = await signUp(server);
  reader = await signUp(server);
  for (let i = 0; i < PEOPLE; i++) people.push(await signUp(server));
  const body = {
    id: conversationId(writer.id, reader.id),
    participants: [writer.id, reader.id].sort(),
  };
  await server.api("POST", "/api/collections/conversations/records", body, writer.token);
});
afterAll(async () => {
  for (const stream of streams) stream.destroy();
  await server?.stop();
});

const memoryMb = (): number => {
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
};

/** Opens a stream and subscribes it; nothing of it is read beyond its greeting. */
async function listen(token: string): Promise<void> {
  const clientId = await new Promise<string>((resolve, reject) => {
    const stream = httpRequest(`${server.url}/api/realtime`, (answer: IncomingMessage) => {
      let text = "";
      answer.on("data", (piece: Buffer) => {
        text += piece.toString();
        const found = /"clientId":"([^"]+)"/.exec(text)?.[1];
        if (found !== undefined) resolve(found);
        if (text.length > 10_000) text = "";
      });
      answer.on("error", () => undefined);
    });
    stream.on("error", reject);
    stream.end();
    streams.push(stream);
  });
  const subscribed = await server.api(
    "POST",
    "/api/realtime",
    { clientId, subscriptions: ["sync"] },
    token,
  );
  expect(subscribed.status).toBe(204);
}

/** Milliseconds of one message, median of many. */
async function writeMs(): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < WRITES; i++) {
    const body = {
      conversationId: conversationId(writer.id, reader.id),
      senderId: writer.id,
      message: `Hello ${i}`,
      type: "text",
    };
    const start = performance.now();
    const { status } = await server.api(
      "POST",
      "/api/collections/messages/records",
      body,
      writer.token,
    );
    times.push(performance.now() - start);
    expect(status).toBe(200);
    // The recipient pulls: its clients may be hinted again.
    await server.api("GET", "/api/sync?since=head", undefined, reader.token);
  }
  return median(times);
}

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

test("a thousand listeners cost little memory, and a message to one of them little time", async () => {
  await writeMs();
  const idle = memoryMb();
  const alone: number[] = [];
  const among: number[] = [];
  for (let round = 0; round < ROUNDS; round++) alone.push(await writeMs());
  await listen(reader.token);
  while (streams.length < CLIENTS) {
    const some = people.slice(0, CLIENTS - streams.length);
    await Promise.all(some.map(({ token }) => listen(token)));
  }
  const added = memoryMb() - idle;
  for (let round = 0; round < ROUNDS; round++) among.push(await writeMs());
  for (const stream of streams) stream.destroy();
  const ratio = Math.min(...among) / Math.min(...alone);
  process.stdout.write(
    `${CLIENTS} idle listeners: ${added.toFixed(0)} MB above idle (<= ${MEMORY_MOST_MB}), a message to one of them ` +
      `against none listening: ratio ${ratio.toFixed(2)} (<= ${WRITE_MOST})\n`,
  );
  expect(added).toBeLessThanOrEqual(MEMORY_MOST_MB);
  expect(ratio).toBeLessThanOrEqual(WRITE_MOST);
});
