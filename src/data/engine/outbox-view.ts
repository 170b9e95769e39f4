/** The queue as the person sees it. Pure: rows and what is known about the moment come in. */

import { combineLatest, distinctUntilChanged, map, type Observable, of, switchMap } from "rxjs";
import type { MediaRow } from "@/data/media/row";
import type { ProfileRow } from "@/data/people/row";
import { profileView } from "@/data/people/views";
import type { IntentView, OutboxView } from "@/data/shapes";
import { type Intent, parseIntent } from "./intents";
import type { OutboxRow } from "./outbox-row";
import { markOf, type OverlayContext } from "./overlay";
import type { Replica } from "./store";

export interface OutboxFacts {
  context: OverlayContext;
  userId: string;
  subjects: ReadonlyMap<string, Subject>;
  /** Address of a queued file, or "". */
  blobUrl: (key: string) => string;
}

export function outboxView(rows: readonly OutboxRow[], facts: OutboxFacts): OutboxView {
  const items = rows
    .filter((row) => row.state !== "acked" && row.kind !== "view.record")
    .map((row) => intentView(row, facts));
  return {
    ready: true,
    failed: false,
    items,
    waiting: items.filter((item) => item.state !== "refused").length,
    refused: items.filter((item) => item.state === "refused").length,
    bytes: rows.reduce((sum, row) => sum + (row.state === "acked" ? 0 : row.bytes), 0),
  };
}

function intentView(row: OutboxRow, facts: OutboxFacts): IntentView {
  const { context, userId, subjects, blobUrl } = facts;
  const intent = parseIntent(row);
  const { state, progress, code } = markOf(row, context);
  const subject = intent === null ? undefined : subjects.get(subjectId(intent, userId));
  return {
    id: row.id,
    kind: row.kind,
    state,
    held: row.state === "paused",
    undoes: intent !== null && "on" in intent.body && !intent.body.on,
    thumbnailUrl: (intent === null ? "" : pictureOf(intent, blobUrl)) || (subject?.picture ?? ""),
    label: intent === null ? "" : labelOf(intent),
    about: subject?.name ?? "",
    createdAt: row.createdAt,
    attempts: row.attempts,
    progress,
    bytes: row.bytes,
    code,
    message: row.message,
  };
}

function pictureOf(intent: Intent, blobUrl: (key: string) => string): string {
  if (intent.kind === "message.photo") {
    return blobUrl(intent.body.files.thumbnail) || blobUrl(intent.body.files.file);
  }
  if (intent.kind !== "media.create") return "";
  const { files, type } = intent.body;
  return blobUrl(files.thumbnail) || (type === "photo" ? blobUrl(files.file) : "");
}

function labelOf(intent: Intent): string {
  switch (intent.kind) {
    case "media.create":
      return intent.body.caption || intent.body.originalFilename;
    case "comment.create":
    case "message.send":
    case "message.photo":
      return intent.body.text;
    case "report.create":
      return intent.body.reason;
    case "media.update":
      return intent.body.changes.caption ?? "";
    case "profile.update":
      return intent.body.changes.username ?? "";
    default:
      return "";
  }
}

/** What queued actions are about, as this device knows it: the medium that is liked, the person who is followed or written to. */

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
