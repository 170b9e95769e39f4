/** Filter, order and columns of the gallery. */
import { Columns2, RectangleVertical } from "lucide-react";
import { useText } from "@/i18n/use-text";
import { usePreferences } from "@/state/preferences";
import { Chips } from "@/ui/chips";

export function GalleryBar() {
  const { t } = useText();
  const { filter, sort, columns, setFilter, setSort, setColumns } = usePreferences();
  const toggle = columns === 1 ? t("gallery.twoColumns") : t("gallery.oneColumn");
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
        <Chips
          testId="sort"
          quiet
          label={t("gallery.sort")}
          value={sort}
          onChange={setSort}
          options={[
            { value: "latest", text: t("gallery.latest") },
            { value: "popular", text: t("gallery.popular") },
          ]}
        />
        <button
          type="button"
          className="shell-icon"
          aria-label={toggle}
          title={toggle}
          data-testid="toggle-columns"
          onClick={() => setColumns(columns === 1 ? 2 : 1)}
        >
          {columns === 1 ? (
            <Columns2 aria-hidden="true" />
          ) : (
            <RectangleVertical aria-hidden="true" />
          )}
        </button>
      </div>
    </div>
  );
}
