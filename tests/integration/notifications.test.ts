/** What people are told of: by whom, of what and how often, who reads it, and what ends it. */
import { type Answer, type SignedIn, signUp } from "@tests/support/pocketbase";
import { listen } from "@tests/support/sse";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { pairId } from "@/domain/ids";
import { must, type Stage, setStage } from "./rules/stage";

/** Rows that a person keeps. */
const KEPT_ROWS = 1_000;

let stage: Stage;
let ann: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  stage = await setStage();
  ({ ann, bob } = stage);
});
afterAll(() => stage.server.stop());
afterEach(async () => {
  for (const table of ["likes", "follows", "comments", "blocks", "notifications", "_told"]) {
    await stage.sql(`DELETE FROM ${table}`);
  }
  await stage.sql("UPDATE users SET notificationsOff = '[]'");
});

type Row = Record<string, string | number>;

const told = async (who: SignedIn): Promise<Row[]> =>
  must(await stage.list("notifications", "perPage=500", who)).body.items;
const kinds = async (who: SignedIn) => (await told(who)).map(({ kind }) => kind).sort();
const like = (who: SignedIn, mediaId: string) =>
  stage.create("likes", { mediaId, userId: who.id }, who);
const unlike = (who: SignedIn, mediaId: string) =>
  stage.remove("likes", pairId(mediaId, who.id), who);
const comment = (who: SignedIn, mediaId: string, text = "Schön") =>
  stage.create("comments", { mediaId, userId: who.id, text }, who);
const rename = (who: SignedIn, mediaId: string, caption: string) =>
  stage.update("media", mediaId, { caption }, who);
const follow = (who: SignedIn, other: SignedIn) =>
  stage.create("follows", { followerId: who.id, followingId: other.id }, who);
const block = (who: SignedIn, other: SignedIn) =>
  stage.create("blocks", { blockerId: who.id, blockedId: other.id }, who);
const markRead = (who: SignedIn | undefined, until: unknown): Promise<Answer> =>
  stage.server.api("POST", "/api/notifications/read", { until }, who?.token);
const head = async (): Promise<number> =>
  (await stage.server.api("GET", "/api/sync?since=head")).body.checkpoint;
const changesSince = async (since: number, who?: SignedIn) =>
  (await stage.server.api("GET", `/api/sync?since=${since}`, undefined, who?.token)).body.changes[
    "notifications"
  ];

test("a like, a comment and a follow are told to whom they concern, and to nobody else", async () => {
  const since = await head();
  const mediaId = await stage.media(ann);
  must(await like(bob, mediaId));
  const said = must(await comment(bob, mediaId)).body.id;
  must(await follow(bob, ann));
  const rows = await told(ann);
  const about = { userId: ann.id, actorId: bob.id, readAt: "", outcome: "", reason: "" };
  expect(rows).toHaveLength(3);
  expect(rows).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...about, kind: "like", mediaId, commentId: "" }),
      expect.objectContaining({ ...about, kind: "comment", mediaId, commentId: said }),
      expect.objectContaining({ ...about, kind: "follow", mediaId: "", commentId: "" }),
    ]),
  );
  for (const row of rows) expect(row["createdAt"]).toMatch(/^\d{4}-\d\d-\d\d [\d:]{8}\.\d{3}Z$/);
  const inFeed = await changesSince(since, ann);
  expect(inFeed.documents).toEqual(expect.arrayContaining(rows));
  for (const who of [bob, stage.admin, undefined]) {
    expect(await changesSince(since, who)).toBeUndefined();
    const id = String(rows[0]?.["id"]);
    expect((await stage.view("notifications", id, who)).status).toBe(404);
  }
  expect(await told(bob)).toEqual([]);
});

test("nobody is told of what he does himself, of what a blocked person does, or of an import", async () => {
  const mediaId = await stage.media(ann);
  must(await like(ann, mediaId));
  must(await comment(ann, mediaId));
  const [eve, old] = [await signUp(stage.server), await signUp(stage.server)];
  must(await block(ann, eve));
  must(await block(bob, ann));
  for (const who of [eve, bob]) {
    const row = { mediaId, userId: who.id };
    must(await stage.create("likes", { ...row, id: pairId(mediaId, who.id) }, stage.superuser));
  }
  const createdAt = "2024-05-01 10:00:00.000Z";
  const imported = { id: pairId(mediaId, old.id), mediaId, userId: old.id, createdAt };
  must(await stage.create("likes", imported, stage.superuser));
  expect(await told(ann)).toEqual([]);
});

test("what is taken back is told no more, and those who held it hear of that", async () => {
  const mediaId = await stage.media(ann);
  must(await like(bob, mediaId));
  const said = must(await comment(bob, mediaId)).body.id;
  must(await follow(bob, ann));
  const ids = (await told(ann)).map(({ id }) => id).sort();
  const since = await head();
  must(await unlike(bob, mediaId));
  must(await stage.remove("comments", said, bob));
  must(await stage.remove("follows", pairId(bob.id, ann.id), bob));
  expect(await told(ann)).toEqual([]);
  expect((await changesSince(since, ann)).deleted.sort()).toEqual(ids);
  for (const who of [bob, undefined]) expect(await changesSince(since, who)).toBeUndefined();
});

test("a medium and an account take along what was told because of them", async () => {
  const [mediaId, other] = [await stage.media(ann), await stage.media(ann)];
  const eve = await signUp(stage.server);
  must(await like(bob, mediaId));
  must(await comment(bob, mediaId));
  must(await like(eve, other));
  must(await comment(eve, other));
  must(await follow(eve, ann));
  must(await stage.remove("media", mediaId, ann));
  expect(await kinds(ann)).toEqual(["comment", "follow", "like"]);
  must(await follow(bob, eve));
  const password = { password: eve.password };
  must(await stage.server.api("POST", "/api/account/delete", password, eve.token));
  expect(await told(ann)).toEqual([]);
  expect(await stage.number("SELECT count(*) FROM notifications")).toBe(0);
});

test("what was read while it was taken back is read when it returns", async () => {
  const mediaId = await stage.media(ann);
  must(await like(bob, mediaId));
  const [first] = await told(ann);
  must(await unlike(bob, mediaId));
  const until = { until: first?.["createdAt"] };
  must(await stage.server.api("POST", "/api/notifications/read", until, bob.token));
  must(await like(bob, mediaId));
  expect(await told(ann)).toMatchObject([{ id: first?.["id"], readAt: "" }]);
  must(await unlike(bob, mediaId));
  must(await stage.server.api("POST", "/api/notifications/read", until, ann.token));
  must(await like(bob, mediaId));
  const [again] = await told(ann);
  expect(again).toMatchObject({ id: first?.["id"], createdAt: first?.["createdAt"] });
  expect(again?.["readAt"]).not.toBe("");
});

test("what is done and undone again and again is one row, told once a day", async () => {
  const mediaId = await stage.media(ann);
  must(await like(bob, mediaId));
  const [first] = await told(ann);
  for (let time = 0; time < 10; time++) {
    must(await unlike(bob, mediaId));
    must(await like(bob, mediaId));
  }
  const rows = await told(ann);
  expect(rows).toEqual([{ ...first, seq: rows[0]?.["seq"] }]);
  must(await markRead(ann, first?.["createdAt"]));
  must(await unlike(bob, mediaId));
  must(await like(bob, mediaId));
  expect((await told(ann))[0]?.["readAt"]).not.toBe("");
  // Two days later it is news again.
  for (const table of ["notifications", "_told"]) {
    await stage.sql(`UPDATE ${table} SET createdAt = '2024-05-01 10:00:00.000Z'`);
  }
  must(await unlike(bob, mediaId));
  must(await like(bob, mediaId));
  expect((await told(ann))[0]?.["readAt"]).toBe("");
});

test("whom a comment or a caption names is told once, and not of himself or on his own medium", async () => {
  const since = await head();
  const [mine, theirs] = [await stage.media(ann), await stage.media(bob)];
  const names = (who: SignedIn) => `@${who.record.username.toUpperCase()}`;
  const said = must(await comment(ann, mine, `${names(bob)}, ${names(bob)} and ${names(ann)}!`));
  must(await comment(ann, theirs, `Thanks, ${names(bob)}.`));
  must(await rename(ann, mine, `With ${names(bob)}, not with mail@${bob.record.username}`));
  const about = { userId: bob.id, kind: "mention", actorId: ann.id, mediaId: mine, readAt: "" };
  const rows = (await told(bob)).filter(({ kind }) => kind === "mention");
  expect(rows).toHaveLength(2);
  expect(rows).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...about, commentId: said.body.id }),
      expect.objectContaining({ ...about, commentId: "" }),
    ]),
  );
  expect(await kinds(bob)).toEqual(["comment", "mention", "mention"]);
  expect(await told(ann)).toEqual([]);
  expect((await changesSince(since, bob)).documents).toEqual(expect.arrayContaining(rows));
});

test("a mention goes with what made it, and comes back as it was", async () => {
  const mediaId = await stage.media(ann);
  const said = must(await comment(ann, mediaId, `@${bob.record.username}`)).body.id;
  must(await rename(ann, mediaId, `With @${bob.record.username}`));
  expect(await kinds(bob)).toEqual(["mention", "mention"]);
  must(await stage.remove("comments", said, ann));
  const [first] = await told(bob);
  expect(first).toMatchObject({ commentId: "" });
  must(await markRead(bob, first?.["createdAt"]));
  for (const caption of [
    "Alone",
    `With @${bob.record.username} again`,
    `@${bob.record.username} and @nobody`,
  ])
    must(await rename(ann, mediaId, caption));
  const [again] = await told(bob);
  expect(again).toMatchObject({ id: first?.["id"], createdAt: first?.["createdAt"] });
  expect(again?.["readAt"]).not.toBe("");
  must(await stage.remove("media", mediaId, ann));
  expect(await told(bob)).toEqual([]);
});

test("of a thousand names ten are told, and nobody who is blocked, blocks, or wants none", async () => {
  const mediaId = await stage.media(ann);
  const [eve, zoe, max] = [
    await signUp(stage.server),
    await signUp(stage.server),
    await signUp(stage.server),
  ];
  must(await block(eve, ann));
  must(await block(ann, zoe));
  must(await stage.update("users", max.id, { notificationsOff: ["mention"] }, max));
  const all = [eve, zoe, max, bob].map(({ record }) => `@${record.username}`).join(" ");
  must(await comment(ann, mediaId, all));
  for (const who of [eve, zoe, max]) expect(await told(who)).toEqual([]);
  expect(await kinds(bob)).toEqual(["mention"]);
  const nobodies = Array.from({ length: 250 }, (_, i) => `@nob${i}`).join(" ");
  must(await comment(ann, mediaId, `${nobodies} @${bob.record.username}`));
  expect(await kinds(bob)).toEqual(["mention"]);
});

test("each kind can be turned off, and on again", async () => {
  const mediaId = await stage.media(ann);
  const set = (notificationsOff: unknown) =>
    stage.update("users", ann.id, { notificationsOff }, ann);
  must(await set(["like", "follow"]));
  must(await like(bob, mediaId));
  must(await follow(bob, ann));
  must(await comment(bob, mediaId));
  expect(await kinds(ann)).toEqual(["comment"]);
  for (const bad of [["likes"], ["removal"], ["like", "x"]]) {
    expect((await set(bad)).status).toBe(400);
  }
  const byAnother = { notificationsOff: ["comment"] };
  for (const who of [bob, stage.admin]) await stage.update("users", ann.id, byAnother, who);
  expect((await stage.row("users", ann.id))["notificationsOff"]).toEqual(["like", "follow"]);
  must(await set([]));
  must(await like(stage.admin, mediaId));
  expect(await kinds(ann)).toEqual(["comment", "like"]);
});

test("a mark says up to when one has read, and reaches one's devices", async () => {
  const mediaId = await stage.media(ann);
  must(await comment(bob, mediaId));
  must(await like(bob, mediaId));
  const until = String((await told(ann)).map(({ createdAt }) => createdAt).sort()[1]);
  must(await like(stage.admin, await stage.media(ann)));
  must(await follow(ann, bob));
  const since = await head();
  expect(must(await markRead(ann, until)).body).toEqual({ read: 2 });
  expect(must(await markRead(ann, until)).body).toEqual({ read: 0 });
  const read = (await changesSince(since, ann)).documents as Row[];
  expect(read.map(({ kind, readAt }) => [kind, readAt !== ""]).sort()).toEqual([
    ["comment", true],
    ["like", true],
  ]);
  expect((await told(ann)).filter(({ readAt }) => readAt === "")).toHaveLength(1);
  expect((await told(bob)).filter(({ readAt }) => readAt === "")).toHaveLength(1);
  for (const bad of ["", "tomorrow", "2026-01-01", 5, null, `${until}'`, "9".repeat(500)]) {
    expect((await markRead(ann, bad)).status).toBe(400);
  }
  expect((await markRead(undefined, until)).status).toBe(401);
});

test("who reports a medium learns what came of it", async () => {
  const mediaId = await stage.media(bob, { caption: "Ein Fuchs" });
  const report = must(
    await stage.create("reports", { mediaId, userId: ann.id, reason: "Nicht seins" }, ann),
  ).body.id;
  const decide = (status: string) => stage.update("reports", report, { status }, stage.admin);
  const outcomes = async () =>
    (await told(ann)).map(({ kind, mediaId, caption, outcome, actorId }) => [
      kind,
      mediaId,
      caption,
      outcome,
      actorId,
    ]);
  expect(await told(ann)).toEqual([]);
  must(await decide("dismissed"));
  expect(await outcomes()).toEqual([["report", mediaId, "", "dismissed", ""]]);
  must(await decide("open"));
  expect(await outcomes()).toEqual([]);
  must(await stage.remove("media", mediaId, stage.admin));
  expect(await outcomes()).toEqual([["report", mediaId, "", "resolved", ""]]);
});

test("the owner of a medium that an admin removes learns of it, with the reason", async () => {
  const remove = async (caption: string, reason: string, who: SignedIn) => {
    const mediaId = await stage.media(ann, { caption });
    const path = `/api/collections/media/records/${mediaId}`;
    const { status } = await stage.server.api("DELETE", path, { reason }, who.token);
    return { status, mediaId };
  };
  expect((await remove("Zu lang", "x".repeat(1_001), stage.admin)).status).toBe(400);
  expect((await remove("Meins", "", ann)).status).toBe(204);
  expect(await told(ann)).toEqual([]);
  const { mediaId } = await remove("Ein Fuchs", " Zeigt Fremde ", stage.admin);
  const about = { kind: "removal", actorId: "", userId: ann.id };
  expect(await told(ann)).toMatchObject([
    { ...about, mediaId, caption: "Ein Fuchs", reason: "Zeigt Fremde" },
  ]);
  const audit = `filter=${encodeURIComponent(`target='${mediaId}'`)}&sort=-createdAt`;
  const [entry] = must(await stage.list("audit", audit, stage.admin)).body.items;
  expect(entry).toMatchObject({ action: "media.delete", details: { reason: "Zeigt Fremde" } });
  await remove("Noch einer", "", stage.superuser);
  expect(await kinds(ann)).toEqual(["removal", "removal"]);
});

test("who blocks somebody reads no more of him, and the other sees nothing of that", async () => {
  must(await like(bob, await stage.media(ann)));
  must(await like(ann, await stage.media(bob)));
  const since = await head();
  must(await block(ann, bob));
  expect(await kinds(ann)).toEqual([]);
  expect(await kinds(bob)).toEqual(["like"]);
  expect(await changesSince(since, bob)).toBeUndefined();
});

/** Rows for `who` that were made so long ago, each of its own like, or of a removal. */
const fill = (who: SignedIn, ago: string, count: number, kind = "like") =>
  stage.sql(`INSERT INTO notifications
    (id, userId, kind, actorId, mediaId, commentId, outcome, caption, reason, createdAt, readAt, seq)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    SELECT printf('${kind}_${who.id}_%015d', i), '${who.id}', '${kind}', '', '', '', '', '', '',
      strftime('%Y-%m-%d %H:%M:%fZ', 'now', '-${ago}', '+' || (i / 1000.0) || ' seconds'), '', 0
    FROM n`);
const left = (who: SignedIn, more = "TRUE") =>
  stage.number(`SELECT count(*) FROM notifications WHERE userId = '${who.id}' AND ${more}`);

test("those older than ninety days go at night, without a word", async () => {
  await fill(bob, "91 days", 1_050);
  await fill(ann, "89 days", 3);
  await stage.sql(
    "INSERT INTO _told (id, createdAt, readAt) VALUES ('like_x', '2024-05-01 10:00:00.000Z', '')",
  );
  const since = await head();
  const cron = "/api/crons/pruneNotifications";
  must(await stage.server.api("POST", cron, undefined, stage.superuser.token));
  await expect.poll(() => left(bob)).toBe(0);
  await expect.poll(() => stage.number("SELECT count(*) FROM _told")).toBe(0);
  expect(await left(ann)).toBe(3);
  expect(await changesSince(since, bob)).toBeUndefined();
});

test("whoever fills somebody's list pushes nothing out of it that an admin said", async () => {
  await fill(ann, "3 hours", 2, "removal");
  await fill(ann, "2 hours", KEPT_ROWS);
  const since = await head();
  for (let at = 0; at < 3; at++) must(await comment(bob, await stage.media(ann)));
  expect([await left(ann), await left(ann, "kind = 'removal'")]).toEqual([KEPT_ROWS + 2, 2]);
  // The oldest of the others.
  const gone = (await changesSince(since, ann)).deleted;
  expect(gone).toEqual([1, 2, 3].map((n) => `like_${ann.id}_${String(n).padStart(15, "0")}`));
  const [{ createdAt } = { createdAt: "" }] = await told(ann);
  expect(createdAt).not.toBe("");
  const now = new Date().toISOString().replace("T", " ");
  expect(must(await markRead(ann, now)).body).toEqual({ read: KEPT_ROWS + 2 });
});

test("what a superuser takes out of a row goes from devices, and a row stays whose it is", async () => {
  await fill(ann, "1 hours", 1, "removal");
  const since = await head();
  await stage.sql(`UPDATE notifications SET reason = 'Other words', userId = '${bob.id}'`);
  expect(await changesSince(since, bob)).toBeUndefined();
  expect((await changesSince(since, ann)).documents).toMatchObject([{ reason: "Other words" }]);
});

test("a flood hints whom it concerns once until the next pull", async () => {
  const mediaId = await stage.media(ann);
  const listener = await listen(stage.server);
  await listener.subscribe(["sync"], ann.token);
  for (let at = 0; at < 20; at++) must(await comment(bob, mediaId));
  expect(listener.heard.length).toBeLessThan(3);
  expect(JSON.stringify(listener.heard)).not.toContain("you");
  listener.close();
});

test("whom it concerns is hinted at once", async () => {
  const mediaId = await stage.media(ann);
  const listener = await listen(stage.server);
  await listener.subscribe(["sync"], ann.token);
  must(await like(bob, mediaId));
  await expect.poll(() => listener.heard).toContainEqual({ name: "sync", data: "{}" });
  listener.close();
});

test("an admin warns somebody, who reads it, and no flood takes it away", async () => {
  const warn = (id: string, text: string, who?: SignedIn) =>
    stage.server.api("POST", `/api/admin/users/${id}/warning`, { text }, who?.token);
  const { admin } = stage;
  expect(await warn(ann.id, "x", bob)).toMatchObject({ status: 403 });
  expect(await warn(ann.id, "x")).toMatchObject({ status: 401 });
  expect(await warn(ann.id, " \u200b ", admin)).toMatchObject({ body: { code: "text_empty" } });
  expect(await warn(ann.id, "x".repeat(1001), admin)).toMatchObject({
    body: { code: "text_long" },
  });
  expect(await warn(admin.id, "x", admin)).toMatchObject({ body: { code: "self" } });
  expect(await warn("nobody000000000", "x", admin)).toMatchObject({ status: 404 });
  expect(await told(ann)).toEqual([]);
  must(await warn(ann.id, " Please be kind ", admin));
  const about = { kind: "warning", actorId: "", reason: "Please be kind", userId: ann.id };
  expect(await told(ann)).toMatchObject([about]);
  expect(await told(bob)).toEqual([]);
  const audited = `SELECT count(*) FROM audit WHERE action = 'users.warn' AND target = '${ann.id}'`;
  expect(await stage.number(audited)).toBe(1);
  await fill(ann, "1 hours", KEPT_ROWS + 1);
  must(await like(bob, await stage.media(ann)));
  expect(await left(ann, "kind = 'warning'")).toBe(1);
  // Nobody turns it off.
  const off = { notificationsOff: ["warning"] };
  expect((await stage.update("users", ann.id, off, ann)).status).toBe(400);
});
