/** Search results: a strip of people, then media. */
import { CloudDownload, CloudOff, SearchX, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { ProfileView, SearchPage } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { canKeep, keepWish } from "@/state/keep-wish";
import { usePreferences } from "@/state/preferences";
import { type Search, useSearch } from "@/state/search";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { type GalleryParts, LoadMore } from "./gallery-bar";

interface SearchResultsProps {
  text: string;
  parts: GalleryParts;
}

export function SearchResults({ text, parts }: SearchResultsProps) {
  const { t } = useTranslation();
  const { filter, columns } = usePreferences();
  const search = useSearch(text, filter);
  const { page } = search;
  switch (page.state) {
    case "loading":
      return (
        <>
          <Heading>{t("search.searching", { text: text.trim() })}</Heading>
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
      return <Found text={text.trim()} page={page.value} search={search} parts={parts} />;
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

interface FoundProps extends SearchResultsProps {
  page: SearchPage;
  search: Search;
}

function Found({ text, page, search, parts }: FoundProps) {
  const { t } = useTranslation();
  const columns = usePreferences((now) => now.columns);
  const { items, count, hasMore, people, reach } = page;
  const heading = hasMore && reach !== "device" ? "search.resultsMore" : "search.results";
  return (
    <div data-testid="search-results" data-reach={reach}>
      <Heading>
        {t(count > items.length ? "search.results" : heading, { text, found: count })}
      </Heading>
      {reach === "device" && count > 0 && (
        <p className="-mt-2 mb-3 text-sm text-muted" data-testid="device-only">
          {t("search.deviceOnly")}
        </p>
      )}
      {items.length > 0 && canKeep() && (
        <Button
          variant="ghost"
          className="-ms-3 -mt-2 mb-2 px-3!"
          data-testid="keep-search"
          onClick={() => keepWish.set({ kind: "search", of: text, name: text })}
        >
          <CloudDownload aria-hidden="true" />
          {t("kept.keep")}
        </Button>
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
        people.length === 0 && <Nothing page={page} retry={search.retry} />
      )}
    </div>
  );
}

function Nothing({ page, retry }: { page: SearchPage; retry: () => void }) {
  const { t } = useTranslation();
  const { filter, setFilter } = usePreferences();
  const here = page.reach === "device";
  return (
    <EmptyState
      testId="search-nothing"
      icon={<SearchX />}
      title={t("search.none")}
      text={here ? t("search.noneHere") : t("search.noneText")}
    >
      {filter !== "all" && (
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
