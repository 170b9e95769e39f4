/** Small real files of every kind that the product takes or must refuse; they lie beside this file. */
import { readFileSync } from "node:fs";

export type FixtureName =
  | "photo.jpg"
  | "halves.jpg"
  | "photo.png"
  | "photo.gif"
  | "animated.gif"
  | "photo.webp"
  | "picture.avif"
  | "sound.m4a"
  | "video.mp4"
  | "video.m4v"
  | "video.mov"
  | "video.3gp"
  | "video.webm"
  | "video.mkv"
  | "video-live.webm"
  | "video-fragmented.mp4"
  | "video-msnv.mp4"
  | "video-with-place.mp4"
  | "video-with-place.mov"
  | "video-with-place.webm"
  | "video-with-texts.mp4"
  | "video-with-texts-fragmented.mp4"
  | "video-with-texts.webm"
  | "video-with-texts-live.webm";

export function mediaFixture(name: FixtureName): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(new URL(`./fixtures/media/${name}`, import.meta.url)));
}
