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
  { device, lighten }: Pick<SendFileDeps, "device" | "lighten">,
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
  const read = async (key: string) => (key === "" ? null : device.readBlob(key));
  const [thumbnail, preview] = [await read(body.files.thumbnail), await read(body.files.preview)];
  if (thumbnail !== null) form.set("thumbnail", thumbnail, "thumbnail");
  if (preview !== null) {
    // Ignoring a failure: it is as good as it is.
    const light = await lighten?.(preview).catch(() => preview);
    form.set("preview", light ?? preview, "preview");
  }
  return form;
}
