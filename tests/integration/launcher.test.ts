import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { inRoot } from "@scripts/checkout.mjs";
import { findPocketBase, pocketBaseEnv, pocketBaseFlags } from "@scripts/pocketbase.mjs";
import {
  createSuperuser,
  freePort,
  newFolder,
  startPocketBase,
  temporaryFolder,
} from "@tests/support/pocketbase";
import { sql } from "@tests/support/sql";
import { startScript } from "@tests/support/start-script";
import { expect, test } from "vitest";

test("a server of the launcher answers, keeps its data over a restart, and stops", async () => {
  const server = await startPocketBase({ dataDir: newFolder() });
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

test("PocketBase by itself refuses to serve while it would decode pictures, and takes other commands", async () => {
  for (const value of ["", "60"]) {
    const start = startPocketBase({ env: { PB_THUMBS_MAX_WAIT: value } });
    await expect(start).rejects.toThrow(/Set PB_THUMBS_MAX_WAIT=9223372037/);
  }
  const { PB_THUMBS_MAX_WAIT: off } = pocketBaseEnv("");
  expect(off).toBe("9223372037");
  const guide = readFileSync(inRoot("docs/operations.md"), "utf8");
  expect(guide).toContain(`Environment=PB_THUMBS_MAX_WAIT=${off}`);
  expect(guide).toContain(`docker run -e PB_THUMBS_MAX_WAIT=${off}`);
  const { path: binary } = await findPocketBase();
  const folders = {
    dataDir: newFolder(),
    publicDir: temporaryFolder(),
  };
  const command = ["superuser", "upsert", "root@example.com", "super-secret-1"];
  const { PB_THUMBS_MAX_WAIT: _, ...env } = process.env;
  const args = [...command, ...pocketBaseFlags(folders)];
  const { stdout } = await promisify(execFile)(binary, args, { env });
  expect(stdout).toContain("saved superuser");
});

test("a server that is older than its database refuses to serve, says why, and leaves it as it was", async () => {
  const server = await startPocketBase({ dataDir: newFolder() });
  const { token } = await createSuperuser(server);
  const LATER = "('1799999999-later.js', 1)";
  await sql(server, token, `INSERT INTO _migrations (file, applied) VALUES ${LATER}`);
  await server.stop();
  const { dataDir } = server;
  // A start that goes on writes a new mark beside the folder.
  const state = () => [
    existsSync(`${dataDir}.boot`),
    createHash("sha256")
      .update(readFileSync(path.join(dataDir, "data.db")))
      .digest("hex"),
  ];
  const before = state();
  expect(before[0]).toBe(false);
  const sentence =
    /The database is newer than this version of Augenblick, which knows no 1799999999-later\.js: start the later version, or put back the backup/;
  await expect(startPocketBase({ dataDir })).rejects.toThrow(sentence);

  const launcher = startScript("start.mjs", [], {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
  });
  const { code, out, err } = await launcher.ended;
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(sentence);
  expect(err).toMatch(/PocketBase \(.*\) did not start; its reason stands above\.\n$/);
  expect(state()).toEqual(before);
  // Other commands take it: a backup can still be made.
  const file = path.join(temporaryFolder(), "newer.tar");
  const backup = await startScript("backup.mjs", ["--to", file], { DATA_DIR: dataDir }).ended;
  expect([backup.code, backup.err]).toEqual([0, ""]);
});
