/** Profiles, relations and lists of people, and what a user does with them. */
import type { ClientWrites } from "@/data/client";
import type { Found, Loaded, PeopleList, ProfileView, Relation } from "@/data/shapes";
import { PROFILE_PICTURE_MAX_BYTES, THUMBNAIL_EDGE, THUMBNAIL_QUALITY } from "@/domain/limits";
import { judgeProfilePicture } from "@/domain/pictures";
import type { Result } from "@/domain/result";
import type { Square } from "@/lib/crop-square";
import { whenClient } from "./client-store";
import { queueWrite } from "./outbox";
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

export const useRelation = (userId: string): Loaded<Relation> =>
  useWatch<Loaded<Relation>>(({ reads }) => reads.watchRelation(userId), [userId], LOADING);

export const useUnreadFrom = (userId: string): number =>
  useWatch(({ reads }) => reads.watchUnreadFrom(userId), [userId], 0);

const PEOPLE_STEP = 40;

export function usePeople(list: PeopleList) {
  const { shown, showMore } = usePager({ key: list, step: PEOPLE_STEP });
  const page = useLoaded((reads) => reads.watchPeople(list, shown), [list, shown]);
  return { page, hasMore: page.state === "ready" && page.value.total > shown, showMore };
}

const tellFailure = () => showFailure("people.actionFailed");

export const setFollowing = (userId: string, on: boolean) =>
  queueWrite((to) => (on ? to.followUser(userId) : to.unfollowUser(userId)), tellFailure);

export const setBlocked = (userId: string, on: boolean) =>
  queueWrite((to) => (on ? to.blockUser(userId) : to.unblockUser(userId)), tellFailure);

/** `queued`: it is kept on this device because the server does not answer. */
export type SavedProfile = Result<null> & { queued: boolean };

export async function saveProfile(
  write: (writes: ClientWrites) => Promise<Result<null>>,
): Promise<SavedProfile> {
  const { writes, connection } = await whenClient();
  const saved = await write(writes);
  return { ...saved, queued: saved.success && connection.getSnapshot() === "offline" };
}

/** Edge of the stored profile picture, pixels, and its JPEG quality. */
const PICTURE_EDGE = 640;
const PICTURE_QUALITY = 0.88;

/** Null if it is no picture, larger than 2 MB, damaged, or not decodable (specification §5). */
export async function openPicture(file: File): Promise<ImageBitmap | null> {
  if (file.size > PROFILE_PICTURE_MAX_BYTES) return null;
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const read = (offset: number, length: number) => bytes.subarray(offset, offset + length);
    if ("code" in judgeProfilePicture(read, bytes.length)) return null;
    return await createImageBitmap(file);
  } catch {
    // The browser cannot decode it, or it was deleted after it was chosen.
    return null;
  }
}

export type CutPicture = { file: Blob; thumbnail: Blob | null };

/** Draws the chosen square without camera data. Null if this browser cannot draw it. */
export async function cutPicture(bitmap: ImageBitmap, square: Square): Promise<CutPicture | null> {
  const edge = Math.min(PICTURE_EDGE, Math.round(square.side));
  const file = await draw(bitmap, square, edge, PICTURE_QUALITY);
  const thumbnail = await draw(bitmap, square, THUMBNAIL_EDGE, THUMBNAIL_QUALITY);
  return file === null ? null : { file, thumbnail };
}

function draw(
  bitmap: ImageBitmap,
  { left, top, side }: Square,
  edge: number,
  quality: number,
): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, edge);
  canvas.height = canvas.width;
  const context = canvas.getContext("2d");
  if (context === null) return Promise.resolve(null);
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, left, top, side, side, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
}
