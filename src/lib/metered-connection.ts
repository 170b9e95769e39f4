/** Whether uploads may use this connection. Where its kind is unknown, they do not wait. */
import { isMetered, onConnectionChange, WIFI_ONLY_KEY } from "./connection-kind";

const CHANGED = "wifi-only-changed";

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

export const mayUpload = (): boolean => !readWifiOnly() || !isMetered();

export function onMayUploadChange(changed: () => void): () => void {
  const stop = onConnectionChange(changed);
  window.addEventListener(CHANGED, changed);
  window.addEventListener("storage", changed);
  return () => {
    stop();
    window.removeEventListener(CHANGED, changed);
    window.removeEventListener("storage", changed);
  };
}
