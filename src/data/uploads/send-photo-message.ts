/** Sends a queued photo message: its file over tus, then the finish that makes the message. */
import type { IntentBodies } from "@/data/outbox/intent-bodies";
import type { Answer, Refusal } from "@/data/remote/answers";
import { type SendFileDeps, sendAndFinish } from "./send-and-finish";

export interface PhotoMessageToSend {
  intentId: string;
  body: IntentBodies["message.photo"];
  createdAt: number;
  signal: AbortSignal;
}

export function sendPhotoMessage(
  deps: SendFileDeps,
  { body, ...queued }: PhotoMessageToSend,
): Promise<Answer> {
  const { originalFilename, contentType, userId } = body;
  return sendAndFinish(
    deps,
    { ...queued, key: body.files.file, originalFilename, contentType, userId },
    {
      path: "/api/messages/photo",
      form: (uploadId) => finishForm(deps, body, uploadId),
      isFinal: speaksOfTheChat,
    },
  );
}

/** The conversation or the other person is missing, and not the upload (pb_hooks/src/chat.ts). */
const speaksOfTheChat = ({ status, code }: Refusal): boolean =>
  status === 404 && (code === "gone" || code === "no_conversation");

async function finishForm(
  { device }: Pick<SendFileDeps, "device">,
  body: IntentBodies["message.photo"],
  uploadId: string,
): Promise<FormData> {
  const form = new FormData();
  const fields = {
    id: body.messageId,
    uploadId,
    conversationId: body.conversationId,
    message: body.text,
    timestamp: String(body.timestamp),
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const key = body.files.thumbnail;
  const thumbnail = key === "" ? null : await device.readBlob(key);
  if (thumbnail !== null) form.set("thumbnail", thumbnail, "thumbnail.jpg");
  return form;
}
