/** The words for queued actions. Outside src/data only this file spells the names of the kinds. */
import type { IntentView } from "@/data/shapes";
import {
  chatRefusalText,
  chatStartText,
  errorKey,
  refusalText,
  uploadErrorText,
} from "./error-text";
import type { Text, TextKey } from "./keys";

interface RefusalToast {
  title: Text;
  description?: Text;
}

interface IntentTexts {
  does: TextKey;
  undoes?: TextKey;
  /** Said to whoever does not see it, once the server has it. */
  done?: (intent: Pick<IntentView, "label" | "about">) => Text;
  /** Only for refusals that no screen shows: the action's page is usually closed by then. */
  refused?: (refusal: Pick<IntentView, "code" | "ofVideo">) => RefusalToast;
}

const REPORT: IntentTexts = {
  does: "outbox.kind.report",
  refused: ({ code }) => ({
    title: { key: "report.refused" },
    description: { key: errorKey(code ?? "server") },
  }),
};

const INTENT_TEXTS: Readonly<Record<string, IntentTexts>> = {
  "media.create": {
    does: "outbox.kind.upload",
    done: ({ label }) => ({ key: "outbox.done.upload", params: { name: label } }),
  },
  "media.update": { does: "outbox.kind.edit" },
  "media.delete": {
    does: "outbox.kind.delete",
    refused: ({ ofVideo }) => ({
      title: { key: ofVideo ? "media.videoDeleteFailed" : "media.deleteFailed" },
    }),
  },
  "like.set": { does: "outbox.kind.like", undoes: "outbox.kind.unlike" },
  "save.set": {
    does: "outbox.kind.save",
    undoes: "outbox.kind.unsave",
    refused: ({ code }) => ({
      title: { key: "saves.failed" },
      description: { key: errorKey(code ?? "server") },
    }),
  },
  "save.move": { does: "outbox.kind.saveMove" },
  "folder.create": {
    does: "outbox.kind.folder",
    refused: ({ code }) => ({
      title: { key: "saves.folderFailed" },
      description: { key: errorKey(code ?? "server") },
    }),
  },
  "folder.rename": { does: "outbox.kind.folderName" },
  "folder.delete": { does: "outbox.kind.folderDelete" },
  "comment.create": {
    does: "outbox.kind.comment",
    done: () => ({ key: "outbox.done.comment" }),
  },
  "comment.edit": {
    does: "outbox.kind.commentEdit",
    refused: ({ code }) => ({
      title: { key: "comments.editFailed" },
      description: { key: errorKey(code ?? "server") },
    }),
  },
  "comment.delete": {
    does: "outbox.kind.commentDelete",
    refused: () => ({ title: { key: "comments.deleteFailed" } }),
  },
  "conversation.create": {
    does: "outbox.kind.chat",
    refused: ({ code }) => ({
      title: { key: "chat.errorTitle" },
      description: chatStartText(code),
    }),
  },
  "follow.set": { does: "outbox.kind.follow", undoes: "outbox.kind.unfollow" },
  "block.set": { does: "outbox.kind.block", undoes: "outbox.kind.unblock" },
  "mute.set": {
    does: "outbox.kind.mute",
    undoes: "outbox.kind.unmute",
    refused: ({ code }) => ({
      title: { key: "people.actionFailed" },
      description: { key: errorKey(code ?? "server") },
    }),
  },
  "report.create": REPORT,
  "report.send": REPORT,
  "message.send": { does: "outbox.kind.message" },
  "message.photo": { does: "outbox.kind.message" },
  "message.delete": {
    does: "outbox.kind.messageDelete",
    refused: ({ code }) => ({ title: refusalText(code, "chat.deleteFailed") }),
  },
  "conversation.read": { does: "outbox.kind.read" },
  "notifications.read": { does: "outbox.kind.notificationsRead" },
  "profile.update": { does: "outbox.kind.profile" },
};

const CHAT_KINDS: readonly string[] = ["message.send", "message.photo"];

export function kindKey({ kind, undoes }: Pick<IntentView, "kind" | "undoes">): TextKey {
  const texts = INTENT_TEXTS[kind];
  return (undoes ? texts?.undoes : texts?.does) ?? "outbox.kind.other";
}

export const doneText = (intent: IntentView): Text | null =>
  INTENT_TEXTS[intent.kind]?.done?.(intent) ?? null;

/** The toast for a refused action; null if its place on the screen shows the refusal. */
export const refusalToast = (refused: IntentView): RefusalToast | null =>
  INTENT_TEXTS[refused.kind]?.refused?.(refused) ?? null;

/** `offline`: a waiting action says whether it waits for the network or for its next try. */
export function stateText(item: IntentView, offline: boolean): Text {
  switch (item.state) {
    case "sending":
      return item.bytes > 0
        ? { key: "outbox.state.sendingProgress", params: { progress: Math.round(item.progress) } }
        : { key: "outbox.state.sending" };
    case "waiting":
      return { key: offline ? "outbox.state.waiting" : "outbox.state.again" };
    case "paused":
      return { key: item.held ? "outbox.state.paused" : "outbox.state.signIn" };
    default:
      return { key: `outbox.state.${item.state}` };
  }
}

/** The reason for its state; null if the state says it. */
export function reasonText(item: IntentView): Text | null {
  if (item.code === null || item.state === "sending" || item.state === "acked") return null;
  if (item.state !== "refused" && (item.code === "network" || item.code === "unauthenticated")) {
    return null;
  }
  if (item.isUpload) return uploadErrorText(item.code, item.message);
  if (item.kind === "conversation.create") return chatStartText(item.code);
  const isChat = CHAT_KINDS.includes(item.kind);
  return isChat ? chatRefusalText(item.code, errorKey(item.code)) : { key: errorKey(item.code) };
}
