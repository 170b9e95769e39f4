/** What is behind the panel's Settings button. A chunk of its own, because of the editor. */
import { ArrowLeft } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AdminAppSettings, AdminLimit } from "@/data/admin/admin-client";
import type { TextKey } from "@/i18n/keys";
import { useUnsentText } from "@/state/unsent-text";
import { type Query, useQuery } from "@/state/use-query";
import { Button } from "@/ui/button";
import { TextField } from "@/ui/field";
import { Switch } from "@/ui/switch";
import { Tabs } from "@/ui/tabs";
import { QueryView, RowsLoading, useAct } from "./admin-parts";
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
  const { t } = useTranslation();
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

function AppSettings() {
  const asking = useQuery("admin app settings", (client) => client.admin.appSettings());
  return (
    <QueryView query={asking} loading={<RowsLoading />}>
      {(settings) => <SettingsForm settings={settings} asking={asking} />}
    </QueryView>
  );
}

type SettingsFormProps = { settings: AdminAppSettings; asking: Query<AdminAppSettings> };

const startForm = (settings: AdminAppSettings) => ({
  form: startSettings(settings),
  base: settings,
});

function useSettingsForm({ settings, asking }: SettingsFormProps) {
  const [{ form, base }, setNow] = useState(() => startForm(settings));
  // Somebody else has saved: what was typed here is based on outdated settings.
  if (settings.revision !== base.revision) setNow(startForm(settings));
  const { busy, act } = useAct();
  const setForm = (next: SettingsInput) => setNow((now) => ({ ...now, form: next }));
  const save = () =>
    act({
      run: (admin) => admin.saveAppSettings(settingsChange(form, settings)),
      done: "admin.app.saved",
      failed: "admin.app.saveFailed",
      failedBy: { conflict: "admin.app.conflict" },
      onDone(saved) {
        setNow((now) => ({ form: withSaved(now.form, form, saved), base: saved }));
        asking.change(() => saved);
      },
      onFailed: (error) => error === "conflict" && asking.reload(),
    });
  return { form, setForm, saving: busy, save };
}

function SettingsForm(props: SettingsFormProps) {
  const { settings } = props;
  const { t } = useTranslation();
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
      <TextField
        label={t("admin.app.productName")}
        hint={t("admin.app.productNameHint")}
        maxLength={60}
        data-testid="product-name"
        value={form.productName}
        onValue={(productName) => setForm({ ...form, productName })}
      />
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
            <LimitField key={limit.name} limit={limit} form={form} onChange={setForm} />
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
          {t(saving ? "app.saving" : "app.save")}
        </Button>
      </div>
    </form>
  );
}

interface LimitFieldProps {
  limit: AdminLimit;
  form: SettingsInput;
  onChange: (form: SettingsInput) => void;
}

function LimitField({ limit, form, onChange }: LimitFieldProps) {
  const { t, i18n } = useTranslation();
  const { name, min } = limit;
  const key = `admin.limit.${name}` as LimitKey;
  const isKnown: boolean = i18n.exists(key);
  const value = form.limits[name] ?? "";
  return (
    <TextField
      // A limit that this version does not know is shown by its key.
      label={isKnown ? t(key) : name}
      error={limitFault(limit, value) ? t("admin.app.number", { least: min }) : null}
      inputMode="numeric"
      placeholder={shownLimit(limit, limit.default)}
      data-testid={`limit-${name}`}
      value={value}
      onValue={(typed) => onChange({ ...form, limits: { ...form.limits, [name]: typed } })}
    />
  );
}

type LimitKey = Extract<TextKey, `admin.limit.${string}`>;

type SettingsInput = ReturnType<typeof startSettings>;

/** Sizes are shown and typed in megabytes. */
const unitOf = ({ name }: AdminLimit): number => (name.endsWith("Bytes") ? 1024 * 1024 : 1);

const shownLimit = (limit: AdminLimit, value: number | null): string =>
  value === null ? "" : String(Math.round(value / unitOf(limit)));

/** The settings as typed; an empty limit means the built-in number. */
export function startSettings(settings: AdminAppSettings) {
  const { productName, requireMutualFollow, limits } = settings;
  const texts = limits.map((limit) => [limit.name, shownLimit(limit, limit.value)]);
  const byName: Record<string, string> = Object.fromEntries(texts);
  return { productName, requireMutualFollow, limits: byName };
}

/** The form after `sent` was saved: as saved, except for later edits. */
export function withSaved(form: SettingsInput, sent: SettingsInput, saved: AdminAppSettings) {
  const now = startSettings(saved);
  const changed = Object.entries(form.limits).filter(
    ([name, typed]) => typed !== sent.limits[name],
  );
  return {
    productName: form.productName === sent.productName ? now.productName : form.productName,
    requireMutualFollow:
      form.requireMutualFollow === sent.requireMutualFollow
        ? now.requireMutualFollow
        : form.requireMutualFollow,
    limits: { ...now.limits, ...Object.fromEntries(changed) },
  };
}

export function limitFault({ min }: AdminLimit, typed: string): boolean {
  const text = typed.trim();
  if (text === "") return false;
  return !/^\d{1,15}$/.test(text) || Number(text) < min;
}

export function settingsChange(input: SettingsInput, settings: AdminAppSettings) {
  const set = settings.limits.flatMap((limit) => {
    const typed = (input.limits[limit.name] ?? "").trim();
    // A size that is no whole number of megabytes stays as it is, unless it is edited.
    const isKept = limit.value !== null && typed === shownLimit(limit, limit.value);
    const value = isKept ? limit.value : Number(typed) * unitOf(limit);
    return typed === "" || value === limit.default ? [] : [[limit.name, value]];
  });
  return {
    productName: input.productName.trim(),
    requireMutualFollow: input.requireMutualFollow,
    limits: Object.fromEntries(set) as Record<string, number>,
    revision: settings.revision,
  };
}
