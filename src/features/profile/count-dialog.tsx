/** States the number of followers or followed people. Only the own profile lists them. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { ProfileView } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { useFollowedTags } from "@/state/people";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { PeopleListing } from "./people-listing";

function FollowedTags({ onLeave }: { onLeave: () => void }) {
  const tags = useFollowedTags();
  if (tags.length === 0) return null;
  return (
    <p className="shell-tags flex-wrap" data-testid="followed-tags">
      {tags.map((tag) => (
        <Link key={tag} to={paths.tag(tag)} dir="auto" className="shell-tag" onClick={onLeave}>
          {`#${tag}`}
        </Link>
      ))}
    </p>
  );
}

export interface CountProps {
  list: "followers" | "following";
  person: ProfileView;
  isOwn: boolean;
}

export function CountDialog(props: CountProps & { onClose: () => void }) {
  const { list, person, isOwn, onClose } = props;
  const { t } = useTranslation();
  const { username: name } = person;
  const count = person[list];
  const sentence =
    list === "followers"
      ? t(isOwn ? "people.ownFollowers" : "people.followersOf", { name, count })
      : t(isOwn ? "people.ownFollowing" : "people.followingOf", { name, count });
  return (
    <Dialog
      onClose={onClose}
      title={t(list === "followers" ? "people.followersWord" : "people.followingWord")}
      description={sentence}
    >
      {isOwn && count > 0 && <PeopleListing list={list} onLeave={onClose} />}
      {isOwn && list === "following" && <FollowedTags onLeave={onClose} />}
      <Button onClick={onClose}>{t("app.close")}</Button>
    </Dialog>
  );
}
