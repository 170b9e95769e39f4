/** What queued actions are about, as this device knows it: the medium that is liked, the person who is followed or written to. */
import { combineLatest, distinctUntilChanged, map, type Observable, of, switchMap } from "rxjs";
import { profileView } from "@/data/reads/profile-view";
import type { Replica } from "@/data/replica/open-replica";
import type { MediaRow } from "@/data/schema/media";
import type { OutboxRow } from "@/data/schema/outbox";
import type { ProfileRow } from "@/data/schema/profiles";
import { type Intent, parseIntent } from "./intents";

export interface Subject {
  /** Caption or name; "" where there is none. */
  name: string;
  /** Path or address of a picture, or "". */
  picture: string;
}

interface Watched {
  rows$: Observable<readonly OutboxRow[]>;
  replica: Pick<Replica, "media" | "profiles">;
  userId: string | null;
}

const NONE: ReadonlyMap<string, Subject> = new Map();

/** By the id of the medium or person, as {@link subjectId} names it. What this device never saw is missing. */
export function watchSubjects(
  { rows$, replica, userId }: Watched,
  address: (path: string) => string,
): Observable<ReadonlyMap<string, Subject>> {
  return rows$.pipe(
    map((rows) => [...new Set(rows.map((row) => idOfRow(row, userId)))].sort()),
    distinctUntilChanged((a, b) => a.join() === b.join()),
    switchMap((all) => {
      const ids = all.filter((id) => id !== "");
      if (ids.length === 0) return of(NONE);
      return combineLatest([
        replica.media.findByIds(ids).$,
        replica.profiles.findByIds(ids).$,
      ]).pipe(
        map(([media, people]) => {
          const subjects = new Map<string, Subject>();
          for (const [id, doc] of media) {
            const { caption, thumbnailUrl } = doc.toJSON() as MediaRow;
            subjects.set(id, { name: caption, picture: address(thumbnailUrl) });
          }
          for (const [id, doc] of people) {
            const person = profileView(doc.toJSON() as ProfileRow, address);
            subjects.set(id, { name: person.username, picture: person.profileThumbnailUrl });
          }
          return subjects;
        }),
      );
    }),
  );
}

function idOfRow(row: OutboxRow, userId: string | null): string {
  const intent = parseIntent(row);
  return intent === null ? "" : subjectId(intent, userId ?? "");
}

/** Of the medium or the other person that an intent is about; "" where it is about nothing but itself. */
export function subjectId({ kind, body }: Intent, userId: string): string {
  switch (kind) {
    case "media.create":
    case "profile.update":
      return "";
    case "follow.set":
    case "block.set":
      return body.otherId;
    default:
      if ("mediaId" in body) return body.mediaId;
      return body.conversationId.split("_").find((id) => id !== userId) ?? "";
  }
}
