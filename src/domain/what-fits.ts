/** What fits within the limits, and of what does not, what can be made to fit. */
import type { ErrorCode } from "./error-codes";
import { IMAGE_MAX_BYTES, PHOTO_MAX_PIXELS, VIDEO_MAX_BYTES } from "./limits";

export interface PictureSize {
  /** Without what is taken out before it is sent. */
  bytes: number;
  /** Width times height; of an animation see `statedPixels`. */
  pixels: number;
  isAnimated: boolean;
}

export function pictureFault({ bytes, pixels, isAnimated }: PictureSize): ErrorCode | null {
  const isHeavy = bytes > IMAGE_MAX_BYTES;
  if (!isHeavy && pixels <= PHOTO_MAX_PIXELS) return null;
  if (isAnimated) return "animation_too_large";
  return isHeavy ? "image_too_large" : "too_many_pixels";
}

/** Whether a smaller copy of a picture with this fault can be made. */
export const canShrinkPicture = (code: ErrorCode): boolean =>
  code === "image_too_large" || code === "too_many_pixels";

// Videos, whose bytes follow from their length and from the bits that a second takes.

interface Step {
  /** Of the shorter side, pixels: the `p` of 1080p. */
  edge: number;
  /** Bits per second: less is no joy to watch, more than the second is no gain. */
  least: number;
  usual: number;
}

const SMALLEST: Step = { edge: 360, least: 500_000, usual: 1_200_000 };
const STEPS: readonly Step[] = [
  { edge: 1080, least: 4_000_000, usual: 9_000_000 },
  { edge: 720, least: 2_000_000, usual: 5_000_000 },
  { edge: 480, least: 1_000_000, usual: 2_500_000 },
  SMALLEST,
];
/** Bits per second of the sound. */
export const SOUND_RATE = 128_000;
/** Coders keep to a rate only roughly, and the index takes some bytes. */
const FILLED = 0.94;
const BITS = 8 * VIDEO_MAX_BYTES;

export interface VideoSize {
  /** Pixels as shown; 0 when unknown. */
  width: number;
  height: number;
}

export interface VideoPlan extends VideoSize {
  /** Bits per second of the pictures. */
  rate: number;
}

/** `copy`: pictures and sound fit as they are, without what lies beside them in the file. */
export type ShrinkPlan = VideoPlan | "copy";

/** The best that a video of this length (seconds) can become within the limit, or null. */
export function videoPlan({
  width,
  height,
  duration,
  soundRate = SOUND_RATE,
}: VideoSize & { duration: number; soundRate?: number }): VideoPlan | null {
  const shorter = Math.min(width, height);
  if (!(shorter > 0 && duration > 0)) return null;
  const rate = (BITS * FILLED) / duration - soundRate;
  const useful = STEPS.filter((_step, i) => (STEPS[i + 1]?.edge ?? 0) < shorter);
  const step = useful.find(({ least }) => rate >= least);
  if (step === undefined) return null;
  const scale = Math.min(1, step.edge / shorter);
  const even = (edge: number) => Math.max(2, 2 * Math.floor(Math.round(edge * scale) / 2));
  return { width: even(width), height: even(height), rate: Math.floor(Math.min(rate, step.usual)) };
}

/** How many whole minutes fit as phones film them, of the quality of this video or of 1080p. */
export function videoThatFits({ width, height }: VideoSize): { edge: number; minutes: number } {
  const shorter = Math.min(width, height) || Infinity;
  const { edge, usual } = STEPS.find((step) => step.edge <= shorter) ?? SMALLEST;
  return { edge, minutes: Math.floor(BITS / (usual + SOUND_RATE) / 60) };
}

/** More minutes cannot be made small enough. */
export const LONGEST_VIDEO_MINUTES = Math.floor(
  (BITS * FILLED) / (SMALLEST.least + SOUND_RATE) / 60,
);

/** What there is to say of a video over the limit. */
export interface VideoOffer {
  fits: { edge: number; minutes: number };
  /** The shorter side that it can be made smaller to here, or why it cannot. */
  way: { edge: number } | "too_long" | "not_here" | "missing";
}
