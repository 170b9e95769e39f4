/** Liking a medium, for whoever is signed in; visitors are led to the login (specification §6). */
import { useCallback, useSyncExternalStore } from "react";
import type { MediaView } from "@/data/shapes";
import { whenClient } from "./client-store";
import { createLikes } from "./likes";
import { currentUser, useToLogin } from "./session";
import { showToast } from "./toasts";

/** Generous for the way of a write through the outbox to the screen, milliseconds. */
const CATCH_UP_MS = 1_500;

const likes = createLikes({
  write: async (mediaId, liked) => {
    const answer = await (await whenClient()).writes.setLike(mediaId, liked);
    if (!answer.success) showToast({ title: { key: "media.likeFailed" }, variant: "destructive" });
    return answer.success;
  },
  caughtUp: () => new Promise((resolve) => setTimeout(resolve, CATCH_UP_MS)),
});

export interface LikeControl {
  liked: boolean;
  /** With the person's own wish counted in. */
  count: number;
  /** Just wished for: worth a little movement. */
  fresh: boolean;
  toggle: () => void;
  /** Only ever on: what a double tap does. */
  like: () => void;
}

export function useLike(media: Pick<MediaView, "id" | "liked" | "likes">): LikeControl {
  const { id } = media;
  const wish = useSyncExternalStore(likes.subscribe, () => likes.wish(id));
  const toLogin = useToLogin();
  const liked = wish ?? media.liked;
  const count = Math.max(0, media.likes + Number(liked) - Number(media.liked));
  const set = useCallback(
    (on: boolean) => {
      if (currentUser() === null) toLogin();
      else likes.set(id, on);
    },
    [toLogin, id],
  );
  const toggle = useCallback(() => set(!liked), [set, liked]);
  const like = useCallback(() => set(true), [set]);
  return { liked, count, fresh: wish === true, toggle, like };
}
