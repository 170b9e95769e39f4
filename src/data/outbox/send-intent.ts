/** One intent as requests: most by the table, files in ways of their own. */
import type { ClientDeps } from "@/data/client-deps";
import type { Answer } from "@/data/remote/answers";
import type { Remote } from "@/data/remote/create-remote";
import type { DeviceStore } from "@/data/replica/device-store";
import type { Replica } from "@/data/replica/open-replica";
import type { OutboxRow } from "@/data/schema/outbox";
import { sendMedia } from "@/data/uploads/send-media";
import { sendPhotoMessage } from "@/data/uploads/send-photo-message";
import type { IntentBodies } from "./intent-bodies";
import { type Intent, intentRule } from "./intents";

export interface SendIntentDeps {
  remote: Remote;
  replica: Replica;
  device: DeviceStore;
  lighten: ClientDeps["lighten"];
  httpStack: ClientDeps["uploadHttpStack"];
  onAnswer: (ours: boolean) => void;
  onProgress: (intentId: string, percent: number) => void;
}

export function sendIntent(
  deps: SendIntentDeps,
  intent: Intent,
  row: OutboxRow,
  signal: AbortSignal,
): Promise<Answer> {
  if (intent.kind === "media.create" || intent.kind === "message.photo") {
    const onProgress = (percent: number) => deps.onProgress(row.id, percent);
    const queued = { intentId: row.id, createdAt: row.createdAt, signal };
    return intent.kind === "media.create"
      ? sendMedia({ ...deps, onProgress }, { ...queued, body: intent.body })
      : sendPhotoMessage({ ...deps, onProgress }, { ...queued, body: intent.body });
  }
  if (intent.kind === "profile.update") return sendProfile(deps, intent.body);
  const { ask } = intentRule(intent);
  if (ask === null) throw new Error(`Nothing says how to send ${intent.kind}`);
  return deps.remote.request(ask.path, ask);
}

async function sendProfile(
  { remote, device }: SendIntentDeps,
  body: IntentBodies["profile.update"],
): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(body.changes)) form.set(name, value);
  const parts = { profilePicture: body.picture, profileThumbnail: body.thumbnail };
  for (const [name, key] of Object.entries(parts)) {
    if (key === "delete") form.set(name, "");
    const blob = key === "" || key === "delete" ? null : await device.readBlob(key);
    if (blob !== null) form.set(name, blob, name);
  }
  return remote.request(`/api/collections/users/records/${body.userId}`, {
    method: "PATCH",
    body: form,
  });
}

/** Keys of the files that an intent holds in the device store. */
export function blobKeys(intent: Intent): string[] {
  if (intent.kind === "media.create" || intent.kind === "message.photo") {
    return Object.values(intent.body.files).filter(isKey);
  }
  if (intent.kind === "profile.update") {
    return [intent.body.picture, intent.body.thumbnail].filter(isKey);
  }
  return [];
}

const isKey = (key: string): boolean => key !== "" && key !== "delete";
