/**
 * What the person wants of a heart, between the tap and the moment when the outbox's overlay shows it (two frames, or
 * more on a busy device). It only bridges that gap: the outbox is the truth, and each wish is dropped soon after its
 * write. One write of a medium at a time, and only the last wish is written.
 */
export interface Likes {
  subscribe: (onChange: () => void) => () => void;
  /** What is wanted of it; undefined where the overlay says it already. */
  wish: (mediaId: string) => boolean | undefined;
  set: (mediaId: string, liked: boolean) => void;
}

interface LikesDeps {
  /** Queues it; false when that failed. */
  write: (mediaId: string, liked: boolean) => Promise<boolean>;
  /** Resolves when the overlay has surely caught up with a write. */
  caughtUp: () => Promise<void>;
}

export function createLikes({ write, caughtUp }: LikesDeps): Likes {
  const wishes = new Map<string, boolean>();
  const writing = new Set<string>();
  const watchers = new Set<() => void>();
  const tell = () => {
    for (const watcher of [...watchers]) watcher();
  };
  const settle = async (mediaId: string) => {
    if (writing.has(mediaId)) return;
    writing.add(mediaId);
    let written: boolean | undefined;
    while (wishes.get(mediaId) !== written) {
      written = wishes.get(mediaId);
      const stands = written === undefined || (await write(mediaId, written).catch(() => false));
      if (!stands && wishes.get(mediaId) === written) wishes.delete(mediaId);
    }
    writing.delete(mediaId);
    tell();
    await caughtUp();
    if (writing.has(mediaId) || wishes.get(mediaId) !== written) return;
    wishes.delete(mediaId);
    tell();
  };
  return {
    subscribe(onChange) {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
    wish: (mediaId) => wishes.get(mediaId),
    set(mediaId, liked) {
      wishes.set(mediaId, liked);
      tell();
      void settle(mediaId);
    },
  };
}
