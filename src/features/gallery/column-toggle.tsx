/** One column or two; the choice is kept on this device. */
import { Columns2, RectangleVertical } from "lucide-react";
import { useText } from "@/i18n/use-text";
import { usePreferences } from "@/state/preferences";

export function ColumnToggle() {
  const { t } = useText();
  const { columns, setColumns } = usePreferences();
  const label = columns === 1 ? t("gallery.twoColumns") : t("gallery.oneColumn");
  return (
    <button
      type="button"
      className="shell-icon"
      aria-label={label}
      title={label}
      data-testid="toggle-columns"
      onClick={() => setColumns(columns === 1 ? 2 : 1)}
    >
      {columns === 1 ? <Columns2 aria-hidden="true" /> : <RectangleVertical aria-hidden="true" />}
    </button>
  );
}
