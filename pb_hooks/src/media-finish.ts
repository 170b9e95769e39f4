/** `POST /api/media`: a complete upload becomes a medium of the caller. */
import type { CheckedFile } from "./finish-file";
import { freshNames, renamed, saveWithFile } from "./finish-file";
import {
  isRefusal,
  type MediaText,
  type Rendition,
  readIds,
  readMediaText,
  readRendition,
} from "./finish-form";
import { finishUpload } from "./finish-upload";
import { answer, refuse } from "./refuse";
import { uploaderOf } from "./uploads";

interface Draft {
  id: string;
  uploadId: string;
  owner: string;
  text: MediaText;
  thumbnail: Rendition | null;
  preview: Rendition | null;
}

function storeMedia(app: CoreApp, draft: Draft, { detected, size }: CheckedFile): void {
  const names = freshNames(app, draft.owner, detected.extension);
  const row = new Record(app.findCollectionByNameOrId("media"));
  row.load({
    ...draft.text,
    id: draft.id,
    userId: draft.owner,
    type: detected.kind,
    contentType: detected.contentType,
    fileSize: size,
  });
  const { thumbnail, preview } = draft;
  if (thumbnail) row.set("thumbnail", renamed(thumbnail.file, names.thumbnail));
  if (preview) row.set("preview", renamed(preview.file, `${names.preview}.${preview.extension}`));
  saveWithFile(app, row, "file", {
    uploadId: draft.uploadId,
    name: names.file,
    contentType: detected.contentType,
  });
}

export function finishMedia(e: core.RequestEvent): void {
  const owner = uploaderOf(e);
  if (!owner) return;
  const parts = [
    readIds(e),
    readMediaText(e),
    readRendition(e, "thumbnail"),
    readRendition(e, "preview"),
  ] as const;
  const fault = parts.find(isRefusal);
  const [ids, text, thumbnail, preview] = parts;
  if (fault || isRefusal(ids) || isRefusal(text) || isRefusal(thumbnail) || isRefusal(preview)) {
    if (fault) refuse(e, fault);
    return;
  }
  const draft = {
    ...ids,
    owner: owner.id,
    text,
    thumbnail: thumbnail.rendition,
    preview: preview.rendition,
  };
  const made = finishUpload(e, {
    collection: "media",
    ownerField: "userId",
    ...ids,
    owner: owner.id,
    store: (file) => {
      storeMedia(e.app, draft, file);
      return null;
    },
  });
  if (isRefusal(made)) refuse(e, made);
  else answer(e, 200, made);
}
