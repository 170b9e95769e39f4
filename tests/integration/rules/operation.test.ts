/** Reports, settings and the audit log: what admins see and do, and what stands afterwards. */
import { signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { must, type Stage, setStage } from "./stage";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.server.stop());

const report = (mediaId: string, who: Stage["ann"], reason: string) =>
  stage.create("reports", { mediaId, userId: who.id, reason }, who);

describe("a report", () => {
  test("keeps a snapshot and stays when medium and reporter go", async () => {
    const [owner, reporter] = await Promise.all([signUp(stage.server), signUp(stage.server)]);
    const mediaId = await stage.media(owner, { caption: "Look at this" });
    const { id } = must(await report(mediaId, reporter, "  It is bad  ")).body;
    expect(id).toBe(`${mediaId}_${reporter.id}`);
    const goodbye = { password: reporter.password };
    must(await stage.server.api("POST", "/api/account/delete", goodbye, reporter.token));
    must(await stage.remove("media", mediaId, owner));
    expect((await stage.view("reports", id, stage.admin)).body).toMatchObject({
      mediaId,
      userId: reporter.id,
      reason: "It is bad",
      status: "open",
      snapshot: {
        caption: "Look at this",
        username: owner.record.username,
        reporter: reporter.record.username,
      },
    });
  });

  test("sent again replaces the reason while it is open, and counts once", async () => {
    const mediaId = await stage.media(stage.bob);
    const { id } = must(await report(mediaId, stage.ann, "One")).body;
    const again = must(await report(mediaId, stage.ann, "Two"));
    expect(again.body).toMatchObject({ id, reason: "Two" });
    expect(await stage.row("media", mediaId)).toMatchObject({ reports: 1 });
    must(await stage.update("reports", id, { status: "dismissed", reason: "x" }, stage.admin));
    expect(await report(mediaId, stage.ann, "Three")).toMatchObject({
      status: 409,
      body: { code: "conflict" },
    });
    expect(await stage.row("reports", id)).toMatchObject({ reason: "Two", status: "dismissed" });
  });

  test.each([
    ["of one's own medium", "own_media", 403, "Why"],
    ["without a reason", "text_empty", 400, "   "],
    ["with a reason of 1001", "text_long", 400, "x".repeat(1001)],
  ])("%s is refused", async (...[what, code, status, reason]) => {
    const owner = what.includes("own") ? stage.ann : stage.bob;
    const answer = await report(await stage.media(owner), stage.ann, reason);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
  });

  test("needs a reason that can be seen", async () => {
    const { ann, bob } = stage;
    const mediaId = await stage.media(ann);
    const answer = await stage.create(
      "reports",
      { mediaId, userId: bob.id, reason: " \u200b\ufeff\u2800 " },
      bob,
    );
    expect(answer).toMatchObject({ status: 400, body: { code: "text_empty" } });
  });

  test("takes no status but the three", async () => {
    const { id } = must(await report(await stage.media(stage.bob), stage.ann, "Why")).body;
    for (const status of ["closed", "", 7]) {
      expect((await stage.update("reports", id, { status }, stage.admin)).status).toBe(400);
    }
  });
});

describe("settings", () => {
  test("exist from the start: both texts empty, and the app's own row", async () => {
    const fresh = await setStage({ limits: {} });
    const { body } = await fresh.list("settings");
    await fresh.server.stop();
    const rows = Object.fromEntries(body.items.map((row: { id: string }) => [row.id, row]));
    expect(rows).toMatchObject({
      terms: { content: "", lastUpdated: "" },
      privacy: { content: "", lastUpdated: "" },
      app: { productName: "", requireMutualFollow: false },
    });
  });

  test("refuse a change made on a stale revision, also of two at the same moment", async () => {
    const { revision } = await stage.row("settings", "privacy");
    const save = (content: string) =>
      stage.update("settings", "privacy", { content, revision }, stage.admin);
    const answers = await Promise.all([save("<p>One</p>"), save("<p>Two</p>")]);
    expect(answers.map((one) => one.status).sort()).toEqual([200, 409]);
    expect(answers.find((one) => one.status === 409)?.body.code).toBe("conflict");
    const row = await stage.row("settings", "privacy");
    expect(row["revision"]).toBe(Number(revision) + 1);
    expect(String(row["lastUpdated"])).toMatch(/^20/);
    must(await stage.update("settings", "privacy", { content: "<p>Three</p>" }, stage.admin));
  });

  test.each([
    ["<script>alert(1)</script><p>Text</p>", "<p>Text</p>"],
    ["<p onclick=\"x()\" style='a'>Text</p>", "<p>Text</p>"],
    ["<img src=x onerror=alert(1)>Text", "Text"],
    ['<a href="javascript:alert(1)">Text</a>', "<a>Text</a>"],
    [
      '<a href="https://example.com/?a=1&b=2" target=_blank>Text</a>',
      '<a href="https://example.com/?a=1&amp;b=2" rel="noopener noreferrer">Text</a>',
    ],
    ['<a href=" JaVaScRiPt&#58;alert(1)">Text</a>', "<a>Text</a>"],
    ["<svg><script>alert(1)</script></svg>Text", "Text"],
    ["<math><mi//xlink:href='data:x,<script>alert(4)</script>'>Text", ""],
    ["<h1>Terms</h1><ul><li>One<li>Two</ul>", "<h1>Terms</h1><ul><li>One<li>Two</li></li></ul>"],
    ["<p>1 < 2 & 3 > 2 &copy; &nope</p>", "<p>1 &lt; 2 &amp; 3 &gt; 2 &copy; &amp;nope</p>"],
    ["<!-- <p>no</p> --><p>Text", "<p>Text</p>"],
    ["</p></div>Text<b", "Text&lt;b"],
    ["\u0130\u0130\u0130<style>p{}</style><p>Text</p>", "\u0130\u0130\u0130<p>Text</p>"],
    ["<iframe src=//example.com></iframe><style>p{}</style>Text", "Text"],
    ['<p title="</p><script>alert(1)</script>">Text</p>', "<p>Text</p>"],
  ])("store %s as %s, whoever saves it", async (content, clean) => {
    for (const who of [stage.admin, stage.superuser]) {
      must(await stage.update("settings", "terms", { content: "" }, who));
      must(await stage.update("settings", "terms", { content }, who));
      expect(await stage.row("settings", "terms")).toMatchObject({ content: clean });
    }
  });

  test("take 100 KB of text in a moment and refuse more", async () => {
    const of = (content: string) => stage.update("settings", "terms", { content }, stage.admin);
    must(await of("<p>".repeat(15_000) + "</b>".repeat(14_000)));
    expect((await of("<".repeat(100_000))).body.code).toBe("text_long");
    must(await of(`<p>${"ä".repeat(51_190)}</p>`));
    expect(await of(`<p>${"ä".repeat(51_250)}</p>`)).toMatchObject({
      status: 400,
      body: { code: "text_long" },
    });
  });

  test("take limits that are numbers of ours and nothing else", async () => {
    const of = (limits: unknown) => stage.update("settings", "app", { limits }, stage.admin);
    const { limits } = await stage.row("settings", "app");
    expect((await of({ unknownLimit: 1 })).body.code).toBe("invalid");
    expect((await of({ writesPerMinute: -1 })).body.code).toBe("invalid");
    expect((await of({ writesPerMinute: "9" })).body.code).toBe("invalid");
    expect((await of([1])).body.code).toBe("invalid");
    expect((await of({ toString: 1 })).body.code).toBe("invalid");
    // With these at zero nobody could sign in or write, not even to raise them again.
    for (const name of [
      "writesPerMinute",
      "wrongLoginsPer5MinIp",
      "signInsPerMinute",
      "listsPer10Sec",
    ]) {
      expect((await of({ [name]: 0 })).body.code).toBe("invalid");
    }
    must(await of({ signupsPer10Min: 0 }));
    must(await of(limits));
  });

  test("let nobody change a legal text's row into the app's", async () => {
    must(await stage.update("settings", "terms", { productName: "X" }, stage.admin));
    expect(await stage.row("settings", "terms")).toMatchObject({ productName: "" });
    must(await stage.update("settings", "app", { productName: "Blink" }, stage.admin));
    expect(await stage.row("settings", "app")).toMatchObject({ productName: "Blink" });
  });
});

describe("the audit log", () => {
  const entries = async (target: string) => {
    const filter = encodeURIComponent(`target = "${target}"`);
    const { body } = await stage.list("audit", `filter=${filter}&sort=createdAt`, stage.admin);
    return body.items.map((one: { action: string; actor: string }) => [one.action, one.actor]);
  };

  test("names every act of an admin on what is another's", async () => {
    const { admin } = stage;
    const [a, b] = await Promise.all([signUp(stage.server), signUp(stage.server)]);
    const mediaId = await stage.media(a);
    const comment = { mediaId, userId: a.id, text: "Hi" };
    const commentId = must(await stage.create("comments", comment, a)).body.id;
    const chat = await stage.conversation(a, b);
    const messageId = await stage.message(a, b);
    const reportId = must(await report(mediaId, b, "Why")).body.id;
    must(await stage.update("users", a.id, { chatDisabled: true }, admin));
    must(await stage.update("reports", reportId, { status: "resolved" }, admin));
    must(await stage.update("messages", messageId, { deleted: true }, admin));
    must(await stage.remove("conversations", chat, admin));
    must(await stage.remove("comments", commentId, admin));
    must(await stage.remove("media", mediaId, admin));
    const of = async (target: string) =>
      (await entries(target)).filter(([, actor]: [string, string]) => actor === admin.id);
    expect(await of(a.id)).toEqual([["users.update", admin.id]]);
    expect(await of(reportId)).toEqual([["reports.update", admin.id]]);
    expect(await of(messageId)).toEqual([["messages.delete", admin.id]]);
    expect(await of(chat)).toEqual([["conversations.delete", admin.id]]);
    expect(await of(commentId)).toEqual([["comments.delete", admin.id]]);
    expect(await of(mediaId)).toEqual([["media.delete", admin.id]]);
    must(await stage.update("settings", "app", { productName: "Y" }, admin));
    expect((await entries("app")).at(-1)).toEqual(["settings.update", admin.id]);
  });

  test("names the dashboard's acts, impersonation included", async () => {
    const { superuser, server } = stage;
    const actor = `superuser:${superuser.email}`;
    const who = await signUp(server);
    must(await stage.update("users", who.id, { isBlocked: true }, superuser));
    must(await stage.update("users", who.id, { isBlocked: false }, superuser));
    const impersonate = `/api/collections/users/impersonate/${who.id}`;
    must(await server.api("POST", impersonate, { duration: 60 }, superuser.token));
    must(await stage.remove("users", who.id, superuser));
    expect(await entries(who.id)).toEqual([
      ["users.update", actor],
      ["users.update", actor],
      ["users.impersonate", actor],
      ["users.delete", actor],
    ]);
    must(await server.api("PATCH", "/api/settings", { logs: { maxDays: 6 } }, superuser.token));
    expect((await entries("")).at(-1)).toEqual(["server-settings.update", actor]);
  });

  test("does not name what people do with their own", async () => {
    const who = await signUp(stage.server);
    const mediaId = await stage.media(who);
    must(await stage.update("users", who.id, { bio: "Me" }, who));
    must(await stage.remove("media", mediaId, who));
    expect(await entries(who.id)).toEqual([]);
    const acts = await entries(mediaId);
    expect(acts.map(([action]: [string]) => action)).not.toContain("media.delete");
  });

  test("is append only for everybody, the console included", async () => {
    const { rows } = await stage.sql("SELECT id FROM audit LIMIT 1");
    const id = String(rows[0]?.[0]);
    for (const who of [stage.admin, stage.superuser]) {
      expect((await stage.update("audit", id, { action: "forged" }, who)).status).toBe(403);
      expect((await stage.remove("audit", id, who)).status).toBe(403);
    }
    const before = await stage.number("SELECT count(*) FROM audit");
    for (const query of [
      "DELETE FROM audit",
      "UPDATE audit SET action = 'forged'",
      `REPLACE INTO audit (id, action) VALUES ('${id}', 'forged')`,
    ]) {
      expect((await stage.sql(query)).status).toBe(400);
    }
    const truncate = "/api/collections/audit/truncate";
    const { status } = await stage.server.api("DELETE", truncate, undefined, stage.superuser.token);
    expect(status).toBe(400);
    expect(await stage.number("SELECT count(*) FROM audit")).toBe(before);
    expect(await stage.number("SELECT count(*) FROM audit WHERE action = 'forged'")).toBe(0);
  });
});
