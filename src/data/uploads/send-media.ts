/** Sends a queued medium: its file over tus, then the finish with the renditions. */
import type { IntentBodies } from "@/data/outbox/intent-bodies";
import type { Answer } from "@/data/remote/answers";
import { type SendFileDeps, sendAndFinish } from "./send-and-finish";

export interface MediaToSend {
  intentId: string;
  body: IntentBodies["media.create"];
  createdAt: number;
  signal: AbortSignal;
}

export function sendMedia(deps: SendFileDeps, { body, ...queued }: MediaToSend): Promise<Answer> {
  const { originalFilename, contentType, userId } = body;
  return sendAndFinish(
    deps,
    { ...queued, key: body.files.file, originalFilename, contentType, userId },
    { path: "/api/media", form: (uploadId) => finishForm(deps, body, uploadId) },
  );
}

async function finishForm(
  { device }: Pick<SendFileDeps, "device">,
  body: IntentBodies["media.create"],
  uploadId: string,
): Promise<FormData> {
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
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const name of ["thumbnail", "preview"] as const) {
    const blob = body.files[name] === "" ? null : await device.readBlob(body.files[name]);
    if (blob !== null) form.set(name, blob, name);
  }
  return form;
}
