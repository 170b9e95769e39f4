/** The text of the composer. It is kept while it is typed, and goes only once the message is safe in the queue. */
import { useRef, useState } from "react";
import { sendText } from "@/state/chat-actions";
import { readChatDraft, writeChatDraft } from "@/state/chat-drafts";
import { useUnsentText } from "@/state/unsent-text";

export function useChatDraft(userId: string, conversationId: string) {
  const [text, setShown] = useState(() => readChatDraft(localStorage, userId, conversationId));
  const latest = useRef(text);
  const busy = useRef(false);
  useUnsentText(text.trim() !== "");
  const setText = (next: string) => {
    latest.current = next;
    setShown(next);
    writeChatDraft(localStorage, { userId, conversationId, text: next });
  };
  const send = async () => {
    const wanted = text;
    if (busy.current || wanted.trim() === "") return;
    busy.current = true;
    latest.current = "";
    setShown("");
    const sent = await sendText(conversationId, wanted).catch(() => false);
    busy.current = false;
    // Typed on meanwhile: that stays, behind what could not be sent.
    const rest = latest.current;
    setText(sent ? rest : [wanted, rest].filter(Boolean).join("\n"));
  };
  return { text, setText, send: () => void send() };
}
