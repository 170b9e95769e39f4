/** The messages of a conversation, live: the newest so many that this device has without a gap. */

import type { MangoQuery } from "rxdb";
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
import { writeRecords } from "@/data/engine/apply";
import type { DeviceStore, ListWindow } from "@/data/engine/device-store";
import { pullRecords } from "@/data/engine/lists";
import { fromCell } from "@/data/engine/live";
import type { Remote } from "@/data/engine/remote";
import { countOf, newestFirst } from "@/data/engine/rows";
import type { Scope } from "@/data/engine/scope";
import { chatWindowName } from "@/data/media/held";
import type { Loaded, MessagePage } from "@/data/shapes";
import type { ErrorCode } from "@/domain/error-codes";
import { PAIR_ID_PATTERN } from "@/domain/ids";
import { MESSAGES_PAGE_SIZE } from "@/domain/limits";
import { ok, type Result } from "@/domain/result";
import type { MessageRow } from "./row";
import { type ChatScope, foldMessages } from "./views";

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

/**
 * Messages of a conversation, newest first, a page at a time. How far down the device has every one is kept in the list
 * windows, the number `ord` in the place of a time; from there up the feed brings whatever is new.
 */

type Windows = ReadonlyMap<string, ListWindow>;

/** Undefined where nothing was pulled of the conversation. */
export const messageWindow = (windows: Windows, conversationId: string): ListWindow | undefined =>
  windows.get(chatWindowName(conversationId));

/** The largest sort key below which the device knows no gap; null where there is no end to it. */
export function deepestMessage(reached: ListWindow | undefined): number | null {
  return reached === undefined || reached === "end" ? null : newestFirst(Number(reached.createdAt));
}

type Stores = Pick<Scope, "replica" | "device">;

/** The page before what is here, or the newest one where nothing is. */
export async function pullMessages(
  remote: Remote,
  { replica, device }: Stores,
  conversationId: string,
  count = MESSAGES_PAGE_SIZE,
): Promise<Result<{ more: boolean }>> {
  const reached = messageWindow(device.windows$.value, conversationId);
  if (reached === "end") return ok({ more: false });
  const here = remote.filter("conversationId = {:conversationId}", { conversationId });
  const older = reached && remote.filter("ord < {:ord}", { ord: Number(reached.createdAt) });
  const page = await pullRecords(remote, "messages", {
    filter: older === undefined ? here : `${here} && ${older}`,
    sort: "-ord",
    perPage: count,
  });
  if (!page.success) return page;
  await writeRecords(replica, "messages", page.value);
  const last = page.value.at(-1);
  const more = page.value.length === count && last !== undefined;
  await setMessageWindow(
    device,
    conversationId,
    more ? { createdAt: String(countOf(last, "ord")), id: "" } : "end",
  );
  return ok({ more });
}

/** Asks the server only when this device has fewer than `limit` messages. */
export async function pullOlderMessages(
  remote: Remote,
  stores: Stores,
  conversationId: string,
  limit: number,
): Promise<Result<{ more: boolean }>> {
  const deepest = deepestMessage(messageWindow(stores.device.windows$.value, conversationId));
  const here = await stores.replica.messages
    .find(messagesQuery({ conversationId, deepest, limit: limit + 1 }))
    .exec();
  if (here.length > limit) return ok({ more: true });
  return pullMessages(remote, stores, conversationId);
}

function setMessageWindow(
  device: Pick<DeviceStore, "windows$" | "writeWindows">,
  conversationId: string,
  reached: ListWindow,
): Promise<void> {
  const name = chatWindowName(conversationId);
  return device.writeWindows(new Map(device.windows$.value).set(name, reached));
}

/** The replica's question for the newest messages of a conversation. Ascending indexes only, as in feed-query. */

export interface MessagesQuery {
  conversationId: string;
  /** The largest sort key to show, or null (see sync/pull-messages). */
  deepest: number | null;
  limit: number;
}

export function messagesQuery({
  conversationId,
  deepest,
  limit,
}: MessagesQuery): MangoQuery<MessageRow> {
  return {
    selector: { conversationId, ...(deepest === null ? {} : { sortKey: { $lte: deepest } }) },
    sort: [{ sortKey: "asc" }],
    index: ["conversationId", "sortKey"],
    limit,
  };
}
