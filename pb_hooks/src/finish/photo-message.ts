/** `POST /api/messages/photo`: a complete upload becomes a photo message of the caller. */
import { sendFault } from "@hooks/chat";
import { answer, refusalFromError, refusalOf, refuse } from "@hooks/http/refusals";
import { refuseTooMany, takeOne } from "@hooks/limits";
import { unverifiedFault } from "@hooks/mail";
import { asOneForm } from "@hooks/turns";
import { uploaderOf } from "@hooks/tus/uploads";
import { otherPersonOf, peopleOf } from "@/domain/chats";
import { isRefusal, type Refusal } from "@/domain/error-codes";
import { MESSAGE_MAX } from "@/domain/limits";
import { isBlank } from "@/domain/texts";
import { secondsOf } from "@/domain/times";
import {
  type CheckedFile,
  FILE_TYPE,
  finishUpload,
  freshNames,
  renamed,
  saveWithFile,
} from "./finish-upload";
import { formText, type Rendition, readIds, readRendition } from "./form";

export const photoMessageHandlers = {
  finishPhotoMessage(e: core.RequestEvent): void {
    const sender = uploaderOf(e);
    if (!sender) return;
    const draft = asOneForm(e, sender.id, () => readDraft(e, sender.id));
    if (draft === null) return;
    if (isRefusal(draft)) {
      refuse(e, draft);
      return;
    }
    const wait = takeOne(e.app, "writesPerMinute", sender.id);
    if (wait > 0) {
      refuseTooMany(e, wait);
      return;
    }
    const made = finishUpload(e, {
      collection: "messages",
      ownerField: "senderId",
      id: draft.id,
      uploadId: draft.uploadId,
      owner: sender.id,
      same: { type: "photo", conversationId: draft.conversationId },
      store: (file) => unverifiedFault(e) ?? storePhoto(e.app, draft, file),
    });
    if (isRefusal(made)) refuse(e, made);
    else answer(e, 200, made);
  },
};

interface Draft {
  id: string;
  uploadId: string;
  sender: string;
  conversationId: string;
  message: string;
  thumbnail: Rendition | null;
}

function readDraft(e: core.RequestEvent, sender: string): Draft | Refusal {
  const ids = readIds(e);
  if (isRefusal(ids)) return ids;
  const conversationId = formText(e, "conversationId");
  if (peopleOf(conversationId).length === 0) return refusalOf("invalid", "Invalid conversation.");
  const text = formText(e, "message").trim();
  if (text.length > MESSAGE_MAX) return refusalOf("text_long");
  // A photo needs no text.
  const message = isBlank(text) ? "" : text;
  const thumbnail = readRendition(e, "thumbnail");
  if (isRefusal(thumbnail)) return thumbnail;
  return { ...ids, sender, conversationId, message, thumbnail: thumbnail.rendition };
}

function storePhoto(app: CoreApp, draft: Draft, { detected, size }: CheckedFile): Refusal | null {
  if (detected.kind !== "photo") return FILE_TYPE;
  const fault = sendFault(app, draft.conversationId, draft.sender);
  if (fault) return fault;
  const names = freshNames(app, draft.sender, detected.extension);
  const row = new Record(app.findCollectionByNameOrId("messages"));
  row.load({
    id: draft.id,
    conversationId: draft.conversationId,
    senderId: draft.sender,
    recipientId: otherPersonOf(draft.conversationId, draft.sender),
    message: draft.message,
    type: "photo",
    photoSize: size,
    timestamp: secondsOf(Date.now()),
  });
  if (draft.thumbnail) row.set("thumbnail", renamed(draft.thumbnail.file, names.thumbnail));
  try {
    saveWithFile(app, row, "image", {
      uploadId: draft.uploadId,
      name: names.file,
      contentType: detected.contentType,
    });
  } catch (error) {
    // The transaction that writes the message checks the block and the ban again.
    const refusal = refusalFromError(error, "messages");
    if (refusal === null) throw error;
    return refusal;
  }
  return null;
}
