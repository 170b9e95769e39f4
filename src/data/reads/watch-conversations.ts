/** The list of chats, one chat, and how much is unread, live. */
import { combineLatest, distinctUntilChanged, map, type Observable, of, switchMap } from "rxjs";
import type { ConversationView } from "@/data/chat-api";
import type { Found, Loaded } from "@/data/client-api";
import type { Scope } from "@/data/open-scope";
import type { Overlay } from "@/data/outbox/read-overlay";
import type { ConversationRow } from "@/data/schema/conversations";
import type { MessageRow } from "@/data/schema/messages";
import { pullOne } from "@/data/sync/pull-one";
import { PAIR_ID_PATTERN } from "@/domain/ids";
import type { ChatScope } from "./chat-reads";
import { type ChatContext, foldConversation } from "./fold-chat";
import { fromCell } from "./from-cell";
import { messagesQuery } from "./messages-query";
import { type Counterparts, watchCounterparts } from "./watch-counterparts";
import { watchOne } from "./watch-one";

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
