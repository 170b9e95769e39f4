/** The messages of a conversation, or why there are none to see. */
import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { ArrowDown, CloudOff, MessageCircleHeart, TriangleAlert } from "lucide-react";
import {
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import type { ConversationView, MessagePage, MessageView } from "@/data/shapes";
import { dayOf, dayText } from "@/i18n/formats";
import { Say, SayText } from "@/i18n/say";
import { type Messages, useMessages } from "@/state/chat";
import { useClient } from "@/state/client-store";
import { useNow } from "@/state/page";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Skeleton, Spinner } from "@/ui/loading";
import { Bubble } from "./bubble";

const MIDDLE = "grid min-h-0 flex-1 place-items-center overflow-auto";

export function MessageArea({ conversation }: { conversation: ConversationView }) {
  const { t } = useTranslation();
  const messages = useMessages(conversation.id);
  const { page } = messages;
  // The first screen of them in pieces, between which keys and taps are answered.
  const isDrawn = useDeferredValue(page.state === "ready", false);
  if (page.state === "ready" && !isDrawn) return <MessagesLoading />;
  switch (page.state) {
    case "loading":
      return <MessagesLoading />;
    case "failed":
      return (
        <div className={MIDDLE}>
          <MessagesFailed offline={page.code === "network"} />
        </div>
      );
    case "ready":
      return page.value.items.length === 0 ? (
        <div className={MIDDLE}>
          <EmptyState
            testId="messages-empty"
            icon={<MessageCircleHeart />}
            title={t("chat.empty")}
          />
        </div>
      ) : (
        <MessageList conversation={conversation} page={page.value} messages={messages} />
      );
  }
}

/** `toChats`: the link back to the list, when the whole conversation could not be found. */
export function MessagesFailed({ offline, toChats }: { offline: boolean; toChats?: ReactNode }) {
  const { t } = useTranslation();
  const client = useClient();
  const isPage = toChats !== undefined;
  return (
    <EmptyState
      page={isPage}
      testId={isPage ? "chat-unreachable" : offline ? "messages-offline" : "messages-failed"}
      passing
      icon={offline ? <CloudOff /> : <TriangleAlert />}
      title={<Say k={isPage ? "chat.partnerFailed" : "chat.messagesFailed"} />}
      text={t(offline ? "chat.messagesOffline" : "chat.messagesFailedText")}
    >
      {toChats}
      <Button onClick={() => void client?.sync()}>{t("app.retry")}</Button>
    </EmptyState>
  );
}

export function MessagesLoading() {
  const { t } = useTranslation();
  return (
    <div
      role="status"
      data-testid="messages-loading"
      className="flex min-h-0 flex-1 flex-col justify-end gap-2 overflow-hidden py-3"
    >
      <span className="sr-only">{t("chat.messagesLoading")}</span>
      <Skeleton className="h-10 w-1/2 rounded-[18px]!" />
      <Skeleton className="h-16 w-2/3 rounded-[18px]!" />
      <Skeleton className="ms-auto h-10 w-2/5 rounded-[18px]!" />
      <Skeleton className="ms-auto h-10 w-1/2 rounded-[18px]!" />
    </div>
  );
}

/** Lines rendered beyond the window on either side. */
const OVERSCAN = 8;
/** Lines from the top at which older messages are requested. */
const ASK_AHEAD = 10;
/** Still "at the end", pixels. */
const END_PX = 80;

interface MessageListProps {
  conversation: ConversationView;
  page: MessagePage;
  messages: Messages;
}

/** Lines near the window only, anchored at the end unless the user has scrolled up. */
function MessageList({ conversation, page, messages }: MessageListProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => messageLines(page.items), [page.items]);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (i) => guessHeight(lines[i]),
    getItemKey: (i) => lines[i]?.key ?? i,
    overscan: OVERSCAN,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: END_PX,
    paddingEnd: 8,
  });
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = isAboveTheEdge;
  // Outside: the scroll position, before the first paint.
  useLayoutEffect(() => {
    virtualizer.scrollToEnd();
  }, [virtualizer]);
  const goToEnd = () => virtualizer.scrollToEnd();
  const newest = useNewest(scroller, page.items, goToEnd);
  const rows = virtualizer.getVirtualItems();
  const first = rows[0]?.index ?? lines.length;
  const { older, loadOlder } = messages;
  const renderLine = (line: MessageLine | undefined) => {
    if (line?.kind === "top") return <Top page={page} messages={messages} />;
    if (line?.kind === "day") return <Day at={line.at} />;
    if (line === undefined) return null;
    return <Bubble message={line.message} first={line.first} other={conversation.other} />;
  };
  const wantsOlder = first < ASK_AHEAD && page.hasOlder && older === "idle";
  const at = virtualizer.scrollOffset ?? 0;
  // Outside: older messages. Right after a scroll the list has the lines of the position before.
  useEffect(() => {
    const isDrawn = Math.abs((scroller.current?.scrollTop ?? 0) - at) < 1;
    if (wantsOlder && isDrawn) loadOlder();
  }, [wantsOlder, loadOlder, at]);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
        tabIndex={0}
        aria-label={t("chat.messages")}
        data-testid="message-list"
        className="flex min-h-0 flex-1 flex-col overflow-x-hidden overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        <ol
          className="relative mt-auto w-full shrink-0"
          style={{ height: virtualizer.getTotalSize() }}
        >
          {rows.map((row) => (
            <li
              key={row.key}
              ref={virtualizer.measureElement}
              data-index={row.index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${row.start}px)` }}
            >
              {renderLine(lines[row.index])}
            </li>
          ))}
        </ol>
      </section>
      <Announce page={page} conversation={conversation} />
      {newest.isAway && <NewestButton fresh={newest.fresh} onPress={goToEnd} />}
    </div>
  );
}

/**
 * A height change above the window's edge must not move what is below it. The library alone keeps
 * old measurements while scrolling up, and a line that was the first of its sender gets lower once
 * older ones are above it.
 */
const isAboveTheEdge = (
  line: { start: number },
  _: number,
  { scrollOffset }: Virtualizer<HTMLDivElement, Element>,
): boolean => line.start < (scrollOffset ?? 0);

function Top({ page, messages }: Pick<MessageListProps, "page" | "messages">) {
  const { t } = useTranslation();
  const quiet = "flex min-h-11 items-center justify-center gap-2 pt-2 text-[0.8125rem] text-muted";
  if (messages.older === "failed" && page.hasOlder) {
    return (
      <p className={quiet} data-testid="older-failed">
        {t("chat.olderFailed")}
        <button type="button" className="target underline" onClick={messages.loadOlder}>
          {t("app.retry")}
        </button>
      </p>
    );
  }
  if (page.hasOlder) return <Spinner label={t("chat.older")} className="w-full py-2" />;
  return <p className={quiet}>{t("chat.beginning")}</p>;
}

function Day({ at }: { at: number }) {
  const now = useNow();
  return (
    <p className="pt-4 pb-1.5 text-center text-[0.8125rem] text-muted" data-testid="day">
      <SayText text={dayText(at, now)} />
    </p>
  );
}

/** The list itself is not a live region: older messages loaded above would be read out too. */
function Announce({ page: { items }, conversation }: Omit<MessageListProps, "messages">) {
  const { t } = useTranslation();
  const known = useRef(items.at(-1)?.id);
  const last = items.at(-1);
  const { other } = conversation;
  const name = other.state === "known" ? other.username : t("chat.unknownUser");
  const isNew = last !== undefined && last.id !== known.current && !last.mine && !last.deleted;
  const words = last?.type === "photo" ? t("chat.photoFrom", { name }) : last?.message;
  return (
    <p className="sr-only" aria-live="polite">
      {isNew ? `${name}: ${words}` : ""}
    </p>
  );
}

type MessageLine =
  | { kind: "top"; key: string }
  | { kind: "day"; key: string; at: number }
  /** `first` in a row of messages by the same person. */
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

function guessHeight(line: MessageLine | undefined): number {
  if (line === undefined || line.kind !== "message") return 44;
  if (line.message.type === "photo" && !line.message.deleted) return 280;
  return 44 + 20 * Math.floor(line.message.message.length / 40);
}

const AWAY_PX = 160;

function useNewest(
  scroller: RefObject<HTMLElement | null>,
  items: readonly MessageView[],
  scrollToEnd: () => void,
) {
  const [isAway, setAway] = useState(false);
  const last = items.at(-1);
  const lastId = last?.id ?? "";
  const seen = useRef(lastId);
  const scroll = useRef(scrollToEnd);
  scroll.current = scrollToEnd;
  if (!isAway) seen.current = lastId;
  // Outside: the scroll position and the layout. At the end, the list stays there when the screen
  // rotates or the phone's keyboard opens.
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const distance = () => box.scrollHeight - box.scrollTop - box.clientHeight;
    const sizeNow = () => `${box.clientWidth} ${box.clientHeight}`;
    let wasAtEnd = true;
    let size = sizeNow();
    const look = () => {
      wasAtEnd = distance() < AWAY_PX;
      setAway(distance() > AWAY_PX);
    };
    const turn = new ResizeObserver(() => {
      if (sizeNow() !== size && wasAtEnd) scroll.current();
      size = sizeNow();
    });
    box.addEventListener("scroll", look, { passive: true });
    turn.observe(box);
    return () => {
      turn.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, [scroller]);
  const mine = last?.mine === true && last.pending !== null ? lastId : "";
  const before = useRef(mine);
  // Outside: the scroll position. An own message scrolls to the end from anywhere.
  useEffect(() => {
    if (mine !== "" && mine !== before.current) scroll.current();
    before.current = mine;
  }, [mine]);
  // The other person wrote while the user was reading further up.
  const fresh = isAway && seen.current !== lastId && last?.mine === false;
  return { isAway, fresh };
}

function NewestButton({ fresh, onPress }: { fresh: boolean; onPress: () => void }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      data-testid="newest"
      data-fresh={fresh}
      aria-label={fresh ? undefined : t("chat.toNewest")}
      className={`absolute bottom-3 left-1/2 z-10 flex min-h-11 min-w-11 -translate-x-1/2 items-center justify-center gap-2 rounded-full border px-3 text-sm font-semibold shadow-float animate-rise ${fresh ? "border-transparent bg-accent text-on-accent" : "border-line-strong bg-raised"}`}
      onClick={onPress}
    >
      <ArrowDown className="size-[18px]" aria-hidden="true" />
      {fresh && t("chat.newMessages")}
    </button>
  );
}
