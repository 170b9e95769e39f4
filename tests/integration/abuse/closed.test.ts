/** What is closed stays closed, and who opens what is private leaves a row in the audit book. */
import { must, type Stage, setStage, signInAgain } from "@tests/integration/rules/stage";
import { mediaFixture } from "@tests/support/media-fixtures";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let stage: Stage;
let chat: string;
beforeAll(async () => {
  stage = await setStage();
  chat = await stage.conversation(stage.ann, stage.bob);
});
afterAll(() => stage.server.stop());

const entries = async (action: string): Promise<unknown[][]> =>
  (
    await stage.sql(
      `SELECT actor, target, details FROM audit WHERE action = '${action}' ORDER BY rowid`,
    )
  ).rows;
const ask = (path: string, who = stage.admin) =>
  stage.server.api("GET", path, undefined, who.token);

test("nobody learns by a filter that he is blocked", async () => {
  const { ann, bob } = stage;
  const tell = async () => {
    const filters = [
      `id = '${bob.id}' && blocks_via_blockedId.id = null`,
      `id = '${bob.id}' && blocks_via_blockedId.id != null`,
    ];
    const answers = filters.flatMap((filter) =>
      ["users", "profiles"].map(async (collection) => {
        const query = `filter=${encodeURIComponent(filter)}`;
        const { status, body } = await stage.list(collection, query, bob);
        return [status, body.items?.length];
      }),
    );
    return Promise.all(answers);
  };
  const before = await tell();
  must(await stage.create("blocks", { blockerId: ann.id, blockedId: bob.id }, ann));
  expect(await tell()).toEqual(before);
  must(await stage.remove("blocks", `${ann.id}_${bob.id}`, ann));
});

test("an admin's list of chats, which shows their last messages, is in the book with its page", async () => {
  await stage.message(stage.ann, stage.bob, "A private word");
  const { body } = await ask(`/api/admin/conversations?limit=1&userId=${stage.ann.id}`);
  expect(body.items[0].lastMessage).toBe("A private word");
  await ask("/api/admin/conversations?after=5~x");
  expect(await entries("conversations.list")).toEqual([
    [stage.admin.id, stage.ann.id, '{"page":"first"}'],
    [stage.admin.id, "", '{"page":"5~x"}'],
  ]);
});

test("messages and their photos come to admins by the audited routes alone", async () => {
  const { admin, ann, bob } = stage;
  const form = new FormData();
  form.set("conversationId", chat);
  form.set("senderId", ann.id);
  form.set("type", "photo");
  form.set("timestamp", "1");
  form.set("image", new File([mediaFixture("photo.png")], "photo.png", { type: "image/png" }));
  const { body } = must(await stage.create("messages", form, stage.superuser));
  const fileToken = async (who: Stage["ann"]): Promise<string> =>
    must(await stage.server.api("POST", "/api/files/token", {}, who.token)).body.token;
  const open = async (path: string, token: string) => {
    const answer = await fetch(`${stage.server.url}${path}?token=${token}`);
    return [answer.status, answer.headers.get("content-type")];
  };
  const file = `/api/files/messages/${body.id}/${body.image}`;
  const route = `/api/admin/messages/${body.id}/image`;
  expect((await stage.view("messages", body.id, admin)).status).toBe(404);
  expect((await open(file, await fileToken(admin)))[0]).toBe(404);
  expect(await open(file, await fileToken(bob))).toEqual([200, "image/png"]);
  expect(await open(route, await fileToken(admin))).toEqual([200, "image/png"]);
  const photo = [admin.id, chat, `{"message":"${body.id}"}`];
  expect(await entries("conversations.photo")).toEqual([photo]);
  for (const token of [await fileToken(ann), admin.token, ""]) {
    expect((await open(route, token))[0]).toBeGreaterThanOrEqual(401);
  }
  for (const path of [
    `/api/admin/messages/${body.id}/thumbnail`,
    "/api/admin/messages/none/image",
    `/api/admin/messages/${body.id}/message`,
  ]) {
    expect((await open(path, await fileToken(admin)))[0]).toBe(404);
  }
  // Who has opened the chat has left a row for its photos too.
  must(await ask(`/api/admin/conversations/${chat}/messages`));
  expect(await open(route, await fileToken(admin))).toEqual([200, "image/png"]);
  expect(await entries("conversations.photo")).toEqual([photo]);
});

test("a chat's deletion is in the book before anything of it has gone", async () => {
  const doomed = await stage.conversation(stage.bob, stage.admin);
  await stage.message(stage.bob, stage.admin);
  must(await stage.remove("conversations", doomed, stage.admin));
  expect(await entries("conversations.delete")).toEqual([
    [stage.admin.id, doomed, '{"messageCount":1}'],
  ]);
});

describe("the audit book names", () => {
  test("sign-ins of admins and superusers, those that failed, and changes of their passwords and addresses", async () => {
    const { superuser, ann } = stage;
    let { admin } = stage;
    const count = async (act: string) => (await entries(`admins.${act}`)).map(([actor]) => actor);
    const signIn = (collection: string, identity: string, password: string) =>
      stage.server.api("POST", `/api/collections/${collection}/auth-with-password`, {
        identity,
        password,
      });
    const before = await count("sign-in");
    must(await signIn("users", admin.email, admin.password));
    must(await signIn("_superusers", superuser.email, superuser.password));
    must(await signIn("users", ann.email, ann.password));
    const root = `superuser:${superuser.email}`;
    expect(await count("sign-in")).toEqual([...before, admin.id, root]);
    await signIn("users", admin.email, "wrong-guess");
    await signIn("_superusers", superuser.email, "wrong-guess");
    await signIn("users", ann.email, "wrong-guess");
    expect(await count("sign-in-failed")).toEqual([admin.id, root]);
    const change = {
      oldPassword: admin.password,
      password: "Apfelkuchen-8",
      passwordConfirm: "Apfelkuchen-8",
    };
    must(await stage.update("users", admin.id, change, admin));
    admin = await signInAgain(stage.server, { ...admin, password: change.password });
    const email = "other.admin@example.com";
    must(
      await stage.server.api(
        "POST",
        "/api/account/email",
        { email, password: change.password },
        admin.token,
      ),
    );
    expect([await count("password"), await count("email")]).toEqual([[admin.id], [admin.id]]);
    stage.admin = await signInAgain(stage.server, { ...admin, email, password: change.password });
  });

  test("a truncated and an imported collection, and a backup", async () => {
    const { superuser, server } = stage;
    const actor = `superuser:${superuser.email}`;
    const call = (method: string, path: string, body?: unknown, token = superuser.token) =>
      server.api(method, path, body, token);
    await stage.media(stage.ann);
    const truncate = "/api/collections/likes/truncate";
    expect((await call("DELETE", truncate, undefined, stage.admin.token)).status).toBe(403);
    expect((await server.api("DELETE", truncate)).status).toBe(401);
    must(await call("DELETE", truncate));
    expect(await entries("collections.truncate")).toEqual([[actor, "likes", "{}"]]);
    const { body } = must(await call("GET", "/api/collections?perPage=200"));
    must(
      await call("PUT", "/api/collections/import", {
        collections: body.items,
        deleteMissing: false,
      }),
    );
    const [[who, , details] = []] = await entries("collections.import");
    expect([who, JSON.parse(String(details)).names]).toEqual([
      actor,
      expect.arrayContaining(["media"]),
    ]);
    must(await call("POST", "/api/backups", { name: "a.zip" }));
    expect(await entries("backups.create")).toEqual([["", "a.zip", "{}"]]);
  });
});

test("names of whoever runs the place, and the product's own, cannot be taken", async () => {
  must(await stage.update("settings", "app", { productName: "Blende Acht" }, stage.superuser));
  const take = async (username: string) => {
    const form = { email: `${username}@example.com`, username, password: "Kirschkuchen-7" };
    const more = { passwordConfirm: form.password, termsAccepted: true };
    return (await stage.create("users", { ...form, ...more })).body.code;
  };
  for (const name of ["admin", "Ad.min", "root", "SUPPORT", "m-o-d-erator", "augenblick"]) {
    expect([name, await take(name)]).toEqual([name, "username_taken"]);
  }
  expect(await take("administratrix")).toBeUndefined();
  const renamed = await stage.update("users", stage.ann.id, { username: "Root" }, stage.ann);
  expect(renamed.body.code).toBe("username_taken");
});
