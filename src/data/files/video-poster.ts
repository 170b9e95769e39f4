/** Reads one frame, the length and the size of a video. Workers have no `<video>` element. */

/** Pixels as shown, and seconds; 0 when unknown. */
const UNKNOWN = { frame: null, width: 0, height: 0, duration: 0 };
/** Enough for a slow phone that is busy. What the browser cannot play it says at once. */
const TIMEOUT_MS = 20_000;
/** The first frame is often black. */
const POSTER_AT_SECONDS = 1;
/**
 * "seeked" may come before the frame is there to be drawn, and no event tells when it is (a hidden
 * page hears of none). Each wait is twice as long as the one before, ten seconds together.
 */
const FIRST_WAIT_MS = 10;
const MOST_WAITS = 10;

/** Never fails: a video that this browser cannot play is uploaded without a poster. */
export async function readVideoFacts(file: Blob) {
  const video = document.createElement("video");
  const url = URL.createObjectURL(file);
  Object.assign(video, { muted: true, playsInline: true, preload: "auto" });
  const late = AbortSignal.timeout(TIMEOUT_MS);
  try {
    video.src = url;
    await event(video, "loadedmetadata", late);
    const duration = await knownDuration(video, late);
    const facts = { width: video.videoWidth, height: video.videoHeight, duration };
    return { ...facts, frame: await posterFrame(video, duration, late) };
  } catch {
    // Not playable here, or not in time: other devices may be able to play it.
    return UNKNOWN;
  } finally {
    video.removeAttribute("src");
    video.load();
    URL.revokeObjectURL(url);
  }
}

async function posterFrame(video: HTMLVideoElement, duration: number, late: AbortSignal) {
  try {
    const seeked = event(video, "seeked", late);
    video.currentTime = Math.min(POSTER_AT_SECONDS, duration / 10);
    await seeked;
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) {
      await event(video, "loadeddata", late);
    }
    for (let waits = 0; waits < MOST_WAITS && video.videoWidth > 0; waits += 1) {
      const frame = await createImageBitmap(video).catch(() => null);
      if (frame !== null) return frame;
      await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS * 2 ** waits));
    }
  } catch {
    // Ignoring it: size and length are known.
  }
  return null;
}

/** A recording made in a browser has the length Infinity until it was sought to its end. */
async function knownDuration(video: HTMLVideoElement, late: AbortSignal): Promise<number> {
  if (Number.isFinite(video.duration)) return video.duration;
  // This seek must be over before the next one, whose event would look the same.
  const known = Promise.all(["durationchange", "seeked"].map((name) => event(video, name, late)));
  video.currentTime = Number.MAX_SAFE_INTEGER;
  await known;
  return Number.isFinite(video.duration) ? video.duration : 0;
}

function event(video: HTMLVideoElement, name: string, late: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (late.aborted) reject(late.reason);
    late.addEventListener("abort", () => reject(late.reason), { once: true });
    video.addEventListener(name, () => resolve(), { once: true });
    video.addEventListener("error", () => reject(video.error), { once: true });
  });
}
