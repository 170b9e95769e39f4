/** The face of a person, small; "" while it is not known, and when there is none. */
import { useMemo } from "react";
import type { Found, ProfileView } from "@/data/shapes";
import { useClient } from "./client-store";
import { useLive } from "./use-live";

const LOADING: Found<ProfileView> = { state: "loading" };

export function useProfilePicture(userId: string): string {
  const client = useClient();
  const live = useMemo(() => client?.reads.watchProfile(userId) ?? null, [client, userId]);
  const found = useLive(live, LOADING);
  return found.state === "found" ? found.value.profileThumbnailUrl : "";
}
