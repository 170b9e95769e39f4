/** Hints: who is told to pull, who is not, and that the stream carries nothing else. */

import { mediaFixture } from "@tests/support/media-fixtures";
import {
  createSuperuser,
  type PocketBase,
  type SignedIn,
  signUp,
  startPocketBase,
} from "@tests/support/pocketbase";
import { type Listener, listen } from "@tests/support/sse";
import { upload } from "@tests/support/tus";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { conversationId, pairId } from "@/domain/ids";

let server: PocketBase;
let superuser: SignedIn;
let ann: SignedIn;
let bob: SignedIn;
let eve: SignedIn;
const open: Listener[] = [];

beforeAll(async () => {
  server = await startPocketBase();
  superuser = await createSuperuser(server);
  ann = await signUp(server);
  bob = await signUp(server);
  eve = await signUp(server);
});
afterEach(() => {
  for (const listener of open.splice(0)) listener.close();
});
afterAll(() => server?.stop());

async function listener(who?: SignedIn): Promise<Listener> {
  const one = await listen(server);
  open.push(one);
  const { status } = await one.subscribe(["sync"], who?.token);
  expect(status).toBe(204);
  return one;
}

const records = (collection: string): string => `/api/collections/${collection}/records`;
const pull = (who?: SignedIn) => server.api("GET", "/api/sync?since=head", undefined, who?.token);
let count = 0;
async function newMedia(who = ann): Promise<string> {
  count += 1;
  const form = new FormData();
  form.set("id", `media${String(count).padStart(10, "0")}`);
  form.set("uploadId", await upload(server, who.token, mediaFixture("photo.jpg")));
  const { body } = await server.api("POST", "/api/media", form, who.token);
  return body.id;
}
function setBio(who: SignedIn) {
  count += 1;
  const where = `${records("users")}/${who.id}`;
  return server.api("PATCH", where, { bio: `bio ${count}` }, who.token);
}
const block = (blocker: SignedIn, blocked: SignedIn) =>
  server.api(
    "POST",
    records("blocks"),
    { id: pairId(blocker.id, blocked.id), blockerId: blocker.id, blockedId: blocked.id },
    blocker.token,
  );
async function startChat(a: SignedIn, b: SignedIn): Promise<string> {
  const id = conversationId(a.id, b.id);
  await server.api("POST", records("conversations"), { id, participants: [a.id, b.id] }, a.token);
  return id;
}
const say = (who: SignedIn, conversation: string, message: string) =>
  server.api(
    "POST",
    records("messages"),
    { conversationId: conversation, senderId: who.id, message, type: "text" },
    who.token,
  );

/**
 * What happened before hinted neither `one`, which is `who`'s, nor `guest`: after a pull, which lets hints through
 * again, one public change makes the first hint they hear. The pulls behind it give one from before time to arrive.
 */
async function expectOnlyPublicHints(
  one: Listener,
  who?: SignedIn,
  guest: Listener = one,
): Promise<void> {
  const pullBoth = () => Promise.all([pull(who), pull()]);
  await pullBoth();
  await setBio(ann);
  await Promise.all([one.hears(1), guest.hears(1)]);
  for (let i = 0; i < 5; i++) await pullBoth();
  expect([one.heard.length, guest.heard.length]).toEqual([1, 1]);
}

describe("who is hinted", () => {
  test("a new medium hints guests and users alike, with nothing in it", async () => {
    const all = [await listener(), await listener(bob), await listener(ann)];
    await newMedia();
    await Promise.all(all.map((one) => one.hears(1)));
    for (const { heard } of all) expect(heard).toEqual([{ name: "sync", data: "{}" }]);
  });

  test("a profile, a comment, a like and a deletion hint everyone", async () => {
    const media = await newMedia();
    const guest = await listener();
    const likeId = pairId(media, bob.id);
    const acts = [
      () => setBio(ann),
      () =>
        server.api(
          "POST",
          records("comments"),
          { mediaId: media, userId: bob.id, text: "schön" },
          bob.token,
        ),
      () =>
        server.api(
          "POST",
          records("likes"),
          { id: likeId, mediaId: media, userId: bob.id },
          bob.token,
        ),
      () => server.api("DELETE", `${records("likes")}/${likeId}`, undefined, bob.token),
      () => server.api("DELETE", `${records("media")}/${media}`, undefined, ann.token),
    ];
    for (const act of acts) {
      await pull();
      guest.forget();
      expect((await act()).status).toBeLessThan(300);
      await guest.hears(1);
    }
  });

  test("a chat hints its two people and nobody else", async () => {
    const [hers, his, others, guest] = [
      await listener(ann),
      await listener(bob),
      await listener(eve),
      await listener(),
    ];
    const chat = await startChat(ann, bob);
    await Promise.all([hers.hears(1), his.hears(1)]);
    await Promise.all([pull(ann), pull(bob)]);
    hers.forget();
    his.forget();
    expect((await say(ann, chat, "hello")).status).toBe(200);
    await Promise.all([hers.hears(1), his.hears(1)]);
    await expectOnlyPublicHints(others, eve, guest);
  });

  test("reading messages hints the two", async () => {
    const chat = await startChat(ann, bob);
    await say(ann, chat, "read me");
    const hers = await listener(ann);
    await server.api("POST", `/api/conversations/${chat}/read`, {}, bob.token);
    await hers.hears(1);
  });

  test("a block hints the blocker and not the blocked", async () => {
    const [blocker, blocked] = [await listener(eve), await listener(bob)];
    expect((await block(eve, bob)).status).toBe(200);
    await blocker.hears(1);
    await expectOnlyPublicHints(blocked, bob);
  });

  test("a refused write hints nobody", async () => {
    const guest = await listener();
    const chat = await startChat(bob, eve);
    expect((await say(bob, chat, "you blocked me")).status).toBeGreaterThanOrEqual(400);
    await expectOnlyPublicHints(guest);
  });

  test("a suspended account's streams still hear, and its next pull is 401", async () => {
    const mal = await signUp(server);
    const stream = await listener(mal);
    await server.api(
      "PATCH",
      `${records("users")}/${mal.id}`,
      { isBlocked: true },
      superuser.token,
    );
    await stream.hears(1);
    expect((await pull(mal)).status).toBe(401);
  });

  test("counted views hint when they come into the feed", async () => {
    const media = await newMedia();
    const guest = await listener();
    await server.api("POST", `/api/media/${media}/view`, { session: "some-session" });
    expect(guest.heard).toEqual([]);
    await server.api("POST", "/api/crons/announceViews", undefined, superuser.token);
    await guest.hears(1);
  });
});

describe("what is a person's alone", () => {
  test("says so, and comes although a common hint is still unheeded, once until the next pull", async () => {
    const [mia, tom] = [await signUp(server), await signUp(server)];
    const chat = await startChat(mia, tom);
    const [hers, his] = [await listener(mia), await listener(tom)];
    await setBio(eve);
    await Promise.all([hers.hears(1), his.hears(1)]);
    for (const text of ["one", "two", "three"]) await say(mia, chat, text);
    await his.hears(2);
    await pull(tom);
    await say(mia, chat, "four");
    await his.hears(3);
    const [common, mine] = [
      { name: "sync", data: "{}" },
      { name: "sync", data: '{"you":true}' },
    ];
    expect(his.heard).toEqual([common, mine, mine]);
    expect(hers.heard).toEqual([common, mine]);
  });
});

describe("how often", () => {
  test("until the next pull one hint is enough, and after it the next change hints again", async () => {
    const [his, guest] = [await listener(bob), await listener()];
    for (let i = 0; i < 20; i++) await setBio(ann);
    await Promise.all([his.hears(1), guest.hears(1)]);
    await pull(bob);
    await setBio(ann);
    await his.hears(2);
    await pull();
    await setBio(ann);
    await guest.hears(2);
    expect([his.heard.length, guest.heard.length]).toEqual([2, 2]);
  });

  test("every device of a user is hinted, also when another one pulled", async () => {
    const [phone, desk] = [await listener(bob), await listener(bob)];
    await setBio(ann);
    await Promise.all([phone.hears(1), desk.hears(1)]);
    await pull(bob);
    await setBio(ann);
    await Promise.all([phone.hears(2), desk.hears(2)]);
  });

  test("a change is never swallowed: who pulls at each hint has everything in the end", async () => {
    const stream = await listener();
    let checkpoint = (await pull()).body.checkpoint as number;
    const drain = async (): Promise<void> => {
      for (;;) {
        const { body } = await server.api("GET", `/api/sync?since=${checkpoint}`);
        checkpoint = body.checkpoint;
        if (!body.more) return;
      }
    };
    let done = false;
    const puller = (async () => {
      for (let seen = 0; !done; ) {
        await stream.hears(seen + 1);
        seen = stream.heard.length;
        await drain();
      }
    })();
    await Promise.all(
      [ann, bob, eve].map(async (who) => {
        for (let i = 0; i < 40; i++) await setBio(who);
      }),
    );
    await expect.poll(async () => (await pull()).body.checkpoint === checkpoint).toBe(true);
    done = true;
    await setBio(ann);
    await puller;
  });
});

test("a stream that listens to nothing is ended, and one that listens goes on", async () => {
  const [idle, guest, his] = [await listen(server), await listener(), await listener(bob)];
  open.push(idle);
  let isOver = false;
  void idle.ended.then(() => {
    isOver = true;
  });
  await expect
    .poll(async () => {
      await server.api("POST", "/api/crons/endIdleStreams", undefined, superuser.token);
      return isOver;
    })
    .toBe(true);
  await setBio(ann);
  await Promise.all([guest.hears(1), his.hears(1)]);
});

describe("what may be listened to", () => {
  test.each([
    ["a collection", ["media/*"]],
    ["a record", ["users/aaaaaaaaaaaaaaa"]],
    ["a collection by name alone", ["messages"]],
    ["sync and something else", ["sync", "messages/*"]],
    ["sync with options", ['sync?options={"query":{"fields":"x:excerpt(-1)"}}']],
    ["an empty topic", [""]],
  ])("%s is refused to guests and users", async (_what, topics) => {
    const one = await listen(server);
    open.push(one);
    for (const token of [undefined, ann.token]) {
      const { status, body } = await one.subscribe(topics, token);
      expect([status, body.code]).toEqual([403, "forbidden"]);
    }
  });

  test("no record topic ever speaks, even when it is asked for beside sync", async () => {
    const one = await listener(ann);
    await one.subscribe(["sync", "media/*"], ann.token);
    await newMedia(bob);
    await one.hears(1);
    expect(one.heard).toEqual([{ name: "sync", data: "{}" }]);
  });

  test("a bad token is 401, not a guest", async () => {
    const one = await listen(server);
    open.push(one);
    const { status, body } = await one.subscribe(["sync"], "nonsense");
    expect([status, body.code]).toEqual([401, "unauthenticated"]);
  });

  test("a superuser listens to what the dashboard needs, but not with options that end the process", async () => {
    const one = await listen(server);
    open.push(one);
    const withOptions = (options: unknown) => [
      `media/*?options=${encodeURIComponent(typeof options === "string" ? options : JSON.stringify(options))}`,
    ];
    for (const bad of [
      { query: { fields: "caption:excerpt(-1)" } },
      { query: { fields: "*:excerpt( -5 , true)" } },
      { query: "x" },
      [],
      "{",
    ]) {
      const { status } = await one.subscribe(withOptions(bad), superuser.token);
      expect([JSON.stringify(bad), status]).toEqual([JSON.stringify(bad), 400]);
    }
    const good = withOptions({ query: { fields: "id,caption:excerpt(20,true)" } });
    expect((await one.subscribe(good, superuser.token)).status).toBe(204);
    const media = await newMedia();
    await one.hears(1);
    expect(JSON.parse(one.heard[0]?.data ?? "{}").record.id).toBe(media);
  });

  test("an impossible excerpt in any answer leaves the server as it was", async () => {
    const fields = `fields=${encodeURIComponent("*:excerpt(-1)")}`;
    for (let i = 0; i < 20; i++) {
      await server.api("GET", `/api/sync?since=0&${fields}`, undefined, ann.token);
      const where = `${records("users")}/${ann.id}?${fields}`;
      const changed = await server.api("PATCH", where, { bio: `b${i}` }, ann.token);
      expect(changed.body.bio).toBe(`b${i}`);
      await server.api("GET", `${records("profiles")}?${fields}`);
    }
    // These pass through handlers of ours, whose engine a panic would take along.
    const media = await newMedia();
    const listed = await server.api("GET", `${records("media")}?${fields}`);
    expect(listed.body.items.length).toBeGreaterThan(0);
    const seen = await server.api("GET", `${records("media")}/${media}?${fields}`);
    expect(seen.body.id).toBe(media);
    const refresh = `/api/collections/users/auth-refresh?${fields}`;
    const refreshed = await server.api("POST", refresh, {}, ann.token);
    expect(refreshed.body.record.id).toBe(ann.id);
    const { password } = ann;
    const email = { email: `moved-${ann.email}`, password };
    const moved = await server.api("POST", `/api/account/email?${fields}`, email, ann.token);
    expect(moved.body.record.email).toBe(email.email);
    ann = { ...ann, token: moved.body.token, email: email.email };
    const { status, body } = await server.api("GET", `/api/sync?since=0&${fields}`);
    expect(status).toBe(200);
    expect(body.changes.profiles.documents.length).toBeGreaterThan(0);
  });
});
