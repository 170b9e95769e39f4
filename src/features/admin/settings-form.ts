/** The panel's settings between server and form. Limits are typed as text: empty means the built-in number. */
import type { AdminAppSettings, AdminLimit, AppSettingsChange } from "@/data/admin/admin-client";
import type { TextKey } from "@/i18n/keys";
import type { Texts } from "@/i18n/use-text";

export interface SettingsInput {
  productName: string;
  requireMutualFollow: boolean;
  /** By name. */
  limits: Record<string, string>;
}

const NAMES: Record<string, TextKey> = {
  signupsPer10Min: "admin.limit.signupsPer10Min",
  wrongLoginsPer5MinIp: "admin.limit.wrongLoginsPer5MinIp",
  wrongLoginsPer5MinAccount: "admin.limit.wrongLoginsPer5MinAccount",
  writesPerMinute: "admin.limit.writesPerMinute",
  uploadsPerHour: "admin.limit.uploadsPerHour",
  reportsPerHour: "admin.limit.reportsPerHour",
  openUploads: "admin.limit.openUploads",
  openUploadBytes: "admin.limit.openUploadBytes",
  minFreeDiskBytes: "admin.limit.minFreeDiskBytes",
};

/** A limit that this version does not know is shown by its own name. */
export function limitName({ name }: AdminLimit, t: Texts["t"]): string {
  const key = NAMES[name];
  return key === undefined ? name : t(key);
}

export function startSettings(settings: AdminAppSettings): SettingsInput {
  const { productName, requireMutualFollow, limits } = settings;
  const texts = limits.map(({ name, value }) => [name, value === null ? "" : String(value)]);
  return { productName, requireMutualFollow, limits: Object.fromEntries(texts) };
}

/** The form once `sent` is saved: as it was saved, but for what was changed meanwhile. */
export function withSaved(
  form: SettingsInput,
  sent: SettingsInput,
  saved: AdminAppSettings,
): SettingsInput {
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

/** Whether `typed` is neither empty nor a whole number that the server takes. */
export function limitFault({ min }: AdminLimit, typed: string): boolean {
  const text = typed.trim();
  if (text === "") return false;
  return !/^\d{1,15}$/.test(text) || Number(text) < min;
}

export function settingsChange(
  input: SettingsInput,
  settings: AdminAppSettings,
): AppSettingsChange {
  const set = settings.limits.flatMap((limit) => {
    const typed = (input.limits[limit.name] ?? "").trim();
    return typed === "" || Number(typed) === limit.default ? [] : [[limit.name, Number(typed)]];
  });
  return {
    productName: input.productName.trim(),
    requireMutualFollow: input.requireMutualFollow,
    limits: Object.fromEntries(set) as Record<string, number>,
    revision: settings.revision,
  };
}
