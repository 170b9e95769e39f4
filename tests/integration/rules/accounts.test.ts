/** Signing up and in, profiles, passwords, addresses, suspension and the end of an account: each refusal's word and text. */
import { mediaFixture } from "@tests/support/media-fixtures";
import { signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { must, type Stage, setStage, signInAgain } from "./stage";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.server.stop());

const form = (more: Record<string, unknown> = {}) => {
  const name = `new-${Math.random().toString(36).slice(2, 12)}`;
  return {
    email: `${name}@example.com`,
    username: name,
    password: "Kirschkuchen-7",
    passwordConfirm: more["password"] ?? "Kirschkuchen-7",
    termsAccepted: true,
    ...more,
  };
};
const signIn = (identity: string, password: string) =>
  stage.server.api("POST", "/api/collections/users/auth-with-password", { identity, password });

describe("sign-up refuses", () => {
  const CASES: [string, Record<string, unknown>, string, string, string][] = [
    ["no address", { email: "" }, "email", "email_required", "Email is required"],
    [
      "what is no address",
      { email: "ann@" },
      "email",
      "email_invalid",
      "Please enter a valid email address",
    ],
    ["no username", { username: "" }, "username", "username_required", "Username is required"],
    [
      "a short username",
      { username: "ab" },
      "username",
      "username_short",
      "Username must be at least 3 characters long",
    ],
    [
      "a space in the username",
      { username: "an na" },
      "username",
      "username_spaces",
      "Username cannot contain spaces",
    ],
    [
      "HTML in the username",
      { username: "<b>ann</b>" },
      "username",
      "username_characters",
      "Username can only contain letters, numbers, dots, hyphens and underscores",
    ],
    [
      "a username of 65",
      { username: "a".repeat(65) },
      "username",
      "username_long",
      "Username can have at most 64 characters",
    ],
    ["no password", { password: "" }, "password", "password_required", "Password is required"],
    [
      "a short password",
      { password: "Ab-3567" },
      "password",
      "password_short",
      "Passwort muss mindestens 8 Zeichen lang sein",
    ],
    [
      "a weak password",
      { password: "abcdefg1" },
      "password",
      "password_weak",
      "Password is too weak. Please choose a stronger password.",
    ],
    [
      "a common password",
      { password: "Password1" },
      "password",
      "password_common",
      "Too many people use this password. Please choose another one.",
    ],
    [
      "another confirmation",
      { passwordConfirm: "Kirschkuchen-8" },
      "passwordConfirm",
      "password_mismatch",
      "Passwords do not match",
    ],
    [
      "unaccepted terms",
      { termsAccepted: false },
      "termsAccepted",
      "terms_required",
      "You must accept the terms and conditions",
    ],
  ];
  test.each(CASES)("%s", async (...[, change, field, code, message]) => {
    const { status, body } = await stage.create("users", form(change));
    expect({ status, code: body.code, message: body.message, fault: body.data[field] }).toEqual({
      status: 400,
      code,
      message,
      fault: { code, message },
    });
  });

  test("a taken address and a taken username, whatever their case, and names both", async () => {
    const { email, record } = stage.ann;
    const taken = { email: email.toUpperCase(), username: record.username.toUpperCase() };
    const { status, body } = await stage.create("users", form(taken));
    expect({ status, body }).toMatchObject({
      status: 400,
      body: {
        code: "email_taken",
        message: "This email address is already registered",
        data: {
          email: { code: "email_taken" },
          username: { code: "username_taken", message: "This username is already taken." },
        },
      },
    });
  });

  test("the second of two who want one name at the same moment", async () => {
    const name = `race-${Math.random().toString(36).slice(2, 10)}`;
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => stage.create("users", form({ username: name }))),
    );
    const codes = answers.map((one) => (one.status === 200 ? "in" : one.body.code)).sort();
    expect(codes).toEqual(["in", ...Array(5).fill("username_taken")]);
  });
});

test("a new account starts as the specification says", async () => {
  const { body } = must(await stage.create("users", form({ email: "New.Person@Example.COM" })));
  expect(await stage.row("users", body.id)).toMatchObject({
    email: "new.person@example.com",
    followers: 0,
    following: 0,
    isAdmin: false,
    isBlocked: false,
    chatDisabled: false,
    termsAccepted: true,
    termsAcceptedDate: expect.stringMatching(/^20/),
  });
});

describe("sign-in", () => {
  test("takes the address in any case", async () => {
    const { email, password } = stage.bob;
    expect((await signIn(email.toUpperCase(), password)).status).toBe(200);
  });

  test("says which of the two was wrong", async () => {
    expect(await signIn("nobody@example.com", "x")).toMatchObject({
      status: 400,
      body: { code: "unknown_email", message: "No account found with this email address" },
    });
    expect(await signIn(stage.bob.email, "x")).toMatchObject({
      status: 400,
      body: { code: "wrong_password", message: "Incorrect password" },
    });
  });
});

describe("a suspended account", () => {
  test.each(["admin", "superuser"] as const)("by %s ends at once everywhere", async (judge) => {
    const who = await signUp(stage.server);
    const mediaId = await stage.media(who);
    must(await stage.update("users", who.id, { isBlocked: true }, stage[judge]));
    const refresh = "/api/collections/users/auth-refresh";
    expect((await stage.server.api("POST", refresh, {}, who.token)).status).toBe(401);
    const like = { mediaId, userId: who.id };
    expect((await stage.create("likes", like, who)).status).toBe(400);
    expect((await stage.update("media", mediaId, { caption: "x" }, who)).status).toBe(404);
    expect((await stage.remove("media", mediaId, who)).status).toBe(404);
    expect(await signIn(who.email, who.password)).toMatchObject({
      status: 403,
      body: { code: "suspended", message: "Login failed" },
    });
    expect((await stage.view("media", mediaId)).status).toBe(200);
    expect((await stage.view("profiles", who.id)).body.isBlocked).toBe(true);
    must(await stage.update("users", who.id, { isBlocked: false }, stage[judge]));
    expect((await signIn(who.email, who.password)).status).toBe(200);
    expect((await stage.create("likes", like, who)).status).toBe(400);
  });
});

test("a suspension ends by itself where an admin said when, and is written down", async () => {
  const who = await signUp(stage.server);
  const { admin, superuser } = stage;
  const suspend = (blockedUntil: unknown, isBlocked = true) =>
    stage.update("users", who.id, { isBlocked, blockedUntil }, admin);
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  expect((await suspend(inDays(-1))).body.code).toBe("invalid");
  expect((await suspend(inDays(400))).body.code).toBe("invalid");
  expect((await suspend(inDays(1), false)).body.code).toBe("invalid");
  expect(await stage.row("users", who.id)).toMatchObject({ isBlocked: false, blockedUntil: "" });
  const until = inDays(7);
  must(await suspend(until));
  expect((await signIn(who.email, "wrong-Word-7")).body).not.toHaveProperty("data.blockedUntil");
  expect(await signIn(who.email, who.password)).toMatchObject({
    status: 403,
    body: { code: "suspended", data: { blockedUntil: { code: until.replace("T", " ") } } },
  });
  const lift = () =>
    stage.server.api("POST", "/api/crons/liftSuspensions", undefined, superuser.token);
  must(await lift());
  expect((await stage.row("users", who.id))["isBlocked"]).toBe(true);
  await stage.sql(
    `UPDATE users SET blockedUntil = '2024-01-01 00:00:00.000Z' WHERE id = '${who.id}'`,
  );
  must(await lift());
  await expect
    .poll(() => stage.row("users", who.id))
    .toMatchObject({ isBlocked: false, blockedUntil: "" });
  expect((await signIn(who.email, who.password)).status).toBe(200);
  const audited = (more: string) =>
    stage.number(`SELECT count(*) FROM audit WHERE target = '${who.id}' AND ${more}`);
  expect(await audited("actor = ''")).toBe(1);
  expect(await audited(`actor = '${admin.id}' AND details LIKE '%blockedUntil%'`)).toBe(1);
  // Lifted by hand it has no end either.
  must(await suspend(inDays(7)));
  must(await stage.update("users", who.id, { isBlocked: false }, admin));
  expect(await stage.row("users", who.id)).toMatchObject({ blockedUntil: "" });
  expect((await stage.update("users", who.id, { blockedUntil: inDays(1) }, who)).status).not.toBe(
    500,
  );
  expect(await stage.row("users", who.id)).toMatchObject({ blockedUntil: "" });
});

test("a token that a superuser makes for a suspended account writes nothing", async () => {
  const who = await signUp(stage.server);
  const mediaId = await stage.media(stage.ann);
  must(await stage.update("users", who.id, { isBlocked: true }, stage.superuser));
  const impersonate = `/api/collections/users/impersonate/${who.id}`;
  const { body } = must(await stage.server.api("POST", impersonate, {}, stage.superuser.token));
  const like = { mediaId, userId: who.id };
  const answer = await stage.create("likes", like, { ...who, token: body.token });
  expect(answer).toMatchObject({ status: 403, body: { code: "suspended" } });
});

test("an address is stored in lower case whoever writes it", async () => {
  const password = "Kirschkuchen-7";
  const form = { email: "Made@ByHand.Example", username: "made-by-hand", password };
  const whole = { ...form, passwordConfirm: password };
  const { id } = must(await stage.create("users", whole, stage.superuser)).body;
  expect(await stage.row("users", id)).toMatchObject({ email: "made@byhand.example" });
  must(await stage.update("users", id, { email: "Again@ByHand.Example" }, stage.superuser));
  expect(await stage.row("users", id)).toMatchObject({ email: "again@byhand.example" });
});

describe("the last admin", () => {
  test("cannot be demoted, suspended or deleted by anybody", async () => {
    const { admin, superuser } = stage;
    for (const change of [{ isAdmin: false }, { isBlocked: true }]) {
      for (const who of [admin, superuser]) {
        expect(await stage.update("users", admin.id, change, who)).toMatchObject({
          status: 403,
          body: { code: "last_admin" },
        });
      }
    }
    expect((await stage.remove("users", admin.id, superuser)).body.code).toBe("last_admin");
    const goodbye = { password: admin.password };
    expect(
      await stage.server.api("POST", "/api/account/delete", goodbye, admin.token),
    ).toMatchObject({ status: 403, body: { code: "last_admin" } });
    expect((await stage.sql(`DELETE FROM users WHERE id = '${admin.id}'`)).status).toBe(400);
    expect(await stage.row("users", admin.id)).toMatchObject({ isAdmin: true, isBlocked: false });
  });

  test("stays when two admins demote each other at the same moment", async () => {
    const second = await signUp(stage.server);
    must(await stage.update("users", second.id, { isAdmin: true }, stage.admin));
    const answers = await Promise.all([
      stage.update("users", second.id, { isAdmin: false }, stage.admin),
      stage.update("users", stage.admin.id, { isAdmin: false }, second),
    ]);
    expect(answers.filter((one) => one.status === 200)).toHaveLength(1);
    expect(await stage.number("SELECT count(*) FROM users WHERE isAdmin = TRUE")).toBe(1);
    must(await stage.update("users", stage.admin.id, { isAdmin: true }, stage.superuser));
    await stage.update("users", second.id, { isAdmin: false }, stage.admin);
  });
});

describe("one's own profile", () => {
  test("keeps its username from those who have it, in any case", async () => {
    const { username } = stage.bob.record;
    const change = { username: username.toUpperCase() };
    expect(await stage.update("users", stage.ann.id, change, stage.ann)).toMatchObject({
      status: 400,
      body: {
        code: "username_taken",
        data: { username: { message: "Dieser Benutzername ist bereits vergeben." } },
      },
    });
    const mine = { username: stage.ann.record.username.toUpperCase() };
    must(await stage.update("users", stage.ann.id, mine, stage.ann));
  });

  test.each([
    ["ab", "username_short"],
    ["a b c", "username_spaces"],
    ["<i>x</i>", "username_characters"],
    // The first letter is Cyrillic.
    ["\u0430nna.sommer", "username_characters"],
    ["a".repeat(65), "username_long"],
    ["", "username_required"],
  ])("refuses the username '%s'", async (username, code) => {
    const answer = await stage.update("users", stage.ann.id, { username }, stage.ann);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code });
  });

  test("takes a biography of 500 and refuses more", async () => {
    const of = (length: number) => ({ bio: "b".repeat(length) });
    expect((await stage.update("users", stage.ann.id, of(500), stage.ann)).status).toBe(200);
    const answer = await stage.update("users", stage.ann.id, of(501), stage.ann);
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 400,
      code: "text_long",
    });
  });

  const picture = (bytes: Uint8Array<ArrayBuffer>, name: string, type: string) => {
    const body = new FormData();
    body.set("profilePicture", new File([bytes], name, { type }));
    return stage.update("users", stage.ann.id, body, stage.ann);
  };

  test("stores a picture under a name of the server's, by its bytes", async () => {
    const { body } = must(await picture(mediaFixture("photo.gif"), "evil.js", "text/javascript"));
    expect(body.profilePicture).toMatch(new RegExp(`^${stage.ann.id}_\\d+\\.gif$`));
    const file = await fetch(
      `${stage.server.url}/api/files/users/${stage.ann.id}/${body.profilePicture}`,
    );
    expect(file.headers.get("content-type")).toBe("image/gif");
    must(await stage.update("users", stage.ann.id, { profilePicture: null }, stage.ann));
    expect(await stage.row("users", stage.ann.id)).toMatchObject({ profilePicture: "" });
  });

  const text = (content: string) => new TextEncoder().encode(content);
  test.each([
    ["a text", () => text("hello"), "a.png", "file_type"],
    ["an SVG", () => text("<svg xmlns='http://www.w3.org/2000/svg'/>"), "a.svg", "file_type"],
    ["HTML", () => text("<!doctype html><script>1</script>"), "a.jpg", "file_type"],
    ["a video", () => mediaFixture("video.mp4"), "a.jpg", "file_type"],
    ["an empty file", () => new Uint8Array(0), "a.png", "file_empty"],
    ["more than 2 MB", () => large(), "a.gif", "too_large"],
    ["half a picture", () => mediaFixture("photo.jpg").slice(0, 700), "a.jpg", "file_broken"],
    ["a picture of 20,000 by 20,000", () => vast(), "a.png", "too_large"],
  ])("refuses %s as a picture", async (_, bytes, name, code) => {
    const { status, body } = await picture(bytes() as Uint8Array<ArrayBuffer>, name, "image/png");
    expect({ status, code: body.code }).toEqual({ status: 400, code });
    expect(await stage.row("users", stage.ann.id)).toMatchObject({ profilePicture: "" });
  });
  function vast(): Uint8Array<ArrayBuffer> {
    const bytes = mediaFixture("photo.png").slice();
    bytes.set([0, 0, 0x4e, 0x20, 0, 0, 0x4e, 0x20], 16);
    return bytes;
  }
  function large(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(2_097_153);
    bytes.set(mediaFixture("photo.gif"));
    return bytes;
  }
});

describe("a password change", () => {
  test("needs the old one, six characters and the same twice; then old tokens end", async () => {
    const who = await signUp(stage.server);
    const change = (body: Record<string, unknown>) => stage.update("users", who.id, body, who);
    const next = { password: "simpel", passwordConfirm: "simpel" };
    expect((await change({ ...next, oldPassword: "wrong" })).body.code).toBe("wrong_password");
    expect((await change(next)).body.code).toBe("wrong_password");
    const short = { password: "short", passwordConfirm: "short", oldPassword: who.password };
    expect((await change(short)).body.code).toBe("password_short");
    // 37 characters, and more bytes than the digest takes.
    const long = { password: `A${"ä".repeat(36)}`, oldPassword: who.password };
    const longer = { ...long, passwordConfirm: long.password };
    expect((await change(longer)).body.code).toBe("password_long");
    const differing = { ...next, passwordConfirm: "simple", oldPassword: who.password };
    expect((await change(differing)).body.code).toBe("password_mismatch");
    for (const word of ["football", "QWERTY", "password1"]) {
      const common = { password: word, passwordConfirm: word, oldPassword: who.password };
      expect((await change(common)).body.data.password.code).toBe("password_common");
    }
    must(await change({ ...next, oldPassword: who.password }));
    const refresh = "/api/collections/users/auth-refresh";
    expect((await stage.server.api("POST", refresh, {}, who.token)).status).toBe(401);
    expect((await signIn(who.email, "simpel")).status).toBe(200);
  });

  test("of another's account is refused to admins too", async () => {
    const next = { password: "Kirschkuchen-9", passwordConfirm: "Kirschkuchen-9" };
    const answer = await stage.update("users", stage.bob.id, next, stage.admin);
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 403,
      code: "forbidden",
    });
    await signInAgain(stage.server, stage.bob);
  });
});

describe("a change of address", () => {
  const ask = (body: unknown, who?: Stage["ann"]) =>
    stage.server.api("POST", "/api/account/email", body, who?.token);

  test("asks for the password, stores lower case and answers with a fresh token", async () => {
    const who = await signUp(stage.server);
    const email = `Changed-${who.id}@Example.com`;
    expect(await ask({ email, password: who.password })).toMatchObject({
      status: 401,
      body: { code: "unauthenticated", message: "Kein Benutzer angemeldet" },
    });
    expect((await ask({ email, password: "wrong" }, who)).body.code).toBe("wrong_password");
    const taken = { email: stage.bob.email.toUpperCase(), password: who.password };
    expect((await ask(taken, who)).body).toMatchObject({
      code: "email_taken",
      data: { email: { code: "email_taken" } },
    });
    const odd = { email: "nothing", password: who.password };
    expect((await ask(odd, who)).body.code).toBe("email_invalid");
    const { body } = must(await ask({ email, password: who.password }, who));
    expect(body.record.email).toBe(email.toLowerCase());
    const refresh = "/api/collections/users/auth-refresh";
    expect((await stage.server.api("POST", refresh, {}, who.token)).status).toBe(401);
    expect((await stage.server.api("POST", refresh, {}, body.token)).status).toBe(200);
    expect((await signIn(email, who.password)).status).toBe(200);
  });
});

test("all other sessions of an account end when asked to, and nobody else's", async () => {
  const who = await signUp(stage.server);
  const there = await signInAgain(stage.server, who);
  const refresh = async (token: string) =>
    (await stage.server.api("POST", "/api/collections/users/auth-refresh", {}, token)).status;
  const ask = (token?: string) => stage.server.api("POST", "/api/account/sessions/end", {}, token);
  expect(await ask()).toMatchObject({
    status: 401,
    body: { code: "unauthenticated", message: "Kein Benutzer angemeldet" },
  });
  const { body } = must(await ask(who.token));
  expect(await refresh(who.token)).toBe(401);
  expect(await refresh(there.token)).toBe(401);
  expect(await refresh(body.token)).toBe(200);
  expect(await refresh(stage.bob.token)).toBe(200);
});

test("a deleted account takes its own along and leaves chats and reports", async () => {
  const who = await signUp(stage.server);
  const other = await signUp(stage.server);
  const [own, others] = [await stage.media(who), await stage.media(other)];
  must(await stage.create("likes", { mediaId: others, userId: who.id }, who));
  must(await stage.create("comments", { mediaId: others, userId: who.id, text: "Hi" }, who));
  must(await stage.create("follows", { followerId: other.id, followingId: who.id }, other));
  must(await stage.create("blocks", { blockerId: who.id, blockedId: stage.bob.id }, who));
  must(await stage.create("reports", { mediaId: others, userId: who.id, reason: "R" }, who));
  must(await stage.create("reports", { mediaId: own, userId: other.id, reason: "R" }, other));
  const chat = await stage.conversation(who, other);
  const message = await stage.message(who, other);
  must(await stage.create("uploads", { owner: who.id, size: 1, metadata: {} }, stage.superuser));
  const ask = (password: string) =>
    stage.server.api("POST", "/api/account/delete", { password }, who.token);
  expect(await ask("wrong")).toMatchObject({ status: 400, body: { code: "wrong_password" } });
  expect((await ask(who.password)).status).toBe(204);
  const left = async (table: string, where: string) =>
    stage.number(`SELECT count(*) FROM ${table} WHERE ${where.replace(/\bme\b/g, `'${who.id}'`)}`);
  expect({
    users: await left("users", "id = me"),
    media: await left("media", "userId = me"),
    likes: await left("likes", "userId = me"),
    comments: await left("comments", "userId = me"),
    follows: await left("follows", "followerId = me OR followingId = me"),
    blocks: await left("blocks", "blockerId = me"),
    uploads: await left("uploads", "owner = me"),
    reports: await left("reports", `userId = me OR mediaId = '${own}'`),
    conversations: await left("conversations", `id = '${chat}'`),
    messages: await left("messages", `id = '${message}'`),
  }).toEqual({
    users: 0,
    media: 0,
    likes: 0,
    comments: 0,
    follows: 0,
    blocks: 0,
    uploads: 0,
    reports: 2,
    conversations: 1,
    messages: 1,
  });
  expect((await signIn(who.email, who.password)).body.code).toBe("unknown_email");
  const late = { conversationId: chat, senderId: other.id, message: "Are you there?" };
  expect(await stage.create("messages", late, other)).toMatchObject({
    status: 404,
    body: { code: "gone", message: "Benutzer nicht gefunden" },
  });
});
