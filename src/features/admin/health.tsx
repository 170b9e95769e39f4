/** Health: what the server says about its place, what to do first, and figures of thirty days. */
import { CircleAlert, CircleCheck, Info } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { AdminHealth } from "@/data/admin/admin-client";
import type { HealthFinding, HealthLevel } from "@/domain/health";
import { bytesText } from "@/i18n/formats";
import { useQuery } from "@/state/use-query";
import { countText, QueryView, RowsLoading } from "./admin-parts";
import { DayBars, DayTable, dayText } from "./stats-tab";

export function Health() {
  const { t } = useTranslation();
  const asking = useQuery("admin health", (client) => client.admin.health());
  return (
    <section data-testid="health">
      <h2 className="text-xl font-bold">{t("admin.health.title")}</h2>
      <p className="mb-4 text-muted">{t("admin.health.intro")}</p>
      <QueryView query={asking} loading={<HealthLoading />}>
        {({ findings, days }) => (
          <>
            <Findings findings={findings} />
            <Charts days={days} />
          </>
        )}
      </QueryView>
    </section>
  );
}

function HealthLoading() {
  const { t } = useTranslation();
  return (
    <>
      <p role="status" className="mb-3 text-muted">
        {t("admin.health.loading")}
      </p>
      <RowsLoading row="h-14 w-full" />
    </>
  );
}

const LEVELS: Record<HealthLevel, { icon: ReactNode; tone: string }> = {
  bad: { icon: <CircleAlert />, tone: "text-danger" },
  look: { icon: <Info />, tone: "text-link" },
  good: { icon: <CircleCheck />, tone: "text-muted" },
};
const ORDER: readonly HealthLevel[] = ["bad", "look", "good"];

/** What is to be done comes first. */
function Findings({ findings }: { findings: HealthFinding[] }) {
  const { t, i18n } = useTranslation();
  const sorted = ORDER.flatMap((level) => findings.filter((one) => one.level === level));
  const toDo = findings.filter(({ level }) => level === "bad").length;
  return (
    <>
      <p className="mb-3 font-semibold" data-testid="health-sum">
        {toDo === 0
          ? t("admin.health.fine")
          : t("admin.health.todo", { number: countText(toDo, i18n.language) })}
      </p>
      <ul className="grid gap-2" data-testid="health-findings">
        {sorted.map((finding) => (
          <Finding key={finding.code} finding={finding} />
        ))}
      </ul>
    </>
  );
}

function Finding({ finding }: { finding: HealthFinding }) {
  const { t, i18n } = useTranslation();
  const { code, level } = finding;
  const { icon, tone } = LEVELS[level];
  return (
    <li
      className="flex items-start gap-3 rounded-2xl border border-line px-4 py-3"
      data-testid={`health-${code}`}
    >
      <span
        className={`mt-0.5 shrink-0 [&>svg]:size-5 ${tone}`}
        role="img"
        aria-label={t(`admin.health.level.${level}`)}
      >
        {icon}
      </span>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {t(`admin.health.found.${code}`, valuesIn(finding, i18n.language))}
      </span>
    </li>
  );
}

/** Each text takes some of these. */
function valuesIn({ values }: HealthFinding, language: string) {
  const text = (name: string) => String(values[name] ?? "");
  const number = (name: string) => countText(Number(values[name] ?? 0), language);
  const size = (name: string) => bytesText(Number(values[name] ?? 0), language);
  return {
    url: text("url"),
    header: text("header"),
    cron: text("cron"),
    host: text("host"),
    bucket: text("bucket"),
    tables: text("tables"),
    n: number("n"),
    ms: number("ms"),
    bytes: size("bytes"),
    needed: size("needed"),
  };
}

const FIGURES = ["users", "media", "messages", "requests", "slow", "diskUsed"] as const;
type Figure = (typeof FIGURES)[number];
type Days = AdminHealth["days"];

const figureText = (figure: Figure, count: number, language: string): string =>
  figure === "diskUsed" ? bytesText(count, language) : countText(count, language);

function Charts({ days }: { days: Days }) {
  const { t, i18n } = useTranslation();
  const names = days.map(({ day }) => day);
  const columns = FIGURES.map((figure) => ({
    name: t(`admin.health.figure.${figure}`),
    values: days.map((day) => figureText(figure, day[figure], i18n.language)),
  }));
  return (
    <>
      <h3 className="mt-6 mb-3 text-lg font-bold">{t("admin.health.charts")}</h3>
      <dl
        className="grid grid-cols-1 gap-3 min-[440px]:grid-cols-2 md:grid-cols-3"
        data-testid="health-charts"
      >
        {FIGURES.map((figure) => (
          <Chart key={figure} figure={figure} days={days} />
        ))}
      </dl>
      <DayTable days={names} columns={columns} />
    </>
  );
}

function Chart({ figure, days }: { figure: Figure; days: Days }) {
  const { t, i18n } = useTranslation();
  const counts = days.map((day) => day[figure]);
  const texts = counts.map((count) => figureText(figure, count, i18n.language));
  const name = t(`admin.health.figure.${figure}`);
  const at = counts.indexOf(Math.max(...counts));
  const busiest = days[at]?.day ?? "";
  const label =
    (counts[at] ?? 0) === 0
      ? t("admin.health.summaryNone", { name })
      : t("admin.health.summary", {
          name,
          most: texts[at] ?? "",
          day: dayText(busiest, i18n.language),
        });
  return (
    <div className="flex flex-col rounded-2xl border border-line bg-raised p-4">
      <dt className="text-sm font-semibold text-muted">{name}</dt>
      <dd className="mt-3">
        <DayBars days={days.map(({ day }) => day)} counts={counts} texts={texts} label={label} />
        <span className="mt-1 block text-[0.8125rem] text-muted">
          {t("admin.health.latest", { number: texts.at(-1) ?? "" })}
        </span>
      </dd>
    </div>
  );
}
