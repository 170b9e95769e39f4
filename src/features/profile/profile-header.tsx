/** The header of a profile: picture, name, counts, biography. */

import { QrCode } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ProfileView } from "@/data/shapes";
import { linkParts } from "@/domain/linked-words";
import { Avatar } from "@/ui/avatar";
import { lazily } from "@/ui/lazily";
import { LinkedText } from "@/ui/linked-text";
import { Skeleton } from "@/ui/loading";
import type { CountProps } from "./count-dialog";

const FACE_PX = 84;

const ShareDialog = lazily(() => import("./share-dialog"), "ShareDialog");

interface ProfileHeaderProps {
  person: ProfileView;
  isOwn: boolean;
  mark?: ReactNode;
  children?: ReactNode;
}

export function ProfileHeader({ person, isOwn, mark, children }: ProfileHeaderProps) {
  const { t } = useTranslation();
  const { username, bio, mediaCount } = person;
  return (
    <header className="mb-5 pt-3 md:pt-6" data-testid="profile-header">
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 md:gap-x-6">
        <span className="flex md:row-span-2">
          <Avatar name={username} src={person.profilePictureUrl} size={FACE_PX} />
        </span>
        <div className="min-w-0">
          <h1
            tabIndex={-1}
            className="text-[1.3125rem] leading-tight font-bold tracking-tight wrap-anywhere md:text-[1.625rem]"
            data-testid="profile-name"
          >
            {username}
          </h1>
          {mark}
        </div>
        <ShareButton username={username} />
        <ul className="col-span-3 flex flex-wrap justify-around gap-x-4 md:col-span-2 md:-ms-2 md:justify-start md:gap-3">
          <li>
            <Count
              value={person.isPartial ? null : mediaCount}
              word={t("people.mediaWord")}
              testId="media-count"
            />
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
          className="mt-3 max-w-[60ch] whitespace-pre-line text-[0.9375rem] wrap-anywhere"
          data-testid="profile-bio"
        >
          <LinkedText parts={linkParts(bio)} />
        </p>
      )}
      {children}
    </header>
  );
}

function ShareButton({ username }: { username: string }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const label = t("people.shareTitle", { name: username });
  return (
    <>
      <button
        type="button"
        className="shell-icon self-start hover:bg-surface"
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        data-testid="share-profile"
        onClick={() => setOpen(true)}
      >
        <QrCode aria-hidden="true" />
      </button>
      {open && <ShareDialog username={username} onClose={() => setOpen(false)} />}
    </>
  );
}

export function HeaderSkeleton() {
  const { t } = useTranslation();
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

const CountDialog = lazily(() => import("./count-dialog"), "CountDialog");

function CountButton(props: CountProps) {
  const { t } = useTranslation();
  const { list, person } = props;
  const [open, setOpen] = useState(false);
  const word = t(list === "followers" ? "people.followersWord" : "people.followingWord");
  if (person.isPartial) return <Count value={null} word={word} />;
  return (
    <>
      <button
        type="button"
        className="w-full rounded-xl hover:bg-surface"
        aria-haspopup="dialog"
        data-testid={`count-${list}`}
        onClick={() => setOpen(true)}
      >
        <Count value={person[list]} word={word} />
      </button>
      {open && <CountDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

const DASH = "–";

interface CountValue {
  /** Null: not known here. */
  value: number | null;
  word: string;
  testId?: string;
}

function Count({ value, word, testId }: CountValue) {
  const { t, i18n } = useTranslation();
  return (
    <span className="flex min-h-13 flex-col items-center justify-center leading-tight md:min-h-11 md:flex-row md:items-baseline md:gap-1.5 md:px-2">
      <strong className="text-[1.0625rem] tabular-nums" data-testid={testId}>
        {value === null ? (
          <>
            <span aria-hidden="true">{DASH}</span>
            <span className="sr-only">{t("people.notKnown")}</span>
          </>
        ) : (
          value.toLocaleString(i18n.language)
        )}
      </strong>
      <span className="text-[0.84375rem] text-muted md:text-[0.9375rem]">{word}</span>
    </span>
  );
}
