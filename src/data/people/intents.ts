/** Changes of one's own profile: queued like everything, and waited for a moment, so that a taken name is told where it was typed. */

import { combineLatest, filter, firstValueFrom, map } from "rxjs";
import type { IntentBodies } from "@/data/engine/intents";
import { dropIntents } from "@/data/engine/outbox";
import type { OutboxRow } from "@/data/engine/outbox-row";
import type { OverlayContext } from "@/data/engine/overlay";
import { enqueueFor, signedIn, type WritesDeps } from "@/data/media/intents";
import type { ProfileChanges } from "@/data/service-api";
import type { ErrorCode } from "@/domain/error-codes";
import { newId } from "@/domain/ids";
import { BIO_MAX, PROFILE_PICTURE_MAX_BYTES } from "@/domain/limits";
import { judgeProfilePicture, profilePictureText } from "@/domain/profile-pictures";
import { failed, ok, type Result } from "@/domain/result";
import { usernameFault } from "@/domain/usernames";

/** Success: the server has it, or it waits for the server. A refusal leaves nothing in the queue. */
export async function updateProfile(
  deps: WritesDeps,
  changes: ProfileChanges,
): Promise<Result<null>> {
  const { username, bio } = changes;
  if (username === undefined && bio === undefined && changes.picture === undefined) return ok(null);
  const fault = username === undefined ? null : usernameFault(username);
  if (fault !== null) return failed(fault);
  if (bio !== undefined && bio.length > BIO_MAX) return failed("text_long");
  const picture = changes.picture === undefined ? null : await pictureFault(changes.picture.file);
  if (picture !== null) return failed(picture, profilePictureText(picture));
  return sendProfile(deps, changes, "");
}

async function pictureFault(file: Blob): Promise<ErrorCode | null> {
  if (file.size > PROFILE_PICTURE_MAX_BYTES) return "too_large";
  const bytes = new Uint8Array(await file.arrayBuffer());
  const read = (offset: number, length: number) => bytes.subarray(offset, offset + length);
  const judged = judgeProfilePicture(read, bytes.length);
  return "code" in judged ? judged.code : null;
}

export const deleteProfilePicture = (deps: WritesDeps): Promise<Result<null>> =>
  sendProfile(deps, {}, "delete");

async function sendProfile(
  deps: WritesDeps,
  { username, bio, picture }: ProfileChanges,
  none: "" | "delete",
): Promise<Result<null>> {
  const user = signedIn(deps.shared);
  if (user === null) return failed("unauthenticated");
  const key = `profile/${newId(deps.shared.deps.random)}`;
  const blobs = new Map<string, Blob>();
  if (picture) blobs.set(`${key}/picture`, picture.file);
  if (picture?.thumbnail) blobs.set(`${key}/thumbnail`, picture.thumbnail);
  const body: IntentBodies["profile.update"] = {
    userId: user.id,
    changes: {
      ...(username === undefined ? {} : { username }),
      ...(bio === undefined ? {} : { bio }),
    },
    picture: blobs.has(`${key}/picture`) ? `${key}/picture` : none,
    thumbnail: blobs.has(`${key}/thumbnail`) ? `${key}/thumbnail` : none,
  };
  const queued = await enqueueFor(deps, { kind: "profile.update", body }, blobs);
  return queued.success ? firstOutcome(deps, queued.value.intentId) : queued;
}

/** What becomes of an intent while the person looks on. */

/** Longer than that nobody looks on: it is queued like anything else. */
const PATIENCE_MS = 10_000;

/** Success: the server has it, or it waits. What is refused in that time is told here and leaves the queue. */
export async function firstOutcome(
  { shared, scope }: WritesDeps,
  intentId: string,
): Promise<Result<null>> {
  const { replica, device, context$ } = await scope();
  const patience = new AbortController();
  const settled = firstValueFrom(
    combineLatest([replica.outbox.findOne(intentId).$, context$]).pipe(
      map(([doc, context]) => ({
        row: doc === null ? null : (doc.toJSON() as OutboxRow),
        context,
      })),
      filter(({ row, context }) => row === null || isSettled(row, context)),
    ),
  );
  const waited = shared.deps.delay(PATIENCE_MS, patience.signal).then(() => ({ row: null }));
  const { row } = await Promise.race([settled, waited]);
  patience.abort();
  if (row?.state !== "refused") return ok(null);
  await dropIntents(replica, device, [row]);
  return failed(row.code === "" ? "invalid" : row.code, row.message);
}

/** It has left the device, was refused, or will not be tried for a while. */
function isSettled(row: OutboxRow, { offline, needsLogin }: OverlayContext): boolean {
  if (row.state === "sending") return false;
  return row.state !== "pending" || offline || needsLogin || row.attempts > 0;
}
