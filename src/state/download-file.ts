/** Saving a file where the person's downloads go. Out of the cache where it is there, so that it works offline. */
import { showToast } from "./toasts";

export async function downloadFile(url: string, name: string): Promise<void> {
  // What waits to be sent lies here already.
  if (url.startsWith("blob:")) {
    save(url, name);
    return;
  }
  try {
    const response = await fetch(url);
    const type = response.headers.get("Content-Type") ?? "";
    // A hotel's login page is not the picture.
    if (!response.ok || !/^(image|video)\//.test(type))
      throw new Error(`${response.status} ${type}`);
    const address = URL.createObjectURL(await response.blob());
    save(address, name);
    // The browser reads the blob after the click has returned.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  } catch {
    showToast({ title: { key: "detail.downloadFailed" }, variant: "destructive" });
  }
}

function save(address: string, name: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}
