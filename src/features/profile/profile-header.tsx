/** The head of a profile: face, name, counts that open what they state, biography. */
import type { ReactNode } from "react";
import type { ProfileView } from "@/data/shapes";
import { useText } from "@/i18n/use-text";
import { Avatar } from "@/ui/avatar";
import { Skeleton } from "@/ui/skeleton";
import { Count, CountButton } from "./count-button";

const FACE_PX = 84;

interface ProfileHeaderProps {
  person: ProfileView;
  isOwn: boolean;
  /** Behind the name: what is still to be sent of it. */
  mark?: ReactNode;
  /** Beneath: what one may do. */
  children?: ReactNode;
}

export function ProfileHeader({ person, isOwn, mark, children }: ProfileHeaderProps) {
  const { t } = useText();
  const { username, bio, mediaCount } = person;
  return (
    <header className="mb-5 pt-3 md:pt-6" data-testid="profile-header">
      <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2 md:gap-x-6">
        <span className="flex md:row-span-2">
          <Avatar name={username} src={person.profilePictureUrl} size={FACE_PX} />
        </span>
        <div className="min-w-0">
          <h1
            tabIndex={-1}
            className="text-[21px] leading-tight font-bold tracking-tight wrap-anywhere md:text-[26px]"
            data-testid="profile-name"
          >
            {username}
          </h1>
          {mark}
        </div>
        <ul className="col-span-2 grid grid-cols-3 md:col-span-1 md:-ml-2 md:flex md:gap-3">
          <li>
            <Count value={mediaCount} word={t("people.mediaWord")} testId="media-count" />
          </li>
          <li>
            <CountButton list="followers" person={person} isOwn={isOwn} />
          </li>
          <li>
            <CountButton list="following" person={person} isOwn={isOwn} />
          </li>
        </ul>
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
        <Skeleton className="size-[84px] shrink-0 rounded-full!" />
        <div className="grid flex-1 gap-3">
          <Skeleton className="h-6 w-40" />
          <Skeleton className="h-4 w-56 max-w-full" />
        </div>
      </div>
    </div>
  );
}
