/** What one is told of, by days, the newest first. Each leads to where it happened. */
import {
  Bell,
  Flag,
  Heart,
  MessageSquare,
  ShieldAlert,
  TriangleAlert,
  UserPlus,
} from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { NotificationView } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { clockMark, clockText, dayOf, dayText, whenText } from "@/i18n/formats";
import { SayText } from "@/i18n/say";
import { SWITCHED_KINDS, useNotifications, useNotificationsOff } from "@/state/notifications";
import { useNow } from "@/state/page";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { cn } from "@/ui/cn";
import { EmptyState } from "@/ui/empty-state";
import { Skeleton } from "@/ui/loading";
import { PageHead } from "@/ui/page-head";

export function NotificationsPage() {
  const { t } = useTranslation();
  return (
    <div className="mx-auto max-w-[760px]" data-testid="notifications">
      <PageHead title={t("bell.title")} back={paths.home} backLabel={t("app.back")} />
      <List />
      <Choice />
    </div>
  );
}

function List() {
  const { t } = useTranslation();
  const { page, showMore } = useNotifications();
  const now = useNow();
  if (page.state === "loading") return <Loading />;
  if (page.state === "failed") {
    const title = page.code === "network" ? t("news.failed") : t("news.broken");
    return <EmptyState testId="notifications-failed" icon={<Bell />} title={title} />;
  }
  const { items, hasMore } = page.value;
  if (items.length === 0) {
    return (
      <EmptyState
        testId="notifications-empty"
        icon={<Bell />}
        title={t("news.none")}
        text={t("news.noneText")}
      />
    );
  }
  return (
    <>
      {daysOf(items).map(([day, ofDay]) => (
        <section key={day} aria-labelledby={`day-${day}`} className="mb-5">
          <h2 id={`day-${day}`} className="mb-1 text-sm font-semibold text-muted">
            <SayText text={dayText(day, now)} />
          </h2>
          <ul className="-mx-2 grid grid-cols-[minmax(0,1fr)]">
            {ofDay.map((one) => (
              <Item key={one.key} one={one} now={now} />
            ))}
          </ul>
        </section>
      ))}
      {hasMore && (
        <Button data-testid="more-notifications" onClick={showMore}>
          {t("news.more")}
        </Button>
      )}
    </>
  );
}

function daysOf(items: readonly NotificationView[]): [day: number, items: NotificationView[]][] {
  const days = new Map<number, NotificationView[]>();
  for (const one of items) {
    const day = dayOf(one.createdAt);
    days.set(day, [...(days.get(day) ?? []), one]);
  }
  return [...days];
}

/** What one hears about at all, on every device. */
function Choice() {
  const { t } = useTranslation();
  const { off, set } = useNotificationsOff();
  return (
    <fieldset className="mt-8 rounded-[18px] bg-surface p-4" data-testid="notification-kinds">
      <legend className="float-left mb-1 font-semibold">{t("news.about")}</legend>
      <div className="clear-left">
        {off.state === "failed" && <p className="text-sm text-muted">{t("news.aboutOffline")}</p>}
        {off.state === "loading" &&
          SWITCHED_KINDS.map((kind) => (
            <div key={kind} className="target flex items-center">
              <Skeleton className="h-6 w-48" />
            </div>
          ))}
        {off.state === "ready" &&
          SWITCHED_KINDS.map((kind) => (
            <Checkbox
              key={kind}
              checked={!off.value.includes(kind)}
              testId={`hear-${kind}`}
              onChange={(on) => set(kind, on)}
            >
              {t(`news.kinds.${kind}`)}
            </Checkbox>
          ))}
      </div>
    </fieldset>
  );
}

const SKELETONS = ["w-full", "w-11/12", "w-10/12"];

function Loading() {
  const { t } = useTranslation();
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">{t("app.loading")}</span>
      {SKELETONS.map((width) => (
        <Skeleton key={width} className={`h-14 ${width}`} />
      ))}
    </div>
  );
}

const ICONS = {
  like: Heart,
  comment: MessageSquare,
  reply: MessageSquare,
  mention: MessageSquare,
  follow: UserPlus,
  report: Flag,
  removal: ShieldAlert,
  warning: TriangleAlert,
};

/** Where it happened; null where that is gone. */
function placeOf({ kind, people, mediaId, commentId, outcome }: NotificationView): string | null {
  const [first] = people;
  if (kind === "follow") return first?.username ? paths.user(first.username) : null;
  if (mediaId === "" || kind === "removal" || outcome === "resolved") return null;
  const medium = paths.slug(mediaId);
  return commentId === "" ? medium : `${medium}?comment=${commentId}`;
}

const ROW = "flex min-h-14 items-start gap-3 rounded-xl px-2 py-2.5 no-underline";

function Item({ one, now }: { one: NotificationView; now: number }) {
  const { t } = useTranslation();
  const { kind, people, thumbnailUrl, createdAt, isUnread, reason } = one;
  const place = placeOf(one);
  const Icon = ICONS[kind];
  const [first] = people;
  const content: ReactNode = (
    <>
      <span className="relative flex shrink-0">
        {first === undefined ? (
          <span className="grid size-10 place-items-center rounded-full bg-surface text-muted">
            <Icon aria-hidden="true" className="size-5" />
          </span>
        ) : (
          <Fragment>
            <Avatar name={first.username} src={first.thumbnailUrl} size={40} />
            <span className="absolute -end-1 -bottom-1 grid size-5 place-items-center rounded-full bg-background text-muted">
              <Icon aria-hidden="true" className="size-3.5" />
            </span>
          </Fragment>
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span data-what="" className={cn("block break-words", isUnread && "font-semibold")}>
          <What one={one} />
        </span>
        {reason !== "" && (
          <span className="block break-words text-sm">{t("news.reason", { reason })}</span>
        )}
        <span className="block text-sm text-muted">
          <When at={createdAt} now={now} />
        </span>
      </span>
      {thumbnailUrl !== "" && (
        <img
          src={thumbnailUrl}
          alt=""
          decoding="async"
          className="size-12 shrink-0 rounded-lg bg-surface object-cover"
        />
      )}
      {isUnread && (
        <span className="mt-2 size-2 shrink-0 rounded-full bg-accent" data-testid="is-new">
          <span className="sr-only">{t("news.new")}</span>
        </span>
      )}
    </>
  );
  return (
    <li data-testid="notification" data-kind={kind} data-unread={isUnread}>
      {place === null ? (
        <div className={ROW}>{content}</div>
      ) : (
        <Link to={place} className={cn(ROW, "hover:bg-surface")}>
          {content}
        </Link>
      )}
    </li>
  );
}

/** Today how long ago, else the time: the day stands above. */
function When({ at, now }: { at: number; now: number }) {
  const { i18n } = useTranslation();
  if (dayOf(at) === dayOf(now)) return <SayText text={whenText(at, now)} />;
  return (
    <time dateTime={new Date(at).toISOString()} {...clockMark(i18n.language)}>
      {clockText(at, i18n.language)}
    </time>
  );
}

function What({ one }: { one: NotificationView }) {
  const { t } = useTranslation();
  const { kind, count, type, caption, outcome, commentId } = one;
  const who = useWho(one);
  switch (kind) {
    case "like":
      if (commentId !== "") return t("news.likeOfComment", { count, who });
      return t("news.like", { count, who, what: t(`news.${type ?? "post"}`) });
    case "comment":
    case "reply":
    case "mention":
      return t(`news.${kind}`, { count, who, what: t(`news.${type ?? "post"}`) });
    case "follow":
      return t("news.follow", { count, who });
    case "report":
      return t(outcome === "resolved" ? "news.resolved" : "news.dismissed");
    case "warning":
      return t("news.warning");
    case "removal":
      return caption === "" ? t("news.removed") : t("news.removedOne", { caption });
  }
}

/** "Ada", "Ada and Ben", "Ada and 4 others". */
function useWho({ people, count }: NotificationView): string {
  const { t } = useTranslation();
  const [name = "", other = ""] = people.map(({ username }) => username || t("news.somebody"));
  if (count < 2) return name;
  return count === 2 ? t("news.two", { name, other }) : t("news.many", { name, count: count - 1 });
}
