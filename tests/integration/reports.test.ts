/** Reports of comments, messages and people: who may, what goes along, and what becomes of them. */
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newId, pairId } from "@/domain/ids";
import type { ReportKind } from "@/domain/reports";
import { codeOf, must, type Stage, setStage } from "./rules/stage";

let stage: Stage;
let ann: SignedIn;
let bob: SignedIn;
let cid: SignedIn;

beforeAll(async () => {
  stage = await setStage();
});
beforeEach(async () => {
  [ann, bob, cid] = await Promise.all([
    signUp(stage.server),
    signUp(stage.server),
    signUp(stage.server),
  ]);
});
afterAll(() => stage.server.stop());

type More = Record<string, unknown>;

const report = (who: SignedIn, kind: ReportKind, targetId: string, more: More = {}) =>
  stage.create("reports", { kind, targetId, userId: who.id, topic: "hate", ...more }, who);
const comment = async (who: SignedIn, text = "Not nice"): Promise<string> => {
  const mediaId = await stage.media(bob);
  return must(await stage.create("comments", { mediaId, userId: who.id, text }, who)).body.id;
};
async function chat(count = 1): Promise<string[]> {
  await stage.conversation(ann, bob);
  const ids: string[] = [];
  for (let n = 1; n <= count; n++)
    ids.push(await stage.message(n % 2 === 0 ? bob : ann, n % 2 === 0 ? ann : bob, `No ${n}`));
  return ids;
}
const panel = async (query = "") =>
  must(await stage.server.api("GET", `/api/admin/reports?${query}`, undefined, stage.admin.token))
    .body.items;
const contextOf = (id: string, who?: SignedIn) =>
  stage.server.api("GET", `/api/admin/reports/${id}/context`, undefined, who?.token);
const outcomes = async (who: SignedIn): Promise<string[]> =>
  must(await stage.list("notifications", "perPage=500", who))
    .body.items.filter(({ kind }: { kind: string }) => kind === "report")
    .map(({ outcome }: { outcome: string }) => outcome);

test("a comment is reported once, with its words, and is no report of the medium", async () => {
  const id = await comment(ann);
  const { body } = must(await report(cid, "comment", id, { reason: "Look" }));
  expect(body).toMatchObject({
    id: pairId(id, cid.id),
    kind: "comment",
    targetId: id,
    mediaId: "",
  });
  const row = await stage.row("reports", body.id);
  expect(row).toMatchObject({ topic: "hate", reason: "Look", status: "open" });
  const snapshot = row["snapshot"] as { mediaId: string };
  expect(snapshot).toMatchObject({
    caption: "Not nice",
    userId: ann.id,
    username: ann.record.username,
    reporter: cid.record.username,
  });
  expect(await stage.row("media", snapshot.mediaId)).toMatchObject({ reports: 0 });
  const again = must(await report(cid, "comment", id, { topic: "spam", reason: "" })).body;
  expect(again).toMatchObject({ id: body.id, topic: "spam", reason: "" });
  expect(await stage.number(`SELECT count(*) FROM reports WHERE targetId = '${id}'`)).toBe(1);
});

test("what earlier clients say of a medium is a report of it, and either name is enough", async () => {
  const mediaId = await stage.media(ann);
  const body = { mediaId, userId: bob.id, reason: "Why" };
  expect(must(await stage.create("reports", body, bob)).body).toMatchObject({
    kind: "media",
    targetId: mediaId,
    topic: "",
  });
  expect(must(await report(cid, "media", mediaId)).body).toMatchObject({ mediaId });
  expect(await stage.row("media", mediaId)).toMatchObject({ reports: 2 });
});

test("a message takes the nine before it along, for admins alone, who are written down", async () => {
  const ids = await chat(12);
  const [deleted = ""] = ids.slice(-2);
  must(await stage.update("messages", deleted, { deleted: true }, ann));
  const last = ids.at(-1) ?? "";
  const { id } = must(await report(ann, "message", last)).body;
  expect(must(await report(ann, "message", last)).body).not.toHaveProperty("context");
  expect(must(await stage.view("reports", id, stage.admin)).body).not.toHaveProperty("context");
  expect((await contextOf(id)).status).toBe(401);
  expect((await contextOf(id, bob)).status).toBe(403);
  const { items } = must(await contextOf(id, stage.admin)).body;
  expect(items.map((one: { id: string }) => one.id)).toEqual(ids.slice(-10));
  expect(items[0]).toMatchObject({
    message: "No 3",
    senderId: ann.id,
    username: ann.record.username,
  });
  expect(items[8]).toMatchObject({ id: deleted, message: "", deleted: true });
  expect(items[9]).toMatchObject({ id: last, message: "No 12", type: "text", deleted: false });
  const audited = `SELECT count(*) FROM audit WHERE action = 'reports.read' AND target = '${id}'`;
  expect(await stage.number(audited)).toBe(1);
  // As it was: what is deleted later is still there for whoever judges.
  must(await stage.update("messages", last, { deleted: true }, bob));
  expect(must(await contextOf(id, stage.admin)).body.items[9]).toMatchObject({ message: "No 12" });
  const [row] = await panel(`kind=message`);
  expect(row).toMatchObject({ id, exists: false, snapshot: { caption: "No 12" } });
});

test("nobody reports what is not there for him, or his own", async () => {
  const [message = ""] = await chat();
  expect(await codeOf(report(cid, "message", message))).toBe("404 gone");
  expect(await codeOf(report(ann, "message", message))).toBe("403 own_report");
  must(await stage.update("messages", message, { deleted: true }, ann));
  expect(await codeOf(report(bob, "message", message))).toBe("404 gone");
  const said = await comment(ann);
  expect(await codeOf(report(ann, "comment", said))).toBe("403 own_report");
  expect(await codeOf(report(ann, "person", ann.id))).toBe("403 own_report");
  expect(await codeOf(report(ann, "media", await stage.media(ann)))).toBe("403 own_media");
  for (const kind of ["media", "comment", "message", "person"] as const)
    for (const id of [newId(Math.random), "", "x", "x".repeat(100_000), `${said}' OR 1`])
      expect((await report(bob, kind, id)).status).toBeGreaterThanOrEqual(400);
  // Of another kind it is nothing.
  expect(await codeOf(report(bob, "media", said))).toBe("404 gone");
  expect((await stage.create("reports", { kind: "comment", targetId: said })).status).toBe(400);
  expect(await codeOf(report(bob, "comment", said, { userId: cid.id }))).toBe("403 forbidden");
  expect(await codeOf(report(bob, "comment", said, { id: pairId(said, cid.id) }))).toBe(
    "400 invalid",
  );
  expect(await stage.number(`SELECT count(*) FROM reports WHERE userId = '${bob.id}'`)).toBe(0);
});

test("a reason is chosen or said", async () => {
  const id = await comment(ann);
  const why = (topic: string, reason = "") => codeOf(report(bob, "comment", id, { topic, reason }));
  expect(await why("")).toBe("400 text_empty");
  expect(await why("other", " \u200b ")).toBe("400 text_empty");
  expect(await why("nonsense", "Why")).toBe("400 invalid");
  expect(await why("spam", "x".repeat(1001))).toBe("400 text_long");
  expect(await codeOf(report(bob, "nothing" as ReportKind, id))).toBe("400 invalid");
  expect(await codeOf(report(bob, "constructor" as ReportKind, id))).toBe("400 invalid");
  expect(await why("", "Why")).toBe("200 undefined");
});

test("an admin who deletes it decides the reports of it, and who reported learns so", async () => {
  const said = await comment(ann);
  const [message = ""] = await chat();
  must(await report(cid, "comment", said));
  must(await report(bob, "message", message));
  must(await stage.remove("comments", said, stage.admin));
  must(await stage.update("messages", message, { deleted: true }, stage.admin));
  expect(await stage.row("reports", pairId(said, cid.id))).toMatchObject({ status: "resolved" });
  expect(await stage.row("reports", pairId(message, bob.id))).toMatchObject({ status: "resolved" });
  expect(await outcomes(cid)).toEqual(["resolved"]);
  expect(await outcomes(bob)).toEqual(["resolved"]);
  // Its author's own deletion decides nothing.
  const other = await comment(ann);
  must(await report(cid, "comment", other));
  must(await stage.remove("comments", other, ann));
  expect(await stage.row("reports", pairId(other, cid.id))).toMatchObject({ status: "open" });
});

test("the panel lists them by kind, with what is left of it and of who made it", async () => {
  const said = await comment(ann);
  must(await report(cid, "comment", said));
  must(await report(cid, "person", ann.id, { topic: "spam" }));
  const [ofPerson] = await panel("kind=person");
  expect(ofPerson).toMatchObject({
    kind: "person",
    targetId: ann.id,
    topic: "spam",
    exists: true,
    owner: { id: ann.id, isBlocked: 0, chatDisabled: 0 },
  });
  const [ofComment] = await panel("kind=comment&status=open");
  expect(ofComment).toMatchObject({ targetId: said, exists: true, media: null });
  expect((await panel("kind=media")).every((row: More) => row["kind"] === "media")).toBe(true);
  const wrong = await stage.server.api(
    "GET",
    "/api/admin/reports?kind=x",
    undefined,
    stage.admin.token,
  );
  expect(wrong.status).toBe(400);
  must(await stage.remove("users", ann.id, stage.superuser));
  const [after] = await panel("kind=person");
  expect(after).toMatchObject({
    exists: false,
    owner: null,
    snapshot: { username: ann.record.username },
  });
});

test("nobody changes what was reported, nor reads who did", async () => {
  const said = await comment(ann);
  const { id } = must(await report(cid, "comment", said)).body;
  await stage.sql(`UPDATE reports SET targetId = '${bob.id}', kind = 'person' WHERE id = '${id}'`);
  expect(await stage.row("reports", id)).toMatchObject({ targetId: said, kind: "comment" });
  for (const who of [ann, bob, cid, undefined])
    expect((await stage.view("reports", id, who)).status).toBe(404);
});
