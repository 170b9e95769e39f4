/** Somebody's profile (specification §2 "/user/{username}"). */
import { UserX } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { Link, Navigate } from "react-router-dom";
import type { ProfileView } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { Say } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import { useTitle } from "@/state/page";
import { useProfileByName, useRelation } from "@/state/people";
import { useUser } from "@/state/session";
import { showToast } from "@/state/toasts";
import { Button, buttonClasses } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { BlockedNotice } from "./blocked-notice";
import { PersonActions } from "./person-actions";
import { HeaderSkeleton, ProfileHeader } from "./profile-header";

interface PublicProfileProps {
  username: string;
  media: (person: ProfileView) => ReactNode;
  /** While the person is being looked up. */
  mediaLoading: ReactNode;
}

export function PublicProfile({ username, media, mediaLoading }: PublicProfileProps) {
  const { t } = useText();
  const found = useProfileByName(username);
  useTitle(found.state === "found" ? found.value.username : t("people.page"));
  switch (found.state) {
    case "loading":
      return (
        <>
          <HeaderSkeleton />
          {mediaLoading}
        </>
      );
    case "gone":
      return <GoneHome />;
    case "unreachable":
      return <NotThere />;
    case "found":
      return <Person person={found.value} media={media} />;
  }
}

function Person({ person, media }: Pick<PublicProfileProps, "media"> & { person: ProfileView }) {
  const { t } = useText();
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
        {(byMe || person.isBlocked) && <BlockedNotice person={person} byMe={byMe} />}
      </ProfileHeader>
      {!byMe && media(person)}
    </div>
  );
}

/** The server's definite word sends home (resolution of redirect and page). */
function GoneHome() {
  // Outside: the notification area.
  useEffect(() => {
    showToast({ title: { key: "people.notFound" } });
  }, []);
  return <Navigate to={paths.home} replace />;
}

function NotThere() {
  const { t } = useText();
  return (
    <EmptyState
      page
      testId="user-not-found"
      icon={<UserX />}
      title={<Say k="people.notFound" />}
      text={t("people.notFoundText")}
    >
      <Link to={paths.home} className={buttonClasses({ variant: "accent" })}>
        {t("people.goHome")}
      </Link>
      <Button onClick={() => location.reload()}>{t("people.tryAgain")}</Button>
    </EmptyState>
  );
}
