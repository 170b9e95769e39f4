/** Handing the address of a medium on: by the device's own sheet, else by the clipboard. */
import { showToast } from "./toasts";

export async function shareLink(title: string, url: string): Promise<void> {
  if (typeof navigator.share === "function") {
    try {
      await navigator.share({ title, url });
      return;
    } catch (error) {
      // Closing the sheet is an answer too; anything else leaves the clipboard.
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    showToast({ title: { key: "detail.linkCopied" } });
  } catch {
    // No clipboard without TLS or permission: the address itself can be copied by hand.
    showToast({ title: { key: "detail.linkNotCopied" }, description: { raw: url } });
  }
}
