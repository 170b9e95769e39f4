/**
 * The writes of the client: each becomes an intent on this device, and the screen shows it at once. Asking a
 * person who is not signed in to sign in is the screen's; here it is refused.
 */
import type { ClientWrites, MediaChanges, Queued, UploadDraft } from "@/data/client";
import type { Intent } from "@/data/engine/intents";
import { dropUnsentUpload, enqueueIntent } from "@/data/engine/outbox";
import { makeRoom } from "@/data/engine/room";
import type { Scope, Shared } from "@/data/engine/scope";
import type { PreparedMedia, SessionUser } from "@/data/shapes";
import type { ErrorCode } from "@/domain/error-codes";
import { newId } from "@/domain/ids";
import { ALT_MAX, CAPTION_MAX } from "@/domain/limits";
import { failed, ok, type Result } from "@/domain/result";
import { tagsFault } from "@/domain/tags";

export interface WritesDeps {
  shared: Shared;
  /** The open scope, once there is one. */
  scope: () => Promise<Scope>;
}

export function createWrites(deps: WritesDeps): ClientWrites {
  const { shared } = deps;
  /** One per client: a visitor's views are counted once a session. */
  const viewSession = newId(shared.deps.random);
  return {
    uploadMedia: (draft) => uploadMedia(deps, draft),
    async updateMedia(mediaId, changes) {
      if (signedIn(shared) === null) return failed("unauthenticated");
      const fault = changesFault(changes);
      if (fault !== null) return failed(fault);
      return enqueueFor(deps, { kind: "media.update", body: { mediaId, changes } });
    },
    async deleteMedia(mediaId) {
      if (signedIn(shared) === null) return failed("unauthenticated");
      const { replica, device } = await deps.scope();
      const unsent = await dropUnsentUpload(replica, device, mediaId);
      const result =
        unsent === "dropped"
          ? ok<Queued>({ intentId: null })
          : await enqueueFor(deps, { kind: "media.delete", body: { mediaId } });
      if (result.success) shared.emit({ type: "media-deleted", mediaId });
      return result;
    },
    async setLike(mediaId, on) {
      const user = signedIn(shared);
      if (user === null) return failed("unauthenticated");
      return enqueueFor(deps, { kind: "like.set", body: { mediaId, userId: user.id, on } });
    },
    recordView: (mediaId) =>
      enqueueFor(deps, { kind: "view.record", body: { mediaId, session: viewSession } }),
  };
}

export function signedIn({ auth }: Shared): SessionUser | null {
  const session = auth.session.getSnapshot();
  return session.state === "signed-in" ? session.user : null;
}

function draftFault(draft: UploadDraft): ErrorCode | null {
  return draft.media.file.size === 0 ? "file_empty" : changesFault(draft);
}

function changesFault({ caption = "", tags = [], alt = "" }: MediaChanges): ErrorCode | null {
  if ([...caption].length > CAPTION_MAX) return "caption_long";
  if ([...alt].length > ALT_MAX) return "text_long";
  return tagsFault(tags);
}

async function uploadMedia(
  deps: WritesDeps,
  draft: UploadDraft,
): Promise<Result<{ mediaId: string; intentId: string }>> {
  const { shared } = deps;
  const user = signedIn(shared);
  if (user === null) return failed("unauthenticated");
  const fault = draftFault(draft);
  if (fault !== null) return failed(fault);
  const scope = await deps.scope();
  // Between the question and here another user may have signed in.
  if (scope.userId !== user.id) return failed("canceled");
  const mediaId = newId(shared.deps.random);
  const { files, blobs } = filesOf(mediaId, draft.media);
  const { file, thumbnail, preview, ...about } = draft.media;
  const intent: Intent = {
    kind: "media.create",
    body: {
      ...about,
      mediaId,
      userId: user.id,
      username: user.username,
      caption: draft.caption,
      tags: draft.tags,
      alt: draft.alt ?? "",
      fileSize: file.size,
      files,
    },
  };
  const result = await enqueueFor({ shared, scope: async () => scope }, intent, blobs);
  if (!result.success) return result;
  shared.emit({ type: "mediaUpdated", mediaId });
  return ok({ mediaId, intentId: result.value.intentId });
}

/** A key in the device store for each file that there is. */
function filesOf(mediaId: string, { file, thumbnail, preview }: PreparedMedia) {
  const blobs = new Map<string, Blob>();
  const keep = (name: string, blob: Blob | null): string => {
    if (blob === null) return "";
    blobs.set(`${mediaId}/${name}`, blob);
    return `${mediaId}/${name}`;
  };
  const files = {
    file: keep("file", file),
    thumbnail: keep("thumbnail", thumbnail),
    preview: keep("preview", preview),
  };
  return { files, blobs };
}

/** Queues an intent of whoever is signed in; where the device is full, what can be had again makes room first. */

/** `storage_full`: there was no room even so, and nothing of it was kept. */
export async function enqueueFor(
  { shared, scope }: WritesDeps,
  intent: Intent,
  blobs: ReadonlyMap<string, Blob> = new Map(),
): Promise<Result<{ intentId: string }>> {
  const { now, random } = shared.deps;
  const { replica, device, unwritten, userId } = await scope();
  const deps = { replica, device, unwritten, now, random };
  const queued = await enqueueIntent(deps, intent, blobs);
  if (queued.success || queued.error !== "storage_full") return queued;
  await makeRoom({ deps: shared.deps, replica, device, userId });
  return enqueueIntent(deps, intent, blobs);
}
