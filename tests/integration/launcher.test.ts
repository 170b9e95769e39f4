import { existsSync } from "node:fs";
import path from "node:path";
import { createSuperuser, startPocketBase } from "@tests/support/pocketbase";
import { expect, test } from "vitest";

test("a server of the launcher answers, keeps its data over a restart, and stops", async () => {
  const server = await startPocketBase();
  const superuser = await createSuperuser(server);
  const first = server.pid;
  await server.restart();
  expect(server.pid).not.toBe(first);
  const list = await server.api(
    "GET",
    "/api/collections/_superusers/records",
    undefined,
    superuser.token,
  );
  expect(list.body.items.map((row: { email: string }) => row.email)).toContain(superuser.email);
  await server.stop();
  expect(existsSync(path.join(server.dataDir, "data.db"))).toBe(true);
  await expect(fetch(`${server.url}/api/health`)).rejects.toThrow();
});
