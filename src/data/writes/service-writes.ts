/** The specification's writes by name (§7). What can wait becomes an intent; what needs an answer asks for one. */

import type { ClientWrites } from "@/data/client-api";
import type { Intent } from "@/data/outbox/intents";
import { toFailure } from "@/data/remote/failures";
import { served, servedOne } from "@/data/served";
import type { ClientService, ProfileChanges } from "@/data/service-api";
import type { ErrorCode } from "@/domain/error-codes";
import { newId } from "@/domain/ids";
import { BIO_MAX, COMMENT_MAX, PROFILE_PICTURE_MAX_BYTES, REASON_MAX } from "@/domain/limits";
import { judgeProfilePicture, profilePictureText } from "@/domain/profile-pictures";
import { failed, ok, type Result } from "@/domain/result";
import { isBlank } from "@/domain/texts";
import { usernameFault } from "@/domain/usernames";
import { signedIn, type WritesDeps } from "./create-writes";
import { enqueueFor } from "./enqueue-for";

type Writes = Pick<
  ClientService,
  | "addComment"
  | "deleteComment"
  | "likeMedia"
  | "unlikeMedia"
  | "deleteMedia"
  | "recordView"
  | "reportMedia"
  | "followUser"
  | "unfollowUser"
  | "blockUser"
  | "unblockUser"
  | "updateProfile"
  | "deleteProfilePicture"
  | "saveSettings"
>;

export function createServiceWrites(deps: WritesDeps, writes: ClientWrites): Writes {
  const asUser = async (intent: (userId: string) => Intent) => {
    const user = signedIn(deps.shared);
    return served(
      user === null ? failed("unauthenticated") : await enqueueFor(deps, intent(user.id)),
    );
  };
  const pair = (kind: "follow.set" | "block.set", otherId: string, on: boolean) => {
    if (signedIn(deps.shared)?.id === otherId) return Promise.resolve(served(failed("self")));
    return asUser((userId) => ({ kind, body: { userId, otherId, on } }));
  };
  return {
    addComment: async (mediaId, text) => servedOne(await addComment(deps, mediaId, text)),
    deleteComment: (mediaId, commentId) =>
      asUser(() => ({ kind: "comment.delete", body: { mediaId, commentId } })),
    likeMedia: async (mediaId) => served(await writes.setLike(mediaId, true)),
    unlikeMedia: async (mediaId) => served(await writes.setLike(mediaId, false)),
    deleteMedia: async (mediaId) => served(await writes.deleteMedia(mediaId)),
    recordView: async (mediaId) => served(await writes.recordView(mediaId)),
    async reportMedia(mediaId, text) {
      const reason = text.trim();
      if (isBlank(reason)) return served(failed("text_empty"));
      if (reason.length > REASON_MAX) return served(failed("text_long"));
      return asUser((userId) => ({ kind: "report.create", body: { mediaId, userId, reason } }));
    },
    followUser: (userId) => pair("follow.set", userId, true),
    unfollowUser: (userId) => pair("follow.set", userId, false),
    async blockUser(userId) {
      const blocked = await pair("block.set", userId, true);
      // The server ends the follow with the block; the queue must not bring it back.
      return blocked.success ? pair("follow.set", userId, false) : blocked;
    },
    unblockUser: (userId) => pair("block.set", userId, false),
    updateProfile: async (changes) => served(await updateProfile(deps, changes)),
    deleteProfilePicture: async () => served(await sendProfile(deps, {}, "delete")),
    saveSettings: async (id, content, revision) =>
      served(
        await saveSettings(deps, id, { content, ...(revision === undefined ? {} : { revision }) }),
      ),
  };
}

async function addComment(
  deps: WritesDeps,
  mediaId: string,
  text: string,
): Promise<Result<{ commentId: string }>> {
  const user = signedIn(deps.shared);
  if (user === null) return failed("unauthenticated");
  const trimmed = text.trim();
  if (isBlank(trimmed)) return failed("text_empty");
  if (trimmed.length > COMMENT_MAX) return failed("text_long");
  const commentId = newId(deps.shared.deps.random);
  const { id: userId, username } = user;
  const body = { commentId, mediaId, userId, username, text: trimmed };
  const queued = await enqueueFor(deps, { kind: "comment.create", body });
  return queued.success ? ok({ commentId }) : queued;
}

async function updateProfile(deps: WritesDeps, changes: ProfileChanges): Promise<Result<null>> {
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

/** Asked at once, so that a taken name is told where it was typed; only without an answer does it wait. */
async function sendProfile(
  deps: WritesDeps,
  changes: ProfileChanges,
  picture: "" | "delete",
): Promise<Result<null>> {
  const user = signedIn(deps.shared);
  if (user === null) return failed("unauthenticated");
  const form = new FormData();
  if (changes.username !== undefined) form.set("username", changes.username);
  if (changes.bio !== undefined) form.set("bio", changes.bio);
  if (changes.picture !== undefined) form.set("profilePicture", changes.picture.file);
  if (changes.picture?.thumbnail) form.set("profileThumbnail", changes.picture.thumbnail);
  if (picture === "delete") {
    form.set("profilePicture", "");
    form.set("profileThumbnail", "");
  }
  const answer = await deps.shared.remote.request(`/api/collections/users/records/${user.id}`, {
    method: "PATCH",
    body: form,
  });
  if (answer.kind === "accepted") {
    await deps.shared.auth.refresh();
    return ok(null);
  }
  return answer.kind === "unknown"
    ? queueProfile(deps, user.id, changes, picture)
    : toFailure(answer);
}

async function queueProfile(
  deps: WritesDeps,
  userId: string,
  changes: ProfileChanges,
  picture: "" | "delete",
): Promise<Result<null>> {
  const key = `profile/${newId(deps.shared.deps.random)}`;
  const blobs = new Map<string, Blob>();
  if (changes.picture) blobs.set(`${key}/picture`, changes.picture.file);
  if (changes.picture?.thumbnail) blobs.set(`${key}/thumbnail`, changes.picture.thumbnail);
  const { username, bio } = changes;
  const body = {
    userId,
    changes: {
      ...(username === undefined ? {} : { username }),
      ...(bio === undefined ? {} : { bio }),
    },
    picture: blobs.has(`${key}/picture`) ? `${key}/picture` : picture,
    thumbnail: blobs.has(`${key}/thumbnail`) ? `${key}/thumbnail` : picture,
  };
  const intent: Intent = { kind: "profile.update", body };
  const result = await enqueueFor(deps, intent, blobs);
  return result.success ? ok(null) : result;
}

async function saveSettings(
  { shared }: WritesDeps,
  id: string,
  body: { content: string; revision?: number },
): Promise<Result<null>> {
  const answer = await shared.remote.request(`/api/collections/settings/records/${id}`, {
    method: "PATCH",
    body,
  });
  return answer.kind === "accepted" ? ok(null) : toFailure(answer);
}
