/** What stands where those whom one follows have posted nothing yet: whom else one might follow. */
import { Users } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { ProfileView } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { useProfile, useRelation } from "@/state/people";
import { useQuery } from "@/state/use-query";
import { Avatar } from "@/ui/avatar";
import { EmptyState } from "@/ui/empty-state";
import { Skeleton } from "@/ui/loading";
import { FollowButton } from "./public-profile";

export function WhomToFollow() {
  const { t } = useTranslation();
  return (
    <>
      <EmptyState
        testId="gallery-empty"
        icon={<Users />}
        title={t("followed.none")}
        text={t("followed.text")}
      />
      <Suggested />
    </>
  );
}

function Suggested() {
  const { t } = useTranslation();
  const { now } = useQuery("suggested people", ({ reads }) => reads.suggestPeople());
  if (now.state === "loading") return <Skeleton className="mx-auto h-14 max-w-sm" />;
  if (now.state === "failed" || now.value.length === 0) return null;
  return (
    <section className="mx-auto max-w-sm pb-16">
      <h2 className="mb-2 text-lg font-bold">{t("followed.suggested")}</h2>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-1" data-testid="suggested-people">
        {now.value.map((id) => (
          <Suggestion key={id} id={id} />
        ))}
      </ul>
    </section>
  );
}

function Suggestion({ id }: { id: string }) {
  const found = useProfile(id);
  if (found.state !== "found") return null;
  return <Person person={found.value} />;
}

function Person({ person }: { person: ProfileView }) {
  const relation = useRelation(person.id);
  const isFollowed = relation.state === "ready" && relation.value.following;
  return (
    <li className="flex items-center gap-2" data-person={person.id}>
      <Link
        to={paths.user(person.username)}
        className="flex min-h-12 min-w-0 flex-1 items-center gap-3 rounded-xl px-2 font-semibold no-underline hover:bg-surface"
      >
        <Avatar name={person.username} src={person.profileThumbnailUrl} size={36} />
        <span className="truncate">{person.username}</span>
      </Link>
      <FollowButton person={person} following={isFollowed} />
    </li>
  );
}
