/** The admin panel: five tabs and the operator's settings; the address says which is open. */
import { Settings } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";
import { Say } from "@/i18n/say";
import { Button } from "@/ui/button";
import { lazily } from "@/ui/lazily";
import { Tabs } from "@/ui/tabs";
import { countText, RowsLoading } from "./admin-parts";
import { ChatsTab } from "./chats-tab";
import { MediaTab } from "./media-tab";
import { ReportsTab } from "./reports-tab";
import { StatsTab } from "./stats-tab";
import { useAdminLists } from "./use-admin-lists";
import { UsersTab } from "./users-tab";

const PanelSettings = lazily(
  () => import("./panel-settings"),
  "PanelSettings",
  () => <RowsLoading />,
);

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
        <h1 className="text-[1.625rem] leading-tight font-bold tracking-tight">
          {t("admin.title")}
        </h1>
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
