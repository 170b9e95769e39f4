/**
 * The list: as many lines in the page as are near the window (virtualised), anchored at the end. New messages keep it at
 * the newest unless one has scrolled up; older ones are loaded above without moving what is read.
 */
import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { ConversationView, MessagePage, MessageView } from "@/data/shapes";
import { dayText } from "@/i18n/clock-text";
import { SayText } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import type { Messages } from "@/state/chat";
import { useNow } from "@/state/page";
import { Spinner } from "@/ui/spinner";
import { Bubble } from "./bubble";
import { guessHeight, type MessageLine, messageLines } from "./message-rows";
import { NewestButton } from "./newest-button";
import { useNewest } from "./use-newest";

/** Lines drawn beyond the window on either side. */
const OVERSCAN = 8;
/** Lines from the top at which older messages are asked for. */
const ASK_AHEAD = 10;
/** Still "at the end", pixels. */
const END_PX = 80;

interface MessageListProps {
  conversation: ConversationView;
  page: MessagePage;
  messages: Messages;
}

export function MessageList({ conversation, page, messages }: MessageListProps) {
  const { t } = useText();
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
  const newest = useNewest(scroller, page.items, () => virtualizer.scrollToEnd());
  const rows = virtualizer.getVirtualItems();
  const first = rows[0]?.index ?? lines.length;
  const { older, loadOlder } = messages;
  const wantsOlder = first < ASK_AHEAD && page.hasOlder && older === "idle";
  const at = virtualizer.scrollOffset ?? 0;
  // Outside: the device's and the server's older messages. The lines of a list that has just been scrolled, as at its
  // opening, are still those of the place before.
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
              <Line
                line={lines[row.index]}
                conversation={conversation}
                messages={messages}
                page={page}
              />
            </li>
          ))}
        </ol>
      </section>
      <Announce items={page.items} conversation={conversation} />
      {newest.isAway && <NewestButton fresh={newest.fresh} onPress={newest.goThere} />}
    </div>
  );
}

/**
 * What changes its height above the edge moves nothing below it. By itself the library leaves what was measured before as it is
 * while one scrolls up, and the line that was the first of its sender is lower once older ones stand above it.
 */
const isAboveTheEdge = (
  line: { start: number },
  _: number,
  { scrollOffset }: Virtualizer<HTMLDivElement, Element>,
): boolean => line.start < (scrollOffset ?? 0);

interface LineProps extends MessageListProps {
  line: MessageLine | undefined;
}

function Line({ line, conversation, page, messages }: LineProps) {
  switch (line?.kind) {
    case "top":
      return <Top page={page} messages={messages} />;
    case "day":
      return <Day at={line.at} />;
    case "message":
      return <Bubble message={line.message} first={line.first} other={conversation.other} />;
    default:
      return null;
  }
}

function Top({ page, messages }: Pick<LineProps, "page" | "messages">) {
  const { t } = useText();
  const quiet = "flex min-h-11 items-center justify-center gap-2 pt-2 text-[13px] text-muted";
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
    <p className="pt-4 pb-1.5 text-center text-[13px] text-muted" data-testid="day">
      <SayText text={dayText(at, now)} />
    </p>
  );
}

/** The list itself is not a live region: what is loaded above would be read out too. */
function Announce({
  items,
  conversation,
}: {
  items: readonly MessageView[];
  conversation: ConversationView;
}) {
  const { t } = useText();
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
