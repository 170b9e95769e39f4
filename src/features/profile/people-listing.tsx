/** A list of people with links to their profiles, and the list of blocked people. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { PeopleList, PersonView } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { Say } from "@/i18n/say";
import { setBlocked, usePeople } from "@/state/people";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/loading";
import { Panel } from "@/ui/panel";

interface PeopleListingProps {
  list: PeopleList;
  onLeave?: () => void;
  action?: (person: PersonView) => ReactNode;
  empty?: ReactNode;
}

export function PeopleListing({ list, onLeave, action, empty }: PeopleListingProps) {
  const { t } = useTranslation();
  const { page, hasMore, showMore } = usePeople(list);
  if (page.state === "failed") return <p className="text-muted">{t("people.listOffline")}</p>;
  if (page.state === "loading") return <Skeleton className="h-14" />;
  const { items, total } = page.value;
  if (total === 0) return empty;
  return (
    <>
      <ul className="-mx-2 grid grid-cols-[minmax(0,1fr)] gap-1" data-testid={`people-${list}`}>
        {items.map((person) => (
          <li key={person.id} className="flex items-center gap-2 pe-2" data-person={person.id}>
            <PersonRow person={person} onLeave={onLeave} />
            {action?.(person)}
          </li>
        ))}
      </ul>
      {hasMore && <Button onClick={showMore}>{t("people.morePeople")}</Button>}
    </>
  );
}

const ROW = "flex min-h-12 min-w-0 flex-1 items-center gap-3 rounded-xl px-2";

function PersonRow({ person, onLeave }: { person: PersonView; onLeave: (() => void) | undefined }) {
  if (person.state !== "known") {
    return (
      <span className={ROW}>
        <Skeleton className="size-9 shrink-0 rounded-full!" />
        {person.state === "asking" ? (
          <Skeleton className="h-4 w-32" />
        ) : (
          <span className="text-muted">
            <Say k="people.unknown" />
          </span>
        )}
      </span>
    );
  }
  return (
    <Link
      to={paths.user(person.username)}
      className={`${ROW} font-semibold no-underline hover:bg-surface`}
      onClick={onLeave}
    >
      <Avatar name={person.username} src={person.thumbnailUrl} size={36} />
      <span className="truncate">{person.username}</span>
    </Link>
  );
}

export function BlockedPeople() {
  const { t } = useTranslation();
  return (
    <Panel id="blocked-people" title={t("account.blocked")} text={t("account.blockedText")}>
      <PeopleListing
        list="blocked"
        empty={<p className="text-muted">{t("account.nobodyBlocked")}</p>}
        action={(person) => (
          <UnblockButton
            id={person.id}
            name={person.state === "known" ? person.username : t("people.unknown")}
          />
        )}
      />
    </Panel>
  );
}

export function UnblockButton({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation();
  return (
    <Button
      aria-label={t("people.unblockPerson", { name })}
      data-testid="unblock"
      onClick={() => void setBlocked(id, false)}
    >
      {t("people.unblock")}
    </Button>
  );
}
