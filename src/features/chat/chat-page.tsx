/** One conversation: header with block menu, messages, and the composer or what replaces it. */
import { ArrowLeft, Ban, EllipsisVertical, Flag, MessageCircleOff } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { ConversationView, Counterpart, SessionUser } from "@/data/shapes";
import { paths } from "@/domain/paths";
import type { TextKey } from "@/i18n/keys";
import { Say } from "@/i18n/say";
import { useConversation, useFillHeight, useMarkRead } from "@/state/chat";
import { useClient, whenClient } from "@/state/client-store";
import { useTitle } from "@/state/page";
import { setBlocked } from "@/state/people";
import { reportWish } from "@/state/reports";
import { Notice } from "@/ui/alert-dialog";
import { useAsk } from "@/ui/ask-first";
import { Avatar } from "@/ui/avatar";
import { Button, buttonClasses } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { lazily } from "@/ui/lazily";
import { Skeleton } from "@/ui/loading";
import { Menu, MenuItem } from "@/ui/menu";
import { Composer } from "./composer";
import { MessageArea, MessagesFailed, MessagesLoading } from "./message-list";

interface ChatPageProps {
  conversationId: string;
  user: SessionUser;
  onLeave: () => void;
}

export function ChatPage({ conversationId, user, onLeave }: ChatPageProps) {
  const { t } = useTranslation();
  const found = useConversation(conversationId);
  const conversation = found.state === "found" ? found.value : null;
  useMarkRead(conversation);
  useTitle(conversation === null ? t("chat.title") : nameOf(conversation, t("chat.title")));
  const offline = useClient()?.connection.getSnapshot() !== "online";
  if (found.state === "unreachable")
    return <MessagesFailed offline={offline} toChats={<ToChats />} />;
  if (found.state !== "gone") return <Open {...{ conversationId, conversation, user, onLeave }} />;
  return (
    <EmptyState
      page
      testId="chat-not-found"
      icon={<MessageCircleOff />}
      title={<Say k="chat.notFound" />}
      text={<Say k="chat.notFoundText" />}
    >
      <ToChats />
    </EmptyState>
  );
}

const nameOf = ({ other }: ConversationView, fallback: string): string =>
  other.state === "known" ? other.username : fallback;

type OpenProps = ChatPageProps & { conversation: ConversationView | null };

function Open({ conversationId, conversation, user, onLeave }: OpenProps) {
  const { t } = useTranslation();
  const page = useRef<HTMLDivElement>(null);
  useFillHeight(page);
  const photo = usePhotoChoice(conversationId);
  const closed = closedBy(conversation, user);
  return (
    <div
      ref={page}
      data-fill=""
      data-testid="chat"
      data-conversation-id={conversationId}
      className="relative mx-auto flex h-[calc(100dvh-57px)] min-h-[320px] w-full max-w-[760px] flex-col"
      {...(closed === null ? photo.dropTarget : {})}
    >
      <ChatHeader conversation={conversation} onLeave={onLeave} />
      {conversation === null ? <MessagesLoading /> : <MessageArea conversation={conversation} />}
      {closed !== null && conversation !== null ? (
        <ClosedBar conversation={conversation} why={closed} />
      ) : (
        <Composer
          userId={user.id}
          conversationId={conversationId}
          onPhoto={photo.choose}
          fault={photo.fault}
          disabled={conversation === null}
        />
      )}
      {photo.isOver && (
        <div className="pointer-events-none absolute inset-2 z-20 grid place-items-center rounded-[20px] border-2 border-dashed border-accent bg-background/85 text-lg font-bold">
          {t("chat.drop")}
        </div>
      )}
      {photo.dialog}
    </div>
  );
}

const ToChats = () => (
  <Link to={paths.chats} className={buttonClasses({ variant: "accent" })} data-testid="to-chats">
    <Say k="chat.toChats" />
  </Link>
);

const SendPhoto = lazily(() => import("./send-photo"), "SendPhoto");

/** A photo to be sent, whether picked, pasted or dropped: at most one, and only pictures. */
function usePhotoChoice(conversationId: string) {
  const [file, setFile] = useState<File | null>(null);
  const [fault, setFault] = useState<TextKey | null>(null);
  const [isOver, setOver] = useState(false);
  // Anything but a picture is not taken (specification §5), and the composer says so.
  const choose = (chosen: File | undefined) => {
    if (chosen === undefined) return;
    const isPicture = chosen.type.startsWith("image/");
    setFault(isPicture ? null : "chat.onlyPhotos");
    if (isPicture) setFile(chosen);
  };
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  return {
    choose,
    fault,
    isOver,
    dropTarget: {
      onDragOver: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: (event: DragEvent) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node) || !event.currentTarget.contains(to)) setOver(false);
      },
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        const files = [...event.dataTransfer.files];
        choose(files.find(({ type }) => type.startsWith("image/")) ?? files[0]);
      },
    },
    dialog: file && (
      <SendPhoto
        key={`${file.name} ${file.size} ${file.lastModified}`}
        file={file}
        conversationId={conversationId}
        onClose={() => setFile(null)}
      />
    ),
  };
}

type Closed = "blocked" | "gone" | "disabled";

/** Why nothing can be sent here; null where it can, as far as this device knows. */
function closedBy(conversation: ConversationView | null, user: SessionUser): Closed | null {
  if (conversation === null) return null;
  if (conversation.blocked) return "blocked";
  if (conversation.other.state === "gone") return "gone";
  return user.chatDisabled ? "disabled" : null;
}

const CLOSED: Record<Closed, TextKey> = {
  blocked: "chat.blockedText",
  gone: "chat.closedGone",
  disabled: "chat.closedDisabled",
};

/** In the composer's place, before anybody has typed in vain. */
function ClosedBar({ conversation, why }: { conversation: ConversationView; why: Closed }) {
  const { t } = useTranslation();
  const name = nameOf(conversation, t("chat.unknownUser"));
  return (
    <div
      role="status"
      data-testid={why === "blocked" ? "blocked-bar" : "closed-bar"}
      className="mb-[calc(8px+env(safe-area-inset-bottom))] flex shrink-0 flex-wrap items-center gap-x-4 gap-y-3 rounded-[18px] bg-surface p-4"
    >
      <Ban className="size-6 shrink-0 text-muted" aria-hidden="true" />
      <p className="min-w-0 flex-[1_1_12rem]">
        <strong className="block">
          {t(why === "blocked" ? "people.blockedNotice" : "chat.closed")}
        </strong>
        <span className="text-sm text-muted">{t(CLOSED[why])}</span>
      </p>
      {why === "blocked" && (
        <Button
          aria-label={t("people.unblockPerson", { name })}
          data-testid="unblock"
          onClick={() => void setBlocked(conversation.otherId, false)}
        >
          {t("people.unblock")}
        </Button>
      )}
    </div>
  );
}

function ChatHeader({ conversation, onLeave }: Pick<OpenProps, "conversation" | "onLeave">) {
  const { t } = useTranslation();
  return (
    <header className="flex min-h-[60px] shrink-0 items-center gap-1 border-b border-line py-1.5">
      <Link
        to={paths.chats}
        className="shell-icon -ms-2"
        aria-label={t("app.back")}
        data-testid="back"
      >
        <ArrowLeft aria-hidden="true" />
      </Link>
      {conversation === null ? (
        <span className="flex items-center gap-3">
          <Skeleton className="size-9 rounded-full!" />
          <Skeleton className="h-4 w-28" />
        </span>
      ) : (
        <Who other={conversation.other} />
      )}
      {conversation !== null && conversation.other.state !== "gone" && (
        <BlockMenu conversation={conversation} onLeave={onLeave} />
      )}
    </header>
  );
}

function Who({ other }: { other: Counterpart }) {
  const { t } = useTranslation();
  const heading = "min-w-0 truncate text-[1.0625rem] font-bold";
  if (other.state !== "known") {
    return (
      <span className="flex min-w-0 flex-1 items-center gap-3">
        <Avatar name="?" size={36} />
        <h1 className={heading} data-testid="chat-partner">
          <Say k={other.state === "gone" ? "chat.unknownUserGerman" : "chat.partnerDataFailed"} />
        </h1>
      </span>
    );
  }
  return (
    <Link
      to={paths.user(other.username)}
      className="flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-full pe-3 text-foreground no-underline hover:bg-surface"
    >
      <Avatar name={other.username} src={other.thumbnailUrl} size={36} />
      <h1 className={heading} data-testid="chat-partner" title={t("chat.title")}>
        {other.username}
      </h1>
    </Link>
  );
}

type BlockMenuProps = { conversation: ConversationView; onLeave: () => void };

/** Reports; or asks like the profile does, blocks, then tells the outcome. */
function BlockMenu({ conversation, onLeave }: BlockMenuProps) {
  const { t } = useTranslation();
  const [outcome, setOutcome] = useState<"blocked" | "failed" | null>(null);
  const { ask, dialog } = useAsk();
  const opener = useRef<HTMLButtonElement>(null);
  const name = nameOf(conversation, t("chat.unknownUser"));
  const report = () =>
    reportWish.set({
      kind: "person",
      id: conversation.otherId,
      place: "",
      name,
      returnFocus: opener,
    });
  const askToBlock = () =>
    ask({
      title: t("people.blockTitle", { name }),
      description: t("people.blockText"),
      action: t("people.block"),
      onAction: () => void block(),
      returnFocus: opener,
    });
  const block = async () => {
    const { success } = await (await whenClient()).writes.blockUser(conversation.otherId);
    setOutcome(success ? "blocked" : "failed");
  };
  return (
    <>
      {!conversation.blocked && (
        <Menu
          trigger={
            <button
              ref={opener}
              type="button"
              className="shell-icon -me-2 ms-auto"
              aria-label={t("chat.menu")}
              data-testid="chat-menu"
            >
              <EllipsisVertical aria-hidden="true" />
            </button>
          }
        >
          <MenuItem data-testid="report-person" onSelect={report}>
            <Flag aria-hidden="true" />
            <Say k="report.open" />
          </MenuItem>
          <MenuItem data-testid="block-user" onSelect={askToBlock}>
            <Ban aria-hidden="true" />
            <Say k="chat.block" />
          </MenuItem>
        </Menu>
      )}
      {dialog}
      {outcome !== null && (
        <Notice
          title={outcome === "failed" ? t("chat.blockFailed") : t("people.blocked", { name })}
          close={t("chat.alertOk")}
          onClose={() => {
            setOutcome(null);
            if (outcome === "blocked") onLeave();
          }}
        />
      )}
    </>
  );
}
