/** The gallery: search, bar, grid, and "Load 30 more media". */
import { CloudOff, Compass, ImagePlus, Images, Search, TriangleAlert, X } from "lucide-react";
import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router-dom";
import type { MediaView } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { loadLaterTexts } from "@/i18n/setup";
import { type Feed, useFeed, useKeepFirstScreen, usePreloadImages } from "@/state/feed";
import { useConnection } from "@/state/outbox";
import { useProductName } from "@/state/page";
import { usePreferences } from "@/state/preferences";
import { useSearchText, warmSearch } from "@/state/search";
import { useUser } from "@/state/session";
import { Button, buttonClasses } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { lazyPage } from "@/ui/lazily";
import { GalleryBar, type GalleryParts, LoadMore, useSort } from "./gallery-bar";

const loadResults = () => import("./search-results");
const SearchResults = lazyPage(
  async () => {
    const [file] = await Promise.all([loadResults(), loadLaterTexts()]);
    return file;
  },
  "SearchResults",
  SearchLoading,
);

function SearchLoading({ parts }: { parts: Pick<GalleryParts, "Skeleton"> }) {
  return <parts.Skeleton columns={usePreferences((now) => now.columns)} />;
}

export function Gallery({ parts }: { parts: GalleryParts }) {
  const { t } = useTranslation();
  const { filter } = usePreferences();
  const sort = useSort();
  const search = useSearchText();
  // Typing has priority; the results are rendered when there is time.
  const searched = useDeferredValue(search.text);
  const user = useUser();
  const productName = useProductName();
  const feed = useFeed({ filter, sort });
  const { page, fromSnapshot } = feed;
  const keep = page.state === "ready" && !fromSnapshot && filter === "all" && sort === "latest";
  useKeepFirstScreen({
    userId: user?.id ?? "",
    productName,
    items: keep ? page.value.items : null,
  });
  return (
    <>
      <h1 className="sr-only" tabIndex={-1}>
        {t("gallery.heading")}
      </h1>
      <div className="shell-head">
        <SearchBox {...search} />
        <GalleryBar sorted={search.text.trim() === ""} />
      </div>
      {searched.trim() === "" ? (
        <GalleryBody feed={feed} parts={parts} />
      ) : (
        <SearchResults text={searched} parts={parts} />
      )}
    </>
  );
}

function GalleryBody({ feed, parts }: { feed: Feed; parts: GalleryParts }) {
  const columns = usePreferences((now) => now.columns);
  const offline = useConnection() === "offline";
  // Many cards at once: rendered in pieces, so that the page can respond in between.
  const now = useMemo(
    () => ({ page: feed.page, fromSnapshot: feed.fromSnapshot }),
    [feed.page, feed.fromSnapshot],
  );
  const { page, fromSnapshot } = useDeferredValue(now);
  switch (page.state) {
    case "loading":
      return <parts.Skeleton columns={columns} />;
    case "failed":
      return <NoRows offline={page.code === "network"} retry={feed.retry} />;
    case "ready":
      if (page.value.items.length === 0 && page.value.older) {
        // What the server has may be older than what is here.
        if (feed.more === "loading") return <parts.Skeleton columns={columns} />;
        if (feed.more === "failed") return <NoRows offline={offline} retry={feed.pullAgain} />;
      }
      return page.value.items.length === 0 ? (
        <EmptyGallery retry={feed.retry} parts={parts} />
      ) : (
        <Rows {...feed} items={page.value.items} fromSnapshot={fromSnapshot}>
          <parts.Grid items={page.value.items} columns={columns} />
        </Rows>
      );
  }
}

interface RowsProps extends Pick<Feed, "fromSnapshot" | "more" | "loadMore"> {
  items: MediaView[];
  children: ReactNode;
}

function Rows({ items, fromSnapshot, more, loadMore, children }: RowsProps) {
  usePreloadImages(items);
  return (
    <div data-testid="gallery" data-source={fromSnapshot ? "snapshot" : "live"}>
      {children}
      <LoadMore more={more} shown={items.length} loadMore={loadMore} isWhole={!fromSnapshot} />
    </div>
  );
}

function NoRows({ offline, retry }: { offline: boolean; retry: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      testId={offline ? "gallery-offline" : "gallery-failed"}
      passing
      icon={offline ? <CloudOff /> : <TriangleAlert />}
      title={t(offline ? "app.offline" : "gallery.failedTitle")}
      text={t(offline ? "gallery.offlineText" : "app.serverFault")}
    >
      <Button onClick={retry}>{t("app.tryAgain")}</Button>
    </EmptyState>
  );
}

function EmptyGallery({ retry, parts }: { retry: () => void; parts: GalleryParts }) {
  const { t } = useTranslation();
  const filter = usePreferences((now) => now.filter);
  const setFilter = usePreferences((now) => now.setFilter);
  const user = useUser();
  const offline = useConnection() === "offline";
  const sort = useSort();
  if (filter !== "all") {
    return (
      <EmptyState
        testId="gallery-empty"
        icon={<Images />}
        title={t("gallery.emptyFiltered")}
        text={t("gallery.emptyFilteredText")}
      >
        <Button onClick={() => setFilter("all")}>{t("gallery.all")}</Button>
      </EmptyState>
    );
  }
  // An empty device without a server is not an empty community.
  if (offline) return <NoRows offline retry={retry} />;
  if (sort === "following") return <parts.WhomToFollow />;
  return (
    <EmptyState
      testId="gallery-empty"
      icon={<ImagePlus />}
      title={t("gallery.emptyTitle")}
      text={t("gallery.emptyText")}
    >
      <Link
        to={user === null ? paths.signup : paths.upload}
        className={buttonClasses({ variant: "accent" })}
      >
        {user === null ? t("gallery.signUpToShare") : t("gallery.upload")}
      </Link>
    </EmptyState>
  );
}

/** The search box. index.html draws the same shape before any script runs: change both. */
function SearchBox({ text, setText }: ReturnType<typeof useSearchText>) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const { key, search } = useLocation();
  // Outside: the focus. The tab, a key and a shortcut of the app's icon lead to `/?q=`.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that one is led there.
  useEffect(() => {
    if (new URLSearchParams(search).get("q") === "") input.current?.focus();
  }, [key]);
  const warm = () => {
    void loadResults();
    void warmSearch();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element of that name is not known to all readers yet.
    <form
      role="search"
      className="shell-search focus-within:outline-[2.5px] focus-within:outline-offset-1 focus-within:outline-(--focus)"
      onSubmit={(event) => {
        event.preventDefault();
        // Closes a phone's keyboard.
        input.current?.blur();
      }}
    >
      <Search aria-hidden="true" />
      <input
        ref={input}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        aria-label={t("gallery.search")}
        placeholder={t("gallery.search")}
        data-testid="search"
        className="outline-none placeholder:text-muted [&::-webkit-search-cancel-button]:hidden"
        value={text}
        onFocus={warm}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && setText("")}
      />
      {text === "" ? (
        <Link
          to={paths.explore}
          className="shell-icon"
          aria-label={t("gallery.explore")}
          title={t("gallery.explore")}
          data-testid="to-explore"
        >
          <Compass aria-hidden="true" />
        </Link>
      ) : (
        <button
          type="button"
          className="shell-icon"
          aria-label={t("gallery.clearSearch")}
          title={t("gallery.clearSearch")}
          data-testid="clear-search"
          onClick={() => {
            setText("");
            input.current?.focus();
          }}
        >
          <X aria-hidden="true" />
        </button>
      )}
    </form>
  );
}
