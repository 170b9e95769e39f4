/**
 * 300 people online, who exchange 50 messages a second for a minute: each listens for hints and pulls at each of them, as
 * the app does. The generator runs on the same machine.
 */
import { readFileSync } from "node:fs";
import {
  createSuperuser,
  type PocketBase,
  signUp,
  startPocketBase,
} from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import { type Listener, listen } from "@tests/support/sse";
import { afterAll, beforeAll, expect, test } from "vitest";

const PEOPLE = 300;
const PER_SECOND = 50;
const SECONDS = Number(process.env["CHAT_LOAD_SECONDS"] ?? 60);
const UNLOADED = 60;

interface Person {
  id: string;
  token: string;
  checkpoint: number;
  listener: Listener;
  /** Messages that its pulls brought. */
  brought: Set<string>;
  pulling: Promise<void>;
}

let server: PocketBase;
let superuser: string;
const people: Person[] = [];
const chatOf = (i: number): string =>
  [people[i]?.id, people[i % 2 === 0 ? i + 1 : i - 1]?.id].sort().join("_");

beforeAll(async () => {
  server = await startPocketBase();
  superuser = (await createSuperuser(server)).token;
  const limits = { writesPerMinute: 100_000, writesPer10Sec: 100_000 };
  await server.api("PATCH", "/api/collections/settings/records/app", { limits }, superuser);
  await copyPeople();
  const ids = await sql(server, superuser, "SELECT id FROM users WHERE username LIKE 'load%'");
  for (const { id } of ids) people.push(await online(String(id)));
  for (let i = 0; i < PEOPLE; i += 2) {
    const [a, b] = chatOf(i).split("_");
    const body = { id: chatOf(i), participants: [a, b] };
    await server.api("POST", "/api/collections/conversations/records", body, people[i]?.token);
  }
}, 600_000);
afterAll(async () => {
  for (const { listener } of people) listener.close();
  await server?.stop();
});

/** Three hundred sign-ups would hash passwords for minutes: one is copied. */
async function copyPeople(): Promise<void> {
  await signUp(server, { username: "pattern" });
  const columns = await sql(server, superuser, "SELECT name FROM pragma_table_info('users')");
  const names = columns.map(({ name }) => String(name));
  const own: Record<string, string> = {
    id: "printf('load%011d', n.i)",
    username: "'load' || n.i",
    email: "'load' || n.i || '@example.com'",
    tokenKey: "'load-token-key-that-is-long-enough-' || printf('%015d', n.i)",
  };
  await sql(
    server,
    superuser,
    `INSERT INTO users (${names.map((name) => `"${name}"`).join(", ")})
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${PEOPLE})
     SELECT ${names.map((name) => own[name] ?? `u."${name}"`).join(", ")}
     FROM n, users u WHERE u.username = 'pattern'`,
  );
}

async function online(id: string): Promise<Person> {
  const impersonate = `/api/collections/users/impersonate/${id}`;
  const { token } = (await server.api("POST", impersonate, {}, superuser)).body;
  const listener = await listen(server);
  await listener.subscribe(["sync"], token);
  const head = await server.api("GET", "/api/sync?since=head", undefined, token);
  const { checkpoint } = head.body;
  const brought = new Set<string>();
  const person = { id, token, checkpoint, listener, brought, pulling: Promise.resolve() };
  listener.heard.push = (...events) => {
    person.pulling = person.pulling.then(() => pull(person));
    return events.length;
  };
  return person;
}

async function pull(person: Person): Promise<void> {
  const path = `/api/sync?since=${person.checkpoint}&limit=500`;
  const { status, body } = await server.api("GET", path, undefined, person.token);
  if (status !== 200) {
    failed.push(`${status} ${JSON.stringify(body)}`);
    return;
  }
  person.checkpoint = body.checkpoint;
  for (const row of body.changes.messages?.documents ?? []) person.brought.add(row.id);
}

/** What the server refused. A pull that failed is made up for by the next hint, or by the last pull. */
const failed: string[] = [];
let sent = 0;
const made = new Map<string, Person>();

/** Milliseconds until the server has taken a message of person `i`. */
async function send(i: number): Promise<number> {
  const person = people[i];
  const other = people[i % 2 === 0 ? i + 1 : i - 1];
  if (person === undefined || other === undefined) throw new Error("nobody there");
  sent += 1;
  const id = `m${String(sent).padStart(14, "0")}`;
  const body = { id, conversationId: chatOf(i), senderId: person.id, message: `Message ${sent}` };
  const start = performance.now();
  const path = "/api/collections/messages/records";
  const answer = await server.api("POST", path, body, person.token);
  if (answer.status === 200) made.set(id, other);
  else failed.push(`POST ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.status === 200 ? performance.now() - start : Number.POSITIVE_INFINITY;
}

/** Megabytes that the server holds in memory. */
const memory = (): number => {
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
};

/** Seconds of processor time that the server used so far: unlike the clock it does not see what else the machine does. */
const processor = (): number => {
  const stat = readFileSync(`/proc/${server.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(stat[11]) + Number(stat[12])) / 100;
};

const share = (values: number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? Number.NaN;

/** Unloaded sends, one at a time, each after the pulls it caused. */
async function sendAlone(count: number): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    times.push(await send(i % PEOPLE));
    await Promise.all(people.map((person) => person.pulling));
  }
  return times;
}

async function sendForAMinute(): Promise<{ times: number[]; peak: number }> {
  const flights: Promise<number>[] = [];
  let peak = 0;
  const began = performance.now();
  for (let i = 0; i < PER_SECOND * SECONDS; i++) {
    const due = began + (i * 1000) / PER_SECOND;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    flights.push(send((i * 7) % PEOPLE));
    if (i % PER_SECOND === 0) peak = Math.max(peak, memory());
  }
  return { times: await Promise.all(flights), peak };
}

test("300 people and 50 messages a second: quick, complete, and within thrice the idle memory", async () => {
  const idle = memory();
  const before = processor();
  const alone = await sendAlone(UNLOADED);
  const cost = ((processor() - before) * 1000) / UNLOADED;
  const { times, peak } = await sendForAMinute();
  alone.push(...(await sendAlone(UNLOADED)));
  const median = share(alone, 0.5);
  const p95 = share(times, 0.95);
  await Promise.all(people.map((person) => person.pulling));
  for (const person of people) await pull(person);
  const lost = [...made].filter(([id, other]) => !other.brought.has(id));
  process.stdout.write(
    `a message and the two pulls it causes take ${cost.toFixed(1)} ms of processor; ` +
      `send alone ${median.toFixed(1)} ms (median), under load p95 ${p95.toFixed(1)} ms, ratio ` +
      `${(p95 / median).toFixed(2)} (<= 5); memory ${idle.toFixed(0)} MB idle, ${peak.toFixed(0)} MB peak, ratio ` +
      `${(peak / idle).toFixed(2)} (<= 3); ${times.length} sent, ${lost.length} lost, ${failed.length} refused ${[...new Set(failed)].slice(0, 3).join(" ")}\n`,
  );
  expect(made.size).toBe(sent);
  expect(lost).toEqual([]);
  expect(peak / idle).toBeLessThanOrEqual(3);
  expect(p95 / median).toBeLessThanOrEqual(5);
});
