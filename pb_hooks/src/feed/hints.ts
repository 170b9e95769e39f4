/**
 * The realtime hint: "pull now" on the one topic `sync`, to clients that may see something new. Its
 * data are `{}`, or `{"you":true}` where the change is one of the person's chats or blocks. Where
 * many listen, `{"within":30}` asks a device to pull at some time in so many seconds.
 *
 * [Note: Open hints] A client that was hinted hears nothing more until its user pulls: only open
 * clients are in a list, and a change empties it. It hints some of them itself, and each pull that
 * follows hints some more, so that the writer pays next to nothing, however many listen. A pull
 * puts its user's clients back before it reads the feed's head: a change after that head always
 * finds them there. What concerns a person alone is told once between two pulls beside that,
 * because a device may let a common hint wait for a while.
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
    hintDue($app, Infinity);
    const broker = $app.subscriptionsBroker();
    const clients = broker.clients();
    for (const id of Object.keys(clients)) {
      const client = clients[id];
      if (!client || client.get(OWNER) || Object.keys(client.subscriptions()).length > 0) continue;
      if (client.get(SEEN)) broker.unregister(id);
      else client.set(SEEN, true);
    }
    for (const key of Object.keys($app.store().getAll())) {
      if (!key.startsWith(clientsKey(""))) continue;
      const keepLive = (old: unknown) => listOf(old).filter((id) => clients[id]);
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
    if (audience === "everyone") hintEveryone(e.app);
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

const clientsKey = (owner: string): string => `hints.clients.${owner}`;

/** Ids of the clients that the next change is told to. */
const OPEN = "hints.open";
/** Ids of those that a change is to be told to still. */
const DUE = "hints.due";
/** So many pulls a second are asked for: the more listen, the longer each may wait. */
const PULLS_PER_SECOND = 200;
/** Devices pull once in two seconds at most. */
const SOONEST_SECONDS = 2;
/** So many a write tells itself: 25 would double its cost. The others wait for pulls. */
const PER_WRITE = 10;
const PER_PULL = 25;

const listOf = (stored: unknown): string[] => (stored ? String(stored).split(",") : []);

const read = (app: CoreApp, key: string): string[] => listOf(app.store().get(key));

/**
 * Opens the clients of `userId` for hints again, because a pull begins; of a guest ("") those from
 * the same address. Call it before reading the head.
 */
export function reopenHints(e: core.RequestEvent, userId: string): void {
  const ids = read(e.app, clientsKey(userId || guestsAt(e)));
  if (userId !== "") for (const id of ids) clientOf(e.app, id)?.set(TOLD, false);
  open(e.app, ids);
  hintDue(e.app, PER_PULL);
}

const fromAddress = (e: core.RequestEvent): string => `from ${addressOf(e)}`;

/** Visitors without an account have their clients in common with others at their address. */
const guestsAt = (e: core.RequestEvent): string => `guests ${fromAddress(e)}`;

// The long lists are handled as text: to look at a thousand ids costs as much as a write.

const joined = (...lists: string[]): string => lists.filter((list) => list !== "").join(",");

function open(app: CoreApp, ids: readonly string[]): void {
  if (ids.length === 0) return;
  // Whoever is to be told still hears of this change too, and is in one list alone.
  const due = String(app.store().get(DUE) ?? "");
  app.store().setFunc(OPEN, (old: unknown) => {
    const all = String(old ?? "");
    return joined(all, ...ids.filter((id) => !all.includes(id) && !due.includes(id)));
  });
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
  client.set(TOLD, false);
  for (const owner of owners) {
    app.store().setFunc(clientsKey(owner), (old: unknown) => {
      const known = listOf(old);
      return known.includes(id) ? old : [...known, id].join(",");
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

/** Takes the first `most` ids off a list. */
function takeFirst(app: CoreApp, key: string, most: number): string[] {
  let first = "";
  app.store().setFunc(key, (old: unknown) => {
    first = String(old ?? "");
    let end = -1;
    for (let taken = 0; taken < most; taken += 1) {
      end = first.indexOf(",", end + 1);
      if (end < 0) return "";
    }
    const rest = first.slice(end + 1);
    first = first.slice(0, end);
    return rest;
  });
  return listOf(first);
}

/** What a change of everybody's is told with. Devices pull after half the time, one by another. */
function forEveryone(app: CoreApp): string {
  const within = Math.round((2 * app.subscriptionsBroker().totalClients()) / PULLS_PER_SECOND);
  return within > SOONEST_SECONDS ? JSON.stringify({ within }) : "{}";
}

/** Answers how many of them are still connected. */
function hint(app: CoreApp, ids: readonly string[], data: string): number {
  const message = new SubscriptionMessage({ name: TOPIC, data });
  let told = 0;
  for (const id of ids) {
    const client = clientOf(app, id);
    if (!client?.hasSubscription(TOPIC)) continue;
    client.send(message);
    told += 1;
  }
  return told;
}

/** Hints every open listener, the first of them at once. */
export function hintEveryone(app: CoreApp): void {
  let open = "";
  app.store().setFunc(OPEN, (old: unknown) => {
    open = String(old ?? "");
    return "";
  });
  if (open !== "") app.store().setFunc(DUE, (old: unknown) => joined(String(old ?? ""), open));
  hintDue(app, PER_WRITE);
}

/** Hints so many of those that are due. */
function hintDue(app: CoreApp, most: number): void {
  const data = forEveryone(app);
  for (let told = 0; told < most; ) {
    const ids = takeFirst(app, DUE, most - told);
    if (ids.length === 0) return;
    told += hint(app, ids, data);
  }
}

/** Hints the listeners of these accounts that were not told so since their last pull. */
export function hintPeople(app: CoreApp, userIds: readonly string[]): void {
  const ids = userIds
    .flatMap((userId) => read(app, clientsKey(userId)))
    .filter((id) => clientOf(app, id)?.get(TOLD) === false);
  if (ids.length === 0) return;
  for (const id of ids) clientOf(app, id)?.set(TOLD, true);
  app.store().setFunc(OPEN, (old: unknown) =>
    listOf(old)
      .filter((id) => !ids.includes(id))
      .join(","),
  );
  hint(app, ids, FOR_YOU);
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
