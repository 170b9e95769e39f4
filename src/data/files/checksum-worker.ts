/** Computes the checksums of pieces beside the page, and answers on the ports that come along. */
import { checksumOf } from "@/lib/checksum";

addEventListener("message", async ({ data, ports }: MessageEvent<Blob>) => {
  // A piece that cannot be read cannot be sent either, and that is where it is noticed.
  ports[0]?.postMessage(await checksumOf(data).catch(() => ""));
});
