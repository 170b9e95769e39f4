/** Tells a video for which the browser has no decoder from one whose bytes do not come. */

/** WebKit tells a video's size some moments after it has the first frame. */
const SIZE_PATIENCE_MS = 2_000;

/** After `loadeddata`: whether sound may play, and nothing will be seen on the page. */
export async function hasNoPicture(video: HTMLVideoElement): Promise<boolean> {
  if (video.videoWidth > 0) return false;
  await new Promise((resolve) => {
    video.addEventListener("resize", resolve, { once: true });
    setTimeout(resolve, SIZE_PATIENCE_MS);
  });
  const { isConnected, readyState, videoWidth } = video;
  return isConnected && readyState >= HTMLMediaElement.HAVE_METADATA && videoWidth === 0;
}

/** After `error`. */
export async function hasNoDecoder({ error, src }: HTMLVideoElement): Promise<boolean> {
  if (error?.code === MediaError.MEDIA_ERR_DECODE) return true;
  if (error?.code !== MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED) return false;
  // A file that waits to be sent is on this device.
  if (src.startsWith("blob:")) return true;
  // Browsers say the same of an address at which there is no video.
  const answer = await fetch(src, { headers: { Range: "bytes=0-0" } }).catch(() => null);
  return answer?.ok === true && /^video\//.test(answer.headers.get("Content-Type") ?? "");
}
