/** Reads one frame, the length and the size of a video. Workers have no `<video>` element. */

export interface VideoFacts {
  /** One early frame, or null where this browser cannot decode the video. */
  frame: ImageBitmap | null;
  /** Pixels as shown, 0 when unknown. */
  width: number;
  height: number;
  /** Seconds, 0 when unknown. */
  duration: number;
}

const UNKNOWN: VideoFacts = { frame: null, width: 0, height: 0, duration: 0 };
/** Enough for a slow phone, and short enough where the video never shows a frame. */
const TIMEOUT_MS = 8_000;
/** The first frame is often black. */
const POSTER_AT_SECONDS = 1;
/** After a seek the browser may report a frame that is not there yet; a later one is. */
const FRAMES_TRIED = 5;

/** Never fails: a video that this browser cannot play is uploaded without a poster. */
export async function readVideoFacts(file: Blob): Promise<VideoFacts> {
  const video = document.createElement("video");
  const url = URL.createObjectURL(file);
  Object.assign(video, { muted: true, playsInline: true, preload: "auto" });
  const late = deadline(TIMEOUT_MS);
  try {
    video.src = url;
    await Promise.race([event(video, "loadedmetadata"), late.reached]);
    const duration = await Promise.race([knownDuration(video), late.reached]);
    const facts = { width: video.videoWidth, height: video.videoHeight, duration };
    return { ...facts, frame: await posterFrame(video, duration, late.reached) };
  } catch {
    // Not playable here, or not in time: other devices may be able to play it.
    return UNKNOWN;
  } finally {
    late.cancel();
    video.removeAttribute("src");
    video.load();
    URL.revokeObjectURL(url);
  }
}

async function posterFrame(
  video: HTMLVideoElement,
  duration: number,
  late: Promise<never>,
): Promise<ImageBitmap | null> {
  try {
    const at = Math.min(POSTER_AT_SECONDS, duration / 10);
    for (let tried = 0; tried < FRAMES_TRIED && video.videoWidth > 0; tried += 1) {
      const seeked = event(video, "seeked");
      video.currentTime = at * (1 + tried / FRAMES_TRIED);
      await Promise.race([seeked, late]);
      if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) {
        await Promise.race([event(video, "loadeddata"), late]);
      }
      const frame = await createImageBitmap(video).catch(() => null);
      if (frame !== null) return frame;
    }
  } catch {
    // Ignoring it: size and length are known.
  }
  return null;
}

/** A recording made in a browser has the length Infinity until it was sought to its end. */
async function knownDuration(video: HTMLVideoElement): Promise<number> {
  if (Number.isFinite(video.duration)) return video.duration;
  // This seek must be over before the next one, whose event would look the same.
  const known = Promise.all([event(video, "durationchange"), event(video, "seeked")]);
  video.currentTime = Number.MAX_SAFE_INTEGER;
  await known;
  return Number.isFinite(video.duration) ? video.duration : 0;
}

function event(video: HTMLVideoElement, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(name, () => resolve(), { once: true });
    video.addEventListener("error", () => reject(video.error), { once: true });
  });
}

function deadline(ms: number): { reached: Promise<never>; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout>;
  const reached = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("timeout")), ms);
  });
  // Nobody may be waiting for it any more.
  reached.catch(() => undefined);
  return { reached, cancel: () => clearTimeout(timer) };
}
