/** Settings of this device: storage, uploads over Wi-Fi only, clearing the cache. */
import { Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { bytesText } from "@/i18n/formats";
import { readWifiOnly, tellsConnection, writeWifiOnly } from "@/lib/metered-connection";
import { clearCache } from "@/state/storage";
import { showFailure, showToast } from "@/state/toasts";
import { useQuery } from "@/state/use-query";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Panel } from "@/ui/panel";

export function DevicePanel({ usage }: { usage: (changes: number) => ReactNode }) {
  const { t } = useTranslation();
  const [cleared, setCleared] = useState(0);
  const [busy, setBusy] = useState(false);
  const clear = async () => {
    setBusy(true);
    const done = await clearCache();
    setBusy(false);
    setCleared((count) => count + 1);
    if (done) showToast({ title: { key: "account.cleared" } });
    else showFailure("account.clearFailed");
  };
  return (
    <Panel id="device" title={t("account.device")} text={t("account.deviceText")}>
      {tellsConnection() && <WifiOnly />}
      <ServerStorage />
      {usage(cleared)}
      <div>
        <Button disabled={busy} data-testid="clear-cache" onClick={() => void clear()}>
          <Trash2 aria-hidden="true" />
          {t("account.clearCache")}
        </Button>
        <p className="mt-2 text-[13px] text-muted">{t("account.clearCacheText")}</p>
      </div>
    </Panel>
  );
}

function ServerStorage() {
  const { t, i18n } = useTranslation();
  const { now } = useQuery("server storage", (client) => client.auth.serverStorage());
  if (now.state === "loading") return null;
  if (now.state === "failed") return <p>{t("account.serverStorageUnknown")}</p>;
  const used = bytesText(now.value.used, i18n.language);
  const limit = bytesText(now.value.limit, i18n.language);
  return <p data-testid="server-storage">{t("account.serverStorage", { used, limit })}</p>;
}

function WifiOnly() {
  const { t } = useTranslation();
  const [on, setOn] = useState(readWifiOnly);
  return (
    <Checkbox
      checked={on}
      testId="wifi-only"
      onChange={(next) => {
        writeWifiOnly(next);
        setOn(next);
      }}
    >
      {t("account.wifiOnly")}
      <span className="block text-[13px] text-muted">{t("account.wifiOnlyText")}</span>
    </Checkbox>
  );
}
