/** Chats in React: the list, one of them, its messages, and what is unread. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { ConversationView, Found, KnownPerson, Loaded, MessagePage } from "@/data/shapes";
import { MESSAGES_PAGE_SIZE } from "@/domain/limits";
import { useClient, useClientState } from "./client-store";
import { useLive } from "./use-live";

const LOADING = { state: "loading" } as const;
const FAILED = { state: "failed", code: "network" } as const;
const NOBODY: KnownPerson[] = [];

export function useConversations(): Loaded<ConversationView[]> {
  const client = useClient();
  const broken = useClientState().state === "failed";
  const live = useMemo(() => client?.reads.watchConversations() ?? null, [client]);
  const now = useLive<Loaded<ConversationView[]>>(live, LOADING);
  return broken ? FAILED : now;
}

export function useConversation(id: string): Found<ConversationView> {
  const client = useClient();
  const broken = useClientState().state === "failed";
  const live = useMemo(() => client?.reads.watchConversation(id) ?? null, [client, id]);
  const now = useLive<Found<ConversationView>>(live, LOADING);
  return broken ? { state: "unreachable", code: "network" } : now;
}

/** Unread messages of everybody. */
export function useUnread(): number {
  const client = useClient();
  const live = useMemo(() => client?.reads.watchUnread() ?? null, [client]);
  return useLive(live, 0);
}

export function useKnownPeople(): KnownPerson[] {
  const client = useClient();
  const live = useMemo(() => client?.reads.watchKnownPeople() ?? null, [client]);
  return useLive(live, NOBODY);
}

export interface Messages {
  page: Loaded<MessagePage>;
  older: "idle" | "loading" | "failed" | "none";
  loadOlder: () => void;
  retry: () => void;
}

export function useMessages(id: string): Messages {
  const client = useClient();
  const broken = useClientState().state === "failed";
  const [limit, setLimit] = useState(MESSAGES_PAGE_SIZE);
  const [asking, setAsking] = useState<"idle" | "loading" | "failed">("idle");
  const live = useMemo(() => client?.reads.watchMessages(id, limit) ?? null, [client, id, limit]);
  const now = useLive<Loaded<MessagePage>>(live, LOADING);
  const last = useRef<Loaded<MessagePage>>(LOADING);
  // While more are being read, what stands stays.
  if (now.state !== "loading") last.current = now;
  const page = broken ? FAILED : now.state === "loading" ? last.current : now;
  const busy = useRef(false);
  const loadOlder = useCallback(() => {
    if (client === null || busy.current) return;
    busy.current = true;
    setAsking("loading");
    void client.reads.pullOlderMessages(id, limit + MESSAGES_PAGE_SIZE).then((answer) => {
      busy.current = false;
      setAsking(answer.success ? "idle" : "failed");
      // What the device has is shown, whether the server answered or not.
      setLimit(limit + MESSAGES_PAGE_SIZE);
    });
  }, [client, id, limit]);
  const retry = useCallback(() => void client?.sync(), [client]);
  const hasOlder = page.state === "ready" && page.value.hasOlder;
  return { page, older: asking === "idle" && !hasOlder ? "none" : asking, loadOlder, retry };
}

/** Marks what is unread as read while the conversation is seen; the client announces it as 'messages-read'. */
export function useMarkRead(conversation: ConversationView | null): void {
  const client = useClient();
  const isSeen = useIsVisible();
  const id = conversation !== null && conversation.unread > 0 && isSeen ? conversation.id : "";
  const unread = conversation?.unread ?? 0;
  // Outside: the server's read marks.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each further message is to be marked too.
  useEffect(() => {
    if (client !== null && id !== "") void client.service.markMessagesRead(id);
  }, [client, id, unread]);
}

function useIsVisible(): boolean {
  const [visible, setVisible] = useState(document.visibilityState === "visible");
  // Outside: whether anybody looks at this tab.
  useEffect(() => {
    const look = () => setVisible(document.visibilityState === "visible");
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return visible;
}
