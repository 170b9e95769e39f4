/** A line of a list of people whom one might follow. */
import { Link } from "react-router-dom";
import type { ProfileView } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { setFollowing, useProfile, useRelation } from "@/state/people";
import { useUser } from "@/state/session";
import { Avatar } from "@/ui/avatar";
import { FollowButton } from "./follow-button";

export function PersonToFollow({ id }: { id: string }) {
  const found = useProfile(id);
  if (found.state !== "found") return null;
  return <Person person={found.value} />;
}

function Person({ person }: { person: ProfileView }) {
  const isMe = useUser()?.id === person.id;
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
      {!isMe && (
        <FollowButton
          name={person.username}
          following={isFollowed}
          set={(on) => setFollowing(person.id, on)}
        />
      )}
    </li>
  );
}
