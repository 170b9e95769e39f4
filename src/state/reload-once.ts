/**
 * The way out for a page whose parts are gone, because a newer version is on the server: a reload,
 * once for each version, so that it never goes round in circles.
 */
import { storedText } from "./stored";
import { hasUnsentText } from "./unsent-text";

const reloadedFrom = storedText("session", "augenblick.reloaded-from");

/** The build wrote the addresses of the program into the page; they name the version. */
const versionHere = (): string =>
  document.querySelector('meta[name="program"]')?.getAttribute("content") ?? "";

/** False where it would lose what somebody typed, was done before, or ends in an error page. */
export async function reloadOnce(): Promise<boolean> {
  const version = versionHere();
  if (hasUnsentText() || version === "" || reloadedFrom.read() === version) return false;
  if (!(await canReload())) return false;
  // Where the browser does not let us remember it, the next failure would reload again.
  if (hasUnsentText() || !reloadedFrom.write(version)) return false;
  location.reload();
  return true;
}

/** The page comes from the service worker, or the server answers. */
async function canReload(): Promise<boolean> {
  if (navigator.serviceWorker?.controller) return true;
  try {
    return (await fetch("/", { method: "HEAD", cache: "no-store" })).ok;
  } catch {
    return false;
  }
}
