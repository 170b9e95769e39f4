/** The text of the composer. It is kept while it is typed, and goes only once the message is safe in the queue. */
import { useRef, useState } from "react";
import { sendText } from "@/state/chat";
import { readChatDraft, useUnsentText, writeChatDraft } from "@/state/unsent-text";

export function useChatDraft(userId: string, conversationId: string) {
  const [text, setShown] = useState(() => readChatDraft(userId, conversationId));
  const latest = useRef(text);
  /** On its way into the queue: a message on the screen already, and a part of the draft until it lies there. */
  const leaving = useRef("");
  useUnsentText(text.trim() !== "");
  const setText = (next: string) => {
    latest.current = next;
    setShown(next);
    const kept = [leaving.current, next].filter(Boolean).join("\n");
    writeChatDraft({ userId, conversationId, text: kept });
  };
  const send = async () => {
    const wanted = text;
    if (leaving.current !== "" || wanted.trim() === "") return;
    leaving.current = wanted;
    setText("");
    const sent = await sendText(conversationId, wanted);
    leaving.current = "";
    // Typed on meanwhile: that stays, behind what could not be sent.
    setText(sent ? latest.current : [wanted, latest.current].filter(Boolean).join("\n"));
  };
  return { text, setText, send: () => void send() };
}
