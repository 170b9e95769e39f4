/**
 * docs/openapi.yaml against the running server: it knows every route of ours, and every documented
 * answer is met here, or for media in openapi-media.test.ts.
 */
import { Validator } from "@seriousme/openapi-schema-validator";
import {
  apiDocument,
  apiText,
  documentedAnswers,
  formOf,
  meeting,
  ownRoutes,
} from "@tests/support/api-document";
import { type FixtureName, mediaFixture } from "@tests/support/media-fixtures";
import { type SignedIn, startPocketBase } from "@tests/support/pocketbase";
import { upload } from "@tests/support/tus";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { conversationId, newId, pairId } from "@/domain/ids";
import { must, type Stage, setStage } from "./stage";

const METRICS_TOKEN = "a-token-for-the-metrics-1";
const PUSH_TOKEN = "a-token-for-the-pusher-1";

let stage: Stage;
let ann: SignedIn;
let bob: SignedIn;
let admin: SignedIn;
beforeAll(async () => {
  stage = await setStage({ env: { METRICS_TOKEN, PUSH_TOKEN } });
  ({ ann, bob, admin } = stage);
});
afterAll(() => stage?.server.stop());

const { meet, met } = meeting(() => stage.server);

const sent = (name: FixtureName, who = ann) => upload(stage.server, who.token, mediaFixture(name));

test("what a device is woken for, and the pusher's turn", async () => {
  const { body } = await meet("POST /api/collections/users/auth-with-password", 200, {
    body: { identity: bob.email, password: bob.password },
    headers: { "x-session": "new" },
  });
  const { id, secret } = body.meta.session;
  const device = { as: body.token, headers: { "x-session": `${id}.${secret}` } };
  const wanted = { endpoint: "https://fcm.googleapis.com/fcm/send/a", kinds: ["messages"] };
  await meet("GET /api/account/push", 200, device);
  await meet("GET /api/account/push", 401);
  await meet("GET /api/account/push", 403, { as: bob });
  await meet("PUT /api/account/push", 404, { ...device, body: wanted });
  const pusher = { headers: { authorization: `Bearer ${PUSH_TOKEN}` } };
  const keys = { publicKey: "a", privateKey: "b" };
  await meet("POST /api/push/turn", 200, { ...pusher, body: { keys } });
  await meet("POST /api/push/turn", 401, { body: {} });
  await meet("PUT /api/account/push", 204, { ...device, body: wanted });
  await meet("PUT /api/account/push", 400, { ...device, body: { ...wanted, kinds: ["all"] } });
  await meet("PUT /api/account/push", 401, { body: wanted });
  await meet("GET /api/account/push", 200, device);
  await meet("DELETE /api/account/push", 204, { ...device, body: {} });
  await meet("DELETE /api/account/push", 401, { body: {} });
});

test("an account, its sessions and its end", async () => {
  const form = {
    email: "carla@example.com",
    username: "carla",
    password: "Kirschkuchen-7",
    passwordConfirm: "Kirschkuchen-7",
    termsAccepted: true,
  };
  const made = await meet("POST /api/collections/users/records", 200, { body: form });
  await meet("POST /api/collections/users/records", 400, { body: { ...form, email: "no" } });
  const password = { identity: form.email, password: form.password };
  await stage.update("users", made.body.id, { isBlocked: true }, stage.superuser);
  await meet("POST /api/collections/users/auth-with-password", 403, { body: password });
  await stage.update("users", made.body.id, { isBlocked: false }, stage.superuser);
  const { body } = await meet("POST /api/collections/users/auth-with-password", 200, {
    body: password,
    headers: { "x-session": "new" },
  });
  await meet("POST /api/collections/users/auth-with-password", 400, {
    body: { ...password, password: "wrong-Word-7" },
  });
  await meet("POST /api/collections/users/auth-refresh", 200, { as: body.token });
  await meet("POST /api/collections/users/auth-refresh", 401);
  const header = { "x-session": `${body.meta.session.id}.${body.meta.session.secret}` };
  await meet("GET /api/account/sessions", 200, { as: body.token, headers: header });
  await meet("GET /api/account/sessions", 401);
  const renewed = await meet("POST /api/account/sessions/renew", 200, { headers: header });
  await meet("POST /api/account/sessions/renew", 401, { headers: { "x-session": "a.b" } });
  const again = await meet("POST /api/collections/users/auth-with-password", 200, {
    body: password,
    headers: { "x-session": "new" },
  });
  const ended = await meet("DELETE /api/account/sessions/{id}", 200, {
    path: { id: again.body.meta.session.id },
    as: renewed.body.token,
    headers: header,
  });
  await meet("DELETE /api/account/sessions/{id}", 404, {
    path: { id: newId(Math.random) },
    as: ended.body.token,
    headers: header,
  });
  await meet("DELETE /api/account/sessions/{id}", 401, { path: { id: newId(Math.random) } });
  const others = await meet("POST /api/account/sessions/end", 200, {
    as: ended.body.token,
    headers: header,
    body: {},
  });
  await meet("POST /api/account/sessions/end", 401, { body: {} });
  const token = others.body.token;
  await meet("GET /api/account/mail", 200, { as: token });
  await meet("GET /api/account/mail", 200);
  await meet("GET /api/account/storage", 200, { as: token });
  await meet("GET /api/account/storage", 401);
  await meet("POST /api/account/email", 400, {
    as: token,
    body: { email: "no", password: form.password },
  });
  await meet("POST /api/account/email", 401, {
    body: { email: "c@example.com", password: form.password },
  });
  const changed = await meet("POST /api/account/email", 200, {
    as: token,
    body: { email: "carla.b@example.com", password: form.password },
  });
  const user = changed.body.record.id;
  await meet("GET /api/collections/users/records/{id}", 200, {
    path: { id: user },
    as: changed.body.token,
  });
  await meet("GET /api/collections/users/records/{id}", 404, { path: { id: user }, as: bob });
  await meet("PATCH /api/collections/users/records/{id}", 200, {
    path: { id: user },
    as: changed.body.token,
    body: { bio: "By the sea" },
  });
  await meet("PATCH /api/collections/users/records/{id}", 400, {
    path: { id: user },
    as: changed.body.token,
    body: { bio: "x".repeat(501) },
  });
  await meet("PATCH /api/collections/users/records/{id}", 404, {
    path: { id: user },
    as: bob,
    body: { bio: "x" },
  });
  await meet("POST /api/collections/users/request-password-reset", 204, {
    body: { email: "carla.b@example.com" },
  });
  await meet("POST /api/collections/users/request-password-reset", 400, { body: { email: "no" } });
  await meet("POST /api/collections/users/confirm-password-reset", 400, {
    body: { token: "no", password: "a", passwordConfirm: "a" },
  });
  await meet("POST /api/collections/users/request-verification", 204, {
    as: changed.body.token,
    body: { email: "carla.b@example.com" },
  });
  await meet("POST /api/collections/users/confirm-verification", 400, { body: { token: "no" } });

  const mine = { ...password, identity: "carla.b@example.com" };
  const signIn = "POST /api/collections/users/auth-with-password";
  const last = await meet(signIn, 200, { body: mine, headers: { "x-session": "new" } });
  const { id, secret } = last.body.meta.session;
  const session = { path: { id }, headers: { "x-session": `${id}.${secret}` } };
  await meet("DELETE /api/account/sessions/{id}", 204, session);
  const as: string = (await meet(signIn, 200, { body: mine })).body.token;
  await meet("POST /api/account/delete", 400, {
    as,
    body: { password: "wrong" },
  });
  await meet("POST /api/account/delete", 401, { body: { password: "wrong" } });
  await meet("POST /api/account/delete", 204, {
    as,
    body: { password: form.password },
  });
});

test("people and chats", async () => {
  await meet("GET /api/collections/profiles/records", 200, { query: { sort: "-followers,-id" } });
  await meet("GET /api/collections/profiles/records/{id}", 200, { path: { id: ann.id } });
  await meet("GET /api/collections/profiles/records/{id}", 404, {
    path: { id: newId(Math.random) },
  });
  const follow = { id: pairId(ann.id, bob.id), followerId: ann.id, followingId: bob.id };
  await meet("POST /api/collections/follows/records", 200, { as: ann, body: follow });
  await meet("POST /api/collections/follows/records", 400, {
    as: ann,
    body: { id: pairId(ann.id, ann.id), followerId: ann.id, followingId: ann.id },
  });
  await meet("GET /api/collections/follows/records", 200, { as: ann });
  await meet("DELETE /api/collections/follows/records/{id}", 404, {
    path: { id: follow.id },
    as: admin,
  });
  await meet("DELETE /api/collections/follows/records/{id}", 204, {
    path: { id: follow.id },
    as: ann,
  });
  const chat = conversationId(ann.id, bob.id);
  await meet("POST /api/collections/conversations/records", 200, {
    as: ann,
    body: { id: chat, participants: [ann.id, bob.id] },
  });
  await meet("POST /api/collections/conversations/records", 400, {
    as: ann,
    body: { participants: [ann.id] },
  });
  await meet("GET /api/collections/conversations/records", 200, { as: ann });
  const message = {
    id: newId(Math.random),
    conversationId: chat,
    senderId: ann.id,
    message: "Hello",
  };
  await meet("POST /api/collections/messages/records", 200, { as: ann, body: message });
  await meet("POST /api/collections/messages/records", 400, {
    as: ann,
    body: { ...message, id: newId(Math.random), message: "" },
  });
  await meet("POST /api/collections/messages/records", 404, {
    as: ann,
    body: { ...message, id: newId(Math.random), conversationId: conversationId(ann.id, admin.id) },
  });
  await meet("GET /api/collections/messages/records", 200, {
    as: ann,
    query: { filter: `conversationId = '${chat}'`, sort: "-ord" },
  });
  await meet("POST /api/conversations/{id}/read", 200, { path: { id: chat }, as: bob, body: {} });
  await meet("POST /api/conversations/{id}/read", 404, { path: { id: chat }, as: admin, body: {} });
  const photo = {
    id: newId(Math.random),
    conversationId: chat,
    uploadId: await sent("photo.jpg" as FixtureName),
    message: "",
  };
  const read = "POST /api/notifications/read";
  await meet("GET /api/collections/notifications/records", 200, { as: ann });
  await meet(read, 200, { as: ann, body: { until: "2026-11-27 10:00:00.000Z" } });
  await meet(read, 400, { as: ann, body: { until: "x" } });
  await meet(read, 401, { body: { until: "x" } });
  await meet("POST /api/messages/photo", 200, { as: ann, body: formOf(photo) });
  await meet("POST /api/messages/photo", 400, { as: ann, body: formOf({ ...photo, id: "x" }) });
  await meet("POST /api/messages/photo", 401, { body: formOf(photo) });
  await meet("POST /api/messages/photo", 404, {
    as: ann,
    body: formOf({ ...photo, id: newId(Math.random), uploadId: newId(Math.random) }),
  });
  await meet("PATCH /api/collections/messages/records/{id}", 403, {
    path: { id: message.id },
    as: bob,
    body: { deleted: true },
  });
  const forAdmin = await stage.server.api("POST", "/api/files/token", {}, admin.token);
  await meet("GET /api/admin/messages/{id}/{field}", 200, {
    path: { id: photo.id, field: "image" },
    query: { token: forAdmin.body.token },
  });
  await meet("GET /api/admin/messages/{id}/{field}", 404, {
    path: { id: message.id, field: "image" },
    query: { token: forAdmin.body.token },
  });
  await meet("GET /api/admin/conversations", 200, { as: admin, query: { userId: ann.id } });
  await meet("GET /api/admin/conversations/{id}/messages", 200, { as: admin, path: { id: chat } });
  await meet("GET /api/admin/conversations/{id}/messages", 404, {
    as: admin,
    path: { id: newId(Math.random) },
  });
  await meet("PATCH /api/collections/messages/records/{id}", 200, {
    path: { id: message.id },
    as: ann,
    body: { deleted: true },
  });
  await meet("DELETE /api/collections/conversations/records/{id}", 404, {
    path: { id: chat },
    as: ann,
  });
  await meet("DELETE /api/collections/conversations/records/{id}", 204, {
    path: { id: chat },
    as: admin,
  });
  const block = { id: pairId(ann.id, bob.id), blockerId: ann.id, blockedId: bob.id };
  await meet("POST /api/collections/blocks/records", 200, { as: ann, body: block });
  await meet("POST /api/collections/blocks/records", 400, { as: ann, body: { ...block, id: "x" } });
  for (const muted of [{ mutedId: bob.id }, { word: "spoilers" }])
    await meet("POST /api/collections/blocks/records", 200, {
      as: ann,
      body: { blockerId: ann.id, ...muted },
    });
  await meet("GET /api/collections/blocks/records", 200, { as: ann });
  await meet("DELETE /api/collections/blocks/records/{id}", 204, {
    path: { id: block.id },
    as: ann,
  });
  await meet("DELETE /api/collections/blocks/records/{id}", 404, {
    path: { id: block.id },
    as: ann,
  });
});

test("the panel, settings and lists", async () => {
  const mediaId = await stage.media(ann);
  const report = { id: pairId(mediaId, bob.id), mediaId, userId: bob.id, reason: "Not this" };
  await stage.create("reports", report, bob);
  await meet("PATCH /api/collections/reports/records/{id}", 200, {
    path: { id: report.id },
    as: admin,
    body: { status: "dismissed" },
  });
  await meet("PATCH /api/collections/reports/records/{id}", 404, {
    path: { id: report.id },
    as: bob,
    body: { status: "dismissed" },
  });
  await meet("GET /api/admin/reports", 200, { as: admin, query: { status: "dismissed" } });
  await meet("GET /api/admin/reports", 400, { as: admin, query: { kind: "x" } });
  await stage.conversation(ann, bob);
  const messageId = await stage.message(ann, bob, "Not nice");
  const told = { id: pairId(messageId, bob.id), kind: "message", targetId: messageId };
  const ofMessage = { ...told, userId: bob.id, topic: "hate" };
  must(await stage.create("reports", ofMessage, bob));
  const context = { path: { id: told.id } };
  await meet("GET /api/admin/reports/{id}/context", 200, { ...context, as: admin });
  await meet("GET /api/admin/reports/{id}/context", 404, { path: { id: report.id }, as: admin });
  await meet("GET /api/admin/reports/{id}/context", 401, context);
  await meet("GET /api/admin/reports/{id}/context", 403, { ...context, as: ann });
  const warned = { path: { id: bob.id }, body: { text: "Please be kind" } };
  await meet("POST /api/admin/users/{id}/warning", 200, { ...warned, as: admin });
  await meet("POST /api/admin/users/{id}/warning", 400, {
    ...warned,
    as: admin,
    body: { text: "" },
  });
  await meet("POST /api/admin/users/{id}/warning", 401, warned);
  await meet("POST /api/admin/users/{id}/warning", 403, { ...warned, as: ann });
  await meet("POST /api/admin/users/{id}/warning", 404, {
    ...warned,
    as: admin,
    path: { id: "x" },
  });
  for (const list of [
    "stats",
    "health",
    "users",
    "conversations",
    "media",
    "reports",
    "settings",
    "audit",
    "cleanup/{task}",
  ]) {
    const path = { task: "expired-uploads" };
    await meet(`GET /api/admin/${list}`, 200, { as: admin, path });
    await meet(`GET /api/admin/${list}`, 401, { path });
    await meet(`GET /api/admin/${list}`, 403, { as: ann, path });
  }
  await meet("GET /api/admin/users", 400, { as: admin, query: { sort: "x" } });
  await meet("GET /api/admin/cleanup/{task}", 404, { as: admin, path: { task: "x" } });
  await meet("POST /api/admin/cleanup/{task}", 200, {
    as: admin,
    path: { task: "expired-uploads" },
    body: {},
  });
  await meet("POST /api/admin/cleanup/{task}", 401, {
    path: { task: "expired-uploads" },
    body: {},
  });
  await meet("POST /api/admin/cleanup/{task}", 403, {
    as: ann,
    path: { task: "expired-uploads" },
    body: {},
  });
  const { body } = await meet("GET /api/collections/settings/records/{id}", 200, {
    path: { id: "terms" },
  });
  await meet("GET /api/collections/settings/records/{id}", 404, { path: { id: "nothing" } });
  await meet("GET /api/collections/settings/records", 200);
  await meet("PATCH /api/collections/settings/records/{id}", 200, {
    path: { id: "terms" },
    as: admin,
    body: { content: "<p>Be kind.</p>", revision: body.revision },
  });
  await meet("PATCH /api/collections/settings/records/{id}", 409, {
    path: { id: "terms" },
    as: admin,
    body: { content: "<p>x</p>", revision: body.revision },
  });
  await meet("PATCH /api/collections/settings/records/{id}", 404, {
    path: { id: "terms" },
    as: ann,
    body: { content: "<p>x</p>" },
  });
  await meet("PATCH /api/collections/settings/records/{id}", 400, {
    path: { id: "terms" },
    as: admin,
    body: { content: "x".repeat(110_000) },
  });
  await meet("GET /api/collections/audit/records", 200, { as: admin });
  await meet("GET /api/collections/users/records", 200, { as: ann });
  await meet("GET /api/health", 200);
  await meet("GET /api/metrics", 200, { as: `Bearer ${METRICS_TOKEN}` });
  await meet("GET /api/metrics", 401, { as: admin });
  const unwatched = await startPocketBase();
  const elsewhere = meeting(() => unwatched);
  await elsewhere.meet("GET /api/metrics", 404);
  await elsewhere.meet("POST /api/push/turn", 404, { body: {} });
  for (const one of elsewhere.met) met.add(one);
  await unwatched.stop();
  const hold = "POST /api/storage/hold";
  await meet(hold, 400, { as: stage.superuser, body: { seconds: -1 } });
  await meet(hold, 403, { as: admin, body: { seconds: 1 } });
  await meet(hold, 200, { as: stage.superuser, body: { seconds: 0 } });
});

test("every documented answer was met", () => {
  expect([...met].sort()).toEqual(
    documentedAnswers((tag) => !["Media", "Uploads", "Search", "Feed"].includes(tag)).sort(),
  );
});

test("the document is one, and knows every route of ours", async () => {
  expect(await new Validator().validate(parse(apiText))).toMatchObject({ valid: true });
  const documented = Object.entries(apiDocument.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  // tus lets a header name the method, so a creation and a piece come by any; those are answered alike.
  const routes = ownRoutes().filter(
    (route) => !route.includes("/api/uploads") || documented.includes(route),
  );
  expect(routes.length).toBeGreaterThan(40);
  expect(routes.filter((route) => !documented.includes(route))).toEqual([]);
});
