/** Thirty days of one figure as bars. The sentence says it to a screen reader; the figures stand in the table beneath all charts. */
import type { TextKey } from "@/i18n/keys";
import { useText } from "@/i18n/use-text";

export interface DayCount {
  /** "2026-11-21", UTC. */
  day: string;
  count: number;
}

const HEIGHT = 56;
const STEP = 10;
const BAR = 7;
/** A day with something is never invisible beside a big one. */
const LOWEST = 2;

export const dayText = (day: string, language: string): string =>
  new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" }).format(
    Date.parse(`${day}T00:00:00Z`),
  );

/** Heights of the bars, 0 for days with nothing. */
export function barHeights(counts: readonly number[]): number[] {
  const most = Math.max(...counts, 1);
  return counts.map((count) => (count <= 0 ? 0 : Math.max(LOWEST, (count / most) * HEIGHT)));
}

export function DayChart({ name, days }: { name: TextKey; days: readonly DayCount[] }) {
  const { t, language } = useText();
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const top = days.reduce((best, day) => (day.count > best.count ? day : best), {
    day: "",
    count: 0,
  });
  const heights = barHeights(days.map(({ count }) => count));
  const label =
    total === 0
      ? t("admin.stats.summaryNone", { name: t(name) })
      : t("admin.stats.summary", {
          name: t(name),
          total,
          most: top.count,
          day: dayText(top.day, language),
        });
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-14 w-full"
    >
      {days.map(({ day, count }, index) => {
        const height = heights[index] ?? 0;
        return (
          <g key={day}>
            <title>{`${dayText(day, language)}: ${count}`}</title>
            <rect x={index * STEP} y={0} width={STEP} height={HEIGHT} fill="transparent" />
            <rect
              x={index * STEP + (STEP - BAR) / 2}
              y={HEIGHT - 1}
              width={BAR}
              height={1}
              className="fill-line-strong"
            />
            {height > 0 && (
              <rect
                x={index * STEP + (STEP - BAR) / 2}
                y={HEIGHT - height}
                width={BAR}
                height={height}
                className="fill-link"
              />
            )}
          </g>
        );
      })}
    </svg>
  );
}
