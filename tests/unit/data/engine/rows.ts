/** Made-up outbox rows and media rows. */

import type { Intent } from "@/data/engine/noun";
import type { OutboxRow } from "@/data/engine/outbox-row";
import { type MediaRow, mediaRow } from "@/data/media/row";
import { NOUNS } from "@/data/nouns";

let places = 0;

export function outboxRow(intent: Intent, change: Partial<OutboxRow> = {}): OutboxRow {
  places += 1;
  const { lane, target } = NOUNS.kindOf(intent);
  return {
    id: `intent${String(places).padStart(9, "0")}`,
    kind: intent.kind,
    lane: lane(intent.body),
    target: target(intent.body),
    state: "pending",
    body: intent.body as unknown as Record<string, unknown>,
    place: places,
    createdAt: 1_000,
    attempts: 0,
    nextAt: 0,
    spent: 0,
    bytes: 0,
    code: "",
    message: "",
    ...change,
  };
}

export function media(id: string, change: Record<string, unknown> = {}): MediaRow {
  const row = mediaRow({
    id,
    userId: "owner0000000000",
    username: "ann",
    file: "a.jpg",
    type: "photo",
    createdAt: 1_700_000_000_000,
    seq: 1,
    ...change,
  });
  if (row === null) throw new Error("not a medium");
  return row;
}

export function created(mediaId: string, change: Record<string, unknown> = {}): Intent {
  return {
    kind: "media.create",
    body: {
      mediaId,
      userId: "me0000000000000",
      username: "me",
      caption: "",
      tags: [],
      alt: "",
      type: "photo",
      contentType: "image/jpeg",
      originalFilename: "a.jpg",
      width: 1,
      height: 1,
      duration: 0,
      thumbhash: "",
      fileSize: 3,
      files: { file: `${mediaId}/file`, thumbnail: "", preview: "" },
      ...change,
    },
  };
}
