/** Whether uploads may use this connection. Where its kind is unknown, they do not wait. */
export const WIFI_ONLY_KEY = "wifiOnly";
const CHANGED = "wifi-only-changed";

/** Missing in Safari and Firefox; most desktops lack `type`. */
interface NetworkInformation extends EventTarget {
  type?: string;
}

const METERED: ReadonlySet<string> = new Set(["cellular", "bluetooth", "wimax"]);

const connection = (): NetworkInformation | undefined =>
  (navigator as Navigator & { connection?: NetworkInformation }).connection;

export const tellsConnection = (): boolean => connection()?.type !== undefined;

export function readWifiOnly(): boolean {
  try {
    return localStorage.getItem(WIFI_ONLY_KEY) === "1";
  } catch {
    return false;
  }
}

export function writeWifiOnly(on: boolean): void {
  try {
    localStorage.setItem(WIFI_ONLY_KEY, on ? "1" : "0");
  } catch {
    // Ignoring it: where storage is denied, uploads do not survive the page either.
  }
  window.dispatchEvent(new Event(CHANGED));
}

export const isMetered = (): boolean => METERED.has(connection()?.type ?? "");

export const mayUpload = (): boolean => !readWifiOnly() || !isMetered();

export function onMayUploadChange(changed: () => void): () => void {
  const network = connection();
  network?.addEventListener("change", changed);
  window.addEventListener(CHANGED, changed);
  window.addEventListener("storage", changed);
  return () => {
    network?.removeEventListener("change", changed);
    window.removeEventListener(CHANGED, changed);
    window.removeEventListener("storage", changed);
  };
}
