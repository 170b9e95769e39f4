/** What only a `<video>` can tell: one frame of a video, its length and its size. Workers have no video element. */

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
/** Long for a slow phone, short for somebody who waits for a video that will never show a frame. */
const TIMEOUT_MS = 8_000;
/** The first frame is often black. */
const POSTER_AT_SECONDS = 1;
/** A place that was just sought may have no picture yet, although the browser says so: the next one has. */
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
    // Not playable here, or not in time: everybody else may still be able to play it.
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
    // Size and length are known all the same.
  }
  return null;
}

/** A recording made in a browser says Infinity until it was played or sought to its end. */
async function knownDuration(video: HTMLVideoElement): Promise<number> {
  if (Number.isFinite(video.duration)) return video.duration;
  // The end of this search must not pass for the end of the next one.
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
  // Nobody may be waiting any more when it is reached.
  reached.catch(() => undefined);
  return { reached, cancel: () => clearTimeout(timer) };
}
