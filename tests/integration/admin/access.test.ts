/**
 * Every administrative route and rule, tried by everybody who is no admin: one table of request and actor. None of them may
 * get anything out of the place or change anything in it.
 */
import { must, type Stage, setStage } from "@tests/integration/rules/stage";
import { type Answer, type SignedIn, signUp } from "@tests/support/pocketbase";
import { upload } from "@tests/support/tus";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const ACTORS = [
  "visitor",
  "user",
  "ex-admin",
  "suspended admin",
  "revived admin",
  "superuser",
] as const;
type Actor = (typeof ACTORS)[number];

let stage: Stage;
let ids: Record<"owner" | "chat" | "message" | "media" | "comment" | "report", string>;
const tokens: Partial<Record<Actor, string>> = {};

/** A token of `who` that was made after whatever was done to the account. */
const impersonate = async (who: SignedIn): Promise<string> =>
  must(
    await stage.server.api(
      "POST",
      `/api/collections/users/impersonate/${who.id}`,
      {},
      stage.superuser.token,
    ),
  ).body.token;

beforeAll(async () => {
  stage = await setStage();
  const { server, superuser, ann, bob } = stage;
  const [demoted, suspended] = [await signUp(server), await signUp(server)];
  for (const who of [demoted, suspended]) {
    must(await stage.update("users", who.id, { isAdmin: true }, superuser));
    // The page is open, and works.
    must(await server.api("GET", "/api/admin/stats", undefined, who.token));
  }
  must(await stage.update("users", demoted.id, { isAdmin: false }, superuser));
  must(await stage.update("users", suspended.id, { isBlocked: true }, superuser));
  tokens["user"] = bob.token;
  tokens["ex-admin"] = demoted.token;
  tokens["suspended admin"] = suspended.token;
  tokens["revived admin"] = await impersonate(suspended);
  tokens["superuser"] = superuser.token;
  const [owner, other] = [await signUp(server), await signUp(server)];
  const media = await stage.media(owner);
  const chat = await stage.conversation(owner, other);
  const message = await stage.message(owner, other, "Between us");
  const comment = must(
    await stage.create("comments", { mediaId: media, userId: owner.id, text: "Mine" }, owner),
  ).body.id;
  const body = { mediaId: media, userId: ann.id, reason: "Secret reason" };
  const report = must(await stage.create("reports", body, ann)).body.id;
  ids = { owner: owner.id, chat, message, media, comment, report };
});
afterAll(() => stage.server.stop());

const ROUTES = [
  "stats",
  "health",
  "users",
  "users?q=user",
  "conversations",
  "conversations/CHAT/messages",
  "media",
  "reports",
  "settings",
  "audit",
  "cleanup/orphaned-files",
  "cleanup/expired-uploads",
  "cleanup/old-tombstones",
];
const STATUS: Record<Actor, [number, string]> = {
  visitor: [401, "unauthenticated"],
  user: [403, "forbidden"],
  "ex-admin": [403, "forbidden"],
  "suspended admin": [401, "unauthenticated"],
  "revived admin": [403, "suspended"],
  // The dashboard has its own ways.
  superuser: [403, "forbidden"],
};

describe.each(ACTORS)("as %s", (actor) => {
  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    stage.server.api(method, path, body, tokens[actor]);

  test.each(ROUTES)("GET /api/admin/%s is refused, and tells nothing", async (route) => {
    const { status, body } = await ask("GET", `/api/admin/${route.replace("CHAT", ids.chat)}`);
    const [expected, code] = STATUS[actor];
    expect([status, body.code, Object.keys(body).sort()]).toEqual([
      expected,
      code,
      ["code", "data", "message", "status"],
    ]);
  });

  test("POST /api/admin/cleanup/… is refused", async () => {
    for (const task of ["orphaned-files", "expired-uploads", "old-tombstones"]) {
      const { status, body } = await ask("POST", `/api/admin/cleanup/${task}`);
      expect([status, body.code]).toEqual(STATUS[actor]);
    }
  });

  test("no record of the panel's can be read", async () => {
    if (actor === "superuser") return;
    for (const name of ["audit", "reports", "conversations", "messages", "users"]) {
      const { body } = await ask("GET", `/api/collections/${name}/records?perPage=200`);
      const texts = JSON.stringify(body.items ?? []);
      for (const secret of ["Secret reason", "Between us", ids.owner, "settings.update"]) {
        expect(texts).not.toContain(secret);
      }
    }
    expect((await ask("GET", "/api/collections/_superusers/records")).body.items ?? []).toEqual([]);
  });

  test("no act of an admin's changes anything", async () => {
    if (actor === "superuser") return;
    const before = await state();
    const record = (name: string, id: string) => `/api/collections/${name}/records/${id}`;
    const acts: [string, string, unknown?][] = [
      ["PATCH", record("users", ids.owner), { isAdmin: true }],
      ["PATCH", record("users", ids.owner), { isBlocked: true, chatDisabled: true }],
      ["DELETE", record("users", ids.owner)],
      ["DELETE", record("media", ids.media)],
      ["DELETE", record("comments", ids.comment)],
      ["DELETE", record("conversations", ids.chat)],
      ["PATCH", record("messages", ids.message), { deleted: true }],
      ["PATCH", record("reports", ids.report), { status: "dismissed" }],
      ["PATCH", record("settings", "terms"), { content: "<p>Taken over</p>" }],
      ["PATCH", record("settings", "app"), { productName: "Mine", limits: {} }],
      ["PATCH", "/api/settings", { meta: { appName: "Mine" } }],
      ["POST", "/api/sql", { query: "DELETE FROM users" }],
      ["POST", "/api/collections/_superusers/records", SUPERUSER],
      ["POST", `/api/collections/users/impersonate/${ids.owner}`, {}],
      ["POST", "/api/backups", { name: "stolen.zip" }],
    ];
    for (const [method, path, body] of acts) {
      const { status } = await ask(method, path, body);
      expect([`${method} ${path}`, status]).toEqual([`${method} ${path}`, expect.toSatisfy(isNo)]);
    }
    expect(await state()).toEqual(before);
  });
});

const SUPERUSER = {
  email: "mine@example.com",
  password: "Kirschkuchen-7",
  passwordConfirm: "Kirschkuchen-7",
};
const isNo = (status: number) => status >= 400 && status < 500;

/** Everything that the acts above aim at. */
async function state() {
  const of = (query: string) => stage.sql(query).then(({ rows }) => rows);
  return Promise.all([
    of("SELECT id, isAdmin, isBlocked, chatDisabled FROM users ORDER BY id"),
    of("SELECT id FROM media"),
    of("SELECT id FROM comments"),
    of("SELECT id, messageCount FROM conversations"),
    of("SELECT id, message, deleted FROM messages"),
    of("SELECT id, status FROM reports"),
    of("SELECT id, content, productName, limits FROM settings"),
    of("SELECT id FROM _superusers"),
    of("SELECT count(*) FROM audit"),
  ]);
}

describe("an admin", () => {
  test("cannot become a superuser, nor act as somebody else", async () => {
    const { server, admin, superuser } = stage;
    const as = (method: string, path: string, body?: unknown) =>
      server.api(method, path, body, admin.token);
    const superusers = "/api/collections/_superusers/records";
    const acts: [string, string, unknown?][] = [
      ["POST", superusers, SUPERUSER],
      ["GET", `${superusers}/${superuser.id}`],
      [
        "PATCH",
        `${superusers}/${superuser.id}`,
        { password: "Kirschkuchen-7", passwordConfirm: "Kirschkuchen-7" },
      ],
      ["DELETE", `${superusers}/${superuser.id}`],
      ["POST", `/api/collections/users/impersonate/${stage.ann.id}`, {}],
      ["PATCH", "/api/collections/users", { updateRule: "" }],
      ["GET", "/api/settings"],
      ["POST", "/api/sql", { query: "SELECT 1" }],
      ["GET", "/api/backups"],
      ["GET", "/api/logs"],
      ["DELETE", `/api/collections/users/records/${stage.ann.id}`],
    ];
    for (const [method, path, body] of acts) {
      const { status } = await as(method, path, body);
      expect([`${method} ${path}`, status]).toEqual([`${method} ${path}`, expect.toSatisfy(isNo)]);
    }
    must(await server.api("GET", `${superusers}/${superuser.id}`, undefined, superuser.token));
  });

  test("changes nothing of another's but the three switches", async () => {
    const { ann, admin } = stage;
    const before = await stage.row("users", ann.id);
    await stage.update(
      "users",
      ann.id,
      { username: "renamed", bio: "x", email: "x@example.com", followers: 9, chatDisabled: true },
      admin,
    );
    const { updatedAt, ...after } = await stage.row("users", ann.id);
    expect(after).toEqual({ ...before, chatDisabled: true, updatedAt: undefined });
    expect(updatedAt).toBeDefined();
    must(await stage.update("users", ann.id, { chatDisabled: false }, admin));
  });

  test("the last one stays, however many try at once", async () => {
    const second = await signUp(stage.server);
    must(await stage.update("users", second.id, { isAdmin: true }, stage.superuser));
    const { admin, superuser } = stage;
    const answers = await Promise.all([
      stage.update("users", admin.id, { isAdmin: false }, second),
      stage.update("users", second.id, { isBlocked: true }, admin),
      stage.update("users", admin.id, { isBlocked: true }, superuser),
      stage.remove("users", second.id, superuser),
    ]);
    expect(await stage.number("SELECT count(*) FROM users WHERE isAdmin AND NOT isBlocked")).toBe(
      1,
    );
    // Whoever is no admin any more may be suspended as well; the other one may not go too.
    const done = answers.filter(({ status }) => status < 300).length;
    expect([1, 2]).toContain(done);
    // What the others here need.
    await stage.sql(`UPDATE users SET isAdmin = TRUE, isBlocked = FALSE WHERE id = '${admin.id}'`);
  });
});

test("a suspended account writes by no path, not even with a token made afterwards", async () => {
  const { server, superuser, ann } = stage;
  const who = await signUp(server);
  const other = await signUp(server);
  const media = await stage.media(ann);
  const chat = await stage.conversation(who, other);
  await stage.message(other, who);
  const uploadId = await upload(server, who.token, Buffer.from("unfinished"));
  must(await stage.update("users", who.id, { isBlocked: true }, superuser));
  const before = await contents();
  const { id } = who;
  const record = (name: string) => `/api/collections/${name}/records`;
  const form = new FormData();
  form.set("id", "abcdefghijklmno");
  form.set("uploadId", uploadId);
  const acts: [string, string, unknown?][] = [
    ["POST", record("likes"), { mediaId: media, userId: id }],
    ["POST", record("comments"), { mediaId: media, userId: id, text: "Hi" }],
    ["POST", record("reports"), { mediaId: media, userId: id, reason: "Hi" }],
    ["POST", record("follows"), { followerId: id, followingId: ann.id }],
    ["POST", record("blocks"), { blockerId: id, blockedId: ann.id }],
    ["POST", record("conversations"), { participants: [id, ann.id] }],
    ["POST", record("messages"), { conversationId: chat, senderId: id, message: "Hi" }],
    ["PATCH", `${record("users")}/${id}`, { bio: "Hi", isBlocked: false }],
    ["POST", "/api/media", form],
    ["POST", "/api/messages/photo", form],
    ["POST", `/api/media/${media}/view`, {}],
    ["POST", `/api/conversations/${chat}/read`, {}],
    ["POST", "/api/account/email", { email: "new@example.com", password: who.password }],
    ["POST", "/api/account/delete", { password: who.password }],
    ["POST", "/api/collections/users/auth-refresh", {}],
    ["GET", "/api/sync"],
  ];
  for (const token of [who.token, await impersonate(who)]) {
    for (const [method, path, body] of acts) {
      const { status } = await server.api(method, path, body, token);
      expect([`${method} ${path}`, status]).toEqual([`${method} ${path}`, expect.toSatisfy(isNo)]);
    }
    const headers = { authorization: token, "tus-resumable": "1.0.0", "upload-length": "4" };
    const begun = await fetch(`${server.url}/api/uploads`, { method: "POST", headers });
    expect(begun.status).toSatisfy(isNo);
  }
  expect(await contents()).toEqual(before);

  async function contents() {
    const of = (query: string) => stage.sql(query).then(({ rows }) => rows);
    return Promise.all([
      of("SELECT id, mediaId FROM likes"),
      of("SELECT id FROM comments"),
      of("SELECT id FROM reports"),
      of("SELECT id FROM follows"),
      of("SELECT id FROM blocks"),
      of("SELECT id, messageCount, unreadA, unreadB FROM conversations"),
      of("SELECT id, read FROM messages"),
      of("SELECT id, views FROM media"),
      of("SELECT id FROM uploads"),
      of("SELECT id, email, bio, isBlocked FROM users"),
    ]);
  }
});
