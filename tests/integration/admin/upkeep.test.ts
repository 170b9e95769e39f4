/** Legal texts, settings, the audit book and the cleanup, as the panel's client uses them. */
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { must } from "@tests/integration/rules/stage";
import { mediaFixture } from "@tests/support/media-fixtures";
import { signUp } from "@tests/support/pocketbase";
import { upload } from "@tests/support/tus";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CleanupTask } from "@/data/admin/admin-client";
import { openPanel, type Panel, value } from "./panel";

let stage: Panel;
beforeAll(async () => {
  stage = await openPanel();
});
afterAll(() => stage.close());

describe("the legal texts", () => {
  test("come back as they are stored, and a second editor is told that somebody was first", async () => {
    const { panel } = stage;
    const seen = value(await panel.text("terms"));
    const text = '<h2>Rules</h2><p onclick="x()">Be <a href="javascript:alert(1)">kind</a>.</p>';
    const saved = value(await panel.saveText("terms", text, seen.revision));
    expect(saved.content).toBe("<h2>Rules</h2><p>Be <a>kind</a>.</p>");
    expect(saved.lastUpdated).toBeGreaterThan(Date.now() - 60_000);
    expect(await panel.saveText("terms", "<p>Mine</p>", seen.revision)).toMatchObject({
      success: false,
      error: "conflict",
    });
    expect(value(await panel.text("terms"))).toEqual(saved);
    const again = value(await panel.saveText("terms", "<p>Mine</p>", saved.revision));
    expect(again.content).toBe("<p>Mine</p>");
  });

  test("saved by two at once are one of the two, and the other is told", async () => {
    const { revision } = value(await stage.panel.text("privacy"));
    const answers = await Promise.all(
      ["<p>One</p>", "<p>Two</p>", "<p>Three</p>"].map((text) =>
        stage.panel.saveText("privacy", text, revision),
      ),
    );
    const won = answers.filter(({ success }) => success);
    expect(won).toHaveLength(1);
    for (const answer of answers) {
      if (!answer.success) expect(answer.error).toBe("conflict");
    }
    expect(value(await stage.panel.text("privacy"))).toEqual(won[0]?.success ? won[0].value : null);
  });

  test("of a megabyte are refused with a reason, and what stood stays", async () => {
    const before = value(await stage.panel.text("privacy"));
    const text = `<p>${"Long ".repeat(210_000)}</p>`;
    expect(await stage.panel.saveText("privacy", text, before.revision)).toMatchObject({
      success: false,
      error: "text_long",
    });
    expect(value(await stage.panel.text("privacy"))).toEqual(before);
  });
});

describe("the app's settings", () => {
  test("take a name, a language, the switches and limits, and say what each limit may be", async () => {
    const { panel, server } = stage;
    const seen = value(await panel.appSettings());
    const raised = { writesPerMinute: 90_000, signupsPer10Min: 9_000 };
    const switches = { requireMutualFollow: true, requireVerified: true, adminCodes: true };
    const change = {
      productName: "Blink",
      defaultLanguage: "de",
      ...switches,
      limits: raised,
    };
    const saved = value(await panel.saveAppSettings({ ...change, revision: seen.revision }));
    expect(saved).toMatchObject({
      productName: "Blink",
      defaultLanguage: "de",
      ...switches,
      mail: false,
    });
    const own = saved.limits.filter((limit) => limit.value !== null);
    expect(Object.fromEntries(own.map(({ name, value: set }) => [name, set]))).toEqual(raised);
    expect(saved.limits.find(({ name }) => name === "writesPerMinute")).toEqual({
      name: "writesPerMinute",
      value: 90_000,
      default: 600,
      min: 1,
    });
    expect(await panel.saveAppSettings({ ...change, revision: seen.revision })).toMatchObject({
      error: "conflict",
    });
    const none = { ...change, limits: { writesPerMinute: 0 }, revision: saved.revision };
    expect(await panel.saveAppSettings(none)).toMatchObject({ error: "invalid" });
    const klingon = { ...change, defaultLanguage: "tlh", revision: saved.revision };
    expect(await panel.saveAppSettings(klingon)).toMatchObject({ error: "invalid" });
    expect((await server.api("GET", "/api/collections/settings/records/app")).body).toMatchObject({
      productName: "Blink",
      defaultLanguage: "de",
    });
    const off = { requireMutualFollow: false, requireVerified: false, adminCodes: false };
    const back = { productName: "", defaultLanguage: "", ...off, limits: raised };
    value(await panel.saveAppSettings({ ...back, revision: saved.revision }));
  });
});

describe("the audit book", () => {
  test("is found by who, what, whom and when, and leaves as a file with nothing missing", async () => {
    const { panel, ann, bob, admin, superuser } = stage;
    const begun = Date.now();
    value(await panel.setChatDisabled(ann.id, true));
    value(await panel.setChatDisabled(ann.id, false));
    value(await panel.setAdmin(bob.id, true));
    must(await stage.update("users", bob.id, { isAdmin: false }, superuser));
    const of = async (query: Parameters<typeof panel.audit>[0]) =>
      value(await panel.audit(query)).items;
    expect(await of({ target: ann.id, from: begun - 5_000 })).toMatchObject([
      { details: { chatDisabled: false }, actorUsername: admin.record.username },
      { details: { chatDisabled: true }, targetLabel: ann.record.username },
    ]);
    expect(await of({ target: ann.id, to: begun - 60_000 })).toEqual([]);
    expect(await of({ target: bob.id, actor: "superuser@" })).toMatchObject([
      { actor: `superuser:${superuser.email}`, details: { isAdmin: false } },
    ]);
    expect(await of({ target: bob.id, actor: admin.record.username })).toHaveLength(1);
    expect(await of({ target: bob.id, action: "users" })).toHaveLength(2);
    expect(await of({ target: bob.id, action: "user" })).toEqual([]);
    const raised = { writesPerMinute: 90_000, signupsPer10Min: 9_000 };
    const limits = { storageBytes: 7 * 1024 ** 3 };
    const { revision } = value(await panel.appSettings());
    const off = { requireMutualFollow: false, requireVerified: false, adminCodes: false };
    const change = {
      productName: "",
      defaultLanguage: "en" as const,
      ...off,
      limits: { ...raised, ...limits },
      revision,
    };
    value(await panel.saveAppSettings(change));
    const [settings] = await of({ target: "app" });
    expect(settings?.details).toMatchObject({ limits });
    await stage.sql(`INSERT INTO audit (id, actor, action, target, details, createdAt)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
      SELECT 'old' || printf('%012d', i), '=cmd()', 'old.act', 'say "hi"', '{"n":' || i || '}',
        '2026-01-01 00:00:00.000Z' FROM n`);
    const blob = value(await panel.exportAudit({ action: "old" }));
    const lines = (await blob.text()).trimEnd().split("\r\n");
    expect(lines[0]).toBe("time,actor,actorUsername,action,target,targetLabel,details");
    expect(lines).toHaveLength(2501);
    expect(new Set(lines).size).toBe(2501);
    expect(lines[1]).toBe(
      `"2026-01-01T00:00:00.000Z","'=cmd()","","old.act","say ""hi""","","{""n"":2500}"`,
    );
  });
});

describe("the cleanup", () => {
  const HOURS_AGO = new Date(Date.now() - 3 * 3_600_000);
  const collectionOf = async (name: string) =>
    must(
      await stage.server.api("GET", `/api/collections/${name}`, undefined, stage.superuser.token),
    ).body.id;
  const old = (...places: string[]) => {
    for (const place of places) utimesSync(place, HOURS_AGO, HOURS_AGO);
  };
  const preview = (task: CleanupTask) => stage.panel.previewCleanup(task).then(value);
  const clean = (task: CleanupTask) => stage.panel.runCleanup(task).then(value);

  test("removes stored files that no row names, counted before, and never a live one", async () => {
    const { server, ann } = stage;
    const form = new FormData();
    form.set("id", "livemedium00001");
    form.set("uploadId", await upload(server, ann.token, mediaFixture("photo.jpg")));
    form.set("thumbnail", new Blob([mediaFixture("photo.jpg")], { type: "image/jpeg" }), "t.jpg");
    const media = must(await server.api("POST", "/api/media", form, ann.token)).body;
    const storage = path.join(server.dataDir, "storage", await collectionOf("media"));
    const make = (folder: string, ...names: string[]) => {
      const where = path.join(storage, folder);
      mkdirSync(where, { recursive: true });
      const files = names.map((name) => path.join(where, name));
      for (const file of files) writeFileSync(file, "12345");
      return { where, files };
    };
    const live = path.join(storage, media.id);
    const stray = make(media.id, "left_behind.jpg", "left_behind.jpg.attrs");
    old(...readdirSync(live).map((name) => path.join(live, name)), live);
    const dead = make("deadmedium00001", "a.jpg", "a.jpg.attrs");
    old(...dead.files, dead.where);
    const young = make("youngmedium0001", "a.jpg");
    // An upload keeps the date of its last chunk when it is moved to its place: the folder is what is young.
    old(...young.files);
    const strange = make("not-a-record", "a.jpg");
    old(...strange.files, strange.where);
    const found = { items: 2, bytes: 10 };
    expect(await preview("orphaned-files")).toEqual(found);
    expect(existsSync(dead.where)).toBe(true);
    const steps: number[] = [];
    const onProgress = ({ percent }: { percent: number }) => void steps.push(percent);
    expect(value(await stage.panel.runCleanup("orphaned-files", { onProgress }))).toEqual(found);
    expect(steps.at(-1)).toBe(100);
    expect(existsSync(dead.where)).toBe(false);
    for (const file of stray.files) expect(existsSync(file)).toBe(false);
    for (const place of [young.where, strange.where]) expect(readdirSync(place)).toEqual(["a.jpg"]);
    for (const name of [media.file, media.thumbnail]) {
      const { status } = await server.api("GET", `/api/files/media/${media.id}/${name}`);
      expect(status).toBe(200);
    }
    expect(await preview("orphaned-files")).toEqual({ items: 0, bytes: 0 });
    const written = value(await stage.panel.audit({ action: "cleanup.run" })).items;
    expect(written[0]).toMatchObject({ target: "orphaned-files", details: found });
  });

  test("stopped in between goes on later from what is left", async () => {
    const storage = path.join(stage.server.dataDir, "storage", await collectionOf("media"));
    for (const name of ["a", "b"]) {
      const folder = path.join(storage, `stoppedmedium${name}0`);
      mkdirSync(folder);
      writeFileSync(path.join(folder, "a.jpg"), "1");
      old(path.join(folder, "a.jpg"), folder);
    }
    const stop = new AbortController();
    const first = value(
      await stage.panel.runCleanup("orphaned-files", {
        signal: stop.signal,
        onProgress: () => stop.abort(),
      }),
    );
    expect((await clean("orphaned-files")).items + first.items).toBe(2);
  });

  test("removes uploads that nobody finished in time, and leaves the others", async () => {
    const { server, ann } = stage;
    const who = await signUp(server);
    const [late, open] = [
      await upload(server, who.token, Buffer.from("late")),
      await upload(server, ann.token, Buffer.from("still open")),
    ];
    await stage.sql(
      `UPDATE uploads SET expiresAt = '2026-01-01 00:00:00.000Z' WHERE id = '${late}'`,
    );
    const partials = `${server.dataDir}_uploads`;
    writeFileSync(path.join(partials, "nobodysbytes001"), "123");
    old(path.join(partials, "nobodysbytes001"));
    expect(await preview("expired-uploads")).toEqual({ items: 2, bytes: 7 });
    expect(await clean("expired-uploads")).toEqual({ items: 2, bytes: 7 });
    expect(readdirSync(partials)).toEqual([open]);
    expect(await stage.number("SELECT count(*) FROM uploads")).toBe(1);
    expect(await preview("expired-uploads")).toEqual({ items: 0, bytes: 0 });
  });

  test("removes tombstones that every device has seen, in steps, and keeps the young ones", async () => {
    await stage.sql("UPDATE _tombs SET at = at - 91 * 86400");
    await stage.sql(`INSERT INTO _tombs (seq, coll, rid, a, b, pub, at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
      SELECT (SELECT v FROM _seq) + i, 'media', 'gone' || i, '', '', 1, unixepoch() - 91 * 86400 FROM n`);
    await stage.sql("UPDATE _seq SET v = v + 12000");
    const items = await stage.number("SELECT count(*) FROM _tombs");
    must(await stage.remove("media", await stage.media(stage.ann), stage.ann));
    const young = await stage.number("SELECT count(*) FROM _tombs WHERE at > unixepoch() - 86400");
    expect(await preview("old-tombstones")).toEqual({ items, bytes: 0 });
    const steps: number[] = [];
    const onProgress = ({ percent }: { percent: number }) => void steps.push(percent);
    expect(value(await stage.panel.runCleanup("old-tombstones", { onProgress }))).toEqual({
      items,
      bytes: 0,
    });
    expect(steps.length).toBeGreaterThan(1);
    expect(steps.at(-1)).toBe(100);
    expect([...steps].sort((a, b) => a - b)).toEqual(steps);
    expect(await stage.number("SELECT count(*) FROM _tombs")).toBe(young);
  });

  test("knows its three tasks and no other path", async () => {
    for (const task of ["toString", "..%2f..", "files", "constructor"]) {
      const { status } = await stage.server.api(
        "POST",
        `/api/admin/cleanup/${task}`,
        undefined,
        stage.admin.token,
      );
      expect(status).toBe(404);
    }
    const after = encodeURIComponent("media/../../..");
    const { status } = await stage.server.api(
      "GET",
      `/api/admin/cleanup/orphaned-files?after=${after}`,
      undefined,
      stage.admin.token,
    );
    expect(status).toBe(400);
  });
});
