/** What lies behind the panel's Settings button (resolutions, "Admin tabs 5 vs Settings/Cleanup/Terms/Privacy labels"). A chunk of its own: the editor is in it. */
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { useText } from "@/i18n/use-text";
import { Button } from "@/ui/button";
import { Tabs } from "@/ui/tabs";
import { AppSettings } from "./app-settings";
import { AuditLog } from "./audit-log";
import { Cleanup } from "./cleanup";
import { LegalEditor } from "./legal-editor";

const SECTIONS = ["terms", "privacy", "cleanup", "app", "audit"] as const;
type Section = (typeof SECTIONS)[number];
const isSection = (value: string): value is Section =>
  SECTIONS.some((section) => section === value);

interface PanelSettingsProps {
  userId: string;
  section: string;
  onSection: (section: string) => void;
  onBack: () => void;
}

export function PanelSettings({ userId, section, onSection, onBack }: PanelSettingsProps) {
  const { t } = useText();
  const contents: Record<Section, ReactNode> = {
    terms: <LegalEditor key="terms" id="terms" userId={userId} />,
    privacy: <LegalEditor key="privacy" id="privacy" userId={userId} />,
    cleanup: <Cleanup />,
    app: <AppSettings />,
    audit: <AuditLog />,
  };
  return (
    <div data-testid="panel-settings">
      <Button variant="ghost" className="-ml-4 mb-1" data-testid="admin-back" onClick={onBack}>
        <ArrowLeft aria-hidden="true" />
        {t("admin.settings.back")}
      </Button>
      <Tabs
        label={t("admin.settings.sections")}
        testId="admin-section"
        value={isSection(section) ? section : "terms"}
        onChange={onSection}
        tabs={SECTIONS.map((value) => ({
          value,
          text: t(`admin.settings.${value}`),
          content: contents[value],
        }))}
      />
    </div>
  );
}
