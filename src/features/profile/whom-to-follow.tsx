/** What stands where those whom one follows have posted nothing yet: whom else one might follow. */
import { Users } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useQuery } from "@/state/use-query";
import { EmptyState } from "@/ui/empty-state";
import { Skeleton } from "@/ui/loading";
import { PersonToFollow } from "./person-to-follow";

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
          <PersonToFollow key={id} id={id} />
        ))}
      </ul>
    </section>
  );
}
