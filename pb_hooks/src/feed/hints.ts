/**
 * The realtime hint: "pull now" on the one topic `sync`, to clients that may see something new. Its
 * data are `{}`, or `{"you":true}` where the change is one of the person's chats, blocks or saves,
 * or what the person has read. Where many listen, `{"within":30}` asks a device to pull at some
 * time in so many seconds.
 *
 * [Note: Open hints] A client that was hinted hears nothing more until its user pulls. A change
 * hints a few clients itself, and each pull that follows a few more, picked at random, so that the
 * writer pays next to nothing, however many listen. Each client notes which change was the last
 * when its user pulled, before that pull reads the feed's head: a change after that head is always
 * another. All of it lies with the clients, and not under the store's lock (Note: Short locks).
 * What concerns a person alone is told once between two pulls beside that, because a device may let
 * a common hint wait for a while.
 */
import { hasBadFields, refusalOf, refuse } from "@hooks/http/refusals";
import { hasBadToken, isSuperuser, requestOf } from "@hooks/http/request";
import { addressOf, limitOf, refuseTooMany } from "@hooks/limits";
import { peopleOf } from "@/domain/chats";

export const hintHandlers = {
  /** Only superusers may listen to other topics: record topics would carry data past our rules. */
  checkSubscription(e: core.RealtimeSubscribeRequestEvent): void {
    const request = requestOf(e as unknown as core.RequestEvent);
    const wanted = Array.from(e.subscriptions ?? [], String);
    if (hasBadToken(request)) {
      const message = "The request requires valid record authorization token.";
      refuse(request, refusalOf("unauthenticated", message));
      return;
    }
    if (isSuperuser(request)) {
      if (wanted.every(hasSoundOptions)) e.next();
      else refuse(request, refusalOf("invalid", "Invalid subscription."));
      return;
    }
    if (wanted.some((topic) => topic !== TOPIC)) {
      refuse(request, refusalOf("forbidden", "Unknown topic."));
      return;
    }
    const isMember = request.auth !== undefined && request.auth !== null;
    const owner = request.auth?.id ?? guestsAt(request);
    const address = fromAddress(request);
    const id = e.client?.id() ?? "";
    if (
      (isMember && isCrowded(e.app, owner, limitOf(e.app, "streamsPerAccount"), id)) ||
      isCrowded(e.app, address, limitOf(e.app, "streamsPerAddress"), id)
    ) {
      e.app.subscriptionsBroker().unregister(id);
      refuseTooMany(request, CROWDED_SECONDS);
      return;
    }
    e.next();
    if (e.client) remember(e.app, e.client, [owner, address]);
  },

  /**
   * Runs every minute: hints those for whom no pull has come, ends streams that have been open for
   * a minute and listen to nothing, and forgets those that are over, with their owners.
   */
  endIdleStreams(): void {
    const broker = $app.subscriptionsBroker();
    const clients = broker.clients();
    hintThose($app, Object.values(clients), Infinity);
    for (const id of Object.keys(clients)) {
      const client = clients[id];
      if (!client || client.get(OWNER) || Object.keys(client.subscriptions()).length > 0) continue;
      if (client.get(SEEN)) broker.unregister(id);
      else client.set(SEEN, true);
    }
    for (const key of Object.keys($app.store().getAll())) {
      if (!key.startsWith(clientsKey(""))) continue;
      const ids = read($app, key);
      if (ids.length > 0 && ids.every((id) => id in clients)) continue;
      const keepLive = (old: unknown) => listOf(old).filter((id) => id in clients);
      $app.store().setFunc(key, (old: unknown) => keepLive(old).join(","));
      if (read($app, key).length === 0) $app.store().remove(key);
    }
  },

  /** Runs after a row was created, updated or deleted, and committed. */
  hintChange(e: core.RecordEvent): void {
    e.next();
    const record = e.record;
    if (!record) return;
    const audience = AUDIENCE[record.collection().name];
    if (audience === undefined) return;
    const isOfTag = record.collection().name === "follows" && record.getString("tag") !== "";
    if (isOfTag) hintPeople(e.app, [record.getString("followerId")]);
    else if (audience === "everyone") hintEveryone(e.app);
    else hintPeople(e.app, audienceOf(record, audience));
    if (record.collection().name === "users" && record.getBool("isBlocked")) {
      endStreams(e.app, record.id);
    }
  },
};

const TOPIC = "sync";
const FOR_YOU = '{"you":true}';
/** When to try again where an account or an address has too many streams. */
const CROWDED_SECONDS = 60;

const OWNER = "owner";
const SEEN = "seen";
/** Whether a client was hinted of something of its person's alone since the last pull. */
const TOLD = "told";
/** The last change when its user pulled last; "" once it was hinted since. */
const KNOWS = "knows";

const clientsKey = (owner: string): string => `hints.clients.${owner}`;

/** A word for the last change that everyone may see. */
const NEWS = "hints.news";
/** So many pulls a second are asked for: the more listen, the longer each may wait. */
const PULLS_PER_SECOND = 200;
/** Devices pull once in two seconds at most. */
const SOONEST_SECONDS = 2;
/** So many a write tells itself: 25 would double its cost. The others wait for pulls. */
const PER_WRITE = 10;
const PER_PULL = 25;
/** All of so few clients are looked at; of more some, of whom most were hinted already. */
const FEW = 200;
const LOOKS = 50;

const listOf = (stored: unknown): string[] => (stored ? String(stored).split(",") : []);

const read = (app: CoreApp, key: string): string[] => listOf(app.store().get(key));

/**
 * Opens the clients of `userId` for hints again, because a pull begins; of a guest ("") those from
 * the same address. Call it before reading the head.
 */
export function reopenHints(e: core.RequestEvent, userId: string): void {
  const ids = read(e.app, clientsKey(userId || guestsAt(e)));
  const news = newsOf(e.app);
  for (const id of ids) {
    const client = clientOf(e.app, id);
    if (userId !== "") client?.set(TOLD, false);
    // Whoever is to be told still hears of this change too: another of these may have pulled.
    if (client?.get(KNOWS) === "") client.set(KNOWS, news);
  }
  hintSome(e.app, PER_PULL);
}

const newsOf = (app: CoreApp): string => String(app.store().get(NEWS) ?? "none");

const fromAddress = (e: core.RequestEvent): string => `from ${addressOf(e)}`;

/** Visitors without an account have their clients in common with others at their address. */
const guestsAt = (e: core.RequestEvent): string => `guests ${fromAddress(e)}`;

/**
 * Whether PocketBase can handle the options of `subscription`. A broadcast with an impossible
 * excerpt ends the whole process (GHSA-84vh-m24q-wjjx, before 0.39.7), at anybody's next write.
 */
function hasSoundOptions(subscription: string): boolean {
  const at = subscription.indexOf("?");
  if (at < 0) return true;
  const pair = subscription
    .slice(at + 1)
    .split("&")
    .find((part) => part.startsWith("options="));
  if (pair === undefined) return false;
  try {
    const options: unknown = JSON.parse(decodeURIComponent(pair.slice("options=".length)));
    if (!isTextMap(options) || !Object.values(options).every(isTextMap)) return false;
    const { query } = options as { query?: Record<string, unknown> };
    return !hasBadFields(String(query?.["fields"] ?? ""));
  } catch {
    return false;
  }
}

const isTextMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Remembers the client's account: PocketBase forgets it when the account is suspended. */
function remember(app: CoreApp, client: subscriptions.Client, owners: readonly string[]): void {
  const id = client.id();
  // The same stream goes on when somebody signs in or out.
  const before = client.get(OWNER);
  if (typeof before === "string" && before !== owners[0]) {
    const others = (old: unknown) => listOf(old).filter((other) => other !== id);
    app.store().setFunc(clientsKey(before), (old: unknown) => others(old).join(","));
  }
  client.set(OWNER, owners[0]);
  client.set(TOLD, false);
  client.set(KNOWS, newsOf(app));
  for (const owner of owners) {
    app.store().setFunc(clientsKey(owner), (old: unknown) => {
      const known = listOf(old);
      return known.includes(id) ? old : [...known, id].join(",");
    });
  }
}

function clientOf(app: CoreApp, id: string): subscriptions.Client | null {
  try {
    return app.subscriptionsBroker().clientById(id);
  } catch {
    return null;
  }
}

/** Whether one stream more, of this account or from this address, is one too many. */
function isCrowded(app: CoreApp, owner: string, limit: number, id: string): boolean {
  const others = read(app, clientsKey(owner)).filter((other) => other !== id);
  return others.length >= limit && others.filter((other) => clientOf(app, other)).length >= limit;
}

/** What a change of everybody's is told with. Devices pull after half the time, one by another. */
function forEveryone(app: CoreApp): string {
  const within = Math.round((2 * app.subscriptionsBroker().totalClients()) / PULLS_PER_SECOND);
  return within > SOONEST_SECONDS ? JSON.stringify({ within }) : "{}";
}

/** Hints every open listener, the first of them at once. */
export function hintEveryone(app: CoreApp): void {
  app.store().set(NEWS, $security.randomString(12));
  hintSome(app, PER_WRITE);
}

/** Hints at most so many clients that do not know of the last change. */
function hintSome(app: CoreApp, most: number): void {
  const broker = app.subscriptionsBroker();
  // In no order: Go begins somewhere.
  const [picked = []] = broker.chunkedClients(broker.totalClients() > FEW ? LOOKS : FEW);
  hintThose(app, Array.from(picked), most);
}

function hintThose(app: CoreApp, clients: readonly subscriptions.Client[], most: number): void {
  const news = newsOf(app);
  const message = new SubscriptionMessage({ name: TOPIC, data: forEveryone(app) });
  let told = 0;
  for (const client of clients) {
    const knows = client.get(KNOWS);
    if (typeof knows !== "string" || knows === "" || knows === news) continue;
    client.set(KNOWS, "");
    if (!client.hasSubscription(TOPIC)) continue;
    client.send(message);
    told += 1;
    if (told === most) return;
  }
}

/**
 * Hints the listeners of a person whom an act of somebody else concerns, before their turn comes:
 * once until the next pull, and with what everybody hears, so that their devices keep their pauses.
 */
export function hintConcerned(app: CoreApp, userId: string): void {
  const message = new SubscriptionMessage({ name: TOPIC, data: "{}" });
  for (const id of read(app, clientsKey(userId))) {
    const client = clientOf(app, id);
    if (!client?.get(KNOWS)) continue;
    client.set(KNOWS, "");
    if (client.hasSubscription(TOPIC)) client.send(message);
  }
}

/** Hints the listeners of these accounts that were not told so since their last pull. */
export function hintPeople(app: CoreApp, userIds: readonly string[]): void {
  const message = new SubscriptionMessage({ name: TOPIC, data: FOR_YOU });
  for (const id of userIds.flatMap((userId) => read(app, clientsKey(userId)))) {
    const client = clientOf(app, id);
    if (client?.get(TOLD) !== false) continue;
    client.set(TOLD, true);
    client.set(KNOWS, "");
    if (client.hasSubscription(TOPIC)) client.send(message);
  }
}

/** Who may see a change to a row of each collection: everyone, or the people in these fields. */
const AUDIENCE: Record<string, "everyone" | readonly string[]> = {
  users: "everyone",
  media: "everyone",
  comments: "everyone",
  settings: "everyone",
  // Likes and follows change counters of media and profiles, which everyone sees.
  likes: "everyone",
  follows: "everyone",
  blocks: ["blockerId"],
  conversations: ["userA", "userB"],
  messages: ["senderId", "recipientId"],
  notifications: ["userId"],
  saves: ["userId"],
};

/**
 * Ends the streams of a suspended account. Its devices have their hint by then, and the pull that
 * follows tells them why.
 */
function endStreams(app: CoreApp, userId: string): void {
  const ids = read(app, clientsKey(userId));
  app.store().remove(clientsKey(userId));
  for (const id of ids) app.subscriptionsBroker().unregister(id);
}

function audienceOf(record: core.Record, fields: readonly string[]): string[] {
  // A conversation's id names both people. A new message gets its recipient from a trigger, later.
  if (record.collection().name === "messages") return peopleOf(record.getString("conversationId"));
  if (record.collection().name === "conversations") return peopleOf(record.id);
  return fields.map((field) => record.getString(field));
}
