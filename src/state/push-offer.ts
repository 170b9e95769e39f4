/** The one question, softly put, whether this device may tell of what is new. */
import { useSyncExternalStore } from "react";
import { createCell } from "@/lib/cell";
import { canBeWoken } from "@/lib/sends-when-closed";
import { useConversations } from "./chat";
import { hasWords } from "./client-events";
import { useConnection } from "./outbox";
import { storedText } from "./stored";

const answered = storedText("local", "augenblick.push-offered");
const isAnswered = createCell(false);
const hasComment = createCell(false);

/** Somebody has commented on this person's picture, which is looked at. */
export const noticeComment = (): void => hasComment.set(true);

/** Never asked again. */
export function answerPushOffer(): void {
  answered.write("1");
  isAnswered.set(true);
}

/** Whether to ask now: somebody has written to this person, and nobody has asked before. */
export function usePushOffer(): boolean {
  const chats = useConversations();
  const isOnline = useConnection() === "online";
  const isOver = useSyncExternalStore(isAnswered.subscribe, isAnswered.getSnapshot);
  const isCommented = useSyncExternalStore(hasComment.subscribe, hasComment.getSnapshot);
  const hasMessage = chats.state === "ready" && chats.value.some(hasWords);
  if (isOver || !isOnline || !(isCommented || hasMessage)) return false;
  return canBeWoken() && Notification.permission === "default" && answered.read() === null;
}
