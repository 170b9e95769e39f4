/** What is behind the panel's Settings button. A chunk of its own, because of the editor. */
import { ArrowLeft } from "lucide-react";
import { type ComponentProps, type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AdminAppSettings, AdminLimit } from "@/data/admin/admin-client";
import { LANGUAGE_NAMES, LANGUAGES, STANDARD_LANGUAGE } from "@/domain/languages";
import type { TextKey } from "@/i18n/keys";
import { useUnsentText } from "@/state/unsent-text";
import { type Query, useQuery } from "@/state/use-query";
import { Button } from "@/ui/button";
import { TextField } from "@/ui/field";
import { Select } from "@/ui/select";
import { Switch } from "@/ui/switch";
import { Tabs } from "@/ui/tabs";
import { QueryView, RowsLoading, useAct } from "./admin-parts";
import { AuditLog } from "./audit-log";
import { Cleanup } from "./cleanup";
import { Health } from "./health";
import { LegalEditor } from "./legal-editor";

const SECTIONS = ["terms", "privacy", "cleanup", "app", "audit", "health"] as const;
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
    health: <Health />,
  };
  return (
    <div data-testid="panel-settings">
      <Button variant="ghost" className="-ms-4 mb-1" data-testid="admin-back" onClick={onBack}>
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
      <SwitchRow
        label={t("admin.app.mutual")}
        text={t("admin.app.mutualText")}
        testId="mutual-follow"
        checked={form.requireMutualFollow}
        onChange={(requireMutualFollow) => setForm({ ...form, requireMutualFollow })}
      />
      <LanguageField form={form} onChange={setForm} />
      <MailSettings settings={settings} form={form} onChange={setForm} />
      <fieldset className="grid gap-4 border-0 p-0">
        <legend className="mb-1 text-lg font-bold">{t("admin.app.limits")}</legend>
        <p className="text-sm text-muted">{t("admin.app.limitsText")}</p>
        <div className="grid gap-4 sm:grid-cols-2 sm:items-end">
          {settings.limits.map((limit) => (
            <LimitField key={limit.name} limit={limit} form={form} onChange={setForm} />
          ))}
        </div>
      </fieldset>
      <div data-dock="" className="sticky bottom-(--dock) -mx-1 bg-background px-1 py-3">
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

function SwitchRow({ text, ...control }: ComponentProps<typeof Switch> & { text: string }) {
  return (
    <div className="flex items-center justify-between gap-4 rounded-2xl border border-line py-2 pe-2 ps-4">
      <div>
        <p className="font-semibold">{control.label}</p>
        <p className="text-sm text-muted">{text}</p>
      </div>
      <Switch {...control} />
    </div>
  );
}

interface LanguageFieldProps {
  form: SettingsInput;
  onChange: (form: SettingsInput) => void;
}

/** The language of the community, for everybody who has chosen none. */
function LanguageField({ form, onChange }: LanguageFieldProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-1.5">
      <p className="text-sm font-semibold" aria-hidden="true">
        {t("admin.app.language")}
      </p>
      <Select
        label={t("admin.app.language")}
        testId="default-language"
        value={form.defaultLanguage || STANDARD_LANGUAGE}
        options={LANGUAGES.map((value) => ({ value, text: LANGUAGE_NAMES[value], lang: value }))}
        onChange={(defaultLanguage) => onChange({ ...form, defaultLanguage })}
      />
      <p className="text-[0.8125rem] text-muted">{t("admin.app.languageHint")}</p>
    </div>
  );
}

interface MailSettingsProps {
  settings: AdminAppSettings;
  form: SettingsInput;
  onChange: (form: SettingsInput) => void;
}

/** What needs mail is offered only where the server has a mail server. */
function MailSettings({ settings: { mail, appUrl }, form, onChange }: MailSettingsProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="grid gap-4 border-0 p-0" data-testid="mail-settings">
      <legend className="mb-1 text-lg font-bold">{t("admin.app.mail")}</legend>
      <p className="text-sm text-muted">
        {mail ? t("admin.app.mailText", { url: appUrl }) : t("admin.app.noMail")}
      </p>
      {mail && (
        <>
          <SwitchRow
            label={t("admin.app.verified")}
            text={t("admin.app.verifiedText")}
            testId="require-verified"
            checked={form.requireVerified}
            onChange={(requireVerified) => onChange({ ...form, requireVerified })}
          />
          <SwitchRow
            label={t("admin.app.codes")}
            text={t("admin.app.codesText")}
            testId="admin-codes"
            checked={form.adminCodes}
            onChange={(adminCodes) => onChange({ ...form, adminCodes })}
          />
        </>
      )}
    </fieldset>
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
  const { productName, defaultLanguage, requireMutualFollow, requireVerified, adminCodes, limits } =
    settings;
  const texts = limits.map((limit) => [limit.name, shownLimit(limit, limit.value)]);
  const byName: Record<string, string> = Object.fromEntries(texts);
  return {
    productName,
    defaultLanguage,
    requireMutualFollow,
    requireVerified,
    adminCodes,
    limits: byName,
  };
}

/** The form after `sent` was saved: as saved, except for later edits. */
export function withSaved(form: SettingsInput, sent: SettingsInput, saved: AdminAppSettings) {
  const now = startSettings(saved);
  const changed = Object.entries(form.limits).filter(
    ([name, typed]) => typed !== sent.limits[name],
  );
  const kept = <Name extends keyof SettingsInput>(name: Name) =>
    form[name] === sent[name] ? now[name] : form[name];
  return {
    productName: kept("productName"),
    defaultLanguage: kept("defaultLanguage"),
    requireMutualFollow: kept("requireMutualFollow"),
    requireVerified: kept("requireVerified"),
    adminCodes: kept("adminCodes"),
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
    defaultLanguage: input.defaultLanguage,
    requireMutualFollow: input.requireMutualFollow,
    requireVerified: input.requireVerified,
    adminCodes: input.adminCodes,
    limits: Object.fromEntries(set) as Record<string, number>,
    revision: settings.revision,
  };
}
