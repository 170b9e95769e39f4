/** Search results: a strip of people, then media. */
import { CloudDownload, CloudOff, SearchX, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { ProfileView, SearchPage, TagOrder } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { canKeep, keepWish } from "@/state/keep-wish";
import { usePreferences } from "@/state/preferences";
import { type Search, useSearch } from "@/state/search";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { Chips } from "@/ui/chips";
import { EmptyState } from "@/ui/empty-state";
import { PageHead } from "@/ui/page-head";
import { ColumnToggle, type GalleryParts, LoadMore } from "./gallery-bar";

type SearchParts = Pick<GalleryParts, "Grid" | "Skeleton">;

interface SearchResultsProps {
  text: string;
  parts: SearchParts;
}

export function SearchResults({ text, parts }: SearchResultsProps) {
  const filter = usePreferences((now) => now.filter);
  const search = useSearch(text, filter);
  return <Results text={text.trim()} search={search} parts={parts} />;
}

const ORDERS: readonly TagOrder[] = ["newest", "popular"];

interface TagPageProps {
  tag: string;
  parts: SearchParts;
  /** The button with which one follows it. */
  follow: ReactNode;
}

/** All that has one tag. */
export function TagPage({ tag, parts, follow }: TagPageProps) {
  const { t } = useTranslation();
  const [order, setOrder] = useState<TagOrder>("newest");
  const search = useSearch(tag, "all", order);
  const options = ORDERS.map((value) => ({
    value,
    text: t(value === "newest" ? "gallery.latest" : "gallery.popular"),
  }));
  return (
    <div data-testid="tag-page">
      <PageHead title={`#${tag}`} back={paths.home} backLabel={t("app.back")} />
      <div className="shell-bar mb-3">
        <Chips
          testId="tag-order"
          label={t("app.sortBy")}
          value={order}
          onChange={setOrder}
          options={options}
        />
        {follow}
        <div className="shell-chips shell-end">
          <ColumnToggle />
        </div>
      </div>
      <Results key={order} text={`#${tag}`} search={search} parts={parts} isTag />
    </div>
  );
}

interface ResultsProps {
  text: string;
  search: Search;
  parts: SearchParts;
  /** Then no filter hides anything. */
  isTag?: boolean;
}

function Results({ text, search, parts, isTag = false }: ResultsProps) {
  const { t } = useTranslation();
  const columns = usePreferences((now) => now.columns);
  const { page } = search;
  switch (page.state) {
    case "loading":
      return (
        <>
          <Heading>{t("search.searching", { text })}</Heading>
          <parts.Skeleton columns={columns} />
        </>
      );
    case "failed":
      return (
        <EmptyState
          testId="search-failed"
          icon={page.code === "network" ? <CloudOff /> : <TriangleAlert />}
          title={t(page.code === "network" ? "app.offline" : "gallery.failedTitle")}
          text={t("search.noneHere")}
        >
          <Button onClick={search.retry}>{t("app.tryAgain")}</Button>
        </EmptyState>
      );
    case "ready":
      return <Found text={text} page={page.value} search={search} parts={parts} isTag={isTag} />;
  }
}

function Heading({ children }: { children: string }) {
  return (
    <div role="status">
      <h2
        data-testid="search-heading"
        className="mb-3 text-[1.0625rem] leading-snug font-bold tracking-tight [overflow-wrap:anywhere]"
      >
        {children}
      </h2>
    </div>
  );
}

interface FoundProps extends ResultsProps {
  page: SearchPage;
}

function Found({ text, page, search, parts, isTag = false }: FoundProps) {
  const { t } = useTranslation();
  const columns = usePreferences((now) => now.columns);
  const { items, count, hasMore, people, reach } = page;
  const heading = hasMore && reach !== "device" ? "search.resultsMore" : "search.results";
  return (
    <div data-testid="search-results" data-reach={reach}>
      <Heading>
        {t(count > items.length ? "search.results" : heading, { text, found: count })}
      </Heading>
      {items.length > 0 && (
        <div className="-mt-2 mb-2 flex min-h-11 items-center gap-3">
          {canKeep() && (
            <Button
              variant="ghost"
              className="-ms-3 shrink-0 px-3!"
              data-testid="keep-search"
              onClick={() => keepWish.set({ kind: "search", of: text, name: text })}
            >
              <CloudDownload aria-hidden="true" />
              {t("kept.keep")}
            </Button>
          )}
          {/* Known late: in a line that stands already, so that nothing moves. */}
          {reach === "device" && (
            <p className="text-sm leading-snug text-muted" data-testid="device-only">
              {t("search.deviceOnly")}
            </p>
          )}
        </div>
      )}
      {people.length > 0 && <People people={people} />}
      {items.length > 0 ? (
        <>
          <parts.Grid items={items} columns={columns} gradual />
          <LoadMore
            more={hasMore ? "idle" : "none"}
            shown={items.length}
            isWhole={reach === "everywhere"}
            loadMore={search.loadMore}
          />
        </>
      ) : (
        people.length === 0 && <Nothing page={page} retry={search.retry} isTag={isTag} />
      )}
    </div>
  );
}

interface NothingProps {
  page: SearchPage;
  retry: () => void;
  isTag: boolean;
}

function Nothing({ page, retry, isTag }: NothingProps) {
  const { t } = useTranslation();
  const { filter, setFilter } = usePreferences();
  const here = page.reach === "device";
  const everywhere = isTag ? t("search.noTagText") : t("search.noneText");
  return (
    <EmptyState
      testId="search-nothing"
      icon={<SearchX />}
      title={isTag && !here ? t("search.noTag") : t("search.none")}
      text={here ? t("search.noneHere") : everywhere}
    >
      {filter !== "all" && !isTag && (
        <Button variant="accent" data-testid="search-all" onClick={() => setFilter("all")}>
          {t("search.allMedia")}
        </Button>
      )}
      {here && <Button onClick={retry}>{t("app.tryAgain")}</Button>}
    </EmptyState>
  );
}

function People({ people }: { people: ProfileView[] }) {
  const { t } = useTranslation();
  return (
    <ul
      aria-label={t("search.people")}
      data-testid="search-people"
      className="-mx-3 mb-4 flex gap-2 overflow-x-auto px-3 py-1 [scrollbar-width:none]"
    >
      {people.map((person) => (
        <li key={person.id} className="shrink-0">
          <Link
            to={paths.user(person.username)}
            data-testid="search-person"
            className="flex h-12 max-w-60 items-center gap-2.5 rounded-full border border-line-strong bg-raised pe-4 ps-2 text-foreground no-underline hover:bg-surface"
          >
            <Avatar name={person.username} src={person.profileThumbnailUrl} size={32} />
            <span className="truncate text-[0.9375rem] font-semibold">{person.username}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
