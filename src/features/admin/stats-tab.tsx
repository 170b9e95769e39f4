/** Statistiken: totals, each with its growth over the last thirty days. */
import { useTranslation } from "react-i18next";
import type { AdminDay, AdminStats } from "@/data/admin/admin-client";
import type { TextKey } from "@/i18n/keys";
import { Say } from "@/i18n/say";
import type { Query } from "@/state/use-query";
import { Skeleton } from "@/ui/loading";
import { countText, QueryView } from "./admin-parts";

const FIGURES = ["users", "media", "photos", "videos", "likes", "comments"] as const;
type Figure = (typeof FIGURES)[number];
const nameOf = (figure: Figure): TextKey => `admin.stats.${figure}`;

const GRID = "grid grid-cols-1 gap-3 min-[440px]:grid-cols-2 md:grid-cols-3";

export function StatsTab({ asking }: { asking: Query<AdminStats> }) {
  return (
    <QueryView query={asking} loading={<StatsLoading />}>
      {(stats) => (
        <>
          <dl className={GRID} data-testid="admin-stats">
            {FIGURES.map((figure) => (
              <FigureCard key={figure} figure={figure} stats={stats} />
            ))}
          </dl>
          <StatsTable days={stats.days} />
        </>
      )}
    </QueryView>
  );
}

function StatsLoading() {
  return (
    <div role="status">
      <p className="mb-3 text-muted">
        <Say k="admin.stats.loading" />
      </p>
      <div className={GRID}>
        {FIGURES.map((figure) => (
          <Skeleton key={figure} className="h-[172px] rounded-2xl" />
        ))}
      </div>
    </div>
  );
}

function FigureCard({ figure, stats }: { figure: Figure; stats: AdminStats }) {
  const { t, i18n } = useTranslation();
  const recent = stats.days.reduce((sum, day) => sum + day[figure], 0);
  return (
    <div className="flex flex-col rounded-2xl border border-line bg-raised p-4">
      <dt className="text-sm font-semibold text-muted">{t(nameOf(figure))}</dt>
      <dd
        className="text-[1.875rem] leading-tight font-bold tracking-tight tabular-nums"
        data-testid={`total-${figure}`}
      >
        {countText(stats.totals[figure], i18n.language)}
      </dd>
      <dd className="mt-3">
        <DayChart figure={figure} days={stats.days} total={recent} />
        <span className="mt-1 block text-[0.8125rem] text-muted" aria-hidden="true">
          {t("admin.stats.inAll", { number: countText(recent, i18n.language) })}
        </span>
      </dd>
    </div>
  );
}

function StatsTable({ days }: { days: AdminDay[] }) {
  const { t, i18n } = useTranslation();
  const columns = FIGURES.map((figure) => ({
    name: t(nameOf(figure)),
    values: days.map((day) => countText(day[figure], i18n.language)),
  }));
  return <DayTable days={days.map(({ day }) => day)} columns={columns} />;
}

interface Column {
  name: string;
  /** As text, for each day. */
  values: readonly string[];
}

/** The same figures as a table, newest first, for those who cannot read the bars. */
export function DayTable({ days, columns }: { days: readonly string[]; columns: Column[] }) {
  const { t, i18n } = useTranslation();
  return (
    <details className="mt-4 rounded-2xl border border-line px-4" data-testid="day-table">
      <summary className="target flex cursor-pointer items-center text-sm font-semibold">
        {t("admin.stats.asTable")}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard */}
      <section className="overflow-x-auto pb-4" tabIndex={0} aria-label={t("admin.stats.asTable")}>
        <table className="w-full text-end text-sm tabular-nums">
          <thead>
            <tr className="text-muted">
              <th scope="col" className="py-1 pe-3 text-start font-semibold">
                {t("admin.stats.perDay")}
              </th>
              {columns.map(({ name }) => (
                <th key={name} scope="col" className="px-2 py-1 font-semibold">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days
              .map((day, index) => (
                <tr key={day} className="border-t border-line">
                  <th scope="row" className="py-1 pe-3 text-start font-normal whitespace-nowrap">
                    {dayText(day, i18n.language)}
                  </th>
                  {columns.map(({ name, values }) => (
                    <td key={name} className="px-2 py-1">
                      {values[index]}
                    </td>
                  ))}
                </tr>
              ))
              .reverse()}
          </tbody>
        </table>
      </section>
    </details>
  );
}

const HEIGHT = 56;
const STEP = 10;
const BAR = 7;
/** A day above zero stays visible next to a much larger one. */
const LOWEST = 2;

export const dayText = (day: string, language: string): string =>
  new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" }).format(
    Date.parse(`${day}T00:00:00Z`),
  );

export function barHeights(counts: readonly number[]): number[] {
  const most = Math.max(...counts, 1);
  return counts.map((count) => (count <= 0 ? 0 : Math.max(LOWEST, (count / most) * HEIGHT)));
}

type DayChartProps = { figure: Figure; days: readonly AdminDay[]; total: number };

/** Thirty days of one figure as bars. The figures themselves are in the table below the charts. */
function DayChart({ figure, days, total }: DayChartProps) {
  const { t, i18n } = useTranslation();
  const counts = days.map((day) => day[figure]);
  const name = t(nameOf(figure));
  const most = Math.max(...counts);
  const busiest = days[counts.indexOf(most)]?.day ?? "";
  const label =
    total === 0
      ? t("admin.stats.summaryNone", { name })
      : t("admin.stats.summary", { name, total, most, day: dayText(busiest, i18n.language) });
  const texts = counts.map(String);
  return <DayBars days={days.map(({ day }) => day)} counts={counts} texts={texts} label={label} />;
}

interface DayBarsProps {
  days: readonly string[];
  counts: readonly number[];
  texts: readonly string[];
  /** What is read aloud instead. */
  label: string;
}

export function DayBars({ days, counts, texts, label }: DayBarsProps) {
  const { i18n } = useTranslation();
  const heights = barHeights(counts);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-14 w-full"
    >
      {days.map((day, index) => {
        const height = heights[index] ?? 0;
        const bar = { x: index * STEP + (STEP - BAR) / 2, width: BAR };
        return (
          <g key={day}>
            <title>{`${dayText(day, i18n.language)}: ${texts[index]}`}</title>
            <rect x={index * STEP} y={0} width={STEP} height={HEIGHT} fill="transparent" />
            <rect {...bar} y={HEIGHT - 1} height={1} className="fill-line-strong" />
            {height > 0 && (
              <rect {...bar} y={HEIGHT - height} height={height} className="fill-link" />
            )}
          </g>
        );
      })}
    </svg>
  );
}
