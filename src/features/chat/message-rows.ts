/** The lines of a conversation: a separator before each day's first message. Pure. */
import type { MessageView } from "@/data/shapes";
import { dayOf } from "@/i18n/clock-text";

export type MessageLine =
  | { kind: "top"; key: string }
  | { kind: "day"; key: string; at: number }
  /** `first` of several in a row by the same person. */
  | { kind: "message"; key: string; message: MessageView; first: boolean };

export function messageLines(items: readonly MessageView[]): MessageLine[] {
  const lines: MessageLine[] = [{ kind: "top", key: "top" }];
  let day = Number.NaN;
  let sender = "";
  for (const message of items) {
    const at = message.timestamp * 1000;
    const today = dayOf(at);
    if (today !== day) {
      lines.push({ kind: "day", key: `day before ${message.id}`, at });
      sender = "";
    }
    const first = message.senderId !== sender;
    lines.push({ kind: "message", key: message.id, message, first });
    day = today;
    sender = message.senderId;
  }
  return lines;
}

/** A first guess of a line's height, pixels; the real one is measured. */
export function guessHeight(line: MessageLine | undefined): number {
  if (line === undefined || line.kind !== "message") return 44;
  if (line.message.type === "photo" && !line.message.deleted) return 280;
  return 44 + 20 * Math.floor(line.message.message.length / 40);
}
