/** The specification's chat operations (§7): what is written waits in the conversation's lane, strictly in its order. */

import { toFailure } from "@/data/engine/answers";
import type { Intent } from "@/data/engine/intents";
import { isBare } from "@/data/engine/send";
import { enqueueFor, signedIn, type WritesDeps } from "@/data/media/intents";
import type { ChatPhoto, ClientService } from "@/data/service-api";
import { served, servedOne } from "@/data/service-reads";
import { conversationId, newId } from "@/domain/ids";
import { IMAGE_MAX_BYTES, MESSAGE_MAX } from "@/domain/limits";
import { failed, ok, type Result } from "@/domain/result";
import { isBlank } from "@/domain/texts";

type ChatWrites = Pick<
  ClientService,
  | "createOrGetConversation"
  | "sendTextMessage"
  | "sendPhotoMessage"
  | "deleteMessage"
  | "markMessagesRead"
>;

export function createChatWrites(deps: WritesDeps): ChatWrites {
  return {
    createOrGetConversation: async (userId) => servedOne(await startChat(deps, userId)),
    sendTextMessage: async (chatId, text) => servedOne(await sendText(deps, chatId, text)),
    sendPhotoMessage: async (chatId, photo, text = "") =>
      servedOne(await sendPhoto(deps, chatId, photo, text)),
    async deleteMessage(chatId, messageId) {
      const body = { conversationId: chatId, messageId };
      return served(await asUser(deps, () => ({ kind: "message.delete", body })));
    },
    async markMessagesRead(chatId) {
      const body = { conversationId: chatId };
      const queued = await asUser(deps, () => ({ kind: "conversation.read", body }));
      const user = signedIn(deps.shared);
      if (queued.success && user !== null) {
        deps.shared.emit({ type: "messages-read", conversationId: chatId, userId: user.id });
      }
      return served(queued);
    },
  };
}

async function asUser(
  deps: WritesDeps,
  intent: (userId: string) => Intent,
): Promise<Result<{ intentId: string }>> {
  const user = signedIn(deps.shared);
  return user === null ? failed("unauthenticated") : enqueueFor(deps, intent(user.id));
}

/** Asked at once, so that a refusal is told where the chat is started; only without a clear answer does it wait. */
async function startChat(
  deps: WritesDeps,
  otherId: string,
): Promise<Result<{ conversationId: string }>> {
  const user = signedIn(deps.shared);
  if (user === null) return failed("unauthenticated");
  if (user.id === otherId) return failed("self");
  const id = conversationId(user.id, otherId);
  const { replica } = await deps.scope();
  if ((await replica.conversations.findOne(id).exec()) !== null) return ok({ conversationId: id });
  const answer = await deps.shared.remote.request("/api/collections/conversations/records", {
    method: "POST",
    body: { id, participants: [user.id, otherId].sort() },
  });
  if (answer.kind === "accepted") return ok({ conversationId: id });
  // The queue finds out whether a no without a word was one.
  if (answer.kind === "refusal" && !isBare(answer)) {
    const failure = toFailure(answer);
    return failure.error === "duplicate" ? ok({ conversationId: id }) : failure;
  }
  const queued = await enqueueFor(deps, {
    kind: "conversation.create",
    body: { conversationId: id, userId: user.id, otherId },
  });
  return queued.success ? ok({ conversationId: id }) : queued;
}

const secondsOf = (ms: number): number => Math.floor(ms / 1000);

async function sendText(
  { shared, scope }: WritesDeps,
  chatId: string,
  text: string,
): Promise<Result<{ messageId: string }>> {
  const trimmed = text.trim();
  if (isBlank(trimmed)) return failed("text_empty");
  if (trimmed.length > MESSAGE_MAX) return failed("text_long");
  const messageId = newId(shared.deps.random);
  const timestamp = secondsOf(shared.deps.now());
  const queued = await asUser({ shared, scope }, (userId) => ({
    kind: "message.send",
    body: { messageId, conversationId: chatId, userId, text: trimmed, timestamp },
  }));
  return queued.success ? ok({ messageId }) : queued;
}

async function sendPhoto(
  deps: WritesDeps,
  chatId: string,
  photo: ChatPhoto,
  text: string,
): Promise<Result<{ messageId: string }>> {
  const user = signedIn(deps.shared);
  if (user === null) return failed("unauthenticated");
  if (photo.file.size === 0) return failed("file_empty");
  if (photo.file.size > IMAGE_MAX_BYTES) return failed("image_too_large");
  if (text.trim().length > MESSAGE_MAX) return failed("text_long");
  const { now, random } = deps.shared.deps;
  const messageId = newId(random);
  const blobs = new Map([[`${messageId}/file`, photo.file]]);
  if (photo.thumbnail !== null) blobs.set(`${messageId}/thumbnail`, photo.thumbnail);
  const intent: Intent = {
    kind: "message.photo",
    body: {
      messageId,
      conversationId: chatId,
      userId: user.id,
      text: text.trim(),
      timestamp: secondsOf(now()),
      contentType: photo.contentType,
      originalFilename: photo.originalFilename,
      files: {
        file: `${messageId}/file`,
        thumbnail: photo.thumbnail === null ? "" : `${messageId}/thumbnail`,
      },
    },
  };
  const queued = await enqueueFor(deps, intent, blobs);
  return queued.success ? ok({ messageId }) : queued;
}
