/** Who the conversation is with, the way back, and the menu that blocks. */
import { ArrowLeft, Ban, EllipsisVertical } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import type { ConversationView, Counterpart } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { Say } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { whenClient } from "@/state/client-store";
import { Avatar } from "@/ui/avatar";
import { Menu, MenuItem } from "@/ui/menu";
import { Notice } from "@/ui/notice";
import { Skeleton } from "@/ui/skeleton";

interface ChatHeaderProps {
  conversation: ConversationView | null;
  /** Back to the list. */
  onLeave: () => void;
}

export function ChatHeader({ conversation, onLeave }: ChatHeaderProps) {
  const { t } = useText();
  return (
    <header className="flex min-h-[60px] shrink-0 items-center gap-1 border-b border-line py-1.5">
      <Link
        to={paths.chats}
        className="shell-icon -ml-2"
        aria-label={t("chat.back")}
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
  const { t } = useText();
  const heading = "min-w-0 truncate text-[17px] font-bold";
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
      className="flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-full pr-3 text-foreground no-underline hover:bg-surface"
    >
      <Avatar name={other.username} src={other.thumbnailUrl} size={36} />
      <h1 className={heading} data-testid="chat-partner" title={t("chat.title")}>
        {other.username}
      </h1>
    </Link>
  );
}

function ChatMenu({ onBlock }: { onBlock: () => void }) {
  const { t } = useText();
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="shell-icon -mr-2 ml-auto"
          aria-label={t("chat.menu")}
          data-testid="chat-menu"
        >
          <EllipsisVertical aria-hidden="true" />
        </button>
      }
    >
      <MenuItem data-testid="block-user" onSelect={onBlock}>
        <Ban aria-hidden="true" />
        <Say k="chat.block" />
      </MenuItem>
    </Menu>
  );
}

/** The question is not asked (specification §4): the alert tells of what was done, and outlives the menu. */
function BlockMenu({
  conversation,
  onLeave,
}: {
  conversation: ConversationView;
  onLeave: () => void;
}) {
  const { t } = useText();
  const [outcome, setOutcome] = useState<"blocked" | "failed" | null>(null);
  const { other, otherId } = conversation;
  const name = other.state === "known" ? other.username : t("chat.unknownUser");
  const block = async () => {
    const { success } = await (await whenClient()).service.blockUser(otherId);
    setOutcome(success ? "blocked" : "failed");
  };
  return (
    <>
      {!conversation.blocked && <ChatMenu onBlock={() => void block()} />}
      <Notice
        open={outcome !== null}
        title={outcome === "failed" ? t("chat.blockFailed") : t("chat.blockedTitle", { name })}
        close={t("chat.alertOk")}
        onClosed={() => {
          setOutcome(null);
          if (outcome === "blocked") onLeave();
        }}
      />
    </>
  );
}
