/** Shown until a picture has loaded; made from its thumbhash (base64, "" for none). */
import { thumbHashToAverageRGBA, thumbHashToDataURL } from "thumbhash";

const bytes = (hash: string): Uint8Array =>
  Uint8Array.from(atob(hash), (sign) => sign.charCodeAt(0));

/** The average colour as CSS, or "" without a readable hash. */
export function placeholderColor(hash: string): string {
  if (hash === "") return "";
  try {
    const { r, g, b } = thumbHashToAverageRGBA(bytes(hash));
    return `rgb(${Math.round(r * 255)} ${Math.round(g * 255)} ${Math.round(b * 255)})`;
  } catch {
    return "";
  }
}

const urls = new Map<string, string>();
const MOST_URLS = 300;

/** A tiny blurred picture as a data address, or "" without a readable hash. */
export function placeholderUrl(hash: string): string {
  const known = urls.get(hash);
  if (known !== undefined) return known;
  let url = "";
  try {
    if (hash !== "") url = thumbHashToDataURL(bytes(hash));
  } catch {
    // Not a thumbhash: the colour of the skeleton stays.
  }
  if (urls.size >= MOST_URLS) urls.clear();
  urls.set(hash, url);
  return url;
}
