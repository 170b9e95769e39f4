/** Several communities on one machine, each a server with a database of its own: what each costs while nobody is there. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { cpuOf } from "@tests/support/cpu";
import { type PocketBase, startPocketBase } from "@tests/support/pocketbase";
import { afterAll, beforeAll, expect, test } from "vitest";

const COMMUNITIES = 10;
const SECONDS = 60;
const MEMORY_MOST_MB = 200;
const CORE_MOST = 0.01;

const servers: PocketBase[] = [];
beforeAll(async () => {
  for (let i = 0; i < COMMUNITIES; i++) servers.push(await startPocketBase());
}, 600_000);
afterAll(() => Promise.all(servers.map((server) => server.stop())));

/** Its own alone: the program itself is shared. */
const memoryMb = ({ pid }: PocketBase): number => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1]) / 1024;
};
const mean = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;

test("a community that sleeps takes little memory and next to no time", async () => {
  for (const { url } of servers) expect((await fetch(`${url}/api/health`)).status).toBe(200);
  const memory = mean(servers.map(memoryMb));
  // Each has its clock, which ticks once a minute.
  const spent = await Promise.all(
    servers.map(({ pid }) => cpuOf(pid, () => sleep(SECONDS * 1000))),
  );
  const core = mean(spent) / SECONDS;
  process.stdout.write(
    `${COMMUNITIES} communities: ${memory.toFixed(0)} MB each (<= ${MEMORY_MOST_MB}), ` +
      `${(core * 100).toFixed(2)} % of a core each (<= ${CORE_MOST * 100})\n`,
  );
  expect(memory).toBeLessThanOrEqual(MEMORY_MOST_MB);
  expect(core).toBeLessThanOrEqual(CORE_MOST);
}, 180_000);
