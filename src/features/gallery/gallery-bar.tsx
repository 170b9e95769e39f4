/** Filter, order and columns of the gallery. */
import { ArrowDownWideNarrow } from "lucide-react";
import type { FeedSort } from "@/data/shapes";
import { useText } from "@/i18n/use-text";
import { usePreferences } from "@/state/preferences";
import { Chips } from "@/ui/chips";
import { ColumnToggle } from "./column-toggle";

/** `sorted`: whether the order can be chosen; what a search finds has its own. */
export function GalleryBar({ sorted }: { sorted: boolean }) {
  const { t } = useText();
  const { filter, setFilter } = usePreferences();
  return (
    <div className="shell-bar">
      <Chips
        testId="filter"
        label={t("gallery.filter")}
        value={filter}
        onChange={setFilter}
        options={[
          { value: "all", text: t("gallery.all") },
          { value: "photos", text: t("gallery.photos") },
          { value: "videos", text: t("gallery.videos") },
        ]}
      />
      <div className="shell-chips shell-end">
        {sorted && <SortChoice />}
        <ColumnToggle />
      </div>
    </div>
  );
}

/** Two chips where there is room; on phones the device's own list behind one icon. */
function SortChoice() {
  const { t } = useText();
  const sort = usePreferences((now) => now.sort);
  const setSort = usePreferences((now) => now.setSort);
  const options = [
    { value: "latest", text: t("gallery.latest") },
    { value: "popular", text: t("gallery.popular") },
  ] as const;
  return (
    <>
      <div className="shell-wide">
        <Chips
          testId="sort"
          quiet
          label={t("gallery.sort")}
          value={sort}
          onChange={setSort}
          options={options}
        />
      </div>
      <span className="shell-icon shell-narrow relative focus-within:outline-[2.5px] focus-within:outline-(--focus)">
        <ArrowDownWideNarrow aria-hidden="true" className={sort === "popular" ? "text-link" : ""} />
        <select
          aria-label={t("gallery.sort")}
          title={t("gallery.sort")}
          data-testid="sort-select"
          className="absolute inset-0 size-full cursor-pointer appearance-none text-[16px] opacity-0"
          value={sort}
          onChange={(event) => setSort(event.target.value as FeedSort)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      </span>
    </>
  );
}
