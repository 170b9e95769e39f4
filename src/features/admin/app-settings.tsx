/** Settings: the product's name, who may chat with whom, and the limits that may be changed. */
import { type FormEvent, useState } from "react";
import type { AdminAppSettings, AdminLimit } from "@/data/admin/admin-client";
import { useText } from "@/i18n/use-text";
import { noteAdminRefusal } from "@/state/admin-access";
import { whenClient } from "@/state/client-store";
import { showToast } from "@/state/toasts";
import { useUnsentText } from "@/state/unsent-text";
import { useQuery } from "@/state/use-query";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Input } from "@/ui/input";
import { Switch } from "@/ui/switch";
import { AskedView, RowsLoading } from "./asked-view";
import {
  limitFault,
  limitName,
  type SettingsInput,
  settingsChange,
  startSettings,
  withSaved,
} from "./settings-form";

export function AppSettings() {
  const asking = useQuery("admin app settings", (client) => client.admin.appSettings());
  return (
    <AskedView asked={asking.now} onRetry={asking.reload} loading={<RowsLoading />}>
      {(settings) => (
        <SettingsForm
          settings={settings}
          onSaved={(saved) => asking.change(() => saved)}
          onConflict={asking.reload}
        />
      )}
    </AskedView>
  );
}

interface SettingsFormProps {
  settings: AdminAppSettings;
  onSaved: (settings: AdminAppSettings) => void;
  onConflict: () => void;
}

const startForm = (settings: AdminAppSettings) => ({
  form: startSettings(settings),
  base: settings,
});

function useSettingsForm({ settings, onSaved, onConflict }: SettingsFormProps) {
  const [{ form, base }, setNow] = useState(() => startForm(settings));
  // Somebody else has saved: what was typed here began from settings that are no more.
  if (settings.revision !== base.revision) setNow(startForm(settings));
  const [saving, setSaving] = useState(false);
  const setForm = (next: SettingsInput) => setNow((now) => ({ ...now, form: next }));
  const save = async () => {
    setSaving(true);
    const { admin } = await whenClient();
    const answer = await admin.saveAppSettings(settingsChange(form, settings));
    setSaving(false);
    if (answer.success) {
      const saved = answer.value;
      setNow((now) => ({ form: withSaved(now.form, form, saved), base: saved }));
      showToast({ title: { key: "admin.success" }, description: { key: "admin.app.saved" } });
      return onSaved(saved);
    }
    noteAdminRefusal(answer.error);
    const isConflict = answer.error === "conflict";
    showToast({
      title: { key: "admin.error" },
      description: { key: isConflict ? "admin.app.conflict" : "admin.app.saveFailed" },
      variant: "destructive",
    });
    if (isConflict) onConflict();
  };
  return { form, setForm, saving, save };
}

function SettingsForm(props: SettingsFormProps) {
  const { settings } = props;
  const { t } = useText();
  const { form, setForm, saving, save } = useSettingsForm(props);
  const dirty = JSON.stringify(form) !== JSON.stringify(startSettings(settings));
  const faulty = settings.limits.some((limit) => limitFault(limit, form.limits[limit.name] ?? ""));
  useUnsentText(dirty);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!faulty && !saving) void save();
  };
  return (
    <form
      className="grid max-w-[640px] gap-5"
      noValidate
      onSubmit={submit}
      data-testid="app-settings"
    >
      <h2 className="text-xl font-bold">{t("admin.settings.app")}</h2>
      <Field label={t("admin.app.productName")} hint={t("admin.app.productNameHint")}>
        {(control) => (
          <Input
            {...control}
            maxLength={60}
            value={form.productName}
            data-testid="product-name"
            onChange={(event) => setForm({ ...form, productName: event.target.value })}
          />
        )}
      </Field>
      <div className="flex items-center justify-between gap-4 rounded-2xl border border-line py-2 pr-2 pl-4">
        <div>
          <p className="font-semibold">{t("admin.app.mutual")}</p>
          <p className="text-sm text-muted">{t("admin.app.mutualText")}</p>
        </div>
        <Switch
          checked={form.requireMutualFollow}
          label={t("admin.app.mutual")}
          testId="mutual-follow"
          onChange={(requireMutualFollow) => setForm({ ...form, requireMutualFollow })}
        />
      </div>
      <fieldset className="grid gap-4 border-0 p-0">
        <legend className="mb-1 text-lg font-bold">{t("admin.app.limits")}</legend>
        <p className="text-sm text-muted">{t("admin.app.limitsText")}</p>
        <div className="grid gap-4 sm:grid-cols-2 sm:items-end">
          {settings.limits.map((limit) => (
            <LimitField
              key={limit.name}
              limit={limit}
              value={form.limits[limit.name] ?? ""}
              onChange={(value) =>
                setForm({ ...form, limits: { ...form.limits, [limit.name]: value } })
              }
            />
          ))}
        </div>
      </fieldset>
      <div className="sticky bottom-0 -mx-1 bg-background px-1 py-3">
        <Button
          type="submit"
          variant="accent"
          disabled={!dirty || faulty || saving}
          data-testid="save-settings"
        >
          {t(saving ? "admin.app.saving" : "admin.app.save")}
        </Button>
      </div>
    </form>
  );
}

interface LimitFieldProps {
  limit: AdminLimit;
  value: string;
  onChange: (value: string) => void;
}

function LimitField({ limit, value, onChange }: LimitFieldProps) {
  const { t } = useText();
  return (
    <Field
      label={limitName(limit, t)}
      error={limitFault(limit, value) ? t("admin.app.number", { least: limit.min }) : null}
    >
      {(control) => (
        <Input
          {...control}
          inputMode="numeric"
          value={value}
          placeholder={String(limit.default)}
          data-testid={`limit-${limit.name}`}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
