/** `POST /api/messages/photo`: a complete upload becomes a photo message of the caller. */
import { isId } from "@/domain/ids";
import { MESSAGE_MAX } from "@/domain/limits";
import { isBlank } from "@/domain/texts";
import { otherOf, sendFault } from "./chat";
import { type CheckedFile, FILE_TYPE, freshNames, renamed, saveWithFile } from "./finish-file";
import { formText, isRefusal, type Rendition, readIds, readRendition } from "./finish-form";
import { finishUpload } from "./finish-upload";
import { refuseTooMany, takeOne } from "./limits";
import { answer, type Refusal, refuse } from "./refuse";
import { refusalFromError, refusalOf } from "./refused";
import { uploaderOf } from "./uploads";

interface Draft {
  id: string;
  uploadId: string;
  sender: string;
  conversationId: string;
  message: string;
  /** Seconds. */
  timestamp: number;
  thumbnail: Rendition | null;
}

/** The client's own time of writing, unless it lies in the future or is none. Seconds. */
function readTimestamp(e: core.RequestEvent): number {
  const now = Math.floor(Date.now() / 1000);
  const wanted = Number(formText(e, "timestamp"));
  return Number.isInteger(wanted) && wanted > 0 && wanted <= now ? wanted : now;
}

function readDraft(e: core.RequestEvent, sender: string): Draft | Refusal {
  const ids = readIds(e);
  if (isRefusal(ids)) return ids;
  const conversationId = formText(e, "conversationId");
  const [a = "", b = ""] = conversationId.split("_");
  if (!isId(a) || !isId(b)) return refusalOf("invalid", "Invalid conversation.");
  const text = formText(e, "message").trim();
  // A photo may go without words.
  const message = isBlank(text) ? "" : text;
  if (message.length > MESSAGE_MAX) return refusalOf("text_long");
  const thumbnail = readRendition(e, "thumbnail");
  if (isRefusal(thumbnail)) return thumbnail;
  const timestamp = readTimestamp(e);
  return { ...ids, sender, conversationId, message, timestamp, thumbnail: thumbnail.rendition };
}

function storePhoto(app: CoreApp, draft: Draft, { detected }: CheckedFile): Refusal | null {
  if (detected.kind !== "photo") return FILE_TYPE;
  const fault = sendFault(app, draft.conversationId, draft.sender);
  if (fault) return fault;
  const names = freshNames(app, draft.sender, detected.extension);
  const row = new Record(app.findCollectionByNameOrId("messages"));
  row.load({
    id: draft.id,
    conversationId: draft.conversationId,
    senderId: draft.sender,
    recipientId: otherOf(draft.conversationId, draft.sender),
    message: draft.message,
    type: "photo",
    timestamp: draft.timestamp,
  });
  if (draft.thumbnail) row.set("thumbnail", renamed(draft.thumbnail.file, names.thumbnail));
  try {
    saveWithFile(app, row, "image", {
      uploadId: draft.uploadId,
      name: names.file,
      contentType: detected.contentType,
    });
  } catch (error) {
    // The block and the ban are asked once more inside the transaction that writes.
    const refusal = refusalFromError(error, "messages");
    if (refusal === null) throw error;
    return refusal;
  }
  return null;
}

export function finishPhoto(e: core.RequestEvent): void {
  const sender = uploaderOf(e);
  if (!sender) return;
  const draft = readDraft(e, sender.id);
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
    store: (file) => storePhoto(e.app, draft, file),
  });
  if (isRefusal(made)) refuse(e, made);
  else answer(e, 200, made);
}
