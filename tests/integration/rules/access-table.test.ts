/**
 * Who may do what with the rows of every collection: one table of collection, action, actor and answer. The row is ann's;
 * bob is the other end of it where it has two, carl of her block, dora a stranger.
 */
import { signUp } from "@tests/support/pocketbase";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conversationIdOf, must, type Stage, setStage } from "./stage";

const ACTORS = ["visitor", "ann", "bob", "carl", "dora", "admin"] as const;
type Actor = (typeof ACTORS)[number];
type Person = Stage["ann"];
/** Statuses in the order of ACTORS. */
type Answers = readonly [number, number, number, number, number, number];

interface Rule {
  collection: string;
  /** Whether the row is in the actor's list. */
  listed: readonly [boolean, boolean, boolean, boolean, boolean, boolean];
  view: Answers;
  /** Creating a row as oneself. */
  create: Answers;
  update: Answers;
  remove: Answers;
}

const yes = true;
const no = false;
const NOBODY: Answers = [403, 403, 403, 403, 403, 403];
const EVERYBODY: Answers = [200, 200, 200, 200, 200, 200];
const SIGNED_IN: Answers = [400, 200, 200, 200, 200, 200];

const RULES: Rule[] = [
  {
    collection: "users",
    listed: [no, yes, no, no, no, yes],
    view: [404, 200, 404, 404, 404, 200],
    create: EVERYBODY,
    update: [404, 200, 404, 404, 404, 200],
    remove: NOBODY,
  },
  {
    collection: "profiles",
    listed: [yes, yes, yes, yes, yes, yes],
    view: EVERYBODY,
    create: [400, 400, 400, 400, 400, 400],
    update: [400, 400, 400, 400, 400, 400],
    remove: [400, 400, 400, 400, 400, 400],
  },
  {
    collection: "media",
    listed: [yes, yes, yes, yes, yes, yes],
    view: EVERYBODY,
    create: NOBODY,
    update: [404, 200, 404, 404, 404, 404],
    remove: [404, 204, 404, 404, 404, 204],
  },
  {
    collection: "likes",
    listed: [no, yes, no, no, no, no],
    view: [404, 200, 404, 404, 404, 404],
    create: SIGNED_IN,
    update: NOBODY,
    remove: [404, 204, 404, 404, 404, 404],
  },
  {
    collection: "comments",
    listed: [yes, yes, yes, yes, yes, yes],
    view: EVERYBODY,
    create: SIGNED_IN,
    update: [404, 200, 404, 404, 404, 404],
    remove: [404, 204, 404, 404, 404, 204],
  },
  {
    collection: "reports",
    listed: [no, no, no, no, no, yes],
    view: [404, 404, 404, 404, 404, 200],
    create: SIGNED_IN,
    update: [404, 404, 404, 404, 404, 200],
    remove: NOBODY,
  },
  {
    collection: "follows",
    listed: [no, yes, yes, no, no, no],
    view: [404, 200, 200, 404, 404, 404],
    create: SIGNED_IN,
    update: NOBODY,
    remove: [404, 204, 404, 404, 404, 404],
  },
  {
    collection: "blocks",
    listed: [no, yes, no, no, no, no],
    view: [404, 200, 404, 404, 404, 404],
    create: SIGNED_IN,
    update: NOBODY,
    remove: [404, 204, 404, 404, 404, 404],
  },
  {
    collection: "conversations",
    listed: [no, yes, yes, no, no, no],
    view: [404, 200, 200, 404, 404, 404],
    create: SIGNED_IN,
    update: NOBODY,
    remove: [404, 404, 404, 404, 404, 204],
  },
  {
    collection: "messages",
    listed: [no, yes, yes, no, no, no],
    view: [404, 200, 200, 404, 404, 404],
    create: [400, 200, 200, 403, 403, 403],
    update: [404, 200, 403, 404, 404, 200],
    remove: NOBODY,
  },
  {
    collection: "notifications",
    listed: [no, yes, no, no, no, no],
    view: [404, 200, 404, 404, 404, 404],
    create: NOBODY,
    update: NOBODY,
    remove: NOBODY,
  },
  {
    collection: "saves",
    listed: [no, yes, no, no, no, no],
    view: [404, 200, 404, 404, 404, 404],
    create: SIGNED_IN,
    update: [404, 200, 404, 404, 404, 404],
    remove: [404, 204, 404, 404, 404, 404],
  },
  {
    collection: "settings",
    listed: [yes, yes, yes, yes, yes, yes],
    view: EVERYBODY,
    create: NOBODY,
    update: [404, 404, 404, 404, 404, 200],
    remove: NOBODY,
  },
  {
    collection: "uploads",
    listed: [no, yes, no, no, no, no],
    view: [404, 200, 404, 404, 404, 404],
    create: NOBODY,
    update: NOBODY,
    remove: NOBODY,
  },
  {
    collection: "audit",
    listed: [no, no, no, no, no, yes],
    view: [404, 404, 404, 404, 404, 200],
    create: NOBODY,
    update: NOBODY,
    remove: NOBODY,
  },
  {
    collection: "sessions",
    listed: [no, no, no, no, no, no],
    view: NOBODY,
    create: NOBODY,
    update: NOBODY,
    remove: NOBODY,
  },
];

const CHANGES: Record<string, Record<string, unknown>> = {
  users: { bio: "Changed" },
  profiles: { bio: "Changed" },
  media: { caption: "Changed" },
  reports: { status: "resolved" },
  messages: { deleted: true },
  settings: { content: "<p>Changed</p>" },
};

let stage: Stage;
let carl: Person;
let dora: Person;
/** Media of somebody whom nobody blocks. */
let theirs: Person;

beforeAll(async () => {
  stage = await setStage();
  [carl, dora, theirs] = await Promise.all([
    signUp(stage.server),
    signUp(stage.server),
    signUp(stage.server),
  ]);
});
afterAll(() => stage.server.stop());

const personOf = (actor: Actor): Person | undefined =>
  ({
    visitor: undefined,
    ann: stage.ann,
    bob: stage.bob,
    carl,
    dora,
    admin: stage.admin,
  })[actor];

async function pair(collection: string, from: string, to: string, other: Person) {
  await stage.remove(collection, `${stage.ann.id}_${other.id}`, stage.ann);
  const body = { [from]: stage.ann.id, [to]: other.id };
  return must(await stage.create(collection, body, stage.ann)).body.id;
}

/** Makes ann's row and answers its id. */
const MAKE: Record<string, () => Promise<string>> = {
  users: async () => stage.ann.id,
  profiles: async () => stage.ann.id,
  settings: async () => "terms",
  media: () => stage.media(stage.ann),
  likes: async () => {
    const body = { mediaId: await stage.media(theirs), userId: stage.ann.id };
    return must(await stage.create("likes", body, stage.ann)).body.id;
  },
  comments: async () => {
    const body = { mediaId: await stage.media(theirs), userId: stage.ann.id, text: "Nice" };
    return must(await stage.create("comments", body, stage.ann)).body.id;
  },
  reports: async () => {
    const body = { mediaId: await stage.media(theirs), userId: stage.ann.id, reason: "Bad" };
    return must(await stage.create("reports", body, stage.ann)).body.id;
  },
  follows: () => pair("follows", "followerId", "followingId", stage.bob),
  blocks: () => pair("blocks", "blockerId", "blockedId", carl),
  conversations: async () => {
    await stage.create("conversations", { participants: [stage.ann.id, stage.bob.id] }, stage.ann);
    return conversationIdOf(stage.ann, stage.bob);
  },
  messages: async () => {
    await MAKE["conversations"]?.();
    return stage.message(stage.ann, stage.bob);
  },
  notifications: async () => {
    const mediaId = await stage.media(stage.ann);
    const like = must(await stage.create("likes", { mediaId, userId: theirs.id }, theirs)).body.id;
    return `like_${like}`;
  },
  saves: async () => {
    const body = { mediaId: await stage.media(theirs), userId: stage.ann.id };
    return must(await stage.create("saves", body, stage.ann)).body.id;
  },
  uploads: async () => {
    const body = { owner: stage.ann.id, size: 1, metadata: {} };
    return must(await stage.create("uploads", body, stage.superuser)).body.id;
  },
  audit: async () => {
    const body = { action: "test", actor: "nobody", target: "nothing" };
    return must(await stage.create("audit", body, stage.superuser)).body.id;
  },
  sessions: async () => {
    const lastSeenAt = new Date().toISOString();
    const body = { userId: stage.ann.id, secretHash: "none", lastSeenAt };
    return must(await stage.create("sessions", body, stage.superuser)).body.id;
  },
};

/** What somebody with the id `me` sends to make a row of his own. */
async function creation(collection: string, me: string): Promise<Record<string, unknown>> {
  const mediaId = await stage.media(theirs);
  const takesTwo = ["follows", "blocks", "conversations"].includes(collection);
  const fresh = takesTwo ? await signUp(stage.server) : theirs;
  const name = `new-${Math.random().toString(36).slice(2, 12)}`;
  const bodies: Record<string, Record<string, unknown>> = {
    users: {
      email: `${name}@example.com`,
      username: name,
      password: "Kirschkuchen-7",
      passwordConfirm: "Kirschkuchen-7",
      termsAccepted: true,
    },
    profiles: { username: name },
    media: { userId: me, type: "photo" },
    likes: { mediaId, userId: me },
    saves: { mediaId, userId: me },
    comments: { mediaId, userId: me, text: "Hm" },
    reports: { mediaId, userId: me, reason: "Why" },
    follows: { followerId: me, followingId: fresh.id },
    blocks: { blockerId: me, blockedId: fresh.id },
    conversations: { participants: [me, fresh.id] },
    messages: {
      conversationId: conversationIdOf(stage.ann, stage.bob),
      senderId: me,
      message: "Hi",
    },
    notifications: { id: `like_${mediaId}_${me}`, userId: me, kind: "like" },
    settings: { id: "app" },
    uploads: { owner: me, size: 1 },
    audit: { action: "x" },
    sessions: { userId: me, secretHash: "x", lastSeenAt: new Date().toISOString() },
  };
  return bodies[collection] ?? {};
}

const byActor = async (ask: (who: Person | undefined, actor: Actor) => Promise<unknown>) => {
  const answers: Record<string, unknown> = {};
  for (const actor of ACTORS) answers[actor] = await ask(personOf(actor), actor);
  return answers;
};
const expected = (answers: readonly unknown[]) =>
  Object.fromEntries(ACTORS.map((actor, at) => [actor, answers[at]]));

describe.each(RULES)("$collection", (rule) => {
  const { collection } = rule;
  const make = () => (MAKE[collection] as () => Promise<string>)();

  test("lists ann's row to those who may see it, and to nobody else", async () => {
    const id = await make();
    const answers = await byActor(async (who) => {
      const { status, body } = await stage.list(collection, "perPage=500", who);
      return status === 200 && body.items.some((item: { id: string }) => item.id === id);
    });
    expect(answers).toEqual(expected(rule.listed));
  });

  test("shows ann's row to those who may see it", async () => {
    const id = await make();
    const answers = await byActor(async (who) => (await stage.view(collection, id, who)).status);
    expect(answers).toEqual(expected(rule.view));
  });

  test("lets in new rows only from those who may make them", async () => {
    await MAKE["conversations"]?.();
    const answers = await byActor(async (who) => {
      const body = await creation(collection, who?.id ?? dora.id);
      return (await stage.create(collection, body, who)).status;
    });
    expect(answers).toEqual(expected(rule.create));
  });

  test("takes changes only from those who may make them", async () => {
    const answers = await byActor(async (who) => {
      const id = await make();
      return (await stage.update(collection, id, CHANGES[collection] ?? { seq: 1 }, who)).status;
    });
    expect(answers).toEqual(expected(rule.update));
  });

  test("is deleted only by those who may delete", async () => {
    const answers = await byActor(async (who) => {
      const id = await make();
      return (await stage.remove(collection, id, who)).status;
    });
    expect(answers).toEqual(expected(rule.remove));
  });
});

test("every collection that the database has is in the table", async () => {
  const { body } = await stage.server.api(
    "GET",
    "/api/collections?perPage=200&fields=name,system",
    undefined,
    stage.superuser.token,
  );
  const names = body.items
    .filter((one: { system: boolean }) => !one.system)
    .map((one: { name: string }) => one.name);
  expect(RULES.map((rule) => rule.collection).sort()).toEqual(names.sort());
});
