/** Tags and people of this week. Without a network the device's own tags. */
import { CloudOff, Compass, TriangleAlert } from "lucide-react";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { Week } from "@/data/search/week";
import { paths } from "@/domain/paths";
import { useConnection } from "@/state/outbox";
import { useQuery } from "@/state/use-query";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Skeleton } from "@/ui/loading";
import { PageHead } from "@/ui/page-head";

/** `Person`: one with a button to follow, which belongs to another feature. */
export function ExplorePage({ Person }: { Person: ComponentType<{ id: string }> }) {
  const { t } = useTranslation();
  return (
    <div className="mx-auto max-w-[760px]" data-testid="explore">
      <PageHead title={t("explore.title")} back={paths.home} backLabel={t("app.back")} />
      <Lists Person={Person} />
    </div>
  );
}

function Lists({ Person }: { Person: ComponentType<{ id: string }> }) {
  const { t } = useTranslation();
  const isOffline = useConnection() === "offline";
  // Asked again where the connection comes or goes.
  const { now, reload } = useQuery(`week ${isOffline}`, ({ reads }) => reads.pullWeek());
  if (now.state === "loading") return <Loading />;
  if (now.state === "failed") {
    return (
      <EmptyState testId="explore-failed" icon={<TriangleAlert />} title={t("explore.failed")}>
        <Button onClick={reload}>{t("app.tryAgain")}</Button>
      </EmptyState>
    );
  }
  const { isHere, tags, people } = now.value;
  if (tags.length === 0 && people.length === 0) return <Nothing isHere={isHere} />;
  return (
    <>
      {isHere && <p className="mb-5 text-muted">{t("explore.offline")}</p>}
      {tags.length > 0 && <Tags tags={tags} title={t(isHere ? "explore.here" : "explore.tags")} />}
      {people.length > 0 && (
        <section className="mb-8" aria-labelledby="explore-people">
          <h2 id="explore-people" className="mb-2 text-lg font-bold">
            {t("explore.people")}
          </h2>
          <ul
            className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-1 md:grid-cols-[repeat(2,minmax(0,1fr))]"
            data-testid="explore-people-list"
          >
            {people.map((id) => (
              <Person key={id} id={id} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Nothing({ isHere }: { isHere: boolean }) {
  const { t } = useTranslation();
  const title = t("app.offline");
  const text = t("explore.offline");
  return isHere ? (
    <EmptyState testId="explore-offline" icon={<CloudOff />} title={title} text={text} />
  ) : (
    <EmptyState
      testId="explore-empty"
      icon={<Compass />}
      title={t("explore.none")}
      text={t("explore.noneText")}
    />
  );
}

function Tags({ tags, title }: { tags: Week["tags"]; title: string }) {
  const { t } = useTranslation();
  return (
    <section className="mb-8" aria-labelledby="explore-tags">
      <h2 id="explore-tags" className="mb-2 text-lg font-bold">
        {title}
      </h2>
      <ul className="flex flex-wrap gap-2" data-testid="explore-tags-list">
        {tags.map(({ tag, people }) => (
          <li key={tag} className="min-w-0">
            <Link
              to={paths.tag(tag)}
              className="flex min-h-11 items-center gap-2 rounded-full border border-line bg-surface px-4 font-semibold no-underline hover:border-line-strong"
            >
              <span dir="auto" className="truncate">
                {`#${tag}`}
              </span>
              {people > 0 && (
                <span className="shrink-0 text-sm font-normal text-muted">
                  {t("explore.by", { count: people })}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const WIDTHS = ["w-28", "w-40", "w-24", "w-36", "w-32"];

function Loading() {
  return (
    <div aria-busy="true">
      <Skeleton className="mb-3 h-6 w-44" />
      <div className="mb-8 flex flex-wrap gap-2">
        {WIDTHS.map((width) => (
          <Skeleton key={width} className={`h-11 rounded-full ${width}`} />
        ))}
      </div>
      <Skeleton className="mb-3 h-6 w-44" />
      <Skeleton className="h-40" />
    </div>
  );
}
