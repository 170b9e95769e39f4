/** The fate of something queued, in words (resolutions, "Mark of a message's fate"). */
import type { PendingMark } from "@/data/shapes";
import type { Text } from "./keys";

export function pendingText(pending: Pick<PendingMark, "state" | "progress">): Text {
  switch (pending.state) {
    case "queued":
    case "waiting":
    case "paused":
      return { key: "media.waiting" };
    case "sending":
      return { key: "media.sending", params: { progress: Math.round(pending.progress) } };
    case "refused":
      return { key: "media.refused" };
    case "acked":
      return { key: "media.sent" };
  }
}
