/** Profiles, relations and lists of people, and what a user does with them. */
import { useCallback, useEffect, useSyncExternalStore } from "react";
import type { ClientWrites } from "@/data/client";
import type { Found, Loaded, PeopleList, ProfileView, Relation } from "@/data/shapes";
import type { Result } from "@/domain/result";
import { foldText } from "@/domain/search-terms";
import { useClient, whenClient } from "./client-store";
import { forgetFeed } from "./feed";
import { queueWrite, useConnection } from "./outbox";
import { showFailure } from "./toasts";
import { usePager } from "./use-pager";
import { LOADING, useFound, useLoaded, useWatch } from "./use-watch";

export const useProfile = (userId: string): Found<ProfileView> =>
  useFound((reads) => reads.watchProfile(userId), [userId]);

export const useProfileByName = (username: string): Found<ProfileView> =>
  useFound((reads) => reads.watchProfileByName(username), [username]);

/** The small picture of a person; "" while it is not known, and when there is none. */
export function useProfilePicture(userId: string): string {
  const found = useProfile(userId);
  return found.state === "found" ? found.value.profileThumbnailUrl : "";
}

const NO_FACES: Readonly<Record<string, string>> = {};
const ignore = (): void => undefined;

/** The same where many people are on one screen, who are asked for together: see `useAskFaces`. */
export function useFace(userId: string): string {
  const live = useClient()?.reads.watchFaces() ?? null;
  const subscribe = useCallback(
    (onChange: () => void) => (live === null ? ignore : live.subscribe(onChange)),
    [live],
  );
  return useSyncExternalStore(
    subscribe,
    () => (live === null ? NO_FACES : live.getSnapshot())[userId] ?? "",
  );
}

/** Asks for the profiles of those media's owners that are not on this device, in one request. */
export function useAskFaces(items: readonly { userId: string }[]): void {
  const client = useClient();
  const isOnline = useConnection() !== "offline";
  const owners = [...new Set(items.map(({ userId }) => userId))].join(" ");
  // Outside: the server. A connection that is back is worth another try.
  useEffect(() => {
    if (client !== null && isOnline && owners !== "")
      void client.reads.pullFaces(owners.split(" "));
  }, [client, isOnline, owners]);
}

export const useRelation = (userId: string): Loaded<Relation> =>
  useWatch<Loaded<Relation>>(({ reads }) => reads.watchRelation(userId), [userId], LOADING);

const NO_TAGS: readonly string[] = [];

/** The tags that one follows. */
export const useFollowedTags = (): readonly string[] =>
  useWatch<readonly string[]>(({ reads }) => reads.watchFollowedTags(), [], NO_TAGS);

const NO_WORDS: readonly string[] = [];

/** Muted words as they were written, the latest first. */
export const useMutedWords = (): readonly string[] =>
  useWatch<readonly string[]>(({ reads }) => reads.watchMutedWords(), [], NO_WORDS);

export const useUnreadFrom = (userId: string): number =>
  useWatch(({ reads }) => reads.watchUnreadFrom(userId), [userId], 0);

const PEOPLE_STEP = 40;

export function usePeople(list: PeopleList) {
  const { shown, showMore } = usePager({ key: list, step: PEOPLE_STEP });
  const page = useLoaded((reads) => reads.watchPeople(list, shown), [list, shown]);
  return { page, hasMore: page.state === "ready" && page.value.total > shown, showMore };
}

const tellFailure = () => showFailure("people.actionFailed");

export async function setFollowing(userId: string, on: boolean): Promise<void> {
  await queueWrite((to) => (on ? to.followUser(userId) : to.unfollowUser(userId)), tellFailure);
  if (on) void (await whenClient()).reads.pullNewlyFollowed(userId);
}

/** `tag` as it is written, without its sign. */
export async function setFollowingTag(tag: string, on: boolean): Promise<void> {
  await queueWrite((to) => to.followTag(tag, on), tellFailure);
  if (on) void (await whenClient()).reads.pullNewlyFollowed(`#${foldText(tag)}`);
}

async function hide(on: boolean, write: Parameters<typeof queueWrite>[0]): Promise<boolean> {
  const isQueued = await queueWrite(write, tellFailure);
  if (isQueued && on) forgetFeed();
  return isQueued;
}

export const setBlocked = (userId: string, on: boolean) =>
  hide(on, (to) => (on ? to.blockUser(userId) : to.unblockUser(userId)));

export const setMuted = (userId: string, on: boolean) => hide(on, (to) => to.muteUser(userId, on));

export const setWordMuted = (word: string, on: boolean) => hide(on, (to) => to.muteWord(word, on));

/** `queued`: it is kept on this device because the server does not answer. */
export type SavedProfile = Result<null> & { queued: boolean };

export async function saveProfile(
  write: (writes: ClientWrites) => Promise<Result<null>>,
): Promise<SavedProfile> {
  const { writes, connection } = await whenClient();
  const saved = await write(writes);
  return { ...saved, queued: saved.success && connection.getSnapshot() === "offline" };
}
