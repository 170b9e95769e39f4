/** The admin panel: five tabs and the operator's settings; the address says which is open. */
import { Settings, ShieldOff } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate, useSearchParams } from "react-router-dom";
import { paths } from "@/domain/paths";
import { Say } from "@/i18n/say";
import { useAdminAccess } from "@/state/admin-access";
import { showFailure } from "@/state/toasts";
import { Button, buttonClasses } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { lazily } from "@/ui/lazily";
import { Spinner } from "@/ui/loading";
import { Tabs } from "@/ui/tabs";
import { countText, RowsLoading } from "./admin-parts";
import { ChatsTab } from "./chats-tab";
import { MediaTab } from "./media-tab";
import { ReportsTab } from "./reports-tab";
import { StatsTab } from "./stats-tab";
import { useAdminLists } from "./use-admin-lists";
import { UsersTab } from "./users-tab";

const PanelSettings = lazily(() => import("./panel-settings"), "PanelSettings", <RowsLoading />);

const TABS = ["stats", "users", "chats", "media", "reports"] as const;
type Tab = (typeof TABS)[number];
const isTab = (value: string | null): value is Tab => TABS.some((tab) => tab === value);

export function AdminPanel({ userId }: { userId: string }) {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const section = search.get("settings");
  return (
    <div className="pt-2" data-testid="admin-panel">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h1 className="text-[26px] leading-tight font-bold tracking-tight">{t("admin.title")}</h1>
        {section === null && (
          <Button data-testid="admin-settings" onClick={() => setSearch({ settings: "terms" })}>
            <Settings aria-hidden="true" />
            {t("admin.settings.open")}
          </Button>
        )}
      </div>
      {section === null ? (
        <PanelTabs userId={userId} />
      ) : (
        <PanelSettings
          userId={userId}
          section={section}
          onSection={(next) => setSearch({ settings: next })}
          onBack={() => setSearch({})}
        />
      )}
    </div>
  );
}

function PanelTabs({ userId }: { userId: string }) {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const wanted = search.get("tab");
  const tab = isTab(wanted) ? wanted : "stats";
  const lists = useAdminLists();
  const open = (next: Tab) => setSearch(next === "stats" ? {} : { tab: next }, { replace: true });
  const contents: Record<Tab, ReactNode> = {
    stats: <StatsTab asking={lists.stats} />,
    users: <UsersTab {...lists} userId={userId} />,
    chats: <ChatsTab {...lists} />,
    media: <MediaTab {...lists} />,
    reports: <ReportsTab {...lists} />,
  };
  return (
    <Tabs
      label={t("admin.tabs")}
      testId="admin-tab"
      value={tab}
      onChange={open}
      tabs={TABS.map((value) => ({
        value,
        text: <TabName tab={value} count={value === "stats" ? null : lists[value].total} />,
        content: contents[value],
      }))}
    />
  );
}

/** "Benutzer (1,204)"; without the number while it is unknown. */
function TabName({ tab, count }: { tab: Tab; count: number | null }) {
  const { t, i18n } = useTranslation();
  if (count === null) return <Say k={`admin.tab.${tab}`} />;
  return (
    <>
      <Say k={`admin.tab.${tab}`} />{" "}
      <span className="tabular-nums">
        {t("admin.count", { number: countText(count, i18n.language) })}
      </span>
    </>
  );
}

/** Admits confirmed admins. A refusal redirects home, no answer shows a card (specification §2). */
export function AdminGuard({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { access, retry } = useAdminAccess();
  switch (access.state) {
    case "checking":
      return <Spinner label={t("admin.guard.checking")} className="w-full py-24" />;
    case "allowed":
      return children;
    case "denied":
      return <Denied />;
    case "rejected":
      return <Navigate to={paths.home} replace />;
    case "unknown":
      return <UnknownCard offline={access.code !== "server"} onRetry={retry} />;
  }
}

function Denied() {
  // Outside: the notification area, which outlives this page.
  useEffect(() => showFailure("admin.guard.denied", "admin.guard.deniedText"), []);
  return <Navigate to={paths.home} replace />;
}

function UnknownCard({ offline, onRetry }: { offline: boolean; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      page
      testId="admin-denied"
      icon={<ShieldOff />}
      title={<Say k="admin.guard.denied" />}
      text={
        <>
          <Say k="admin.guard.cardText" />
          <span className="mt-3 block text-sm">
            {t(offline ? "admin.guard.offline" : "admin.guard.failed")}
          </span>
        </>
      }
    >
      <Link to={paths.home} className={buttonClasses({ variant: "accent" })}>
        <Say k="admin.guard.home" />
      </Link>
      <Button onClick={onRetry}>{t("app.retry")}</Button>
    </EmptyState>
  );
}
