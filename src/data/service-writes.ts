/** The specification's writes by name (§7). What can wait becomes an intent; what needs an answer asks for one. */

import { firstValueFrom } from "rxjs";
import { newId, pairId } from "@/domain/ids";
import { COMMENT_MAX, REASON_MAX } from "@/domain/limits";
import { failed, ok, type Result } from "@/domain/result";
import { isBlank } from "@/domain/texts";
import type { ClientWrites } from "./client";
import { toFailure } from "./engine/answers";
import type { Intent } from "./engine/intents";
import { enqueueFor, signedIn, type WritesDeps } from "./media/intents";
import { deleteProfilePicture, updateProfile } from "./people/intents";
import type { ClientService } from "./service-api";
import { served, servedOne } from "./service-reads";

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
      if (blocked.success && (await isFollowedHere(deps, userId))) {
        return pair("follow.set", userId, false);
      }
      return blocked;
    },
    unblockUser: (userId) => pair("block.set", userId, false),
    updateProfile: async (changes) => served(await updateProfile(deps, changes)),
    deleteProfilePicture: async () => served(await deleteProfilePicture(deps)),
    saveSettings: async (id, content, revision) =>
      served(
        await saveSettings(deps, id, { content, ...(revision === undefined ? {} : { revision }) }),
      ),
  };
}

/** By what this device has or has yet to send, without asking the server. */
async function isFollowedHere(deps: WritesDeps, otherId: string): Promise<boolean> {
  const { replica, overlay$, userId } = await deps.scope();
  if (userId === null) return false;
  const wanted = (await firstValueFrom(overlay$)).follows.get(otherId);
  return wanted ?? (await replica.follows.findOne(pairId(userId, otherId)).exec()) !== null;
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
