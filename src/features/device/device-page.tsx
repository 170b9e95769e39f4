/** All that lies on this device for when there is no network, and what of it can go. */
import { Bookmark, CloudCheck, CloudDownload, Search, Trash2, User, Users } from "lucide-react";
import { type ReactNode, type RefObject, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { paths } from "@/domain/paths";
import { bytesText } from "@/i18n/formats";
import { isMetered } from "@/lib/connection-kind";
import type { KeptList } from "@/media-cache/kept-lists";
import { canKeep, keepWish } from "@/state/keep-wish";
import { letGoOf, useKeptLists, useSingles } from "@/state/kept-lists";
import { useConnection } from "@/state/outbox";
import { useUser } from "@/state/session";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Progress, Skeleton } from "@/ui/loading";

/** @param usage counted anew for another number */
export function DevicePage({ usage }: { usage: (changes: number) => ReactNode }) {
  const { t } = useTranslation();
  const lists = useKeptLists();
  const heading = useRef<HTMLHeadingElement>(null);
  const done = (lists ?? []).reduce((sum, { media }) => sum + media, lists?.length ?? 0);
  return (
    <div className="mx-auto grid max-w-[760px] gap-6 pt-4" data-testid="on-this-device">
      <h1 ref={heading} tabIndex={-1} className="text-2xl font-bold tracking-tight outline-none">
        {t("storage.title")}
      </h1>
      {canKeep() && <Lists lists={lists} changes={done} heading={heading} />}
      {usage(done)}
    </div>
  );
}

interface ListsProps {
  lists: readonly KeptList[] | null;
  changes: number;
  /** Has the focus after what goes away with its own press. */
  heading: RefObject<HTMLHeadingElement | null>;
}

function Lists({ lists, changes, heading }: ListsProps) {
  const { t } = useTranslation();
  const user = useUser();
  const { singles, letGoOfThem } = useSingles(changes);
  if (lists === null) return <Skeleton className="h-24 w-full" />;
  const isFollowingKept = lists.some(({ kind }) => kind === "following");
  const name = t("kept.following");
  return (
    <>
      {lists.length === 0 && !singles?.media ? (
        <EmptyState
          testId="nothing-kept"
          icon={<CloudDownload />}
          title={t("kept.none")}
          text={t("kept.noneText")}
        />
      ) : (
        <ul className="grid gap-3" data-testid="kept-lists">
          {lists.map((list) => (
            <ListItem key={list.id} list={list} onGone={() => heading.current?.focus()} />
          ))}
          {!!singles?.media && (
            <Singles
              {...singles}
              letGo={() =>
                void letGoOfThem().then(
                  () => heading.current?.focus(),
                  () => undefined,
                )
              }
            />
          )}
        </ul>
      )}
      {user !== null && !isFollowingKept && (
        <div>
          <Button
            data-testid="keep-following"
            onClick={() => keepWish.set({ kind: "following", of: "", name, returnFocus: heading })}
          >
            <Users aria-hidden="true" />
            {t("kept.keepFollowing")}
          </Button>
        </div>
      )}
    </>
  );
}

interface SinglesProps {
  media: number;
  bytes: number;
  letGo: () => void;
}

function Singles({ media, bytes, letGo }: SinglesProps) {
  const { t, i18n } = useTranslation();
  const name = t("kept.singles");
  return (
    <li className={ITEM} data-testid="kept-singles">
      <div className="flex items-start gap-3">
        <CloudCheck aria-hidden="true" className="mt-1 size-5 shrink-0 text-muted" />
        <div className="min-w-0 flex-1">
          <p className="font-semibold">{name}</p>
          <p className="text-sm text-muted tabular-nums">
            {t("kept.amount", { count: media, used: bytesText(bytes, i18n.language) })}
          </p>
        </div>
        <LetGo name={name} testId="let-go-singles" onPress={letGo} />
      </div>
    </li>
  );
}

function LetGo({ name, testId, onPress }: { name: string; testId: string; onPress: () => void }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className="shell-icon -my-2 -me-2 text-muted"
      aria-label={t("kept.letGoOf", { name })}
      title={t("kept.letGoOf", { name })}
      data-testid={testId}
      onClick={onPress}
    >
      <Trash2 aria-hidden="true" />
    </button>
  );
}

const ITEM = "grid gap-2 rounded-[18px] bg-surface p-4";

const ICONS = { person: User, search: Search, following: Users, saved: Bookmark };

const placeOf = ({ kind, name }: KeptList): string => {
  if (kind === "person") return paths.user(name);
  if (kind === "saved") return paths.saved;
  return kind === "search" ? paths.search(name) : paths.home;
};

const PERCENT = 100;

function ListItem({ list, onGone }: { list: KeptList; onGone: () => void }) {
  const { t, i18n } = useTranslation();
  const { id, kind, media, bytes, limit, plan, state } = list;
  const isSaved = kind === "saved";
  const name = kind === "following" ? t("kept.following") : isSaved ? t("saves.title") : list.name;
  const Icon = ICONS[kind];
  const [used, most] = [bytesText(bytes, i18n.language), bytesText(limit, i18n.language)];
  return (
    <li className={ITEM} data-testid="kept-list">
      <div className="flex items-start gap-3">
        <Icon aria-hidden="true" className="mt-1 size-5 shrink-0 text-muted" />
        <div className="min-w-0 flex-1">
          <Link to={placeOf(list)} className="block truncate font-semibold hover:underline">
            {name}
          </Link>
          <p className="text-sm text-muted tabular-nums" data-testid="kept-size">
            {t("kept.holds", { count: media, used, most })}
          </p>
          <p role="status" className="text-sm text-muted" data-testid="kept-state">
            <StateText state={state} />
          </p>
        </div>
        {/* What is saved stays here for as long as it is saved. */}
        {!isSaved && (
          <LetGo
            name={name}
            testId="let-go"
            onPress={() => void letGoOf(id).then(onGone, () => undefined)}
          />
        )}
      </div>
      {state === "open" && plan.length > 0 && (
        <Progress
          value={PERCENT * Math.max(media / plan.length, bytes / limit)}
          label={t("kept.loading")}
        />
      )}
    </li>
  );
}

function StateText({ state }: Pick<KeptList, "state">) {
  const { t } = useTranslation();
  const isOffline = useConnection() === "offline";
  if (state === "whole") return t("kept.whole");
  if (state === "full") return t("kept.full");
  if (state === "no-room") return t("kept.noRoom");
  if (isOffline) return t("kept.waitsForNetwork");
  return t(isMetered() ? "kept.waitsForWifi" : "kept.loading");
}
