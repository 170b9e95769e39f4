/** People as screens see them: profiles, how one stands to them, lists of one's own, and what one may do. */
import { useMemo } from "react";
import type { Served } from "@/data/service-api";
import type { Found, Loaded, PeopleList, PeoplePage, ProfileView, Relation } from "@/data/shapes";
import { useClient, useClientState, whenClient } from "./client-store";
import { showToast } from "./toasts";
import { useLive } from "./use-live";

const LOADING: { state: "loading" } = { state: "loading" };
const FAILED: { state: "failed"; code: "network" } = { state: "failed", code: "network" };

/** Without the client's own chunk nobody can be looked up. */
function useFound(live: ReturnType<typeof useProfileLive>): Found<ProfileView> {
  const broken = useClientState().state === "failed";
  const found = useLive<Found<ProfileView>>(live, LOADING);
  return broken ? { state: "unreachable", code: "network" } : found;
}

function useProfileLive(key: string, by: "id" | "name") {
  const client = useClient();
  return useMemo(() => {
    if (client === null) return null;
    return by === "id" ? client.reads.watchProfile(key) : client.reads.watchProfileByName(key);
  }, [client, key, by]);
}

export const useProfile = (userId: string): Found<ProfileView> =>
  useFound(useProfileLive(userId, "id"));

export const useProfileByName = (username: string): Found<ProfileView> =>
  useFound(useProfileLive(username, "name"));

export function useRelation(userId: string): Loaded<Relation> {
  const client = useClient();
  const live = useMemo(() => client?.reads.watchRelation(userId) ?? null, [client, userId]);
  return useLive<Loaded<Relation>>(live, LOADING);
}

export function usePeople(list: PeopleList, limit: number): Loaded<PeoplePage> {
  const client = useClient();
  const broken = useClientState().state === "failed";
  const live = useMemo(() => client?.reads.watchPeople(list, limit) ?? null, [client, list, limit]);
  const people = useLive<Loaded<PeoplePage>>(live, LOADING);
  return broken ? FAILED : people;
}

export function useUnreadFrom(userId: string): number {
  const client = useClient();
  const live = useMemo(() => client?.reads.watchUnreadFrom(userId) ?? null, [client, userId]);
  return useLive(live, 0);
}

/** Each is queued; success says that it is safe on this device. A failure has been told by then. */
export const setFollowing = async (userId: string, on: boolean): Promise<Served> => {
  const { service } = await whenClient();
  return tellFailure(await (on ? service.followUser(userId) : service.unfollowUser(userId)));
};

export const setBlocked = async (userId: string, on: boolean): Promise<Served> => {
  const { service } = await whenClient();
  return tellFailure(await (on ? service.blockUser(userId) : service.unblockUser(userId)));
};

function tellFailure(kept: Served): Served {
  if (!kept.success) showToast({ title: { key: "people.actionFailed" }, variant: "destructive" });
  return kept;
}

export const openConversation = async (userId: string) =>
  (await whenClient()).service.createOrGetConversation(userId);
