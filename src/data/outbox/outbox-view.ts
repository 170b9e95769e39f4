/** The queue as the person sees it. Pure: rows and what is known about the moment come in. */
import type { IntentView, OutboxView } from "@/data/client-api";
import type { OutboxRow } from "@/data/schema/outbox";
import { type Intent, parseIntent } from "./intents";
import { markOf, type OverlayContext } from "./read-overlay";
import { type Subject, subjectId } from "./watch-subjects";

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
