/**
 * The realtime hint: "pull now" on the one topic `sync`, without data, to clients that may see
 * something new.
 *
 * [Note: Open hints] A client that was hinted hears nothing more until its user pulls: only open
 * clients are in a list, and a change empties it, so that it costs the writer next to nothing,
 * however many listen. A pull puts its user's clients back before it reads the feed's head: a
 * change after that head always finds them there.
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
    const owner = request.auth?.id ?? GUEST;
    const address = `from ${addressOf(request)}`;
    const id = e.client?.id() ?? "";
    const isMember = owner !== GUEST;
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
   * Runs every minute: ends streams that have been open for a minute and listen to nothing, and
   * forgets accounts and addresses without streams.
   */
  endIdleStreams(): void {
    const broker = $app.subscriptionsBroker();
    const clients = broker.clients();
    for (const id of Object.keys(clients)) {
      const client = clients[id];
      if (!client || client.get(OWNER) || Object.keys(client.subscriptions()).length > 0) continue;
      if (client.get(SEEN)) broker.unregister(id);
      else client.set(SEEN, true);
    }
    for (const key of Object.keys($app.store().getAll())) {
      const isOver = key.startsWith(clientsKey("")) && !read($app, key).some((id) => clients[id]);
      if (isOver) $app.store().remove(key);
    }
  },

  /** Runs after a row was created, updated or deleted, and committed. */
  hintChange(e: core.RecordEvent): void {
    e.next();
    const record = e.record;
    if (!record) return;
    const audience = AUDIENCE[record.collection().name];
    if (audience === undefined) return;
    if (audience === "everyone") hintEveryone(e.app);
    else hintPeople(e.app, audienceOf(record, audience));
    if (record.collection().name === "users" && record.getBool("isBlocked")) {
      endStreams(e.app, record.id);
    }
  },
};

const TOPIC = "sync";
/** When to try again where an account or an address has too many streams. */
const CROWDED_SECONDS = 60;

/** Whose clients visitors without an account have in common. */
const GUEST = "guest";
const OWNER = "owner";
const SEEN = "seen";

const clientsKey = (owner: string): string => `hints.clients.${owner}`;

/** Ids of the clients that the next change is told to. */
const OPEN = "hints.open";

const listOf = (stored: unknown): string[] => (stored ? String(stored).split(",") : []);

const read = (app: CoreApp, key: string): string[] => listOf(app.store().get(key));

/**
 * Opens the clients of `userId` ("" for a guest) for hints again, because a pull begins. Call it
 * before reading the head.
 */
export function reopenHints(app: CoreApp, userId: string): void {
  open(app, read(app, clientsKey(userId || GUEST)));
}

function open(app: CoreApp, ids: readonly string[]): void {
  if (ids.length === 0) return;
  app.store().setFunc(OPEN, (old: unknown) => [...new Set([...listOf(old), ...ids])].join(","));
}

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
  for (const owner of owners) {
    app.store().setFunc(clientsKey(owner), (old: unknown) => {
      const known = listOf(old).filter((other) => other !== id && clientOf(app, other) !== null);
      return [...known, id].join(",");
    });
  }
  open(app, [id]);
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

/** Takes the open ones among `ids`, or all, off the list. */
function takeOpen(app: CoreApp, ids?: readonly string[]): string[] {
  let taken: string[] = [];
  app.store().setFunc(OPEN, (old: unknown) => {
    const all = listOf(old);
    taken = ids === undefined ? all : all.filter((id) => ids.includes(id));
    return all.filter((id) => !taken.includes(id)).join(",");
  });
  return taken;
}

function hint(app: CoreApp, ids: readonly string[]): void {
  const message = new SubscriptionMessage({ name: TOPIC, data: "{}" });
  for (const id of ids) {
    // One that is gone is off the list by now.
    const client = clientOf(app, id);
    if (client?.hasSubscription(TOPIC)) client.send(message);
  }
}

/** Hints every open listener. */
export function hintEveryone(app: CoreApp): void {
  if (read(app, OPEN).length > 0) hint(app, takeOpen(app));
}

/** Hints the open listeners of these accounts. */
export function hintPeople(app: CoreApp, userIds: readonly string[]): void {
  const ids = userIds.flatMap((userId) => read(app, clientsKey(userId)));
  if (ids.length > 0) hint(app, takeOpen(app, ids));
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
