/** Liking a medium or a comment; visitors are led to the login (specification §6). */
import { useState, useSyncExternalStore } from "react";
import type { MediaView } from "@/data/shapes";
import { pendingWrites } from "./client-store";
import { queueWrite } from "./outbox";
import { usePreferences } from "./preferences";
import { currentUser, useToLogin } from "./session";
import { showFailure } from "./toasts";

/** The tap shows until the write is queued, and the outbox's overlay from then on. */
async function setLike({ id, mediaId }: Likeable, on: boolean): Promise<void> {
  const end = pendingWrites.tap(id, on);
  await queueWrite(
    ({ setLike: like, setCommentLike }) =>
      (mediaId === undefined ? like(id, on) : setCommentLike(mediaId, id, on)).finally(end),
    () => showFailure("media.likeFailed"),
  );
}

/** A medium, or a comment on one. */
export type Likeable = Pick<MediaView, "id" | "liked" | "likes"> & { mediaId?: string };

/** Felt, not heard. */
export const BUZZ_MS = 15;

/** The like of the signed-in user. `fresh`: just liked by a tap, which is animated. */
export function useLike(media: Likeable) {
  const { id } = media;
  const wanted = useSyncExternalStore(pendingWrites.subscribe, () => pendingWrites.wanted(id));
  const tapped = useSyncExternalStore(pendingWrites.subscribe, () => pendingWrites.tapped(id));
  const liked = wanted ?? media.liked;
  const [fresh, setFresh] = useState(false);
  // The tap ends with its write; the movement that it began must not.
  if (tapped === true && !fresh) setFresh(true);
  if (!liked && fresh) setFresh(false);
  const toLogin = useToLogin();
  const set = (on: boolean) => {
    if (currentUser() === null) toLogin();
    else void setLike(media, on);
  };
  const toggle = () => set(!liked);
  // A double tap never removes a like.
  const like = () => {
    const isFelt = usePreferences.getState().vibrates && !liked && currentUser() !== null;
    if (isFelt) navigator.vibrate?.(BUZZ_MS);
    set(true);
  };
  // With the user's own pending like counted in.
  const count = Math.max(0, media.likes + Number(liked) - Number(media.liked));
  return { liked, count, fresh, toggle, like };
}
