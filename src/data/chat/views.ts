/** The live reads of the chat. */
import {
  combineLatest,
  distinctUntilChanged,
  map,
  type Observable,
  of,
  shareReplay,
  switchMap,
} from "rxjs";
import type { ChatReads } from "@/data/client";
import { createFileTokens } from "@/data/engine/file-token";
import { pullOne } from "@/data/engine/lists";
import { fromCell, type LiveMaker, watchOne } from "@/data/engine/live";
import type { Overlay, WaitingMessage } from "@/data/engine/overlay";
import type { Scope } from "@/data/engine/scope";
import { blockedIds$ } from "@/data/media/views";
import { type Counterparts, watchCounterparts, watchKnownPeople } from "@/data/people/names";
import type { ReadsDeps } from "@/data/reads";
import type {
  ConversationView,
  Counterpart,
  Found,
  Loaded,
  MessagePage,
  MessageView,
} from "@/data/shapes";
import { PAIR_ID_PATTERN } from "@/domain/ids";
import { messagesQuery, pullOlderMessages, watchMessages } from "./messages";
import type { ConversationRow, MessageRow } from "./row";

const LOADING = { state: "loading" } as const;
const BROKEN = { state: "failed", code: "storage_full" } as const;

export function createChatReads(deps: ReadsDeps, live: LiveMaker): ChatReads {
  const { shared, address } = deps;
  const tokens = createFileTokens(shared.remote, shared.deps.now);
  const contexts = new WeakMap<Scope, Observable<ChatContext>>();
  /** One for all that a scope shows: the queue is read once. */
  const contextOf = (scope: Scope): Observable<ChatContext> => {
    const known = contexts.get(scope) ?? chatContext$(scope, address);
    contexts.set(scope, known);
    return known;
  };
  const chat = (scope: Scope) => ({ shared, scope, context$: contextOf(scope) });
  return {
    watchConversations: () =>
      live<Loaded<ConversationView[]>>(
        "conversations",
        (scope) => watchConversations(chat(scope)),
        LOADING,
        BROKEN,
      ),
    watchConversation: (id) =>
      live<Found<ConversationView>>(
        `conversation ${id}`,
        (scope) => watchConversation(chat(scope), id),
        LOADING,
        { state: "unreachable", code: "storage_full" },
      ),
    watchMessages: (id, limit) =>
      live<Loaded<MessagePage>>(
        `messages ${id} ${limit}`,
        (scope) => watchMessages(chat(scope), id, limit),
        LOADING,
        BROKEN,
      ),
    watchUnread: () => live("unread of everybody", (scope) => watchUnread(chat(scope)), 0, 0),
    watchKnownPeople: () =>
      live("known people", (scope) => watchKnownPeople(scope, address), [], []),
    pullOlderMessages: async (id, limit) =>
      pullOlderMessages(shared.remote, await deps.scope(), id, limit),
    async fileUrl(url) {
      const { userId } = await deps.scope();
      return userId === null ? url : tokens.urlFor(url, userId);
    },
  };
}

export interface ChatScope {
  shared: ReadsDeps["shared"];
  scope: Scope;
  context$: Observable<ChatContext>;
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

/** The list of chats, one chat, and how much is unread, live. */

const sameList = (a: readonly string[], b: readonly string[]): boolean => a.join() === b.join();

function rows$({ replica }: Scope): Observable<ConversationRow[]> {
  return replica.conversations
    .find({ sort: [{ sortKey: "asc" }], index: ["sortKey"] })
    .$.pipe(map((docs) => docs.map((doc) => doc.toJSON() as ConversationRow)));
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
    map(([value, status]): Loaded<ConversationView[]> => {
      // Nothing here and never filled is not "empty" (law 4).
      if (value.length > 0 || status.filled) return { state: "ready", value };
      return status.failure === null
        ? { state: "loading" }
        : { state: "failed", code: status.failure };
    }),
  );
}

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
    switchMap((address) => watchCounterparts(chat, others, address)),
  );

/** The newest message of each conversation in which one is to be deleted: it may be the one that the list shows. */
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
  return replica.messages
    .find(query)
    .$.pipe(map((docs) => (docs[0]?.toJSON() as MessageRow | undefined) ?? null));
}

const otherOf = (id: string, me: string): string => {
  const [a = "", b = ""] = id.split("_");
  return a === me ? b : a;
};

/** What was begun here stands too, and one that is gone while it holds words that were not sent. */
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
          other: people.get(otherOf(id, context.me)) ?? { state: "unknown" },
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
  const row$ = scope.replica.conversations
    .findOne(id)
    .$.pipe(map((doc) => (doc === null ? null : (doc.toJSON() as ConversationRow))));
  const local$ = combineLatest([row$, chat.context$, people$(chat, [otherOf(id, me)])]).pipe(
    map(([row, context, people]) => {
      const { conversations, messages } = context.overlay;
      if (row === null && !conversations.has(id) && !messages.has(id)) return null;
      const other = people.get(otherOf(id, me)) ?? { state: "unknown" as const };
      return foldConversation(id, { row, other, newest: null }, context);
    }),
  );
  return watchOne(local$, fromCell(shared.connection), () =>
    pullOne(shared.remote, scope.replica, "conversations", id),
  );
}

/** Unread messages of everybody (resolution 37). */
export function watchUnread({ scope, context$ }: ChatScope): Observable<number> {
  const me = scope.userId;
  if (me === null) return of(0);
  return combineLatest([rows$(scope), context$]).pipe(
    map(([rows, { overlay }]) =>
      rows
        .filter((row) => !overlay.reads.has(row.id))
        .reduce((sum, row) => sum + (row.userA === me ? row.unreadA : row.unreadB), 0),
    ),
    distinctUntilChanged(),
  );
}

/** Conversations and messages as a screen shows them: the replica's rows with what is queued on top (law 1). Pure. */

/** The server's preview of a message that is gone, and of a photo (resolutions 32 and 36). */
export const DELETED_PREVIEW = "This message was deleted";
export const PHOTO_PREVIEW = "Photo";

export interface ChatContext {
  me: string;
  overlay: Overlay;
  /** Whom this person blocked. */
  blocked: ReadonlySet<string>;
  /** Whole address of a path on the server. */
  address: (path: string) => string;
  /** Address of a queued blob by its key; "" where there is none to show. */
  blobUrl: (key: string) => string;
}

type Last = Pick<ConversationView, "lastMessage" | "lastKind" | "lastByMe" | "lastAt" | "pending">;

export interface ConversationSources {
  /** Null for one that only stands in the queue. */
  row: ConversationRow | null;
  other: Counterpart;
  /** The newest message on this device, where one of the conversation's is to be deleted. */
  newest: MessageRow | null;
}

export function foldConversation(
  id: string,
  sources: ConversationSources,
  context: ChatContext,
): ConversationView {
  const { row, other } = sources;
  const { me, overlay } = context;
  const [first = "", second = ""] = id.split("_");
  const unread = row === null ? 0 : row.userA === me ? row.unreadA : row.unreadB;
  const otherId = first === me ? second : first;
  return {
    id,
    otherId,
    other,
    blocked: context.blocked.has(otherId),
    ...lastOf(id, sources, context),
    unread: overlay.reads.has(id) ? 0 : unread,
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
    lastKind: gone ? "deleted" : kindOf(row.lastMessage),
    lastByMe: row.lastMessageBy === me,
    lastAt: row.lastMessageTime,
    pending: null,
  };
}

const kindOf = (preview: string): ConversationView["lastKind"] =>
  preview === DELETED_PREVIEW ? "deleted" : preview === PHOTO_PREVIEW ? "photo" : "text";

function queuedLast({ body, mark, createdAt }: WaitingMessage, overlay: Overlay): Last {
  const at = { lastByMe: true, lastAt: createdAt, pending: mark };
  if (overlay.deletedMessages.has(body.messageId)) {
    return { ...at, lastMessage: DELETED_PREVIEW, lastKind: "deleted" };
  }
  return "files" in body
    ? { ...at, lastMessage: PHOTO_PREVIEW, lastKind: "photo" }
    : { ...at, lastMessage: body.text, lastKind: "text" };
}

export interface MessageSources {
  /** Newest first, at most as many as were asked for. */
  rows: readonly MessageRow[];
  hasOlder: boolean;
}

/** The page of a conversation. What is queued stands behind what has arrived; what was refused, where it was written. */
export function foldMessages(
  conversationId: string,
  { rows, hasOlder }: MessageSources,
  context: ChatContext,
): MessagePage {
  const known = new Set(rows.map((row) => row.id));
  const items = rows.map((row) => foldMessage(row, context)).reverse();
  const queued = context.overlay.messages.get(conversationId) ?? [];
  for (const waiting of queued) {
    if (known.has(waiting.body.messageId)) continue;
    const view = foldWaiting(waiting, context);
    if (waiting.mark.state === "refused") insertByTime(items, view);
    else items.push(view);
  }
  return { items, hasOlder };
}

function insertByTime(items: MessageView[], view: MessageView): void {
  let at = items.length;
  while (at > 0 && (items[at - 1]?.timestamp ?? 0) > view.timestamp) at -= 1;
  items.splice(at, 0, view);
}

function foldMessage(row: MessageRow, { me, overlay, address }: ChatContext): MessageView {
  const deleted = row.deleted || overlay.deletedMessages.has(row.id);
  const imageUrl = deleted ? "" : address(row.imageUrl);
  return {
    id: row.id,
    conversationId: row.conversationId,
    senderId: row.senderId,
    mine: row.senderId === me,
    message: deleted ? "" : row.message,
    type: row.type,
    imageUrl,
    thumbnailUrl: deleted ? "" : address(row.thumbnailUrl) || imageUrl,
    timestamp: row.timestamp,
    read: row.read,
    deleted,
    pending: null,
  };
}

function foldWaiting(waiting: WaitingMessage, { me, overlay, blobUrl }: ChatContext): MessageView {
  const { body, mark, createdAt } = waiting;
  const files = "files" in body ? body.files : null;
  const deleted = overlay.deletedMessages.has(body.messageId);
  const imageUrl = files === null || deleted ? "" : blobUrl(files.file);
  return {
    id: body.messageId,
    conversationId: body.conversationId,
    senderId: me,
    mine: true,
    message: deleted ? "" : body.text,
    type: files === null ? "text" : "photo",
    imageUrl,
    thumbnailUrl: files === null || deleted ? "" : blobUrl(files.thumbnail) || imageUrl,
    timestamp: body.timestamp ?? Math.floor(createdAt / 1000),
    read: false,
    deleted,
    pending: mark,
  };
}
