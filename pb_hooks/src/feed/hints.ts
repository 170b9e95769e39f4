/**
 * The realtime hint: "pull now" on the one topic `sync`, without data, to clients that may see
 * something new.
 *
 * [Note: Open hints] A client that was hinted hears nothing more until its user pulls. It remembers
 * its user's pull counter from its last hint. A pull raises the counter before it reads the feed's
 * head, so a change after that head always finds the client open again.
 */
import { hasBadFields, refusalOf, refuse } from "@hooks/http/refusals";
import { hasBadToken, isSuperuser, requestOf } from "@hooks/http/request";
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
    e.next();
    if (e.client) remember(e.app, e.client, request.auth?.id ?? "");
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

/** The owner of the pull counter that all visitors without an account share. */
const GUEST = "guest";
const HINTED_AT = "hintedAt";
const OWNER = "owner";

const pullsKey = (owner: string): string => `hints.pulls.${owner}`;

const clientsKey = (owner: string): string => `hints.clients.${owner}`;

/** True while every listener has an open hint. */
const QUIET = "hints.quiet";

const pullsOf = (app: CoreApp, owner: string): number =>
  Number(app.store().get(pullsKey(owner)) ?? 0);

/**
 * Opens the clients of `userId` ("" for a guest) for hints again, because a pull begins. Call it
 * before reading the head.
 */
export function reopenHints(app: CoreApp, userId: string): void {
  const store = app.store();
  store.setFunc(pullsKey(userId || GUEST), (old: unknown) => Number(old ?? 0) + 1);
  store.set(QUIET, false);
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
function remember(app: CoreApp, client: subscriptions.Client, userId: string): void {
  const owner = userId || GUEST;
  client.set(OWNER, owner);
  client.unset(HINTED_AT);
  app.store().set(QUIET, false);
  if (userId === "") return;
  const id = client.id();
  app.store().setFunc(clientsKey(userId), (old: unknown) => {
    const known = old ? String(old).split(",") : [];
    return [...known.filter((other) => other !== id && isListening(app, other)), id].join(",");
  });
}

function isListening(app: CoreApp, id: string): boolean {
  try {
    app.subscriptionsBroker().clientById(id);
    return true;
  } catch {
    return false;
  }
}

function hint(app: CoreApp, client: subscriptions.Client): void {
  const owner = client.get(OWNER);
  if (typeof owner !== "string" || !client.hasSubscription(TOPIC)) return;
  const pulls = pullsOf(app, owner);
  if (client.get(HINTED_AT) === pulls) return;
  client.set(HINTED_AT, pulls);
  client.send(new SubscriptionMessage({ name: TOPIC, data: "{}" }));
}

/** Hints every listener. While all of them have a hint already, this costs one look-up. */
export function hintEveryone(app: CoreApp): void {
  const store = app.store();
  if (store.get(QUIET) === true) return;
  // Set before the loop, because a pull during the loop resets it.
  store.set(QUIET, true);
  const clients = app.subscriptionsBroker().clients();
  for (const id of Object.keys(clients)) {
    const client = clients[id];
    if (client) hint(app, client);
  }
}

/** Hints the listeners of these accounts. */
export function hintPeople(app: CoreApp, userIds: readonly string[]): void {
  for (const userId of userIds) {
    const known = app.store().get(clientsKey(userId));
    if (typeof known !== "string" || known === "") continue;
    for (const id of known.split(",")) {
      try {
        hint(app, app.subscriptionsBroker().clientById(id));
      } catch {
        // The client is gone; the next subscription of its account removes it from the list.
      }
    }
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
};

/**
 * Ends the streams of a suspended account. Its devices have their hint by then, and the pull that
 * follows tells them why.
 */
function endStreams(app: CoreApp, userId: string): void {
  const known = app.store().get(clientsKey(userId));
  if (typeof known !== "string") return;
  app.store().remove(clientsKey(userId));
  for (const id of known.split(",")) app.subscriptionsBroker().unregister(id);
}

function audienceOf(record: core.Record, fields: readonly string[]): string[] {
  // A conversation's id names both people. A new message gets its recipient from a trigger, later.
  if (record.collection().name === "messages") return peopleOf(record.getString("conversationId"));
  if (record.collection().name === "conversations") return peopleOf(record.id);
  return fields.map((field) => record.getString(field));
}
