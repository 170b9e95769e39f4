/** The name of a queued action, its state, and the reason for it. Pure. */
import type { IntentView } from "@/data/shapes";
import { errorKey, uploadErrorText } from "@/i18n/error-text";
import type { Text, TextKey } from "@/i18n/keys";

const KINDS: Readonly<Record<string, TextKey>> = {
  "media.create": "outbox.kind.upload",
  "media.update": "outbox.kind.edit",
  "media.delete": "outbox.kind.delete",
  "like.set": "outbox.kind.like",
  "comment.create": "outbox.kind.comment",
  "comment.delete": "outbox.kind.commentDelete",
  "conversation.create": "outbox.kind.chat",
  "follow.set": "outbox.kind.follow",
  "block.set": "outbox.kind.block",
  "report.create": "outbox.kind.report",
  "message.send": "outbox.kind.message",
  "message.photo": "outbox.kind.message",
  "message.delete": "outbox.kind.messageDelete",
  "conversation.read": "outbox.kind.read",
  "profile.update": "outbox.kind.profile",
};

const UNDOING: Readonly<Record<string, TextKey>> = {
  "like.set": "outbox.kind.unlike",
  "follow.set": "outbox.kind.unfollow",
  "block.set": "outbox.kind.unblock",
};

export const kindKey = ({ kind, undoes }: Pick<IntentView, "kind" | "undoes">): TextKey =>
  (undoes ? UNDOING[kind] : KINDS[kind]) ?? "outbox.kind.other";

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

/** The reason for its state: the server's own message, else ours. `stateText` covers being offline. */
export function reasonText(item: IntentView): Text | null {
  if (item.code === null || item.state === "sending" || item.state === "acked") return null;
  if (item.state !== "refused" && (item.code === "network" || item.code === "unauthenticated")) {
    return null;
  }
  if (item.kind === "media.create") return uploadErrorText(item.code, item.message);
  return item.message === "" ? { key: errorKey(item.code) } : { raw: item.message };
}
