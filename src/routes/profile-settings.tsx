import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { paths } from "@/domain/paths";
import {
  AdminBox,
  ChangeEmail,
  ChangePassword,
  ConfirmAddress,
  DeleteAccount,
} from "@/features/auth/account-panels";
import { EditProfile } from "@/features/auth/edit-profile";
import { SessionsPanel } from "@/features/auth/sessions-panel";
import { StoragePanel } from "@/features/outbox/storage-panel";
import { MutedPanel } from "@/features/profile/muted-panel";
import { BlockedPeople } from "@/features/profile/people-listing";
import { AppearancePanel, DevicePanel, LanguagePanel } from "@/features/settings/device-panel";
import { loadPushTexts } from "@/i18n/setup";
import { canBeWoken } from "@/lib/sends-when-closed";
import { useConnection } from "@/state/outbox";
import { useUser } from "@/state/session";
import { lazily } from "@/ui/lazily";
import { Panel } from "@/ui/panel";

/** Kept by no device that has not asked for them: they need the server anyway. */
const PushPanel = lazily(async () => {
  const [file] = await Promise.all([import("@/features/settings/push-panel"), loadPushTexts()]);
  return { PushPanel: file.PushPanel };
}, "PushPanel");
const loadExport = () => import("@/features/settings/export-panel");
const ExportPanel = lazily(loadExport, "ExportPanel");

function Notifications() {
  const { t } = useTranslation();
  const isOffline = useConnection() === "offline";
  if (!isOffline || PushPanel.isWarm()) return <PushPanel />;
  return <Panel id="push" title={t("account.notes")} text={t("account.notesOffline")} />;
}

function Export({ username }: { username: string }) {
  const { t } = useTranslation();
  const isOffline = useConnection() === "offline";
  if (!isOffline || ExportPanel.isWarm()) return <ExportPanel username={username} />;
  return <Panel id="export" title={t("account.export")} text={t("app.notHereYet")} />;
}

interface ProfileSettingsProps {
  person: Parameters<typeof EditProfile>[0]["person"];
  onDeleting: (on: boolean) => void;
}

export function ProfileSettings({ person, onDeleting }: ProfileSettingsProps) {
  const navigate = useNavigate();
  const user = useUser();
  if (user === null) return null;
  return (
    <div className="mx-auto grid max-w-[680px] grid-cols-[minmax(0,1fr)] gap-4">
      <ConfirmAddress email={user.email} />
      <EditProfile person={person} />
      <ChangeEmail email={user.email} />
      <ChangePassword email={user.email} />
      {user.isAdmin && <AdminBox />}
      <BlockedPeople />
      <MutedPanel />
      <AppearancePanel />
      <LanguagePanel />
      {canBeWoken() && <Notifications />}
      <DevicePanel usage={(changes) => <StoragePanel className="mt-0" changes={changes} />} />
      <Export username={person.username} />
      <SessionsPanel />
      <DeleteAccount
        onDeleting={onDeleting}
        onDeleted={() => void navigate(paths.home, { replace: true })}
        onReauth={() => void navigate(paths.login)}
      />
    </div>
  );
}
