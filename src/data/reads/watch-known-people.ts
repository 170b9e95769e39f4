/** Whom this device has met: those whose profile is here, and the authors of the newest media. */
import { combineLatest, map, type Observable, of } from "rxjs";
import type { KnownPerson } from "@/data/chat-api";
import type { Scope } from "@/data/open-scope";
import type { MediaRow } from "@/data/schema/media";
import type { ProfileRow } from "@/data/schema/profiles";
import { profileView } from "./profile-view";
import { blockedIds$ } from "./watch-feed";

/** Newest media whose authors are offered. */
const MEDIA = 300;

export function watchKnownPeople(
  scope: Scope,
  address: (path: string) => string,
): Observable<KnownPerson[]> {
  const { replica, userId } = scope;
  if (userId === null) return of([]);
  const authors$ = replica.media
    .find({ sort: [{ sortKey: "asc" }, { id: "asc" }], index: ["sortKey", "id"], limit: MEDIA })
    .$.pipe(map((docs) => docs.map((doc) => doc.toJSON() as MediaRow)));
  const profiles$ = replica.profiles
    .find()
    .$.pipe(map((docs) => docs.map((doc) => doc.toJSON() as ProfileRow)));
  return combineLatest([profiles$, authors$, blockedIds$(scope)]).pipe(
    map(([profiles, authors, blocked]) => {
      const known = new Map<string, KnownPerson>();
      for (const { userId: id, username } of authors) {
        known.set(id, { id, username, thumbnailUrl: "" });
      }
      for (const row of profiles) {
        const { id, username, profileThumbnailUrl, isBlocked } = profileView(row, address);
        if (isBlocked) known.delete(id);
        else known.set(id, { id, username, thumbnailUrl: profileThumbnailUrl });
      }
      for (const id of [userId, ...blocked]) known.delete(id);
      return [...known.values()].sort((a, b) => a.username.localeCompare(b.username));
    }),
  );
}
