/** Nothing private comes out sideways: not by list, sort, filter, expand, fields, a relation's back door or a file's address. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { must, type Stage, setStage } from "./stage";

const PRIVATE = [
  "users",
  "likes",
  "reports",
  "follows",
  "blocks",
  "conversations",
  "messages",
  "notifications",
  "saves",
];
const PUBLIC = ["media", "comments", "profiles", "settings"];

let stage: Stage;
let media: { ann: string; bob: string };
const secrets = {
  reason: "secret-reason-7f3a",
  message: "secret-message-9c1b",
  email: "",
};

beforeAll(async () => {
  stage = await setStage();
  const { ann, bob, admin } = stage;
  secrets.email = ann.email;
  media = { ann: await stage.media(ann), bob: await stage.media(bob) };
  must(await stage.create("likes", { mediaId: media.bob, userId: ann.id }, ann));
  must(await stage.create("comments", { mediaId: media.bob, userId: ann.id, text: "Hi" }, ann));
  const report = { mediaId: media.bob, userId: ann.id, reason: secrets.reason };
  must(await stage.create("reports", report, ann));
  must(await stage.create("follows", { followerId: ann.id, followingId: bob.id }, ann));
  must(await stage.create("blocks", { blockerId: ann.id, blockedId: admin.id }, ann));
  await stage.conversation(ann, bob);
  await stage.message(ann, bob, secrets.message);
});
afterAll(() => stage.server.stop());

/** A stranger to ann and bob, and a visitor. */
const outsiders = async () => {
  const { signUp } = await import("@tests/support/pocketbase");
  return [undefined, await signUp(stage.server)];
};

test("lists of private collections are empty for outsiders, whatever they ask for", async () => {
  for (const who of await outsiders()) {
    for (const collection of PRIVATE) {
      for (const query of ["", "filter=id!=''", "expand=userId,mediaId", "fields=*", "sort=-id"]) {
        const { status, body } = await stage.list(collection, query, who);
        const others = (body.items ?? []).filter((row: { id: string }) => row.id !== who?.id);
        expect({ collection, query, status, others }).toMatchObject({ others: [] });
      }
    }
  }
});

const hidden = (who: unknown): string[] => [
  ...Object.values(secrets),
  '"reports"',
  "tokenKey",
  ...(who === stage.bob ? [] : ['"email"']),
];

test("no public list shows an address, a reason, a message or a hidden count", async () => {
  const queries = [
    "",
    "fields=*,expand.*,email,reports,tokenKey,password",
    "expand=userId,mediaId,userId.likes_via_userId",
    "expand=likes_via_mediaId,reports_via_mediaId,comments_via_mediaId.userId",
    "expand=users_via_userId,blocks_via_blockerId,userId.blocks_via_blockerId",
  ];
  for (const who of [...(await outsiders()), stage.bob]) {
    for (const collection of PUBLIC) {
      for (const query of queries) {
        const text = JSON.stringify((await stage.list(collection, query, who)).body);
        // bob's own record may hold his own address, never ann's.
        const told = hidden(who).filter((secret) => text.includes(secret));
        expect({ collection, query, told }).toEqual({ collection, query, told: [] });
      }
    }
  }
});

/** Whether a stranger can tell `yes` from `no`, two filters of which one is true. */
async function tells(collection: string, yes: string, no: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [yes, no].map((filter) =>
      stage.list(
        collection,
        // bob may know about himself.
        `filter=${encodeURIComponent(`(${filter}) && userId != "${stage.bob.id}"`)}&fields=id`,
        stage.bob,
      ),
    ),
  );
  return JSON.stringify(a?.body) !== JSON.stringify(b?.body);
}

describe("a filter does not answer questions about", () => {
  test.each([
    ["an address", "media", () => [`userId.email = "${secrets.email}"`, 'userId.email = "x@y.zz"']],
    [
      "a part of an address",
      "comments",
      () => ['userId.email ~ "@example"', 'userId.email ~ "@q"'],
    ],
    ["who is an admin", "media", () => ["userId.isAdmin = false", "userId.isAdmin = true"]],
    ["a hidden count", "media", () => ["reports > 0", "reports < 0"]],
    [
      "who blocked whom",
      "comments",
      () => [
        `userId.blocks_via_blockerId.blockedId ?= "${stage.admin.id}"`,
        `userId.blocks_via_blockerId.blockedId ?= "${stage.bob.id}"`,
      ],
    ],
    [
      "who likes what",
      "comments",
      () => [
        `mediaId.likes_via_mediaId.userId ?= "${stage.ann.id}"`,
        `mediaId.likes_via_mediaId.userId ?= "${stage.admin.id}"`,
      ],
    ],
    [
      "who follows whom",
      "comments",
      () => [
        `userId.follows_via_followerId.followingId ?= "${stage.admin.id}"`,
        'userId.follows_via_followerId.followingId ?= "nobody"',
      ],
    ],
    ["a password", "media", () => ['userId.password != ""', 'userId.password = ""']],
    ["a token's key", "media", () => ['userId.tokenKey != ""', 'userId.tokenKey = ""']],
  ])("%s", async (_, collection, filters) => {
    const [yes = "", no = ""] = filters();
    expect(await tells(collection, yes, no)).toBe(false);
  });

  test("other collections by name", async () => {
    const filter = encodeURIComponent(`@collection.users.email = "${secrets.email}"`);
    for (const collection of PUBLIC) {
      expect((await stage.list(collection, `filter=${filter}`, stage.bob)).status).toBe(403);
    }
  });
});

test("no sort orders public rows by what is private", async () => {
  const { rows } = await stage.sql("SELECT id FROM media");
  expect(rows.length).toBeGreaterThan(1);
  for (const by of ["userId.email", "userId.isAdmin", "userId.chatDisabled", "userId.updatedAt"]) {
    for (const collection of ["media", "comments"]) {
      const up = await stage.list(collection, `sort=${by}&fields=id,userId`);
      const down = await stage.list(collection, `sort=-${by}&fields=id,userId`);
      // Either refused or without the rows: an order of two others' rows would tell.
      expect({ by, up: up.body.items ?? [], down: down.body.items ?? [] }).toEqual({
        by,
        up: [],
        down: [],
      });
    }
  }
  for (const by of ["email", "reports", "emailVisibility"]) {
    expect((await stage.list("profiles", `sort=${by}`)).status).toBe(400);
  }
  expect((await stage.list("media", "sort=reports")).status).toBe(400);
});

test("reports on a medium are counted for admins and hidden from everybody else", async () => {
  for (const who of [undefined, stage.ann, stage.bob]) {
    expect((await stage.view("media", media.bob, who)).body).not.toHaveProperty("reports");
  }
  expect((await stage.view("media", media.bob, stage.admin)).body.reports).toBe(1);
  const { body } = await stage.list("media", `filter=id='${media.bob}'`, stage.admin);
  expect(body.items[0].reports).toBe(1);
});

test("an admin does not list what only the two of a chat may list", async () => {
  for (const collection of PRIVATE.filter((name) => !["users", "reports"].includes(name))) {
    const { body } = await stage.list(collection, "perPage=500", stage.admin);
    expect({ collection, items: body.items }).toEqual({ collection, items: [] });
  }
});

test("the photo of a message needs a token of one of the two", async () => {
  const file = new URL("../../support/fixtures/media/photo.png", import.meta.url);
  const [a, b] = [stage.ann.id, stage.bob.id].sort();
  const form = new FormData();
  form.set("conversationId", `${a}_${b}`);
  form.set("senderId", stage.ann.id);
  form.set("type", "photo");
  form.set("timestamp", "1");
  form.set("image", new File([readFileSync(file)], "photo.png", { type: "image/png" }));
  const { body } = must(await stage.create("messages", form, stage.superuser));
  const address = `/api/files/messages/${body.id}/${body.image}`;
  const open = async (who: Stage["ann"] | undefined) => {
    const token = who
      ? must(await stage.server.api("POST", "/api/files/token", {}, who.token)).body.token
      : "";
    return (await stage.server.api("GET", `${address}?token=${token}`)).status;
  };
  const [, stranger] = await outsiders();
  expect({
    visitor: await open(undefined),
    stranger: await open(stranger),
    ann: await open(stage.ann),
    bob: await open(stage.bob),
    admin: await open(stage.admin),
  }).toEqual({ visitor: 404, stranger: 404, ann: 200, bob: 200, admin: 404 });
  must(await stage.update("messages", body.id, { deleted: true }, stage.ann));
  expect(await open(stage.bob)).toBe(404);
  expect(await stage.row("messages", body.id)).toMatchObject({ image: "", message: "" });
});

test("malformed list options are refused or ignored, and the server lives on", async () => {
  const pid = stage.server.pid;
  const options = [
    "page=9223372036854775807&perPage=500",
    "page=-9223372036854775808",
    "perPage=-1",
    "perPage=99999999999999999999",
    "skipTotal=maybe",
    "sort=%00",
    "sort=@random,@rowid,-@random",
    "sort=a.b.c.d.e.f.g.h",
    `sort=${"id,".repeat(200)}`,
    "filter=((((((((((",
    `filter=${encodeURIComponent("(".repeat(2000))}`,
    `filter=${encodeURIComponent('caption ~ "%%%___\\\\"')}`,
    `filter=${encodeURIComponent("tags:each ?~ 'a' && tags:length > 0")}`,
    `filter=${encodeURIComponent("{:a} = 1")}`,
    `filter=${encodeURIComponent('strftime("%Y", createdAt) = ""')}`,
    `filter=${encodeURIComponent("geoDistance(1,2,3,'x') > 0")}`,
    "expand=,,,..,userId.userId.userId.userId.userId.userId.userId",
    `expand=${"userId,".repeat(300)}`,
    "fields=*:excerpt(-1,true),:excerpt(,),caption:excerpt(99999999999999999999)",
    "fields=caption:excerpt()",
    "fields=.......,*.*.*.*",
    `fields=${"a.".repeat(3000)}`,
    "filter=%ff%fe&sort=%ff&expand=%ff&fields=%ff",
  ];
  for (const option of options) {
    for (const collection of ["media", "comments", "profiles", "users"]) {
      const { status } = await stage.list(collection, option, stage.bob);
      expect([option, status >= 200 && status < 500]).toEqual([option, true]);
    }
  }
  expect((await stage.server.api("GET", "/api/health")).status).toBe(200);
  expect(stage.server.pid).toBe(pid);
});
