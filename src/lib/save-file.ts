export function saveFile(file: Blob | string, name: string): void {
  const url = typeof file === "string" ? file : URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  if (typeof file === "string") return;
  // The browser reads the file after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
