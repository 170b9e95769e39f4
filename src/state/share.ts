/** Handing on a page of ours: by the system's sheet or, where there is none, as a copied link. */
import type { MediaView } from "@/data/shapes";
import { paths } from "@/domain/paths";
import { showToast } from "./toasts";

/** A tap lets the page open the system's sheet for so long; the picture is mostly here already. */
const PICTURE_MS = 1_500;

/** The photo as a file, or none where it is not here in time. */
async function pictureOf({ type, url, originalFilename, id, caption }: MediaView): Promise<File[]> {
  if (type !== "photo" || typeof navigator.canShare !== "function") return [];
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PICTURE_MS) });
    const picture = await answer.blob();
    if (!answer.ok || !picture.type.startsWith("image/")) return [];
    // What it was when it was chosen may not be what it is: a HEIC is stored as a JPEG.
    const name = (originalFilename || caption.slice(0, 40) || id).replace(/\.\w+$/, "");
    return [new File([picture], `${name}.${picture.type.slice(6)}`, { type: picture.type })];
  } catch {
    // Ignoring it: the link is shared without the picture.
    return [];
  }
}

/** The sheet is being made ready, or open. */
let isSharing = false;

/** `path` is one of ours; `fetchFiles` may come back with none. */
async function share(
  title: string,
  path: string,
  fetchFiles: () => Promise<File[]>,
): Promise<void> {
  const url = location.origin + path;
  if (isSharing) return;
  if (typeof navigator.share === "function") {
    isSharing = true;
    try {
      const files = await fetchFiles();
      const whole = { title, url, files };
      await navigator.share(files.length > 0 && navigator.canShare(whole) ? whole : { title, url });
      return;
    } catch (error) {
      // Closing the sheet is an answer too; after any other error the clipboard is tried.
      if (error instanceof DOMException && error.name === "AbortError") return;
    } finally {
      isSharing = false;
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    showToast({ title: { key: "detail.linkCopied" } });
  } catch {
    // No clipboard without TLS or permission: the address is shown to be copied by hand.
    showToast({
      title: { key: "detail.linkNotCopied" },
      description: { key: "detail.link", params: { url } },
    });
  }
}

/** With the picture's file where the system takes it. */
export const shareMedia = (media: MediaView, title: string): Promise<void> =>
  share(title, paths.media(media), () => pictureOf(media));

export const shareProfile = (username: string): Promise<void> =>
  share(username, paths.user(username), () => Promise.resolve([]));
