/** The lists that are kept on this device: asked for, brought up to date, shown and let go of. */
import { useEffect, useSyncExternalStore } from "react";
import type { ErrorCode } from "@/domain/error-codes";
import { createCell } from "@/lib/cell";
import { isMetered, onConnectionChange } from "@/lib/connection-kind";
import { findSender } from "@/lib/sends-when-closed";
import {
  fillLists,
  KEPT_LISTS_TAG,
  type KeptList,
  type ListWish,
  letGo,
  onListsChange,
  putList,
  readLists,
} from "@/media-cache/kept-lists";
import { whenClient } from "./client-store";
import { type KeepWish, storedLists } from "./keep-wish";

const lists = createCell<readonly KeptList[] | null>(null);

async function look(): Promise<void> {
  const now = await readLists();
  storedLists.write(now.length === 0 ? null : "1");
  lists.set(now);
}

/** Null until they are known. */
export function useKeptLists(): readonly KeptList[] | null {
  // Outside: the device's storage, which others change, too.
  useEffect(() => {
    void look();
    return onListsChange(() => void look());
  }, []);
  return useSyncExternalStore(lists.subscribe, lists.getSnapshot);
}

/** Keeps the newest of it. `nothing`: it is empty. */
export async function keepList(
  { kind, of, name }: KeepWish,
  limit: number,
): Promise<"kept" | "nothing" | ErrorCode> {
  const client = await whenClient();
  const session = client.auth.session.getSnapshot();
  const userId = session.state === "signed-in" ? session.user.id : "";
  const planned = await plan({ kind, of, limit, name, userId });
  if (planned !== "kept") return planned;
  await look();
  void beginKeeping();
  void fill();
  return "kept";
}

async function plan(list: ListWish & Pick<KeptList, "name" | "userId">) {
  const client = await whenClient();
  const planned = await client.lists.plan(list);
  if (!planned.success) return planned.error;
  if (planned.value.length === 0) return "nothing";
  await putList({ ...list, plan: planned.value, plannedAt: Date.now() });
  return "kept";
}

export async function letGoOf(id: string): Promise<void> {
  await letGo([id]);
  await look();
}

/** Until then what was planned is taken for what there is. */
const RENEW_MS = 6 * 3_600_000;

let begun: Promise<void> | undefined;

/** Once for a page: drops what is another person's, plans anew what is old, and goes on. */
export function beginKeeping(): Promise<void> {
  begun ??= begin();
  return begun;
}

async function begin(): Promise<void> {
  const { auth, connection } = await whenClient();
  const dropOthers = async () => {
    const session = auth.session.getSnapshot();
    if (session.state === "loading") return;
    const me = session.state === "signed-in" ? session.user.id : "";
    const others = (await readLists()).filter(({ userId }) => userId !== "" && userId !== me);
    if (others.length > 0) await letGo(others.map(({ id }) => id));
  };
  const goOn = async () => {
    if (connection.getSnapshot() !== "online") return;
    for (const list of await readLists())
      if (Date.now() - list.plannedAt > RENEW_MS) await plan(list);
    await fill();
  };
  auth.session.subscribe(() => void dropOthers());
  connection.subscribe(() => void goOn());
  onConnectionChange(() => void fill());
  document.addEventListener("visibilitychange", () =>
    document.visibilityState === "hidden" ? void leaveToWorker() : void fill(),
  );
  await dropOthers();
  await look();
  await goOn();
}

let isFilling = false;
let isWanted = false;

/** Goes on where it stopped, one at a time. What fails is tried again with the next occasion. */
async function fill(): Promise<void> {
  isWanted = true;
  if (isFilling) return;
  isFilling = true;
  while (isWanted) {
    isWanted = false;
    await fillLists({ mayFetch: () => !isMetered() }).catch(() => undefined);
  }
  isFilling = false;
}

/** The page may be closed now. */
async function leaveToWorker(): Promise<void> {
  const isLeft = lists.getSnapshot()?.some(({ state }) => state === "open") === true;
  if (!isLeft) return;
  // Refused in private windows: the next page goes on.
  await (await findSender())?.sync?.register(KEPT_LISTS_TAG).catch(() => undefined);
}
