/** Follow, write to, block: for somebody who is signed in; visitors are sent to sign in (specification §6). */
import { Ban, Ellipsis, MessageCircle, UserMinus, UserPlus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useNavigate } from "react-router-dom";
import type { ProfileView, Relation } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { useText } from "@/i18n/use-text";
import { openConversation, setFollowing, useUnreadFrom } from "@/state/people";
import { useToLogin, useUser } from "@/state/session";
import { showToast } from "@/state/toasts";
import { Badge, cappedCount, PROFILE_UNREAD_CAP } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Menu, MenuItem } from "@/ui/menu";
import { startFailureText } from "./start-failure";

const BlockPerson = lazy(() =>
  import("./block-person").then((file) => ({ default: file.BlockPerson })),
);

export function PersonActions({ person, relation }: { person: ProfileView; relation: Relation }) {
  const [blocking, setBlocking] = useState(false);
  return (
    <div className="mt-3 flex items-center gap-2 md:mt-4" data-testid="person-actions">
      <FollowButton person={person} following={relation.following} />
      <MessageButton person={person} />
      <MoreOptions onBlock={() => setBlocking(true)} />
      {blocking && (
        <Suspense fallback={null}>
          <BlockPerson person={person} onClose={() => setBlocking(false)} />
        </Suspense>
      )}
    </div>
  );
}

function FollowButton({ person, following }: { person: ProfileView; following: boolean }) {
  const { t } = useText();
  const toLogin = useToLogin();
  const user = useUser();
  const toggle = async () => {
    if (user === null) return toLogin();
    await setFollowing(person.id, !following);
  };
  const name = person.username;
  return (
    <Button
      variant={following ? "outline" : "accent"}
      className="flex-1 px-3! md:min-w-32 md:flex-none"
      aria-label={t(following ? "people.unfollowPerson" : "people.followPerson", { name })}
      data-testid={following ? "unfollow" : "follow"}
      onClick={() => void toggle()}
    >
      {following ? (
        <UserMinus aria-hidden="true" className="max-[419px]:hidden" />
      ) : (
        <UserPlus aria-hidden="true" className="max-[419px]:hidden" />
      )}
      {t(following ? "people.unfollow" : "people.follow")}
    </Button>
  );
}

function MessageButton({ person }: { person: ProfileView }) {
  const { t } = useText();
  const navigate = useNavigate();
  const toLogin = useToLogin();
  const user = useUser();
  const unread = useUnreadFrom(person.id);
  const [busy, setBusy] = useState(false);
  const open = async () => {
    if (user === null) return toLogin();
    setBusy(true);
    const started = await openConversation(person.id);
    setBusy(false);
    if (started.success && started.value !== null) {
      return navigate(paths.chat(started.value.conversationId));
    }
    showToast({
      title: { key: "people.chatFailed" },
      description: startFailureText(started),
      variant: "destructive",
    });
  };
  return (
    <Button
      className="flex-1 px-3! md:flex-none md:px-5!"
      data-testid="send-message"
      disabled={busy}
      onClick={() => void open()}
    >
      <MessageCircle aria-hidden="true" className="max-[419px]:hidden" />
      {t("people.sendMessage")}
      {cappedCount(unread, PROFILE_UNREAD_CAP) !== "" && (
        <>
          <span aria-hidden="true" data-testid="unread-from">
            <Badge count={unread} cap={PROFILE_UNREAD_CAP} />
          </span>
          <span className="sr-only">{t("people.unread", { count: unread })}</span>
        </>
      )}
    </Button>
  );
}

function MoreOptions({ onBlock }: { onBlock: () => void }) {
  const { t } = useText();
  const toLogin = useToLogin();
  const user = useUser();
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="shell-icon border! border-line!"
          aria-label={t("people.moreOptions")}
          title={t("people.moreOptions")}
          data-testid="more-options"
        >
          <Ellipsis aria-hidden="true" />
        </button>
      }
    >
      <MenuItem data-testid="block-user" onSelect={() => (user === null ? toLogin() : onBlock())}>
        <Ban aria-hidden="true" />
        {t("people.block")}
      </MenuItem>
    </Menu>
  );
}
