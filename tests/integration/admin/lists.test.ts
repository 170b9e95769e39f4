/** What the panel shows: figures and lists by pages, as an admin's client gets them. */
import { must } from "@tests/integration/rules/stage";
import { mediaFixture } from "@tests/support/media-fixtures";
import { type SignedIn, signUp } from "@tests/support/pocketbase";
import { upload } from "@tests/support/tus";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AdminPage, PageQuery } from "@/data/admin/admin-client";
import type { Result } from "@/domain/result";
import { mediaPlace } from "@/media-cache/cache";
import { openPanel, type Panel, value } from "./panel";

let stage: Panel;
beforeAll(async () => {
  stage = await openPanel();
});
afterAll(() => stage.close());

/** Every row, two at a time. */
async function walk<T extends { id: string }>(
  read: (query: PageQuery) => Promise<Result<AdminPage<T>>>,
): Promise<T[]> {
  const rows: T[] = [];
  let after: string | null = null;
  do {
    const page: AdminPage<T> = value(
      await read({ limit: 2, ...(after === null ? {} : { after }) }),
    );
    rows.push(...page.items);
    after = page.next;
  } while (after !== null);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  return rows;
}
const names = (rows: { username: string }[]) => rows.map(({ username }) => username);

describe("statistics", () => {
  test("equal the rows after every kind of change, by whatever path", async () => {
    const { superuser, ann, bob } = stage;
    const photo = await stage.media(ann);
    const clip = await stage.media(ann, { type: "video" });
    must(await stage.create("likes", { mediaId: photo, userId: bob.id }, bob));
    must(await stage.create("comments", { mediaId: photo, userId: bob.id, text: "Hi" }, bob));
    must(await stage.create("comments", { mediaId: clip, userId: bob.id, text: "Hi" }, bob));
    const report = { mediaId: clip, userId: bob.id, reason: "Why" };
    must(await stage.create("reports", report, bob));
    await stage.conversation(ann, bob);
    await stage.message(ann, bob);
    const gone = await signUp(stage.server);
    const lost = await stage.media(gone);
    must(await stage.create("likes", { mediaId: lost, userId: ann.id }, ann));
    must(await stage.update("reports", `${clip}_${bob.id}`, { status: "resolved" }, stage.admin));
    const shut = await signUp(stage.server);
    must(await stage.update("users", shut.id, { isBlocked: true, isAdmin: true }, superuser));
    must(await stage.update("media", photo, { createdAt: "2026-01-02 03:04:05.000Z" }, superuser));
    must(await stage.remove("users", gone.id, superuser));
    await stage.sql(`UPDATE media SET type = 'photo' WHERE id = '${clip}'`);
    must(await stage.update("users", shut.id, { isAdmin: false }, superuser));
    const { totals, days } = value(await stage.panel.stats());
    const count = (from: string) => stage.number(`SELECT count(*) FROM ${from}`);
    expect(totals).toEqual({
      users: await count("users"),
      admins: await count("users WHERE isAdmin"),
      suspended: await count("users WHERE isBlocked"),
      media: await count("media"),
      photos: await count("media WHERE type = 'photo'"),
      videos: await count("media WHERE type = 'video'"),
      likes: await count("likes"),
      comments: await count("comments"),
      conversations: await count("conversations"),
      messages: await count("messages"),
      reports: await count("reports"),
      openReports: await count("reports WHERE status = 'open'"),
    });
    const today = new Date().toISOString().slice(0, 10);
    expect(days).toHaveLength(30);
    expect([...days].sort((a, b) => (a.day < b.day ? -1 : 1))).toEqual(days);
    for (const { day, ...counted } of days) {
      const on = (table: string, more = "TRUE") =>
        count(`${table} WHERE substr(createdAt, 1, 10) = '${day}' AND ${more}`);
      if (day !== today) continue;
      expect(counted).toEqual({
        users: await on("users"),
        media: await on("media"),
        photos: await on("media", "type = 'photo'"),
        videos: await on("media", "type = 'video'"),
        likes: await on("likes"),
        comments: await on("comments"),
        messages: await on("messages"),
        reports: await on("reports"),
      });
    }
    expect(
      await stage.number("SELECT n FROM _daily WHERE day = '2026-01-02' AND name = 'photos'"),
    ).toBe(1);
  });
});

describe("users", () => {
  let people: SignedIn[];
  beforeAll(async () => {
    const wanted = ["Zora.Quartz", "anna-quartz", "Quartz_X", "plain%name".replace("%", ".")];
    people = [];
    for (const username of wanted) people.push(await signUp(stage.server, { username }));
    for (const who of people.slice(0, 2)) {
      const row = { followerId: stage.ann.id, followingId: who.id };
      must(await stage.create("follows", row, stage.ann));
    }
    await stage.media(people[0] as SignedIn);
  });

  test.each([
    ["QUARTZ", ["Quartz_X", "anna-quartz", "Zora.Quartz"]],
    ["quartz_x@example", ["Quartz_X"]],
    ["zo", ["Zora.Quartz"]],
    ["%", []],
    ["_x", []],
    ["artz_", ["Quartz_X"]],
    ['"', []],
    ["nobody-has-this", []],
  ])("are found by %s, newest first", async (search, found) => {
    expect(names(value(await stage.panel.users({ search })).items)).toEqual(found);
  });

  test("come in every order, each once, page by page", async () => {
    const all = async (by: string) =>
      (await stage.sql(`SELECT username FROM users ORDER BY ${by}`)).rows.flat();
    const by = (sort: "newest" | "oldest" | "username" | "followers" | "media") =>
      walk((query) => stage.panel.users({ ...query, sort })).then(names);
    expect(await by("newest")).toEqual(await all("createdAt DESC, id DESC"));
    expect(await by("oldest")).toEqual(await all("createdAt, id"));
    expect(await by("username")).toEqual(await all("username COLLATE NOCASE"));
    expect(await by("followers")).toEqual(await all("followers DESC, id DESC"));
    expect(await by("media")).toEqual(await all("mediaCount DESC, id DESC"));
  });

  test("carry what the panel shows, and a renamed or deleted one is found by what it is now", async () => {
    const [who, , , plain] = people as [SignedIn, SignedIn, SignedIn, SignedIn];
    value(await stage.panel.setSuspended(who.id, true));
    value(await stage.panel.setChatDisabled(who.id, true));
    const { items, total } = value(
      await stage.panel.users({ search: "zora", filter: "suspended" }),
    );
    expect(items).toEqual([
      {
        id: who.id,
        username: "Zora.Quartz",
        email: who.email,
        isAdmin: false,
        isBlocked: true,
        blockedUntil: 0,
        chatDisabled: true,
        followers: 1,
        following: 0,
        mediaCount: 1,
        storage: 0,
        profileThumbnailUrl: "",
        createdAt: Date.parse(who.record.createdAt.replace(" ", "T")),
      },
    ]);
    expect(total).toBe(await stage.number("SELECT count(*) FROM users"));
    expect(names(value(await stage.panel.users({ filter: "chat-disabled" })).items)).toEqual([
      "Zora.Quartz",
    ]);
    expect(names(value(await stage.panel.users({ filter: "admins" })).items)).toEqual([
      stage.admin.record.username,
    ]);
    must(await stage.update("users", plain.id, { username: "opal" }, plain));
    expect(names(value(await stage.panel.users({ search: "opal" })).items)).toEqual(["opal"]);
    expect(value(await stage.panel.users({ search: "plain.name" })).items).toMatchObject([
      { username: "opal" },
    ]);
    must(await stage.remove("users", plain.id, stage.superuser));
    expect(value(await stage.panel.users({ search: "opal" })).items).toEqual([]);
  });

  test("are refused with a cursor, an order or a filter that is none", async () => {
    for (const query of [
      "after=x",
      "after=x~y&sort=followers",
      "sort=email",
      "filter=x",
      "sort=toString",
    ]) {
      const { token } = stage.admin;
      const { status, body } = await stage.server.api(
        "GET",
        `/api/admin/users?${query}`,
        undefined,
        token,
      );
      expect([query, status, body.code]).toEqual([query, 400, "invalid"]);
    }
  });
});

describe("chats", () => {
  test("show who writes to whom, and all that was written, however long it is", async () => {
    const [a, b] = [await signUp(stage.server), await signUp(stage.server)];
    const id = await stage.conversation(a, b);
    await stage.message(a, b, "First");
    await stage.sql(`INSERT INTO messages (id, conversationId, senderId, message, type, timestamp, createdAt, updatedAt)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
      SELECT 'bulk' || printf('%011d', i), '${id}', '${b.id}', 'Bulk ' || i, 'text', 1800000000 + i, '', '' FROM n`);
    const last = await stage.message(a, b, "Last");
    value(await stage.panel.deleteMessage(last));
    const listed = value(await stage.panel.conversations({ userId: a.id })).items;
    expect(listed).toMatchObject([
      { id, messageCount: 1202, lastMessage: "This message was deleted" },
    ]);
    expect(names(listed[0]?.participants ?? []).sort()).toEqual(
      [a.record.username, b.record.username].sort(),
    );
    const newest = value(await stage.panel.messages(id));
    expect(newest.items).toHaveLength(1000);
    expect(newest.items.at(-1)).toMatchObject({
      id: last,
      text: "",
      deleted: true,
      senderUsername: a.record.username,
    });
    const older = value(await stage.panel.messages(id, newest.older ?? ""));
    expect(older.items).toHaveLength(202);
    expect(older.items[0]).toMatchObject({ text: "First", deleted: false });
    expect(older.older).toBeNull();
    const looks = value(await stage.panel.audit({ target: id, action: "conversations.read" }));
    expect(looks.items.map(({ details }) => details)).toEqual([
      { messages: 202 },
      { messages: 1000 },
    ]);
    must(await stage.remove("users", b.id, stage.superuser));
    const orphaned = value(await stage.panel.conversations({ userId: a.id })).items[0];
    expect(names(orphaned?.participants ?? []).sort()).toEqual(["", a.record.username]);
    value(await stage.panel.deleteConversation(id));
    value(await stage.panel.deleteConversation(id));
    expect(await stage.panel.messages(id)).toMatchObject({ success: false, error: "not_found" });
  });

  test("come with the last written to first, each once", async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => signUp(stage.server)));
    for (const who of people) {
      await stage.conversation(stage.ann, who);
      await stage.message(stage.ann, who);
    }
    const rows = await walk((query) => stage.panel.conversations(query));
    const { rows: ids } = await stage.sql(
      "SELECT id FROM conversations ORDER BY lastMessageTime DESC, id DESC",
    );
    expect(rows.map(({ id }) => id)).toEqual(ids.flat());
  });

  test("go while both write in them, and nothing of them stays", async () => {
    const [a, b] = [await signUp(stage.server), await signUp(stage.server)];
    const id = await stage.conversation(a, b);
    const write = async (who: SignedIn) => {
      const statuses: number[] = [];
      for (let i = 0; i < 25; i++) {
        const body = { conversationId: id, senderId: who.id, message: `${i}` };
        statuses.push((await stage.create("messages", body, who)).status);
      }
      return statuses;
    };
    const writing = [write(a), write(b)];
    await expect
      .poll(() => stage.number("SELECT count(*) FROM messages WHERE message = '3'"))
      .toBeGreaterThan(0);
    value(await stage.panel.deleteConversation(id));
    const statuses = (await Promise.all(writing)).flat();
    expect(statuses).toContain(404);
    expect(statuses.every((status) => status === 200 || (status >= 400 && status < 500))).toBe(
      true,
    );
    expect(await stage.number(`SELECT count(*) FROM messages WHERE conversationId = '${id}'`)).toBe(
      0,
    );
    expect(await stage.number(`SELECT count(*) FROM conversations WHERE id = '${id}'`)).toBe(0);
    expect(
      await stage.number(
        "SELECT n - (SELECT count(*) FROM messages) FROM _counts WHERE name = 'messages'",
      ),
    ).toBe(0);
  });
});

describe("media and reports", () => {
  test("media come by kind, by owner and by how much they were reported", async () => {
    const owner = await signUp(stage.server);
    const [quiet, loud, clip] = [
      await stage.media(owner),
      await stage.media(owner),
      await stage.media(owner, { type: "video" }),
    ];
    for (const who of [stage.ann, stage.bob]) {
      must(await stage.create("reports", { mediaId: loud, userId: who.id, reason: "Why" }, who));
    }
    const of = (query: Parameters<typeof stage.panel.media>[0]) =>
      stage.panel
        .media({ userId: owner.id, ...query })
        .then((page) => value(page).items.map(({ id }) => id));
    expect(await of({})).toEqual([clip, loud, quiet]);
    expect(await of({ filter: "photos" })).toEqual([loud, quiet]);
    expect(await of({ filter: "videos" })).toEqual([clip]);
    expect(await of({ filter: "reported" })).toEqual([loud]);
    expect((await walk((query) => stage.panel.media(query))).length).toBe(
      await stage.number("SELECT count(*) FROM media"),
    );
    value(await stage.panel.deleteMedia(quiet));
    value(await stage.panel.deleteMedia(quiet));
    expect(await of({})).toEqual([clip, loud]);
  });

  test("a report keeps its number, its text and its snapshot when everything else goes", async () => {
    const [owner, reporter] = [await signUp(stage.server), await signUp(stage.server)];
    const more = {
      caption: "Gone soon",
      thumbhash: "1QcSHQRnh493V4dIh4eXh1h4kJUI",
      width: 40,
      height: 30,
    };
    const mediaId = await stage.media(owner, more);
    must(await stage.create("reports", { mediaId, userId: reporter.id, reason: "Look" }, reporter));
    const first = value(await stage.panel.reports()).items[0];
    expect(first).toMatchObject({
      mediaId,
      exists: true,
      status: "open",
      reason: "Look",
      ownerExists: true,
    });
    value(await stage.panel.setReportStatus(first?.id ?? "", "resolved"));
    value(await stage.panel.setSuspended(owner.id, true));
    value(await stage.panel.deleteMedia(mediaId));
    const judged = value(await stage.panel.reports({ status: "resolved" })).items[0];
    expect(judged).toMatchObject({
      ownerIsBlocked: true,
      exists: false,
      ...more,
      url: "",
      thumbnailUrl: "",
    });
    must(await stage.remove("users", owner.id, stage.superuser));
    must(await stage.remove("users", reporter.id, stage.superuser));
    const left = value(await stage.panel.reports({ status: "resolved" })).items[0];
    expect(left).toMatchObject({
      number: first?.number,
      reason: "Look",
      reporterUsername: reporter.record.username,
      ownerUsername: owner.record.username,
      ownerExists: false,
      ...more,
    });
  });

  test("reports are numbered as they come, and nobody changes a number", async () => {
    const rows = await walk((query) => stage.panel.reports(query));
    const numbers = rows.map(({ number }) => number);
    expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
    expect(new Set(numbers).size).toBe(numbers.length);
    const { id, number } = rows[0] ?? { id: "", number: 0 };
    await stage.update("reports", id, { number: 99 }, stage.superuser);
    await stage.sql(`UPDATE reports SET number = 98 WHERE id = '${id}'`);
    expect(await stage.row("reports", id)).toMatchObject({ number });
    await stage.sql(`DELETE FROM reports WHERE id = '${id}'`);
    const mediaId = await stage.media(stage.ann);
    must(
      await stage.create("reports", { mediaId, userId: stage.bob.id, reason: "Next" }, stage.bob),
    );
    expect(value(await stage.panel.reports()).items[0]).toMatchObject({ number: number + 1 });
  });
});

test("a chat photo is shown to an admin by an address that is young and kept nowhere", async () => {
  const { server, panel } = stage;
  const [a, b] = [await signUp(server), await signUp(server)];
  const id = await stage.conversation(a, b);
  const form = new FormData();
  form.set("id", "photomessage001");
  form.set("uploadId", await upload(server, a.token, mediaFixture("photo.jpg")));
  form.set("conversationId", id);
  must(await server.api("POST", "/api/messages/photo", form, a.token));
  const { items } = value(await panel.messages(id));
  expect(items).toMatchObject([{ type: "photo", deleted: false, thumbnailPath: "" }]);
  const path = items[0]?.imagePath ?? "";
  expect((await server.api("GET", path)).status).toBe(404);
  const address = value(await panel.photoUrl(path));
  expect((await fetch(address)).headers.get("content-type")).toBe("image/jpeg");
  expect(mediaPlace(address, server.url)).toBeNull();
  value(await panel.deleteMessage("photomessage001"));
  await expect.poll(async () => (await fetch(address)).status).toBe(404);
  expect(value(await panel.messages(id)).items).toMatchObject([{ deleted: true, imagePath: "" }]);
});

test.each([
  ["qw", "by its beginning"],
  ["wide", "by a part"],
])(
  "a search that finds more than can be sorted, %s, brings each once and in order",
  async (search) => {
    const { panel } = stage;
    await stage.sql(`INSERT INTO users (id, username, email, tokenKey, password, createdAt, updatedAt)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
    SELECT '${search}' || printf('%0${15 - search.length}d', i), 'Qwide-${search}' || i, '${search}' || i || '@example.com',
      '${search}' || i, 'x', strftime('%Y-%m-%d %H:%M:%fZ', 'now', '-' || i || ' seconds'), '' FROM n`);
    const found: string[] = [];
    let after: string | null = null;
    do {
      const page: AdminPage<{ id: string; username: string }> = value(
        await panel.users({ search, limit: 100, ...(after === null ? {} : { after }) }),
      );
      found.push(...page.items.map(({ id }) => id));
      after = page.next;
    } while (after !== null);
    // The console gives a thousand rows at most: one text of them all.
    const start = search === "qw" ? "" : "%";
    const { rows } = await stage.sql(`SELECT group_concat(id, ' ' ORDER BY createdAt DESC, id DESC)
      FROM users WHERE username LIKE '${start}${search}%' OR email LIKE '${start}${search}%'`);
    expect(found.length).toBeGreaterThan(1_000);
    expect(found).toEqual(String(rows[0]?.[0]).split(" "));
  },
);
