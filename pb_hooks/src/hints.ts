/**
 * The realtime hint: the word "pull now" on the one topic `sync`, without data, to those who may see something
 * new. A client that was hinted hears nothing more until its user pulls: [Note: Open hints].
 *
 * [Note: Open hints] Each client remembers the pull counter of its user at its last hint. A pull raises the
 * counter before it reads the feed's head, so a change after that head always finds the client open again.
 */
import { authOf } from "./acting";
import { hasBadFields, NOT_FOUND, refuse } from "./refuse";

export const TOPIC = "sync";
/** Whom the counter of all visitors without an account belongs to. */
const GUEST = "guest";
const HINTED_AT = "hintedAt";
const OWNER = "owner";

const pullsKey = (owner: string): string => `hints.pulls.${owner}`;
const clientsKey = (owner: string): string => `hints.clients.${owner}`;
const QUIET = "hints.quiet";

const pullsOf = (app: CoreApp, owner: string): number =>
  Number(app.store().get(pullsKey(owner)) ?? 0);

/** A pull of `userId` ("" for a guest) begins: its clients may be hinted again. Call it before reading the head. */
export function reopenHints(app: CoreApp, userId: string): void {
  const store = app.store();
  store.setFunc(pullsKey(userId || GUEST), (old: unknown) => Number(old ?? 0) + 1);
  store.set(QUIET, false);
}

function isSuperuser(e: core.RequestEvent): boolean {
  return e.auth?.isSuperuser() ?? false;
}

/**
 * Whether PocketBase can work with the options of `subscription`. A broadcast that meets an impossible excerpt ends
 * the whole process (GHSA-84vh-m24q-wjjx, before 0.39.7), and it happens at the next write of anybody.
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

/** Nobody but a superuser may listen to anything but `sync`: record topics would carry data past our rules. */
export function checkSubscription(e: core.RealtimeSubscribeRequestEvent): void {
  // The engine shows an event's request only under this name, which the generated types do not know.
  const { requestEvent: request } = e as unknown as { requestEvent: core.RequestEvent };
  const wanted = Array.from(e.subscriptions ?? [], String);
  if (authOf(request) === null && (request.request?.header.get("Authorization") ?? "") !== "") {
    refuse(request, {
      status: 401,
      code: "unauthenticated",
      message: "The request requires valid record authorization token.",
    });
    return;
  }
  if (isSuperuser(request)) {
    if (wanted.every(hasSoundOptions)) e.next();
    else refuse(request, { status: 400, code: "invalid", message: "Invalid subscription." });
    return;
  }
  if (wanted.some((topic) => topic !== TOPIC)) {
    refuse(request, { ...NOT_FOUND, status: 403, code: "forbidden", message: "Unknown topic." });
    return;
  }
  e.next();
  if (e.client) remember(e.app, e.client, request.auth?.id ?? "");
}

/** Keeps who listens: PocketBase forgets the account of a client when that account is suspended. */
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

/** Hints every listener. While all of them are hinted already this costs one look-up. */
export function hintEveryone(app: CoreApp): void {
  const store = app.store();
  if (store.get(QUIET) === true) return;
  // Set before the loop: a pull in its midst lowers it again.
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
        // The client is gone; its next subscription tidies the list.
      }
    }
  }
}

/** Who may see a change to a row of `collection`: "everyone", or the people that these fields name. */
const AUDIENCE: Record<string, "everyone" | readonly string[]> = {
  users: "everyone",
  media: "everyone",
  comments: "everyone",
  settings: "everyone",
  // They change the counters of a medium and of two profiles, which everyone sees.
  likes: "everyone",
  follows: "everyone",
  blocks: ["blockerId"],
  conversations: ["userA", "userB"],
  messages: ["senderId", "recipientId"],
};

/** After a row was created, updated or deleted for good. */
export function hintChange(e: core.RecordEvent): void {
  e.next();
  const record = e.record;
  if (!record) return;
  const audience = AUDIENCE[record.collection().name];
  if (audience === undefined) return;
  if (audience === "everyone") hintEveryone(e.app);
  else hintPeople(e.app, peopleOf(record, audience));
  if (record.collection().name === "users" && record.getBool("isBlocked")) {
    endStreams(e.app, record.id);
  }
}

/** A suspended account's devices have their hint and ask; they are told why when they do, and hear nothing more. */
function endStreams(app: CoreApp, userId: string): void {
  const known = app.store().get(clientsKey(userId));
  if (typeof known !== "string") return;
  app.store().remove(clientsKey(userId));
  for (const id of known.split(",")) app.subscriptionsBroker().unregister(id);
}

function peopleOf(record: core.Record, fields: readonly string[]): string[] {
  // Ids of conversations carry both people; a new message learns its recipient from a trigger only.
  if (record.collection().name === "messages") return record.getString("conversationId").split("_");
  if (record.collection().name === "conversations") return record.id.split("_");
  return fields.map((field) => record.getString(field));
}
