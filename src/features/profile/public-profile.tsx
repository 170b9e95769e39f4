/** Another person's profile (specification §2), with follow, message and block. */
import {
  Ban,
  CloudDownload,
  Ellipsis,
  Flag,
  MessageCircle,
  UserX,
  Volume2,
  VolumeX,
} from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate, useNavigate } from "react-router-dom";
import type { ProfileView, Relation } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { chatStartText } from "@/i18n/error-text";
import { Say } from "@/i18n/say";
import { whenClient } from "@/state/client-store";
import { canKeep, keepWish } from "@/state/keep-wish";
import { useTitle } from "@/state/page";
import {
  setBlocked,
  setFollowing,
  setMuted,
  useProfileByName,
  useRelation,
  useUnreadFrom,
} from "@/state/people";
import { reportWish } from "@/state/reports";
import { useToLogin, useUser } from "@/state/session";
import { showFailure, showToast } from "@/state/toasts";
import { useAsk } from "@/ui/ask-first";
import { Badge, cappedCount, PROFILE_UNREAD_CAP } from "@/ui/badge";
import { Button, buttonClasses } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Menu, MenuItem } from "@/ui/menu";
import { Unreachable } from "@/ui/unreachable";
import { FollowButton } from "./follow-button";
import { UnmuteButton } from "./muted-panel";
import { UnblockButton } from "./people-listing";
import { HeaderSkeleton, ProfileHeader } from "./profile-header";

interface PublicProfileProps {
  username: string;
  media: (person: ProfileView) => ReactNode;
  mediaLoading: ReactNode;
}

export function PublicProfile({ username, media, mediaLoading }: PublicProfileProps) {
  const { t } = useTranslation();
  const found = useProfileByName(username);
  useTitle(found.state === "found" ? found.value.username : t("people.page"));
  const [wasShown, setShown] = useState(false);
  if (found.state === "found" && !wasShown) setShown(true);
  switch (found.state) {
    case "loading":
      return (
        <>
          <HeaderSkeleton />
          {mediaLoading}
        </>
      );
    case "gone":
      return wasShown ? <Deleted /> : <GoneHome />;
    case "unreachable":
      return (
        <Unreachable testId="user-not-found" code={found.code}>
          <ToHome />
        </Unreachable>
      );
    case "found":
      return <Person person={found.value} media={media} />;
  }
}

function Person({ person, media }: Pick<PublicProfileProps, "media"> & { person: ProfileView }) {
  const { t } = useTranslation();
  const isOwn = useUser()?.id === person.id;
  const relation = useRelation(person.id);
  const known = relation.state === "ready" ? relation.value : null;
  const byMe = known?.blocked === true;
  return (
    <div data-testid="public-profile" data-user-id={person.id}>
      <ProfileHeader person={person} isOwn={isOwn}>
        {isOwn && (
          <Link to={paths.settings} className={`${buttonClasses()} mt-4`} data-testid="edit-own">
            {t("people.editOwn")}
          </Link>
        )}
        {!isOwn && known !== null && !byMe && !person.isBlocked && (
          <PersonActions person={person} relation={known} />
        )}
        {person.isPartial && (
          <p role="status" className="mt-3 text-sm text-muted" data-testid="profile-partial">
            {t("people.partial")}
          </p>
        )}
        {known?.muted === true && !byMe && <MutedNotice person={person} />}
        {(byMe || person.isBlocked) && <BlockedNotice person={person} byMe={byMe} />}
      </ProfileHeader>
      {!byMe && media(person)}
    </div>
  );
}

/** A definite answer of the server redirects home (resolution of redirect and page). */
function GoneHome() {
  // Outside: the notification area.
  useEffect(() => {
    showToast({ title: { key: "people.notFound" } });
  }, []);
  return <Navigate to={paths.home} replace />;
}

/** The account was deleted meanwhile: whoever looks at it is told, and not sent away. */
function Deleted() {
  const { t } = useTranslation();
  return (
    <EmptyState
      page
      testId="user-not-found"
      icon={<UserX />}
      title={<Say k="people.notFound" />}
      text={t("people.goneText")}
    >
      <ToHome />
    </EmptyState>
  );
}

function ToHome() {
  const { t } = useTranslation();
  return (
    <Link to={paths.home} className={buttonClasses({ variant: "accent" })}>
      {t("app.goHome")}
    </Link>
  );
}

/** Replaces media and actions: blocked by the user, or suspended by an operator. */
function BlockedNotice({ person, byMe }: { person: ProfileView; byMe: boolean }) {
  const { t } = useTranslation();
  return (
    <div
      role="status"
      className="mt-4 mb-6 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-[18px] bg-surface p-4"
      data-testid="blocked-notice"
    >
      <Ban className="size-6 shrink-0 text-muted" aria-hidden="true" />
      <p className="min-w-0 flex-[1_1_14rem]">
        <strong className="block">{t("people.blockedNotice")}</strong>
        <span className="text-sm text-muted">
          {t(byMe ? "people.blockedText" : "people.suspendedText")}
        </span>
      </p>
      {byMe && <UnblockButton id={person.id} name={person.username} />}
    </div>
  );
}

function MutedNotice({ person }: { person: ProfileView }) {
  const { t } = useTranslation();
  return (
    <div
      role="status"
      className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-[18px] bg-surface p-4"
      data-testid="muted-notice"
    >
      <VolumeX className="size-6 shrink-0 text-muted" aria-hidden="true" />
      <p className="min-w-0 flex-[1_1_14rem] text-sm text-muted">
        {t("people.mutedNotice", { name: person.username })}
      </p>
      <UnmuteButton id={person.id} name={person.username} />
    </div>
  );
}

function PersonActions({ person, relation }: { person: ProfileView; relation: Relation }) {
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2 md:mt-4" data-testid="person-actions">
      <FollowButton
        name={person.username}
        following={relation.following}
        set={(on) => setFollowing(person.id, on)}
        className="flex-1 shrink! md:min-w-32 md:flex-none"
      />
      <MessageButton person={person} />
      <MoreOptions person={person} isMuted={relation.muted} />
    </div>
  );
}

function MessageButton({ person }: { person: ProfileView }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const toLogin = useToLogin();
  const user = useUser();
  const unread = useUnreadFrom(person.id);
  const [busy, setBusy] = useState(false);
  const open = async () => {
    if (user === null) return toLogin();
    setBusy(true);
    const { writes } = await whenClient();
    const started = await writes.createOrGetConversation(person.id);
    setBusy(false);
    if (started.success) return navigate(paths.chat(started.value.conversationId));
    showFailure("chat.errorTitle", chatStartText(started.error));
  };
  return (
    <Button
      className="flex-1 shrink! px-3! md:flex-none md:px-5!"
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
          <span className="sr-only">{t("chat.unread", { count: unread })}</span>
        </>
      )}
    </Button>
  );
}

/** Mutes; reports; blocks after a question, tells so and goes home (specification §4, Block). */
function MoreOptions({ person, isMuted }: { person: ProfileView; isMuted: boolean }) {
  const { t } = useTranslation();
  const toLogin = useToLogin();
  const navigate = useNavigate();
  const user = useUser();
  const { ask, dialog } = useAsk();
  const opener = useRef<HTMLButtonElement>(null);
  const name = person.username;
  const block = async () => {
    if (!(await setBlocked(person.id, true))) return;
    showToast({ title: { key: "people.blocked", params: { name } } });
    await navigate(paths.home);
  };
  const report = () =>
    reportWish.set({ kind: "person", id: person.id, place: "", name, returnFocus: opener });
  const mute = async () => {
    if ((await setMuted(person.id, !isMuted)) && !isMuted)
      showToast({ title: { key: "people.mutedToast", params: { name } } });
  };
  const askToBlock = () =>
    ask({
      title: t("people.blockTitle", { name }),
      description: t("people.blockText"),
      action: t("people.block"),
      onAction: () => void block(),
    });
  return (
    <>
      <Menu
        trigger={
          <button
            ref={opener}
            type="button"
            className="shell-icon border! border-line-strong!"
            aria-label={t("people.moreOptions")}
            title={t("people.moreOptions")}
            data-testid="more-options"
          >
            <Ellipsis aria-hidden="true" />
          </button>
        }
      >
        {canKeep() && (
          <MenuItem
            data-testid="keep-person"
            onSelect={() =>
              keepWish.set({ kind: "person", of: person.id, name, returnFocus: opener })
            }
          >
            <CloudDownload aria-hidden="true" />
            {t("kept.keep")}
          </MenuItem>
        )}
        <MenuItem data-testid="mute-user" onSelect={user === null ? toLogin : () => void mute()}>
          {isMuted ? <Volume2 aria-hidden="true" /> : <VolumeX aria-hidden="true" />}
          {t(isMuted ? "people.unmute" : "people.mute")}
        </MenuItem>
        <MenuItem data-testid="report-person" onSelect={user === null ? toLogin : report}>
          <Flag aria-hidden="true" />
          {t("report.open")}
        </MenuItem>
        <MenuItem data-testid="block-user" onSelect={user === null ? toLogin : askToBlock}>
          <Ban aria-hidden="true" />
          {t("people.block")}
        </MenuItem>
      </Menu>
      {dialog}
    </>
  );
}
