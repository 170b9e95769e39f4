/** What kind of connection there is, in pages and workers. Safari and Firefox do not tell. */

/** "1" where files wait for Wi-Fi. On users' devices, and in what is copied: never rename. */
export const WIFI_ONLY_KEY = "wifiOnly";

/** Most desktops lack `type`. */
interface NetworkInformation extends EventTarget {
  type?: string;
}

const METERED: ReadonlySet<string> = new Set(["cellular", "bluetooth", "wimax"]);

const connection = (): NetworkInformation | undefined =>
  (navigator as unknown as { connection?: NetworkInformation }).connection;

export const tellsConnection = (): boolean => connection()?.type !== undefined;

export const isMetered = (): boolean => METERED.has(connection()?.type ?? "");

export function onConnectionChange(changed: () => void): () => void {
  const network = connection();
  network?.addEventListener("change", changed);
  return () => network?.removeEventListener("change", changed);
}
