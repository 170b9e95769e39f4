/**
 * A restored backup takes what was done since. What a device of its author's still held in that moment it must offer
 * again; the rest may be gone, and the ledger forgets it.
 */

import { followId, muteId } from "@/domain/ids";
import type { ChaosDevice } from "./chaos-device";
import { type Held, OF_SUBTITLES } from "./device-orders";
import { Died } from "./died";
import type { Entry, Ledger } from "./ledger";
import type { OperationKind } from "./operations";
import type { Person, World } from "./world";

/** What everybody's devices hold: sealed queues, and what was acknowledged within the last day, too. */
export type Around = ReadonlySet<string>;

/** What an operation becomes in the queue. */
const INTENTS: Partial<Record<OperationKind, readonly string[]>> = {
  upload: ["media.create"],
  "edit-media": ["media.update"],
  subtitles: [OF_SUBTITLES],
  "delete-media": ["media.delete"],
  moderate: ["media.delete"],
  like: ["like.set"],
  "like-comment": ["like.set"],
  save: ["save.set"],
  folder: ["folder.create"],
  "file-save": ["save.move"],
  comment: ["comment.create"],
  "edit-comment": ["comment.edit"],
  "delete-comment": ["comment.delete"],
  follow: ["follow.set"],
  block: ["block.set"],
  mute: ["mute.set"],
  report: ["report.create"],
  "report-person": ["report.send"],
  message: ["message.send", "message.photo"],
  "delete-message": ["message.delete"],
};

export const targetOf = (e: Entry): string =>
  e.messageId || e.commentId || e.mediaId || e.folderId || e.otherId;

const holding = (device: string, userId: string, kind: string, target: string): string =>
  [device, userId, kind, target].join(" ");

const isHeld = (around: Around, e: Entry): boolean =>
  (INTENTS[e.kind] ?? []).some((kind) =>
    around.has(holding(e.device, e.userId, kind, targetOf(e))),
  );

export async function lookAround(
  players: readonly { device: ChaosDevice }[],
  people: readonly Person[],
): Promise<Around> {
  const all = players.map(async ({ device }) => {
    const ids = people.map(({ id }) => id);
    const { rows } = await untilAlive(() => device.ask("held", ids));
    return rows.map(({ userId, kind, target }) => holding(device.name, userId, kind, target));
  });
  return new Set((await Promise.all(all)).flat());
}

/** One that dies while it is asked is asked again when it lives. */
export async function untilAlive<T>(job: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await job();
    } catch (error) {
      if (!(error instanceof Died)) throw error;
    }
  }
}

/** To be called when the restored server is up. */
export async function forgetWhatIsGone(
  world: World,
  ledger: Ledger,
  around: Around,
): Promise<void> {
  const there = await idsOf(world);
  for (const e of ledger.entries) {
    if (stands(e, there)) continue;
    e.shaken = true;
    e.forgotten ||= !isHeld(around, e);
  }
}

async function idsOf({ query }: World): Promise<ReadonlySet<unknown>> {
  const pairs = ["likes", "saves", "follows", "blocks", "reports"];
  const tables = ["media", "comments", "notifications", ...pairs];
  // A follow and a block of the same two people have the same id.
  const all = tables.map((table) => `SELECT '${table} ' || id AS id FROM ${table}`);
  const live = "SELECT 'messages ' || id AS id FROM messages WHERE NOT deleted";
  const rows = await query([...all, live].join(" UNION ALL "));
  return new Set(rows.map(({ id }) => id));
}

/** Whether the restored server has it as it was wanted. */
function stands(e: Entry, there: ReadonlySet<unknown>): boolean {
  switch (e.kind) {
    case "upload":
      return there.has(`media ${e.mediaId}`);
    case "comment":
      return there.has(`comments ${e.commentId}`);
    case "message":
      return there.has(`messages ${e.messageId}`);
    case "hear":
      // Told anew, it is new.
      return there.has(`notifications ${e.newsId}`);
    case "delete-media":
    case "moderate":
      return !there.has(`media ${e.mediaId}`);
    case "delete-comment":
      return !there.has(`comments ${e.commentId}`);
    case "delete-message":
      return !there.has(`messages ${e.messageId}`);
    case "like-comment":
      return there.has(`likes ${e.commentId}_${e.userId}`) === e.on;
    case "save":
      return there.has(`saves ${e.userId}_${e.mediaId}`) === e.on;
    case "folder":
      return there.has(`saves ${e.userId}_${e.folderId}`);
    case "like":
    case "report":
      return there.has(`${e.kind}s ${e.mediaId}_${e.userId}`) === e.on;
    case "report-person":
      return there.has(`reports ${e.otherId}_${e.userId}`);
    case "follow":
      return there.has(`follows ${followId(e.userId, e.otherId)}`) === e.on;
    case "mute":
      return there.has(`blocks ${muteId(e.userId, e.otherId)}`) === e.on;
    case "block":
      return there.has(`blocks ${e.userId}_${e.otherId}`) === e.on;
    default:
      return false;
  }
}

/** Who leaves a device takes along what it kept for him; what it could not offer again by then is gone. */
export function forgetWhatIsLeft(ledger: Ledger, device: string, rows: readonly Held[]): void {
  const kept = new Set(
    rows
      .filter(({ state }) => state === "kept")
      .map(({ userId, kind, target }) => holding(device, userId, kind, target)),
  );
  for (const e of ledger.entries) e.forgotten ||= isHeld(kept, e);
}
