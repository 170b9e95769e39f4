/** Rows of the audit log; on a phone each is a card. */
import type { AuditRow } from "@/data/admin/admin-client";
import { useText } from "@/i18n/use-text";
import { dateTimeText } from "./admin-times";

const COLUMNS =
  "md:grid md:grid-cols-[150px_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.2fr)_minmax(0,1.3fr)] md:gap-3";

/** `changed: isBlocked, isBlocked: true`: short, and whole in the export. */
const detailsText = (details: Record<string, unknown>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(", ") : textOf(value)}`)
    .join(" · ");

const textOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);

export function AuditTable({ rows }: { rows: AuditRow[] }) {
  const { t } = useText();
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are grids, so that those out of sight are not laid out.
    <div role="table" aria-label={t("admin.settings.audit")} data-testid="audit-table">
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="rowgroup" className="max-md:sr-only">
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: a row of headings is read, not used. */}
        <div role="row" className={`${COLUMNS} border-b border-line py-2 text-sm text-muted`}>
          {(["time", "actor", "action", "target", "details"] as const).map((head) => (
            // biome-ignore lint/a11y/useSemanticElements: as above.
            // biome-ignore lint/a11y/useFocusableInteractive: as above.
            <span key={head} role="columnheader" className="font-semibold">
              {t(`admin.audit.${head}`)}
            </span>
          ))}
        </div>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="rowgroup">
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </div>
    </div>
  );
}

function Row({ row }: { row: AuditRow }) {
  const { language } = useText();
  const cells = [
    dateTimeText(row.createdAt, language),
    row.actorUsername || row.actor,
    row.action,
    row.targetLabel || row.target,
    detailsText(row.details),
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a grid, so that it is not laid out while out of sight.
    // biome-ignore lint/a11y/useFocusableInteractive: it is read, not used.
    <div
      role="row"
      data-testid="audit-row"
      data-action={row.action}
      className={`${COLUMNS} border-b border-line py-2.5 text-sm [contain-intrinsic-size:auto_42px] [content-visibility:auto]`}
    >
      {cells.map((cell, index) => (
        // biome-ignore lint/a11y/useSemanticElements: as above.
        // biome-ignore lint/suspicious/noArrayIndexKey: five columns, always in this order.
        <span key={index} role="cell" className={CELLS[index]}>
          {cell}
        </span>
      ))}
    </div>
  );
}

const CELLS = [
  "block text-muted tabular-nums",
  "block truncate font-semibold",
  "block wrap-anywhere",
  "block truncate text-muted",
  "block text-[13px] text-muted wrap-anywhere",
];
