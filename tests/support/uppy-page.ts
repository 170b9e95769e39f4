/**
 * A page that uploads by Uppy, bundled and served by its test: not a page of ours, but one that
 * somebody else has made for this server.
 */
import Uppy from "@uppy/core";
import Tus, { type TusOptions } from "@uppy/tus";

export interface UppyOrder {
  endpoint: string;
  token: string;
  size: number;
  options: Pick<
    TusOptions<Record<string, unknown>, Record<string, unknown>>,
    "chunkSize" | "overridePatchMethod" | "uploadDataDuringCreation"
  >;
  /** Stops after the first piece and goes on. */
  pauses?: boolean;
}

export interface UppyOutcome {
  uploadUrl: string;
  /** SHA-256 of what was to be sent, in hex. */
  digest: string;
  failed: string[];
}

const hex = (buffer: ArrayBuffer): string =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

async function sendByUppy({
  endpoint,
  token,
  size,
  options,
  pauses = false,
}: UppyOrder): Promise<UppyOutcome> {
  const bytes = new Uint8Array(size);
  // The browser gives no more at once.
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  let isToPause = pauses;
  const uppy = new Uppy().use(Tus, {
    ...options,
    endpoint,
    headers: { Authorization: token },
    retryDelays: [100, 1_000],
  });
  uppy.on("upload-progress", (_file, { bytesUploaded }) => {
    if (!isToPause || bytesUploaded < size / 3) return;
    isToPause = false;
    uppy.pauseAll();
    setTimeout(() => uppy.resumeAll());
  });
  // Uppy takes a file of a known name and size for one that it has sent before.
  const name = `film ü ${crypto.randomUUID()}.mp4`;
  uppy.addFile({ name, type: "video/mp4", data: new Blob([bytes]) });
  const result = await uppy.upload();
  const failed = (result?.failed ?? []).map((file) => String(file.error));
  const uploadUrl = result?.successful?.[0]?.uploadURL ?? "";
  return { uploadUrl, digest: hex(await crypto.subtle.digest("SHA-256", bytes)), failed };
}

Object.assign(window, { sendByUppy });
