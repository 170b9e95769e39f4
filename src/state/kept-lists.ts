/** The lists that are kept on this device: asked for, brought up to date, shown and let go of. */
import { useEffect, useState, useSyncExternalStore } from "react";
import type { ErrorCode } from "@/domain/error-codes";
import { LIST_SIZES } from "@/domain/kept-lists";
import { createCell } from "@/lib/cell";
import { isMetered, onConnectionChange } from "@/lib/connection-kind";
import { findSender } from "@/lib/sends-when-closed";
import { createSerialQueue } from "@/lib/serial-queue";
import {
  fillLists,
  idOfList,
  KEPT_LISTS_TAG,
  type KeptList,
  letGo,
  onListsChange,
  putList,
  readLists,
  readSingles,
  releaseByHand,
  replan,
} from "@/media-cache/kept-lists";
import { whenClient } from "./client-store";
import { type KeepWish, storedLists } from "./keep-wish";

/** Of whoever is here. */
const lists = createCell<readonly KeptList[] | null>(null);

/** Null while it is not known who is here. */
async function whoIsHere(): Promise<string | null> {
  const session = (await whenClient()).auth.session.getSnapshot();
  if (session.state === "loading") return null;
  return session.state === "signed-in" ? session.user.id : "";
}

async function look(): Promise<void> {
  // Ignoring a failure: a browser that stores nothing keeps nothing.
  const found = await readLists().catch(() => null);
  const me = await whoIsHere();
  if (me === null) return;
  if (found !== null) storedLists.write(found.length === 0 ? null : "1");
  const all = found ?? [];
  lists.set(all.filter(({ userId }) => userId === "" || userId === me));
}

type Singles = Awaited<ReturnType<typeof readSingles>>;

/** What is kept beside the lists; counted again when `changes` is another value. */
export function useSingles(changes: number) {
  const [singles, setSingles] = useState<Singles | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: outside: the device's storage, counted again for another value of `changes`.
  useEffect(() => {
    let isOver = false;
    const show = (now: Singles | null) => isOver || setSingles(now);
    readSingles().then(show, () => show(null));
    return () => {
      isOver = true;
    };
  }, [changes]);
  const letGoOfThem = async () => {
    await releaseByHand(singles?.urls ?? []);
    setSingles(await readSingles());
  };
  return { singles, letGoOfThem };
}

/** Null until they are known. */
export function useKeptLists(): readonly KeptList[] | null {
  // Outside: the device's storage, which others change, too.
  useEffect(() => {
    void look();
    void beginKeeping();
    return onListsChange(() => void look());
  }, []);
  return useSyncExternalStore(lists.subscribe, lists.getSnapshot);
}

type Kept = "kept" | "nothing" | ErrorCode;

/** Keeps the newest of it. `nothing`: it is empty. Rejects where the device cannot store it. */
export async function keepList({ kind, of, name }: KeepWish, limit: number): Promise<Kept> {
  const client = await whenClient();
  const userId = await whoIsHere();
  const planned = await client.lists.plan({ kind, of });
  if (!planned.success) return planned.error;
  if (planned.value.plan.length === 0) return "nothing";
  // Somebody else may be here by now.
  if (userId === null || (await whoIsHere()) !== userId) return "canceled";
  await putList({ kind, of, limit, userId, ...planned.value, name: planned.value.name ?? name });
  await look();
  void beginKeeping();
  void fill();
  return "kept";
}

/** Bytes. */
const SAVED_MOST = LIST_SIZES[2];

/**
 * What one has saved is kept without being asked for, as it is now. Nothing happens where that
 * cannot be known: the next start, or the next save, tries again.
 */
export async function keepSaved(): Promise<void> {
  const client = await whenClient();
  const userId = await whoIsHere();
  const wish = { kind: "saved", of: "", limit: SAVED_MOST } as const;
  const planned = await client.lists.plan(wish);
  if (!userId || !planned.success || (await whoIsHere()) !== userId) return;
  const id = idOfList(wish);
  const before = (await readLists()).find((list) => list.id === id);
  const { plan } = planned.value;
  if (JSON.stringify(before?.plan ?? []) === JSON.stringify(plan)) return;
  if (plan.length === 0) await letGo([id]);
  else await putList({ ...wish, userId, ...planned.value, name: "" });
  await look();
  void beginKeeping();
  void fill();
}

export async function letGoOf(id: string): Promise<void> {
  await letGo([id]);
  await look();
}

let begun: Promise<void> | undefined;

/** Once for a page: drops what is another person's, plans anew what is old, and goes on. */
export function beginKeeping(): Promise<void> {
  // Ignoring a failure: the next start tries again.
  begun ??= begin().catch(() => undefined);
  return begun;
}

async function begin(): Promise<void> {
  const { auth, connection } = await whenClient();
  const inTurn = createSerialQueue();
  let isWaiting = false;
  // However many occasions come meanwhile, one is enough.
  const goOn = () => {
    if (isWaiting) return;
    isWaiting = true;
    const work = async () => {
      isWaiting = false;
      if (connection.getSnapshot() === "online") await planAnew();
      await fill();
    };
    inTurn(work).catch(() => undefined);
  };
  const follow = () => void dropOthers().then(look, () => undefined);
  auth.session.subscribe(follow);
  connection.subscribe(goOn);
  onConnectionChange(goOn);
  document.addEventListener("visibilitychange", () =>
    document.visibilityState === "hidden" ? void leaveToWorker() : goOn(),
  );
  await dropOthers();
  await look();
  goOn();
}

async function dropOthers(): Promise<void> {
  const me = await whoIsHere();
  if (me === null) return;
  const others = (await readLists()).filter(({ userId }) => userId !== "" && userId !== me);
  if (others.length > 0) await letGo(others.map(({ id }) => id));
}

/** Until then what was planned is taken for what there is. */
const RENEW_MS = 6 * 3_600_000;

/** One that could not be planned is left alone for so long. */
const FAILED_MS = 10 * 60_000;
const failedAt = new Map<string, number>();

async function planAnew(): Promise<void> {
  const { lists: plans } = await whenClient();
  const isLater = (at: number, ms: number) => Math.abs(Date.now() - at) >= ms;
  for (const list of await readLists()) {
    if (!isLater(list.plannedAt, RENEW_MS) || !isLater(failedAt.get(list.id) ?? 0, FAILED_MS))
      continue;
    const planned = await plans.plan(list);
    if (!planned.success) {
      failedAt.set(list.id, Date.now());
      continue;
    }
    const { name = list.name, ...plan } = planned.value;
    await replan(list, { ...plan, name });
  }
}

/** What fails is tried again with the next occasion. */
export const fill = (): Promise<unknown> =>
  fillLists({ mayFetch: () => !isMetered(), waits: true }).catch(() => undefined);

/** A page may be closed now. The shortest pause that Chromium grants for an installed app. */
const NOW_AND_THEN_MS = 12 * 3_600_000;

async function leaveToWorker(): Promise<void> {
  try {
    const isLeft = (await readLists()).some(({ state }) => state === "open");
    const sender = isLeft ? await findSender() : null;
    await sender?.sync?.register(KEPT_LISTS_TAG);
    await sender?.periodicSync?.register(KEPT_LISTS_TAG, { minInterval: NOW_AND_THEN_MS });
  } catch {
    // Ignoring it: refused in private windows and by settings; the next page goes on.
  }
}
