/** What can be done to a medium offline: the kinds of intent, and the writes at the end. */
import { type Answer, isRecord } from "@/data/engine/answers";
import { type Acts, keysOf } from "@/data/engine/enqueue";
import { changesAgain } from "@/data/engine/keep";
import {
  defineChange,
  defineKind,
  type Intent,
  type IntentBodies,
  type Replica,
  type Sending,
  type Sent,
} from "@/data/engine/noun";
import { dropUnsent } from "@/data/engine/outbox";
import type { OutboxRow } from "@/data/engine/outbox-row";
import { records, togglePair } from "@/data/engine/remote";
import { keepSent, sendAndFinish } from "@/data/files/send";
import type { MediaChanges, Queued, UploadDraft } from "@/data/shapes";
import type { ErrorCode } from "@/domain/error-codes";
import { newId, pairId } from "@/domain/ids";
import { ALT_MAX, CAPTION_MAX, POST_MAX, UPLOAD_RETRY_MS, VIEW_WINDOW_MS } from "@/domain/limits";
import type { MediaKind } from "@/domain/media-files";
import { failed, ok, type Result } from "@/domain/result";
import { subtitlesFault } from "@/domain/subtitles";
import { tagsFault } from "@/domain/texts";

import { type MediaRow, mediaRow } from "./row";

interface About {
  mediaId: string;
}

declare module "@/data/engine/noun" {
  interface IntentBodies {
    "media.create": About & {
      userId: string;
      username: string;
      caption: string;
      tags: string[];
      alt: string;
      type: MediaKind;
      contentType: string;
      originalFilename: string;
      width: number;
      height: number;
      duration: number;
      thumbhash: string;
      fileSize: number;
      /** Queues of earlier versions have none. */
      post?: string;
      postIndex?: number;
      /** Keys in the device store; "" for a rendition that could not be made. */
      files: { file: string; thumbnail: string; preview: string };
    };
    "media.update": About & {
      /** As the server takes them: `subtitles` is the text, or "" to remove them. */
      changes: Omit<MediaChanges, "subtitles"> & { subtitles?: string };
      /** The name of the file that the server makes of them. */
      subtitlesName?: string;
    };
    "media.delete": About;
    /** Of the medium, or where that is named of a comment on it. */
    "like.set": About & { userId: string; on: boolean; commentId?: string };
    "view.record": About & { session: string };
  }
  interface Overlay {
    created: ReadonlyMap<string, Waiting<IntentBodies["media.create"]>>;
    updated: ReadonlyMap<string, Waiting<IntentBodies["media.update"]>>;
    deletedMedia: ReadonlySet<string>;
    /** By the id of a medium or a comment: what the person wants. */
    likes: ReadonlyMap<string, boolean>;
  }
}

export type MediaToCreate = IntentBodies["media.create"];
export type MediaToUpdate = IntentBodies["media.update"];

export const emptyMediaOverlay = () => ({
  created: new Map(),
  updated: new Map(),
  deletedMedia: new Set<string>(),
  likes: new Map(),
});

const medium = ({ mediaId }: About) => ({ name: "media", id: mediaId }) as const;
const inLane = { lane: mediaLane, target: ({ mediaId }: About) => mediaId };
const aboutMedium = { ...inLane, subject: medium };

export function mediaLane({ mediaId }: About): string {
  return `media:${mediaId}`;
}

const create = defineKind<"media.create">({
  ...inLane,
  kind: "media.create",
  needs: ["mediaId", "userId", "type"],
  ownsLane: true,
  priority: () => 2,
  retryMs: UPLOAD_RETRY_MS,
  send: sendMedia,
  onSent: keepSentFiles,
  lay: (overlay, waiting) => overlay.created.set(waiting.body.mediaId, waiting),
  staysWhenRefused: true,
  makes: (body) => ({ ...medium(body), on: true }),
  label: ({ caption, originalFilename }) => caption || originalFilename,
  files: ({ files }) => Object.values(files).filter((key) => key !== ""),
  pictures: ({ files, type }) => [files.thumbnail, ...(type === "photo" ? [files.file] : [])],
});

const update = defineKind<"media.update">({
  ...aboutMedium,
  kind: "media.update",
  needs: ["mediaId"],
  request: ({ mediaId, changes }) => ({
    path: records("media", mediaId),
    method: "PATCH",
    body: changes,
  }),
  lay(overlay, waiting) {
    const { mediaId, changes } = waiting.body;
    const before = overlay.updated.get(mediaId)?.body.changes;
    overlay.updated.set(mediaId, {
      ...waiting,
      body: { mediaId, changes: { ...before, ...changes } },
    });
  },
  change: defineChange<MediaToUpdate, MediaRow | undefined>({
    before: ({ replica }, { mediaId }) => readMedium(replica, mediaId),
    remember: (before, body) => (isAs(before, body) ? {} : null),
    // A lost or unknown medium may return as it was uploaded.
    async isLost({ replica, isLost }, body, { before, isAcked }) {
      if (!isAcked && !isAs(before, body)) return false;
      return isLost(medium(body)) || !isAs(await readMedium(replica, body.mediaId), body);
    },
  }),
  undoes: changesAgain,
  label: ({ changes }) => changes.caption ?? "",
});

const remove = defineKind<"media.delete">({
  ...aboutMedium,
  kind: "media.delete",
  needs: ["mediaId"],
  request: ({ mediaId }) => ({ path: records("media", mediaId), method: "DELETE" }),
  goneSettles: () => true,
  lay: (overlay, { body }) => overlay.deletedMedia.add(body.mediaId),
  change: { isLost: () => true },
  // Undone only once the server has deleted the medium: it may refuse, and answers 404 then too.
  undoes: (later, row) =>
    later.lane === row.lane &&
    (row.kind === create.kind || row.kind === update.kind || isDone(later)),
  deletes: true,
});

const isDone = ({ state, code }: OutboxRow): boolean =>
  (state === "acked" || state === "kept") && code !== "gone";

const liked = ({ mediaId, commentId }: IntentBodies["like.set"]): string => commentId ?? mediaId;

const like = defineKind<"like.set">({
  ...aboutMedium,
  kind: "like.set",
  needs: ["mediaId", "userId"],
  target: liked,
  toggle: true,
  request: ({ mediaId, userId, on, commentId }) =>
    togglePair("likes", pairId(commentId ?? mediaId, userId), on, {
      ...(commentId === undefined ? { mediaId } : { commentId }),
      userId,
    }),
  // Nothing to take back, or the medium went meanwhile.
  goneSettles: () => true,
  duplicateSettles: () => true,
  lay: (overlay, { body }) => overlay.likes.set(liked(body), body.on),
  makes: (body) => ({ name: "likes", id: pairId(liked(body), body.userId), on: body.on }),
  about: (body) => {
    if (!body.on) return null;
    return body.commentId === undefined ? medium(body) : { name: "comments", id: body.commentId };
  },
});

const view = defineKind<"view.record">({
  ...aboutMedium,
  kind: "view.record",
  needs: ["mediaId", "session"],
  lane: ({ mediaId }) => `view:${mediaId}`,
  toggle: true,
  hidden: true,
  request: ({ mediaId, session }) => ({
    path: `/api/media/${mediaId}/view`,
    method: "POST",
    body: { session },
  }),
  goneSettles: () => true,
  // The server counts a viewer once in that time; later a repeat would count twice.
  keptMs: VIEW_WINDOW_MS,
  change: { isLost: ({ now }, _, { createdAt }) => createdAt + VIEW_WINDOW_MS > now() },
});

export const mediaKinds = [create, update, remove, like, view];

async function readMedium({ media }: Pick<Replica, "media">, id: string) {
  return (await media.findOne(id).exec())?.toJSON() as MediaRow | undefined;
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

const isAs = (row: MediaRow | undefined, { changes, subtitlesName }: MediaToUpdate): boolean =>
  row !== undefined &&
  (changes.caption ?? row.caption) === row.caption &&
  (changes.alt ?? row.alt) === row.alt &&
  (changes.commentsClosed ?? row.commentsClosed) === row.commentsClosed &&
  (changes.subtitles === undefined || nameIn(row.subtitlesUrl) === subtitlesName) &&
  (changes.tags ?? row.tags).join("\n") === row.tags.join("\n");

function sendMedia(sending: Sending, body: MediaToCreate): Promise<Answer> {
  const { files, ...about } = body;
  return sendAndFinish(
    sending,
    { ...about, key: files.file },
    { path: "/api/media", form: (uploadId) => finishForm(sending, body, uploadId) },
  );
}

async function finishForm({ device, compress }: Sending, body: MediaToCreate, uploadId: string) {
  const form = new FormData();
  const fields = {
    id: body.mediaId,
    uploadId,
    caption: body.caption,
    tags: JSON.stringify(body.tags),
    alt: body.alt,
    type: body.type,
    width: String(body.width),
    height: String(body.height),
    duration: String(body.duration),
    thumbhash: body.thumbhash,
    originalFilename: body.originalFilename,
    ...(body.post && { post: body.post, postIndex: String(body.postIndex) }),
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const read = async (key: string) => (key === "" ? null : device.readBlob(key));
  const [thumbnail, preview] = [await read(body.files.thumbnail), await read(body.files.preview)];
  if (thumbnail !== null) form.set("thumbnail", thumbnail, "thumbnail");
  if (preview !== null) {
    // Ignoring a failure to compress it: it is good as it is.
    const light = await compress?.(preview).catch(() => preview);
    form.set("preview", light ?? preview, "preview");
  }
  return form;
}

async function keepSentFiles(sent: Sent, { files }: MediaToCreate, record: unknown): Promise<void> {
  const row = isRecord(record) ? mediaRow(record) : null;
  if (row === null) return;
  await keepSent(sent, [
    { url: row.url, key: files.file },
    { url: row.thumbnailUrl, key: files.thumbnail },
    { url: row.previewUrl, key: files.preview },
  ]);
}

/**
 * Without a user the writes refuse with `unauthenticated`; the screen offers the sign-in. Views of
 * a visitor are counted once a `session`.
 */
export const createMediaWrites = (acts: Acts, session = newId(acts.shared.deps.random)) => ({
  uploadMedia: (draft: UploadDraft) => uploadMedia(acts, draft),
  async updateMedia(mediaId: string, changes: MediaChanges): Promise<Result<Queued>> {
    if (acts.user() === null) return failed("unauthenticated");
    const fault = changesFault(changes);
    if (fault !== null) return failed(fault);
    const { subtitles, ...texts } = changes;
    const body =
      subtitles === undefined
        ? { mediaId, changes: texts }
        : {
            mediaId,
            changes: { ...texts, subtitles: subtitles.text },
            subtitlesName: subtitles.name,
          };
    return acts.enqueueAs(() => ({ kind: "media.update", body }));
  },
  async deleteMedia(mediaId: string): Promise<Result<Queued>> {
    if (acts.user() === null) return failed("unauthenticated");
    const { replica, device } = await acts.scope();
    const unsent = await dropUnsent(replica, device, mediaLane({ mediaId }));
    const deleted =
      unsent === "dropped"
        ? ok({ intentId: null })
        : await acts.enqueue({ kind: "media.delete", body: { mediaId } });
    if (deleted.success) acts.shared.emit({ type: "media-deleted", mediaId });
    return deleted;
  },
  setLike: (mediaId: string, on: boolean): Promise<Result<Queued>> =>
    acts.enqueueAs(({ id: userId }) => ({ kind: "like.set", body: { mediaId, userId, on } })),
  setCommentLike: (mediaId: string, commentId: string, on: boolean): Promise<Result<Queued>> =>
    acts.enqueueAs(({ id: userId }) => ({
      kind: "like.set",
      body: { mediaId, userId, on, commentId },
    })),
  recordView: (mediaId: string) =>
    acts.enqueue({ kind: "view.record", body: { mediaId, session } }),
});

function changesFault(changes: MediaChanges): ErrorCode | null {
  const { caption = "", tags = [], alt = "", subtitles } = changes;
  if ([...caption].length > CAPTION_MAX) return "caption_long";
  if ([...alt].length > ALT_MAX) return "text_long";
  if (subtitles && subtitles.text !== "" && subtitlesFault(subtitles.text) !== null)
    return "file_type";
  return tagsFault(tags);
}

const postFault = ({ post }: UploadDraft): ErrorCode | null =>
  post !== undefined && post.index >= POST_MAX ? "post_full" : null;

async function uploadMedia(acts: Acts, draft: UploadDraft) {
  const { shared } = acts;
  const user = acts.user();
  if (user === null) return failed("unauthenticated");
  const fault =
    draft.media.file.size === 0 ? "file_empty" : (changesFault(draft) ?? postFault(draft));
  if (fault !== null) return failed(fault);
  const mediaId = newId(shared.deps.random);
  const { file, thumbnail, preview, ...about } = draft.media;
  const { keys: files, blobs } = keysOf(mediaId, { file, thumbnail, preview });
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
      ...(draft.post && { post: draft.post.id, postIndex: draft.post.index }),
      files,
    },
  };
  const result = await acts.enqueue(intent, blobs);
  if (!result.success) return result;
  shared.emit({ type: "mediaUpdated", mediaId });
  return ok({ mediaId, intentId: result.value.intentId });
}
