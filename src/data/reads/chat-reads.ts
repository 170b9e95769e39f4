/** The live reads of the chat. */
import { combineLatest, map, type Observable, shareReplay } from "rxjs";
import type { ChatReads, ConversationView, MessagePage } from "@/data/chat-api";
import type { Found, Loaded } from "@/data/client-api";
import type { Scope } from "@/data/open-scope";
import { createFileTokens } from "@/data/remote/file-token";
import { pullOlderMessages } from "@/data/sync/pull-messages";
import type { ReadsDeps } from "./create-reads";
import type { ChatContext } from "./fold-chat";
import type { LiveMaker } from "./live-maker";
import { watchConversation, watchConversations, watchUnread } from "./watch-conversations";
import { blockedIds$ } from "./watch-feed";
import { watchKnownPeople } from "./watch-known-people";
import { watchMessages } from "./watch-messages";

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
