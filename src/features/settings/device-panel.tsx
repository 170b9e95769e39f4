/** Settings of this device: language, endless lists, storage, Wi-Fi only, clearing the cache. */
import { Smartphone, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { isLanguage, LANGUAGE_NAMES, LANGUAGES } from "@/domain/languages";
import { paths } from "@/domain/paths";
import { bytesText } from "@/i18n/formats";
import { tellsConnection } from "@/lib/connection-kind";
import { readWifiOnly, writeWifiOnly } from "@/lib/metered-connection";
import { install, useInstallWay } from "@/state/install";
import { chooseLanguage } from "@/state/language-choice";
import { canVibrate, usePreferences } from "@/state/preferences";
import { clearCache } from "@/state/storage";
import { showFailure, showToast } from "@/state/toasts";
import { useQuery } from "@/state/use-query";
import { Button, buttonClasses } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Chips } from "@/ui/chips";
import { Panel } from "@/ui/panel";
import { Select } from "@/ui/select";

/** Light, dark, or as the device is set; of this device alone. */
export function AppearancePanel() {
  const { t } = useTranslation();
  const { themeChoice, setTheme } = usePreferences();
  return (
    <Panel id="appearance" title={t("account.appearance")}>
      <Chips
        testId="theme"
        label={t("nav.theme")}
        value={themeChoice}
        options={(["system", "light", "dark"] as const).map((value) => ({
          value,
          text: t(`nav.themeOf.${value}`),
        }))}
        onChange={setTheme}
      />
    </Panel>
  );
}

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
      <Endless />
      {canVibrate() && <Vibrates />}
      {tellsConnection() && <WifiOnly />}
      <ServerStorage />
      {usage(cleared)}
      <Link to={paths.device} className={`${buttonClasses()} w-fit`} data-testid="to-device">
        {t("kept.all")}
      </Link>
      <Install />
      <div>
        <Button disabled={busy} data-testid="clear-cache" onClick={() => void clear()}>
          <Trash2 aria-hidden="true" />
          {t("account.clearCache")}
        </Button>
        <p className="mt-2 text-[0.8125rem] text-muted">{t("account.clearCacheText")}</p>
      </div>
    </Panel>
  );
}

export function LanguagePanel() {
  const { t, i18n } = useTranslation();
  return (
    <Panel id="language" title={t("language.label")} text={t("language.text")}>
      <Select
        label={t("language.label")}
        testId="settings-language"
        className="w-full max-w-[280px]"
        value={i18n.language}
        options={LANGUAGES.map((code) => ({
          value: code,
          text: LANGUAGE_NAMES[code],
          lang: code,
        }))}
        onChange={(code) => isLanguage(code) && void chooseLanguage(code)}
      />
    </Panel>
  );
}

function Install() {
  const { t } = useTranslation();
  if (useInstallWay() !== "asks") return null;
  return (
    <div>
      <Button data-testid="install-app" onClick={() => void install()}>
        <Smartphone aria-hidden="true" />
        {t("install.action")}
      </Button>
      <p className="mt-2 text-[0.8125rem] text-muted">{t("install.text")}</p>
    </div>
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

function Endless() {
  const { t } = useTranslation();
  const { endless, setEndless } = usePreferences();
  return (
    <Checkbox checked={endless} testId="endless" onChange={setEndless}>
      {t("account.endless")}
      <span className="block text-[0.8125rem] text-muted">{t("account.endlessText")}</span>
    </Checkbox>
  );
}

function Vibrates() {
  const { t } = useTranslation();
  const { vibrates, setVibrates } = usePreferences();
  return (
    <Checkbox checked={vibrates} testId="vibrates" onChange={setVibrates}>
      {t("account.vibrates")}
    </Checkbox>
  );
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
      <span className="block text-[0.8125rem] text-muted">{t("account.wifiOnlyText")}</span>
    </Checkbox>
  );
}
