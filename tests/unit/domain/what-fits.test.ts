/** What fits within the limits, and what can be made to. */
import { describe, expect, test } from "vitest";
import type { ErrorCode } from "@/domain/error-codes";
import { IMAGE_MAX_BYTES, PHOTO_MAX_PIXELS, VIDEO_MAX_BYTES } from "@/domain/limits";
import {
  canShrinkPicture,
  LONGEST_VIDEO_MINUTES,
  type PictureSize,
  pictureFault,
  SOUND_RATE,
  type VideoSize,
  videoPlan,
  videoThatFits,
} from "@/domain/what-fits";

const LARGEST: PictureSize = {
  bytes: IMAGE_MAX_BYTES,
  pixels: PHOTO_MAX_PIXELS,
  isAnimated: false,
};

describe("a picture", () => {
  test.each<[string, Partial<PictureSize>, ErrorCode | null, boolean]>([
    ["as large as the limits", {}, null, false],
    ["of a byte more", { bytes: IMAGE_MAX_BYTES + 1 }, "image_too_large", true],
    ["of 108 million pixels", { pixels: 108_000_000 }, "too_many_pixels", true],
    ["too large in both", { bytes: 40e6, pixels: 200e6 }, "image_too_large", true],
    ["that moves", { isAnimated: true }, null, false],
    ["that moves, of 6 MB", { isAnimated: true, bytes: 6e6 }, "animation_too_large", false],
    ["that moves too long", { isAnimated: true, pixels: Infinity }, "animation_too_large", false],
  ])("%s", (_name, over, fault, shrinkable) => {
    const found = pictureFault({ ...LARGEST, ...over });
    expect(found).toBe(fault);
    expect(found !== null && canShrinkPicture(found)).toBe(shrinkable);
  });
});

describe("a video", () => {
  const FULL_HD = { width: 1920, height: 1080 };
  const MINUTE = 60;

  test.each<[string, VideoSize, { edge: number; minutes: number }]>([
    ["of 1080p", FULL_HD, { edge: 1080, minutes: 3 }],
    ["of 4K, held upright", { width: 2160, height: 3840 }, { edge: 1080, minutes: 3 }],
    ["of 720p", { width: 1280, height: 720 }, { edge: 720, minutes: 5 }],
    ["of a small camera", { width: 320, height: 240 }, { edge: 360, minutes: 21 }],
    ["of unknown size", { width: 0, height: 0 }, { edge: 1080, minutes: 3 }],
  ])("%s: so many minutes fit", (_name, size, expected) => {
    expect(videoThatFits(size)).toEqual(expected);
  });

  test.each<[string, VideoSize, number, VideoSize | null]>([
    ["of 3 minutes keeps its size", FULL_HD, 3 * MINUTE, FULL_HD],
    ["of 4K becomes 1080p", { width: 3840, height: 2160 }, 3 * MINUTE, FULL_HD],
    ["of 10 minutes becomes 720p", FULL_HD, 10 * MINUTE, { width: 1280, height: 720 }],
    [
      "upright becomes 480p",
      { width: 1080, height: 1920 },
      20 * MINUTE,
      { width: 480, height: 852 },
    ],
    ["is never enlarged", { width: 320, height: 240 }, 20 * MINUTE, { width: 320, height: 240 }],
    ["has even sides", { width: 641, height: 359 }, MINUTE, { width: 640, height: 358 }],
    ["too long for the least quality is left", FULL_HD, 43 * MINUTE, null],
    ["of unknown length is left", FULL_HD, 0, null],
    ["of unknown size is left", { width: 0, height: 0 }, MINUTE, null],
  ])("%s", (_name, size, duration, expected) => {
    const plan = videoPlan({ ...size, duration });
    expect(plan && { width: plan.width, height: plan.height }).toEqual(expected);
  });

  test("fits with its sound, of whatever length", () => {
    for (let duration = MINUTE; duration <= LONGEST_VIDEO_MINUTES * MINUTE; duration += 7) {
      const plan = videoPlan({ ...FULL_HD, duration });
      const bytes = (((plan?.rate ?? Infinity) + SOUND_RATE) * duration) / 8;
      expect(bytes).toBeLessThan(VIDEO_MAX_BYTES * 0.95);
    }
    expect(videoPlan({ ...FULL_HD, duration: (LONGEST_VIDEO_MINUTES + 1) * MINUTE })).toBeNull();
  });
});
