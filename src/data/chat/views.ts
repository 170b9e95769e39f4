/** Chats as screens show them, with queued writes on top (law 1). */
import {
  combineLatest,
  distinctUntilChanged,
  map,
  type Observable,
  of,
  shareReplay,
  switchMap,
} from "rxjs";
import type { Scope } from "@/data/engine/context";
import { createFileTokens } from "@/data/engine/file-token";
import { pullOne } from "@/data/engine/lists";
import { loadedOf, rowOf, rowsOf, sameList, type Views, watchOne } from "@/data/engine/live";
import type { Overlay } from "@/data/engine/noun";
import { blockedIds$, type NamedPerson, watchKnownPeople, watchNames } from "@/data/people/views";
import type { ConversationView, Counterpart, Found, KnownPerson, Loaded } from "@/data/shapes";
import { otherPersonOf, parseLastMessageType, unreadCountOf } from "@/domain/chats";
import { PAIR_ID_PATTERN } from "@/domain/ids";
import type { WaitingMessage } from "./intents";
import {
  type ChatContext,
  type ChatScope,
  messagesQuery,
  pullOlderMessages,
  watchMessages,
} from "./messages";
import type { ConversationRow, MessageRow } from "./row";

/** The server's preview of a message that is gone, and of a photo (resolutions 32 and 36). */
export const DELETED_PREVIEW = "This message was deleted";
export const PHOTO_PREVIEW = "Photo";

type Last = Pick<ConversationView, "lastMessage" | "lastKind" | "lastByMe" | "lastAt" | "pending">;

export interface ConversationSources {
  /** Null for one that is only in the queue. */
  row: ConversationRow | null;
  other: Counterpart;
  /** The newest message on this device, where one of the conversation's is to be deleted. */
  newest: MessageRow | null;
}

const otherOf = (id: string, me: string): string => otherPersonOf(id, me) ?? "";

export function foldConversation(
  id: string,
  sources: ConversationSources,
  context: ChatContext,
): ConversationView {
  const { row, other } = sources;
  const { me, overlay } = context;
  const otherId = otherOf(id, me);
  return {
    id,
    otherId,
    other,
    blocked: context.blocked.has(otherId),
    ...lastOf(id, sources, context),
    unread: row === null || overlay.reads.has(id) ? 0 : unreadCountOf(row, me),
  };
}

function lastOf(id: string, sources: ConversationSources, context: ChatContext): Last {
  const { overlay } = context;
  const stored = storedLast(sources, context);
  const begun = overlay.conversations.get(id);
  const queued = overlay.messages.get(id)?.at(-1);
  // One that was refused long ago does not hide what was said since.
  if (
    queued !== undefined &&
    (queued.mark.state !== "refused" || queued.createdAt >= stored.lastAt)
  ) {
    const known = sources.newest?.id === queued.body.messageId;
    return { ...queuedLast(queued, overlay), ...(known ? { pending: null } : {}) };
  }
  if (begun === undefined || sources.row !== null) return stored;
  return { ...stored, lastAt: begun.createdAt, pending: begun.mark };
}

function storedLast({ row, newest }: ConversationSources, { me, overlay }: ChatContext): Last {
  if (row === null || row.lastMessageTime === 0) {
    const lastAt = row?.createdAt ?? 0;
    return { lastMessage: "", lastKind: "none", lastByMe: false, lastAt, pending: null };
  }
  const gone = newest !== null && overlay.deletedMessages.has(newest.id);
  return {
    lastMessage: gone ? DELETED_PREVIEW : row.lastMessage,
    lastKind: gone ? "deleted" : parseLastMessageType(row.lastMessageType) || "deleted",
    lastByMe: row.lastMessageBy === me,
    lastAt: row.lastMessageTime,
    pending: null,
  };
}

function queuedLast({ body, mark, createdAt }: WaitingMessage, overlay: Overlay): Last {
  const at = { lastByMe: true, lastAt: createdAt, pending: mark };
  if (overlay.deletedMessages.has(body.messageId)) {
    return { ...at, lastMessage: DELETED_PREVIEW, lastKind: "deleted" };
  }
  return "files" in body
    ? { ...at, lastMessage: PHOTO_PREVIEW, lastKind: "photo" }
    : { ...at, lastMessage: body.text, lastKind: "text" };
}

function chatContext$(scope: Scope, address: (path: string) => string): Observable<ChatContext> {
  const me = scope.userId ?? "";
  const blocked$ = blockedIds$(scope).pipe(map((ids) => new Set(ids)));
  return combineLatest([scope.overlay$, blocked$, scope.blobUrls.urls$]).pipe(
    map(([overlay, blocked, urls]) => ({
      me,
      overlay,
      blocked,
      address,
      blobUrl: (key: string) => urls.get(key) ?? "",
    })),
    shareReplay({ bufferSize: 1, refCount: true }),
  );
}

/** One context for all that a scope shows: the queue is read once. */
function createChatScopes({ shared, address }: Views): (scope: Scope) => ChatScope {
  const contexts = new WeakMap<Scope, Observable<ChatContext>>();
  return (scope) => {
    const context$ = contexts.get(scope) ?? chatContext$(scope, address);
    contexts.set(scope, context$);
    return { shared, scope, context$ };
  };
}

export const createChatReads = (
  views: Views,
  chat = createChatScopes(views),
  tokens = createFileTokens(views.shared.remote, views.shared.deps.now),
) => ({
  watchConversations: () =>
    views.loaded("conversations", (scope) => watchConversations(chat(scope))),
  watchConversation: (id: string) =>
    views.found(`conversation ${id}`, (scope) => watchConversation(chat(scope), id)),
  watchMessages: (id: string, limit: number) =>
    views.loaded({ key: `messages ${id}`, limit }, (scope) =>
      watchMessages(chat(scope), id, limit),
    ),
  /** Null until what lies on the device is counted. */
  watchUnread: () =>
    views.value<number | null>("unread of everybody", (scope) => watchUnread(chat(scope)), null),
  /** People on this device by name, without the user and those whom the user blocked. */
  watchKnownPeople: () =>
    views.value<KnownPerson[]>(
      "known people",
      (scope) => watchKnownPeople(scope, views.address),
      [],
    ),
  pullOlderMessages: async (id: string, limit: number) =>
    pullOlderMessages(views.shared.remote, await views.scope(), id, limit),
  /** Address at which this person may read a protected file, now or from this device's cache. */
  async fileUrl(url: string) {
    const { userId } = await views.scope();
    return userId === null ? url : tokens.urlFor(url, userId);
  },
});

function rows$({ replica }: Scope): Observable<ConversationRow[]> {
  return rowsOf(replica.conversations.find({ sort: [{ sortKey: "asc" }], index: ["sortKey"] }));
}

export function watchConversations(chat: ChatScope): Observable<Loaded<ConversationView[]>> {
  const { scope } = chat;
  if (scope.userId === null) return of({ state: "ready", value: [] });
  const stored$ = rows$(scope);
  const ids$ = combineLatest([stored$, chat.context$]).pipe(
    map(([rows, { overlay }]) => [...idsOf(rows, overlay)]),
    distinctUntilChanged(sameList),
  );
  const views$ = ids$.pipe(
    switchMap((ids) => combineLatest([stored$, sources$(chat, ids), chat.context$])),
    map(([rows, sources, context]) => foldList(rows, sources, context)),
  );
  return combineLatest([views$, scope.status$]).pipe(
    map(([value, status]) => loadedOf(value, value.length > 0, status)),
  );
}

type Counterparts = ReadonlyMap<string, Counterpart>;

const UNKNOWN: Counterpart = { state: "unknown" };

interface Sources {
  people: Counterparts;
  newest: ReadonlyMap<string, MessageRow>;
}

function sources$(chat: ChatScope, ids: readonly string[]): Observable<Sources> {
  const others = ids.map((id) => otherOf(id, chat.scope.userId ?? ""));
  return combineLatest([people$(chat, others), newestWhereDeleted$(chat)]).pipe(
    map(([people, newest]) => ({ people, newest })),
  );
}

const people$ = (chat: ChatScope, others: readonly string[]): Observable<Counterparts> =>
  chat.context$.pipe(
    map(({ address }) => address),
    distinctUntilChanged(),
    switchMap((address) => watchNames({ shared: chat.shared, address }, chat.scope, others)),
    map((names) => new Map([...names].map(([id, name]) => [id, counterpart(name)]))),
  );

const counterpart = (name: NamedPerson): Counterpart =>
  name.state === "known" ? name : name.state === "gone" ? { state: "gone" } : UNKNOWN;

/** The newest message of each chat where one is to be deleted: the list may be showing it. */
function newestWhereDeleted$({ scope, context$ }: ChatScope): Observable<Sources["newest"]> {
  return context$.pipe(
    map(({ overlay }) => [...overlay.deletedMessages].sort()),
    distinctUntilChanged(sameList),
    switchMap((deleted) => scope.replica.messages.findByIds([...deleted]).$),
    map((docs) => [...new Set([...docs.values()].map((doc) => doc.conversationId))].sort()),
    distinctUntilChanged(sameList),
    switchMap((ids) =>
      ids.length === 0 ? of([]) : combineLatest(ids.map((id) => newestOf$(scope, id))),
    ),
    map((found) => new Map(found.flatMap((row) => (row ? [[row.conversationId, row]] : [])))),
  );
}

function newestOf$({ replica }: Scope, id: string): Observable<MessageRow | null> {
  const query = messagesQuery({ conversationId: id, deepest: null, limit: 1 });
  return rowsOf<MessageRow>(replica.messages.find(query)).pipe(map((rows) => rows[0] ?? null));
}

/** Also what was begun here, and one that is gone while it holds words that were not sent. */
const idsOf = (rows: readonly ConversationRow[], overlay: Overlay): Set<string> =>
  new Set([
    ...rows.map((row) => row.id),
    ...overlay.conversations.keys(),
    ...overlay.messages.keys(),
  ]);

function foldList(
  rows: readonly ConversationRow[],
  { people, newest }: Sources,
  context: ChatContext,
): ConversationView[] {
  const stored = new Map(rows.map((row) => [row.id, row]));
  return [...idsOf(rows, context.overlay)]
    .map((id) =>
      foldConversation(
        id,
        {
          row: stored.get(id) ?? null,
          other: people.get(otherOf(id, context.me)) ?? UNKNOWN,
          newest: newest.get(id) ?? null,
        },
        context,
      ),
    )
    .sort((a, b) => b.lastAt - a.lastAt);
}

export function watchConversation(
  chat: ChatScope,
  id: string,
): Observable<Found<ConversationView>> {
  const { shared, scope } = chat;
  const me = scope.userId ?? "";
  if (!PAIR_ID_PATTERN.test(id) || !id.split("_").includes(me)) return of({ state: "gone" });
  const row$ = rowOf<ConversationRow>(scope.replica.conversations.findOne(id));
  const local$ = combineLatest([row$, chat.context$, people$(chat, [otherOf(id, me)])]).pipe(
    map(([row, context, people]) => {
      const { conversations, messages } = context.overlay;
      if (row === null && !conversations.has(id) && !messages.has(id)) return null;
      const other = people.get(otherOf(id, me)) ?? UNKNOWN;
      return foldConversation(id, { row, other, newest: null }, context);
    }),
  );
  return watchOne(shared, scope, local$, () =>
    pullOne(shared.remote, scope.replica, { name: "conversations", id }),
  );
}

export function watchUnread({ scope, context$ }: ChatScope): Observable<number> {
  const me = scope.userId;
  if (me === null) return of(0);
  return combineLatest([rows$(scope), context$]).pipe(
    map(([rows, { overlay }]) =>
      rows
        .filter((row) => !overlay.reads.has(row.id))
        .reduce((sum, row) => sum + unreadCountOf(row, me), 0),
    ),
    distinctUntilChanged(),
  );
}
