/** The head of a profile: face, name, counts that open what they state, biography. */
import type { ReactNode } from "react";
import type { ProfileView } from "@/data/client-api";
import { useText } from "@/i18n/use-text";
import { Avatar } from "@/ui/avatar";
import { Skeleton } from "@/ui/skeleton";
import { CountButton } from "./count-button";

const FACE_PX = 92;

interface ProfileHeaderProps {
  person: ProfileView;
  isOwn: boolean;
  /** Behind the name: what is still to be sent of it. */
  mark?: ReactNode;
  /** Beneath: what one may do. */
  children?: ReactNode;
}

export function ProfileHeader({ person, isOwn, mark, children }: ProfileHeaderProps) {
  const { t, language } = useText();
  const { username, bio, mediaCount } = person;
  return (
    <header className="mb-5 pt-3 md:pt-6" data-testid="profile-header">
      <div className="flex items-center gap-4 md:gap-6">
        <Avatar name={username} src={person.profilePictureUrl} size={FACE_PX} />
        <div className="min-w-0 flex-1">
          <h1
            tabIndex={-1}
            className="text-[22px] leading-tight font-bold tracking-tight wrap-anywhere md:text-[26px]"
            data-testid="profile-name"
          >
            {username}
          </h1>
          {mark}
          <ul className="mt-1 -ml-2 flex flex-wrap items-center text-[15px]">
            <li className="flex min-h-11 items-center gap-1.5 px-2">
              <strong className="tabular-nums" data-testid="media-count">
                {mediaCount.toLocaleString(language)}
              </strong>
              <span className="text-muted">{t("people.mediaWord")}</span>
            </li>
            <li>
              <CountButton list="followers" person={person} isOwn={isOwn} />
            </li>
            <li>
              <CountButton list="following" person={person} isOwn={isOwn} />
            </li>
          </ul>
        </div>
      </div>
      {bio !== "" && (
        <p
          dir="auto"
          className="mt-3 max-w-[60ch] whitespace-pre-line text-[15px] wrap-anywhere"
          data-testid="profile-bio"
        >
          {bio}
        </p>
      )}
      {children}
    </header>
  );
}

export function HeaderSkeleton() {
  const { t } = useText();
  return (
    <div role="status" className="mb-5 pt-3 md:pt-6" data-testid="profile-loading">
      <span className="sr-only">{t("people.loading")}</span>
      <div className="flex items-center gap-4 md:gap-6">
        <Skeleton className="size-[92px] shrink-0 rounded-full!" />
        <div className="grid flex-1 gap-3">
          <Skeleton className="h-6 w-40" />
          <Skeleton className="h-4 w-56 max-w-full" />
        </div>
      </div>
    </div>
  );
}
