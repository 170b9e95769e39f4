/** The button with which one follows a person or a tag, and follows no more. */
import { UserMinus, UserPlus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { foldText } from "@/domain/search-terms";
import { setFollowingTag, useRelation } from "@/state/people";
import { useToLogin, useUser } from "@/state/session";
import { Button } from "@/ui/button";
import { cn } from "@/ui/cn";

interface FollowButtonProps {
  /** Of the person, or a tag with its sign. */
  name: string;
  following: boolean;
  set: (on: boolean) => Promise<void>;
  className?: string;
}

export function FollowButton({ name, following, set, className }: FollowButtonProps) {
  const { t } = useTranslation();
  const toLogin = useToLogin();
  const user = useUser();
  const toggle = () => (user === null ? toLogin() : void set(!following));
  const Icon = following ? UserMinus : UserPlus;
  return (
    <Button
      variant={following ? "outline" : "accent"}
      className={cn("px-3!", className)}
      aria-label={t(following ? "people.unfollowPerson" : "people.followPerson", { name })}
      data-testid={following ? "unfollow" : "follow"}
      onClick={toggle}
    >
      <Icon aria-hidden="true" className="max-[419px]:hidden" />
      {t(following ? "people.unfollow" : "people.follow")}
    </Button>
  );
}

/** Nothing until it is known whether one follows it. */
export function FollowTag({ tag }: { tag: string }) {
  const relation = useRelation(`#${foldText(tag)}`);
  if (relation.state !== "ready") return null;
  return (
    <FollowButton
      name={`#${tag}`}
      following={relation.value.following}
      set={(on) => setFollowingTag(tag, on)}
      // In one line with its neighbours, whatever the language calls it.
      className="max-w-fit! min-w-0 flex-1 basis-0 text-sm leading-tight md:flex-none"
    />
  );
}
