/**
 * Messages of a conversation, newest first, a page at a time. How far down the device has every one is kept in the list
 * windows, the number `ord` in the place of a time; from there up the feed brings whatever is new.
 */
import type { Scope } from "@/data/open-scope";
import { messagesQuery } from "@/data/reads/messages-query";
import type { Remote } from "@/data/remote/create-remote";
import type { DeviceStore, ListWindow } from "@/data/replica/device-store";
import { chatWindowName } from "@/data/replica/list-windows";
import { countOf, newestFirst } from "@/data/schema/define-schema";
import { MESSAGES_PAGE_SIZE } from "@/domain/limits";
import { ok, type Result } from "@/domain/result";
import { writeRecords } from "./apply-changes";
import { pullRecords } from "./pull-lists";

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
