/** A medium with its comments, the media of one person, and what is done with them. */
import { useCallback, useEffect, useMemo, useState } from "react";
import type { Client } from "@/data/client";
import type { CommentOrder, CommentView } from "@/data/comments/shapes";
import type {
  ClientEvent,
  FeedFilter,
  FeedPage,
  Found,
  Loaded,
  MediaChanges,
  MediaView,
} from "@/data/shapes";
import { PAGE_SIZE } from "@/domain/limits";
import type { Failure } from "@/domain/result";
import { errorKey } from "@/i18n/error-text";
import type { TextKey } from "@/i18n/keys";
import { saveFile } from "@/lib/save-file";
import { fetchAndKeep, isKept as isFileKept } from "@/media-cache/cache";
import { keepByHand, releaseByHand } from "@/media-cache/kept-lists";
import { useClient, whenClient } from "./client-store";
import { queueWrite, useConnection } from "./outbox";
import { mediumAtHand } from "./place";
import { showFailure, showToast } from "./toasts";
import { type More, moreOf, type PullState, usePager, useWhileLoading } from "./use-pager";
import { LOADING, NO_CLIENT, useFound, useLoaded } from "./use-watch";

/** While it is looked up, what the card knew from which it was opened. */
export function useMedia(id: string): Found<MediaView> {
  const found = useFound((reads) => reads.watchMedia(id), [id]);
  const known = mediumAtHand(id);
  return found.state === "loading" && known !== null ? { state: "found", value: known } : found;
}

const NO_MEMBERS: readonly MediaView[] = [];

/**
 * The media of a post in its order; none for a medium by itself. What this device lacks of them is
 * asked for, and left out where the server cannot be asked.
 */
export function usePost(post: string): readonly MediaView[] {
  const client = useClient();
  const isOffline = useConnection() === "offline";
  // Outside: the server.
  useEffect(() => {
    if (client !== null && post !== "" && !isOffline) void client.reads.pullPost(post);
  }, [client, post, isOffline]);
  const now = useLoaded((reads) => reads.watchPost(post), [post]);
  return now.state === "ready" && now.value.length > 1 ? now.value : NO_MEMBERS;
}

/** Counts a view once per opening, but never the owner's own (specification §6). */
export function useRecordView(media: MediaView | null, viewerId: string): void {
  const client = useClient();
  const id = media !== null && media.userId !== viewerId && media.pending === null ? media.id : "";
  // Outside: the server's count.
  useEffect(() => {
    if (client !== null && id !== "") void client.writes.recordView(id);
  }, [client, id]);
}

interface PersonMediaChoice {
  userId: string;
  filter: FeedFilter;
  /** Rows at the start and with each step (specification §9). */
  step: number;
  most: number;
}

export type PersonMedia = ReturnType<typeof usePersonMedia>;

const NO_ROWS: MediaView[] = [];

/** One person's media, newest first: at once from this device, then from the server. */
export function usePersonMedia({ userId, filter, step, most }: PersonMediaChoice) {
  const key = `${userId} ${filter}`;
  const query = { userId, filter, sort: "latest" as const };
  const { shown, pulled, showMore, pullAgain } = usePager({
    key,
    step,
    most,
    pull: userId === "" ? null : ({ reads }, limit) => reads.pullOlderMedia({ ...query, limit }),
  });
  // One row more than is shown tells whether there is more.
  const now = useLoaded(
    (reads) => reads.watchFeed({ userId, filter, sort: "latest", limit: shown + 1 }),
    [userId, filter, shown],
  );
  const page = useWhileLoading(key, now);
  const isOffline = useConnection() === "offline";
  // Outside: the server.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a connection that is back is worth another try.
  useEffect(() => pullAgain(), [pullAgain, isOffline]);
  const rows = page.state === "ready" ? page.value.items : NO_ROWS;
  const items = useMemo(() => rows.slice(0, Math.min(shown, most)), [rows, shown, most]);
  return {
    /** `failed` only when there is nothing to show. */
    media: now === NO_CLIENT ? NO_CLIENT : personMedia(items, page, pulled),
    more: morePersonMedia({ here: rows.length, shown, most }, pulled),
    showMore,
    retry: pullAgain,
  };
}

function personMedia(
  items: MediaView[],
  page: Loaded<FeedPage>,
  pulled: PullState,
): Loaded<MediaView[]> {
  if (items.length > 0) return { state: "ready", value: items };
  // The device answers first, also where the server's failure is known before its rows are read.
  if (page.state !== "ready") return page;
  // An empty device means "none" only if the server says so (law 4).
  if (pulled.state === "failed") return pulled;
  if (pulled.hasMore === null) return LOADING;
  return { state: "ready", value: items };
}

function morePersonMedia(
  { here, shown, most }: { here: number; shown: number; most: number },
  pulled: PullState,
): More {
  if (shown >= most) return "none";
  if (here > shown) return "idle";
  // The server was asked for these rows before: asking again shows nothing.
  if (pulled.hasMore !== null) return pulled.hasMore ? "idle" : "none";
  if (here === 0) return "none";
  return pulled.state === "idle" ? "loading" : moreOf(pulled, false);
}

/** Says that it is not queued, and why. */
export const telling = (failedTitle: TextKey) => (failure: Failure | null) =>
  showFailure(failedTitle, failure === null ? undefined : errorKey(failure.error));

/** Changes one medium. A new caption, and new tags, are those of its whole post: `members`. */
export async function changeMedia(
  mediaId: string,
  changes: MediaChanges,
  members: readonly MediaView[] = [],
): Promise<boolean> {
  const change = (id: string, to: MediaChanges) =>
    queueWrite((writes) => writes.updateMedia(id, to), telling("detail.editFailed"));
  const { alt: _alt, subtitles: _subtitles, ...shared } = changes;
  if (Object.keys(shared).length > 0) {
    for (const { id } of members) {
      if (id !== mediaId && !(await change(id, shared))) return false;
    }
  }
  // Last: the dialog, which compares with it, then has nothing left to save.
  return change(mediaId, changes);
}

/** Resolves with whether the deletion is queued; a toast tells its outcome (specification §8). */
export async function deleteMedia(media: Pick<MediaView, "id" | "type">): Promise<boolean> {
  const client = await whenClient();
  const answer = await client.writes.deleteMedia(media.id);
  const texts = DELETION_TEXTS[media.type];
  if (!answer.success) {
    showFailure(texts.refused);
    return false;
  }
  const { intentId } = answer.value;
  // A refusal has its toast in client-events.ts, which also works when the page is closed.
  const tell = (outcome: DeletionOutcome) =>
    outcome !== "refused" && showToast({ title: { key: texts[outcome] } });
  if (intentId === null) tell("done");
  else void deletionOutcome(client, media.id, intentId).then(tell);
  return true;
}

/** Deletes all media of a post, with one notice for all. */
export async function deletePost(members: readonly MediaView[]): Promise<boolean> {
  const client = await whenClient();
  const outcomes: Promise<DeletionOutcome>[] = [];
  for (const { id } of members) {
    const answer = await client.writes.deleteMedia(id);
    if (!answer.success) {
      showFailure("media.postDeleteFailed");
      return false;
    }
    const { intentId } = answer.value;
    if (intentId !== null) outcomes.push(deletionOutcome(client, id, intentId));
  }
  void Promise.all(outcomes).then((all) => {
    if (all.includes("refused")) return;
    const isWaiting = all.includes("waiting");
    showToast({ title: { key: isWaiting ? "media.postDeleteQueued" : "media.postDeleted" } });
  });
  return true;
}

export interface DeletingClient {
  outbox: Pick<Client["outbox"], "watch">;
  onEvent: Client["onEvent"];
}

type DeletionOutcome = "done" | "waiting" | "refused";

const DELETION_TEXTS = {
  photo: { done: "media.deleted", waiting: "media.deleteQueued", refused: "media.deleteFailed" },
  video: {
    done: "media.videoDeleted",
    waiting: "media.videoDeleteQueued",
    refused: "media.videoDeleteFailed",
  },
} as const;

/** Resolves when the server has answered, or when it is clear that it will not answer for now. */
export function deletionOutcome(
  client: DeletingClient,
  mediaId: string,
  intentId: string,
): Promise<DeletionOutcome> {
  const outbox = client.outbox.watch();
  return new Promise((resolve) => {
    const leaves: (() => void)[] = [];
    let seen = false;
    const end = (outcome: DeletionOutcome) => {
      for (const leave of leaves) leave();
      resolve(outcome);
    };
    const look = () => {
      const item = outbox.getSnapshot().items.find((row) => row.id === intentId);
      // A live value lags a moment behind the write: a row that was never seen is not gone.
      if (item === undefined) return seen && end("done");
      seen = true;
      if (item.state === "refused") return end("refused");
      if (item.state === "waiting" || item.state === "paused") return end("waiting");
    };
    const onEvent = (event: ClientEvent) => {
      if (event.type === "media-deleted" && event.mediaId === mediaId) end("done");
    };
    leaves.push(outbox.subscribe(look), client.onEvent(onEvent));
    look();
  });
}

/** Under its original name; older records may have none. */
export const downloadMedia = ({ url, originalFilename, id }: MediaView): Promise<void> =>
  downloadFile(url, originalFilename || url.split("/").at(-1) || id);

async function downloadFile(url: string, name: string): Promise<void> {
  // A file that waits to be sent is on this device already.
  if (url.startsWith("blob:")) return saveFile(url, name);
  try {
    const response = await fetch(url);
    const type = response.headers.get("Content-Type") ?? "";
    // The login page of a hotel's network is not the picture.
    if (!response.ok || !/^(image|video)\//.test(type))
      throw new Error(`${response.status} ${type}`);
    saveFile(await response.blob(), name);
  } catch {
    showFailure("detail.downloadFailed");
  }
}

type KeepState =
  | { state: "unknown" }
  | { state: "loose" }
  /** `percent` of the bytes. */
  | { state: "fetching"; percent: number }
  | { state: "kept" };
const UNKNOWN: KeepState = { state: "unknown" };

/** Keeps a medium's files on this device until released. Null when there is nothing to keep. */
export function useKeepOffline(media: MediaView) {
  const { id, url } = media;
  const [known, setKnown] = useState<{ id: string; keep: KeepState }>({ id, keep: UNKNOWN });
  const keep = known.id === id ? known.keep : UNKNOWN;
  // Outside: the media cache.
  useEffect(() => {
    let current = true;
    const show = (kept: boolean) =>
      current && setKnown({ id, keep: { state: kept ? "kept" : "loose" } });
    // Ignoring a failure: a browser that stores nothing keeps nothing.
    isFileKept(url).then(show, () => show(false));
    return () => {
      current = false;
    };
  }, [id, url]);
  const urls = [...new Set([url, media.previewUrl, media.thumbnailUrl])].filter(Boolean);
  const toggle = async () => {
    const set = (next: KeepState) => setKnown({ id, keep: next });
    try {
      if (keep.state === "kept") {
        await releaseByHand(urls);
        const isStill = await isFileKept(url);
        if (isStill) {
          showToast({ title: { key: "kept.byList" } });
          void import("./kept-lists").then((lists) => lists.fill()).catch(() => undefined);
        }
        set({ state: isStill ? "kept" : "loose" });
        return;
      }
      set({ state: "fetching", percent: 0 });
      await fetchAndKeep(urls, (percent) => set({ state: "fetching", percent }));
      await keepByHand(urls);
      set({ state: "kept" });
    } catch (error) {
      set({ state: "loose" });
      const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
      showFailure("detail.keepFailed", isFull ? "errors.storage_full" : "errors.network");
    }
  };
  if (!("caches" in globalThis) || url.startsWith("blob:")) return null;
  return { keep, toggle: () => void (keep.state === "fetching" || toggle()) };
}

export type Comments = ReturnType<typeof useComments>;

/** Of a medium in the order wanted, or those that answer the comment `parentId`. */
export function useComments(mediaId: string, parentId = "", by: CommentOrder = "newest") {
  const client = useClient();
  const key = `${mediaId} ${parentId} ${by}`;
  const { shown, showMore } = usePager({ key, step: PAGE_SIZE });
  const now = useLoaded(
    ({ watchComments, watchReplies }) =>
      parentId === "" ? watchComments(mediaId, shown, by) : watchReplies(mediaId, parentId, shown),
    [mediaId, parentId, by, shown],
  );
  const page = useWhileLoading(key, now);
  const retry = useCallback(() => void client?.sync(), [client]);
  return { page, showMore, retry };
}

/** The comment that this one answers; "" for none, null while that is not known. */
export function useParent(commentId: string): string | null {
  const found = useLoaded((reads) => reads.watchParent(commentId), [commentId]);
  return found.state === "ready" ? found.value : null;
}

export const addComment = (mediaId: string, text: string, parentId = "") =>
  queueWrite((writes) => writes.addComment(mediaId, text, parentId), telling("comments.failed"));

export const editComment = ({ mediaId, id }: CommentView, text: string) =>
  queueWrite((writes) => writes.editComment(mediaId, id, text), telling("comments.editFailed"));

export const deleteComment = (comment: CommentView) =>
  queueWrite(
    (writes) => writes.deleteComment(comment.mediaId, comment.id, comment),
    telling("comments.deleteFailed"),
  );
