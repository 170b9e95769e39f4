/** Statistiken: totals, and beside each how it grew in the last thirty days. */
import type { AdminDay, AdminStats } from "@/data/admin/admin-client";
import type { TextKey } from "@/i18n/keys";
import { Say } from "@/i18n/say";
import { useText } from "@/i18n/use-text";
import type { Query } from "@/state/use-query";
import { Skeleton } from "@/ui/skeleton";
import { countText } from "./admin-times";
import { AskedView } from "./asked-view";
import { DayChart, dayText } from "./day-chart";

const FIGURES = ["users", "media", "photos", "videos", "likes", "comments"] as const;
type Figure = (typeof FIGURES)[number];
const nameOf = (figure: Figure): TextKey => `admin.stats.${figure}`;

const GRID = "grid grid-cols-1 gap-3 min-[440px]:grid-cols-2 md:grid-cols-3";

export function StatsTab({ asking }: { asking: Query<AdminStats> }) {
  return (
    <AskedView asked={asking.now} onRetry={asking.reload} loading={<StatsLoading />}>
      {(stats) => (
        <>
          <dl className={GRID} data-testid="admin-stats">
            {FIGURES.map((figure) => (
              <FigureCard key={figure} figure={figure} stats={stats} />
            ))}
          </dl>
          <DayTable days={stats.days} />
        </>
      )}
    </AskedView>
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
  const { t, language } = useText();
  const days = stats.days.map((day) => ({ day: day.day, count: day[figure] }));
  const recent = days.reduce((sum, { count }) => sum + count, 0);
  return (
    <div className="flex flex-col rounded-2xl border border-line bg-raised p-4">
      <dt className="text-sm font-semibold text-muted">{t(nameOf(figure))}</dt>
      <dd
        className="text-[30px] leading-tight font-bold tracking-tight tabular-nums"
        data-testid={`total-${figure}`}
      >
        {countText(stats.totals[figure], language)}
      </dd>
      <dd className="mt-3">
        <DayChart name={nameOf(figure)} days={days} />
        <span className="mt-1 block text-[13px] text-muted" aria-hidden="true">
          {t("admin.stats.inAll", { count: countText(recent, language) })}
        </span>
      </dd>
    </div>
  );
}

/** The same figures to read, for whom bars say nothing. Newest first. */
function DayTable({ days }: { days: AdminDay[] }) {
  const { t, language } = useText();
  return (
    <details className="mt-4 rounded-2xl border border-line px-4" data-testid="day-table">
      <summary className="target flex cursor-pointer items-center text-sm font-semibold">
        {t("admin.stats.asTable")}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard. */}
      <section className="overflow-x-auto pb-4" tabIndex={0} aria-label={t("admin.stats.asTable")}>
        <table className="w-full text-right text-sm tabular-nums">
          <thead>
            <tr className="text-muted">
              <th scope="col" className="py-1 pr-3 text-left font-semibold">
                {t("admin.stats.perDay")}
              </th>
              {FIGURES.map((figure) => (
                <th key={figure} scope="col" className="px-2 py-1 font-semibold">
                  {t(nameOf(figure))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...days].reverse().map((day) => (
              <tr key={day.day} className="border-t border-line">
                <th scope="row" className="py-1 pr-3 text-left font-normal whitespace-nowrap">
                  {dayText(day.day, language)}
                </th>
                {FIGURES.map((figure) => (
                  <td key={figure} className="px-2 py-1">
                    {countText(day[figure], language)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
