/** The messages of a conversation, live: the newest so many that this device has without a gap. */
import {
  combineLatest,
  concat,
  distinctUntilChanged,
  filter,
  from,
  map,
  type Observable,
  of,
  switchMap,
} from "rxjs";
import type { MessagePage } from "@/data/chat-api";
import type { Loaded } from "@/data/client-api";
import type { ListWindow } from "@/data/replica/device-store";
import type { MessageRow } from "@/data/schema/messages";
import { deepestMessage, messageWindow, pullMessages } from "@/data/sync/pull-messages";
import type { ErrorCode } from "@/domain/error-codes";
import { PAIR_ID_PATTERN } from "@/domain/ids";
import type { ChatScope } from "./chat-reads";
import { foldMessages } from "./fold-chat";
import { fromCell } from "./from-cell";
import { messagesQuery } from "./messages-query";

/** How the first page came to be here, or why it is not. */
type Asked = { state: "asking" | "there" } | { state: "failed"; code: ErrorCode };

export function watchMessages(
  chat: ChatScope,
  id: string,
  limit: number,
): Observable<Loaded<MessagePage>> {
  const { scope, context$ } = chat;
  if (scope.userId === null || !PAIR_ID_PATTERN.test(id)) {
    return of({ state: "failed", code: "not_found" });
  }
  const reached$ = scope.device.windows$.pipe(
    map((windows) => messageWindow(windows, id)),
    distinctUntilChanged(),
  );
  const rows$ = reached$.pipe(
    switchMap((reached) => messages$(chat, id, { reached, limit }).pipe(map(withEnd(reached)))),
  );
  const isNew$ = combineLatest([scope.replica.conversations.findOne(id).$, context$]).pipe(
    map(([row, { overlay }]) =>
      row === null ? overlay.conversations.has(id) : row.messageCount === 0,
    ),
    distinctUntilChanged(),
  );
  return combineLatest([rows$, context$, asked$(chat, id, reached$), isNew$]).pipe(
    map(([{ rows, reached }, context, asked, isNew]): Loaded<MessagePage> => {
      const hasOlder = !isNew && (rows.length >= limit || reached !== "end");
      const page = foldMessages(id, { rows, hasOlder }, context);
      if (page.items.length > 0 || isNew || asked.state === "there") {
        return { state: "ready", value: page };
      }
      return asked.state === "failed" ? asked : { state: "loading" };
    }),
  );

  function withEnd(reached: ListWindow | undefined) {
    return (rows: MessageRow[]) => ({ rows, reached });
  }
}

function messages$(
  { scope }: ChatScope,
  conversationId: string,
  { reached, limit }: { reached: ListWindow | undefined; limit: number },
): Observable<MessageRow[]> {
  return scope.replica.messages
    .find(messagesQuery({ conversationId, deepest: deepestMessage(reached), limit }))
    .$.pipe(map((docs) => docs.map((doc) => doc.toJSON() as MessageRow)));
}

/** Asks for the first page while none was ever pulled, and again each time the server is back. */
function asked$(
  { shared, scope }: ChatScope,
  id: string,
  reached$: Observable<ListWindow | undefined>,
): Observable<Asked> {
  const tries$ = fromCell(shared.connection).pipe(
    filter((connection, index) => index === 0 || connection === "online"),
  );
  const ask = (): Observable<Asked> =>
    from(pullMessages(shared.remote, scope, id)).pipe(
      map(
        (pulled): Asked =>
          pulled.success ? { state: "there" } : { state: "failed", code: pulled.error },
      ),
    );
  return reached$.pipe(
    map((reached) => reached === undefined),
    distinctUntilChanged(),
    switchMap((missing) =>
      missing
        ? tries$.pipe(switchMap(() => concat(of<Asked>({ state: "asking" }), ask())))
        : of<Asked>({ state: "there" }),
    ),
  );
}
