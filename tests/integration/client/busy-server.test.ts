/** A database that cannot answer, which PocketBase makes a 400, a 401 or a 404 of, ends no session and no intent. */
import {
  createSuperuser,
  type PocketBase,
  type SignedIn,
  signUp as signUpOnServer,
  startPocketBase,
} from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import { valueIn } from "@tests/support/value-in";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Client } from "@/data/client";
import { conversationId } from "@/domain/ids";
import { createDevice } from "./device";
import { untilSent } from "./live";
import { signUp } from "./people";

let server: PocketBase;
let superuser: SignedIn;
let client: Client | null = null;
beforeAll(async () => {
  server = await startPocketBase();
  superuser = await createSuperuser(server);
});
afterEach(async () => {
  await client?.close();
  client = null;
});
afterAll(() => server?.stop());

/** Makes every query of `table` fail while `work` runs, as a lock or a pool without connections does. */
async function withoutTable<T>(table: string, work: () => Promise<T>): Promise<T> {
  const rename = (from: string, to: string) =>
    sql(server, superuser.token, `ALTER TABLE ${from} RENAME TO ${to}`);
  await rename(table, `${table}_away`);
  try {
    return await work();
  } finally {
    await rename(`${table}_away`, table);
  }
}

const busy = { status: 503, body: { status: 503 } };

test("our routes say busy, not who are you, when a token cannot be looked up", async () => {
  const me = await signUpOnServer(server);
  const ask = (path: string, method = "GET", body?: unknown) =>
    server.api(method, path, body, me.token);
  const paths = ["/api/sync", "/api/sync?since=head", "/api/search?q=a", "/api/admin/stats"];
  await withoutTable("users", async () => {
    for (const path of paths) {
      const answer = await ask(path);
      expect(answer, path).toMatchObject(busy);
      expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    }
    expect(await ask("/api/account/sessions/end", "POST", {})).toMatchObject(busy);
  });
  expect(await ask("/api/sync?since=head")).toMatchObject({ status: 200 });
});

test("a token that is none is still told so", async () => {
  const me = await signUpOnServer(server);
  const dead = `${me.token.slice(0, -4)}AAAA`;
  for (const token of [dead, "nonsense", `Bearer ${dead}`]) {
    expect(await server.api("GET", "/api/sync", undefined, token)).toMatchObject({
      status: 401,
      body: { code: "unauthenticated" },
    });
  }
});

test("a write whose checks cannot be made is answered busy, and not as something that is gone", async () => {
  const [me, other] = [await signUpOnServer(server), await signUpOnServer(server)];
  const id = conversationId(me.id, other.id);
  const create = (collection: string, body: unknown) =>
    server.api("POST", `/api/collections/${collection}/records`, body, me.token);
  await create("conversations", { id, participants: [me.id, other.id].sort() });
  const message = { conversationId: id, senderId: me.id, message: "Hello", type: "text" };
  const answer = await withoutTable("conversations", () => create("messages", message));
  expect(answer).toMatchObject(busy);
  expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(await create("messages", message)).toMatchObject({ status: 200 });
});

test("nobody is signed out and nothing queued is refused while tokens cannot be looked up", async () => {
  const other = await signUpOnServer(server);
  const refused: string[] = [];
  client = createDevice(server.url, {
    async fetch(input, init) {
      const answer = await fetch(input, init);
      if (answer.status === 400 || answer.status === 401)
        refused.push(new URL(String(input)).pathname);
      return answer;
    },
  }).start();
  const me = await signUp(client);
  await client.sync();
  const mine = client;
  const started = await mine.writes.createOrGetConversation(other.id);
  const chat = valueIn(started).conversationId;
  await untilSent(client);
  await withoutTable("users", async () => {
    await mine.writes.sendTextMessage(chat, "Written while it was busy");
    // The second one says that the first was taken for no answer.
    const creates = async () => {
      await mine.outbox.drain();
      return refused.filter((path) => path.includes("/messages/")).length;
    };
    await expect.poll(creates, { interval: 250 }).toBeGreaterThanOrEqual(2);
    expect(await mine.auth.refresh()).toMatchObject({ success: false });
    const { items } = mine.outbox.watch().getSnapshot();
    expect(items.map(({ state }) => state)).not.toContain("refused");
    expect(mine.auth.session.getSnapshot()).toMatchObject({
      user: { id: me.id },
      needsLogin: false,
    });
  });
  await client.outbox.drain();
  await untilSent(client);
  const rows = await sql(
    server,
    superuser.token,
    `SELECT message FROM messages WHERE conversationId = '${chat}'`,
  );
  expect(rows).toEqual([{ message: "Written while it was busy" }]);
});
