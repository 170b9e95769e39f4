/** The queue as the person sees it. Pure: rows and what is known about the moment come in. */
import type { IntentView, OutboxView } from "@/data/client-api";
import type { OutboxRow } from "@/data/schema/outbox";
import { type Intent, parseIntent } from "./intents";
import { markOf, type OverlayContext } from "./read-overlay";

export function outboxView(
  rows: readonly OutboxRow[],
  context: OverlayContext,
  blobUrl: (key: string) => string,
): OutboxView {
  const items = rows
    .filter((row) => row.state !== "acked" && row.kind !== "view.record")
    .map((row) => intentView(row, context, blobUrl));
  return {
    ready: true,
    failed: false,
    items,
    waiting: items.filter((item) => item.state !== "refused").length,
    refused: items.filter((item) => item.state === "refused").length,
    bytes: rows.reduce((sum, row) => sum + (row.state === "acked" ? 0 : row.bytes), 0),
  };
}

function intentView(
  row: OutboxRow,
  context: OverlayContext,
  blobUrl: (key: string) => string,
): IntentView {
  const intent = parseIntent(row);
  const { state, progress, code } = markOf(row, context);
  return {
    id: row.id,
    kind: row.kind,
    state,
    held: row.state === "paused",
    thumbnailUrl: intent === null ? "" : pictureOf(intent, blobUrl),
    label: intent === null ? "" : labelOf(intent),
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
