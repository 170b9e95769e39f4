/** The signed-in user's profile (specification §2): the header and its three tabs. */
import { LockKeyhole, UserX } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate, useSearchParams } from "react-router-dom";
import type { ProfileView } from "@/data/shapes";
import { pendingText } from "@/i18n/formats";
import { plain, Say } from "@/i18n/say";
import { useClientState } from "@/state/client-store";
import { useTitle } from "@/state/page";
import { useProfile } from "@/state/people";
import { useSession } from "@/state/session";
import { buttonClasses } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Tabs } from "@/ui/tabs";
import { HeaderSkeleton, ProfileHeader } from "./profile-header";

interface OwnProfileProps {
  signedOutTo: string;
  media: (person: ProfileView) => ReactNode;
  saved: ReactNode;
  mediaLoading: ReactNode;
  settings: (person: ProfileView) => ReactNode;
}

export function OwnProfile(props: OwnProfileProps) {
  const { t } = useTranslation();
  const session = useSession();
  const { state: client } = useClientState();
  useTitle(t("people.page"));
  switch (session.state) {
    case "loading":
      return <Loading mediaLoading={props.mediaLoading} />;
    case "signed-out":
      // A definite answer redirects to sign-in; until there is one, the page says so.
      return client === "ready" ? (
        <Navigate to={props.signedOutTo} replace />
      ) : (
        <SignedOut login={props.signedOutTo} />
      );
    case "signed-in":
      return <Person key={session.user.id} userId={session.user.id} {...props} />;
  }
}

const Loading = ({ mediaLoading }: { mediaLoading: ReactNode }) => (
  <>
    <HeaderSkeleton />
    {mediaLoading}
  </>
);

function SignedOut({ login }: { login: string }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      page
      testId="profile-signed-out"
      icon={<LockKeyhole />}
      title={<Say k="profile.signedOut" />}
      text={t("profile.signedOutText")}
    >
      <Link to={login} className={buttonClasses({ variant: "accent" })}>
        <Say k="profile.toLogin" />
      </Link>
    </EmptyState>
  );
}

type PersonProps = Omit<OwnProfileProps, "signedOutTo"> & { userId: string };

const TABS = ["media", "saved", "settings"] as const;

function Person({ userId, media, saved, mediaLoading, settings }: PersonProps) {
  const { t } = useTranslation();
  const found = useProfile(userId);
  const [search, setSearch] = useSearchParams();
  if (found.state === "loading") return <Loading mediaLoading={mediaLoading} />;
  if (found.state !== "found") {
    return (
      <EmptyState
        page
        testId="profile-unreachable"
        icon={<UserX />}
        title={t("profile.failed")}
        text={t("people.mediaOfflineText")}
      />
    );
  }
  const person = found.value;
  const { pending } = person;
  const tab = TABS.find((one) => one === search.get("tab")) ?? "media";
  return (
    <div data-testid="own-profile" data-user-id={person.id}>
      <ProfileHeader
        person={person}
        isOwn
        mark={
          pending !== null &&
          pending.state !== "acked" && (
            <p className="text-[0.8125rem] text-muted" data-testid="profile-pending">
              {plain(t, pendingText(pending))}
            </p>
          )
        }
      />
      <Tabs
        testId="profile-tab"
        label={t("profile.tabs")}
        value={tab}
        onChange={(next) => setSearch(next === "media" ? {} : { tab: next }, { replace: true })}
        tabs={[
          { value: "media", text: t("profile.myMedia"), content: media(person) },
          { value: "saved", text: t("saves.title"), content: saved },
          { value: "settings", text: t("profile.settings"), content: settings(person) },
        ]}
      />
    </div>
  );
}
