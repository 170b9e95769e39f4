/**
 * Whether large things may go over the connection there is. The wish lies on the device; what kind of connection it is, few
 * browsers tell, and where none is told there is nothing to wait for.
 */
const KEY = "wifiOnly";
const CHANGED = "wifi-only-changed";

/** The part of the Network Information API that is used; missing in Safari and Firefox, and `type` on most desktops. */
interface NetworkInformation extends EventTarget {
  type?: string;
}

const METERED: ReadonlySet<string> = new Set(["cellular", "bluetooth", "wimax"]);

const connection = (): NetworkInformation | undefined =>
  (navigator as Navigator & { connection?: NetworkInformation }).connection;

/** Whether this browser says what kind of connection it has. */
export const tellsConnection = (): boolean => connection()?.type !== undefined;

export function readWifiOnly(): boolean {
  try {
    return localStorage.getItem(KEY) === "1";
  } catch {
    return false;
  }
}

export function writeWifiOnly(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? "1" : "0");
  } catch {
    // Denied: there is then nothing to hold back either, as nothing is stored.
  }
  window.dispatchEvent(new Event(CHANGED));
}

export const mayUpload = (): boolean => !readWifiOnly() || !METERED.has(connection()?.type ?? "");

/** Calls back when the connection or the wish may have changed, in whichever tab. */
export function onMayUploadChange(changed: () => void): () => void {
  const told = connection();
  told?.addEventListener("change", changed);
  window.addEventListener(CHANGED, changed);
  window.addEventListener("storage", changed);
  return () => {
    told?.removeEventListener("change", changed);
    window.removeEventListener(CHANGED, changed);
    window.removeEventListener("storage", changed);
  };
}
