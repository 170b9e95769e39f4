/**
 * The messages of a conversation: queued ones folded into the stored ones, and older ones pulled
 * page by page. A list window stores down to which `ord` the device has every message.
 */
import type { MangoQuery } from "rxdb";
import { combineLatest, distinctUntilChanged, map, type Observable, of, switchMap } from "rxjs";
import { writeRecords } from "@/data/engine/apply";
import type { Scope, Shared } from "@/data/engine/context";
import type { DeviceStore, ListWindow } from "@/data/engine/device-store";
import { pullRecords } from "@/data/engine/lists";
import { type Asked, askUntilAnswered, rowsOf } from "@/data/engine/live";
import type { Ahead, Overlay } from "@/data/engine/noun";
import { filterOf, type Remote } from "@/data/engine/remote";
import { countOf, newestFirst } from "@/data/engine/rows";
import type { Loaded, MessagePage, MessageView } from "@/data/shapes";
import { PAIR_ID_PATTERN } from "@/domain/ids";
import { MESSAGES_PAGE_SIZE } from "@/domain/limits";
import { failed, ok, type Result } from "@/domain/result";
import type { WaitingMessage } from "./intents";
import type { MessageRow } from "./row";

export interface ChatContext {
  me: string;
  overlay: Overlay;
  blocked: ReadonlySet<string>;
  address: (path: string) => string;
  /** Address of a queued blob by its key; "" where there is none to show. */
  blobUrl: (key: string) => string;
}

export interface ChatScope {
  shared: Shared;
  scope: Scope;
  context$: Observable<ChatContext>;
}

/** Queued messages follow the stored ones; refused ones are placed by their time. */
export function foldMessages(
  conversationId: string,
  { rows, hasOlder }: { rows: readonly MessageRow[]; hasOlder: boolean },
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
  const { recipientId, deletedAt, ord, sortKey, seq, ...shown } = row;
  const deleted = row.deleted || overlay.deletedMessages.has(row.id);
  const imageUrl = deleted ? "" : address(row.imageUrl);
  return {
    ...shown,
    mine: row.senderId === me,
    message: deleted ? "" : row.message,
    imageUrl,
    thumbnailUrl: deleted ? "" : address(row.thumbnailUrl) || imageUrl,
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
    switchMap((reached) => {
      const query = messagesQuery({ conversationId: id, deepest: deepestMessage(reached), limit });
      const messages$ = rowsOf<MessageRow>(scope.replica.messages.find(query));
      return messages$.pipe(map((rows) => ({ rows, reached })));
    }),
  );
  const isNew$ = combineLatest([scope.replica.conversations.findOne(id).$, context$]).pipe(
    map(([row, { overlay }]) =>
      row === null ? overlay.conversations.has(id) : row.messageCount === 0,
    ),
    distinctUntilChanged(),
  );
  return combineLatest([rows$, context$, firstPage$(chat, id, reached$), isNew$]).pipe(
    map(([{ rows, reached }, context, asked, isNew]): Loaded<MessagePage> => {
      const hasOlder = !isNew && (rows.length >= limit || reached !== "end");
      const page = foldMessages(id, { rows, hasOlder }, context);
      if (page.items.length > 0 || isNew || asked?.success === true) {
        return { state: "ready", value: page };
      }
      return asked === null ? { state: "loading" } : { state: "failed", code: asked.error };
    }),
  );
}

function firstPage$(
  { shared, scope }: ChatScope,
  id: string,
  reached$: Observable<ListWindow | undefined>,
): Observable<Asked<unknown>> {
  return reached$.pipe(
    map((reached) => reached === undefined),
    distinctUntilChanged(),
    switchMap((missing) =>
      missing
        ? askUntilAnswered(shared, scope, () => pullMessages(shared.remote, scope, id))
        : of(ok(null)),
    ),
  );
}

/** So many chats open without a network from the first minute on. */
const CHATS_AHEAD = 20;

/** The newest page of the newest chats that nobody has opened here. */
export async function fetchMessagesAhead({ replica, device, remote, mayAsk }: Ahead) {
  const newest = await replica.conversations
    .find({ sort: [{ sortKey: "asc" }], index: ["sortKey"], limit: CHATS_AHEAD })
    .exec();
  for (const { id, messageCount } of newest) {
    if (messageCount === 0 || messageWindow(device.windows$.value, id) !== undefined) continue;
    if (!(await mayAsk())) return failed("canceled");
    const pulled = await pullMessages(remote, { replica, device }, id);
    if (!pulled.success) return pulled;
  }
  return ok(null);
}

type Windows = ReadonlyMap<string, ListWindow>;

/** Windows of chats are kept beside those of media: see media/windows. */
const windowName = (conversationId: string): string => `chat:${conversationId}`;

const messageWindow = (windows: Windows, conversationId: string): ListWindow | undefined =>
  windows.get(windowName(conversationId));

/** The largest sort key below which the device knows no gap; null where there is no end to it. */
function deepestMessage(reached: ListWindow | undefined): number | null {
  return reached === undefined || reached === "end" ? null : newestFirst(Number(reached.createdAt));
}

type Stores = Pick<Scope, "replica" | "device">;

/** The page before what is here, or the newest one where nothing is. */
async function pullMessages(
  remote: Remote,
  { replica, device }: Stores,
  conversationId: string,
  count = MESSAGES_PAGE_SIZE,
): Promise<Result<{ more: boolean }>> {
  const reached = messageWindow(device.windows$.value, conversationId);
  if (reached === "end") return ok({ more: false });
  const here = filterOf("conversationId = {:conversationId}", { conversationId });
  const older = reached && filterOf("ord < {:ord}", { ord: Number(reached.createdAt) });
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
  device: Pick<DeviceStore, "changeWindows">,
  conversationId: string,
  reached: ListWindow,
): Promise<void> {
  const name = windowName(conversationId);
  return device.changeWindows((stored) => new Map(stored).set(name, reached));
}

/** Ascending indexes only: a descending sort reads the whole table (platform facts). */
export function messagesQuery({
  conversationId,
  deepest,
  limit,
}: {
  conversationId: string;
  deepest: number | null;
  limit: number;
}): MangoQuery<MessageRow> {
  return {
    selector: { conversationId, ...(deepest === null ? {} : { sortKey: { $lte: deepest } }) },
    sort: [{ sortKey: "asc" }],
    index: ["conversationId", "sortKey"],
    limit,
  };
}
