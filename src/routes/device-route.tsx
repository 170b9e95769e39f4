import { useTranslation } from "react-i18next";
import { DevicePage } from "@/features/device/device-page";
import { StoragePanel } from "@/features/outbox/storage-panel";
import { useTitle } from "@/state/page";

export function DeviceRoute() {
  const { t } = useTranslation();
  useTitle(t("storage.title"));
  return (
    <DevicePage
      usage={(changes) => (
        <StoragePanel className="mt-0" title={t("kept.room")} changes={changes} />
      )}
    />
  );
}
