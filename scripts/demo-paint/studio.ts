/**
 * Runs in the browser: paints, and makes of each painting what a phone would send, which is a JPEG
 * or a video, its thumbnail, its preview and its hash. `scripts/demo.mjs` calls it.
 */

import { createScene, newCanvas } from "@scripts/demo-paint/brushes";
import { compose, type SceneName } from "@scripts/demo-paint/scenes";
import {
  BufferTarget,
  CanvasSource,
  canEncodeVideo,
  Mp4OutputFormat,
  Output,
  QUALITY_HIGH,
  WebMOutputFormat,
} from "mediabunny";
import { compressPreview, drawRenditions } from "@/data/files/pictures";

export interface Order {
  scene: SceneName;
  seed: number;
  width: number;
  height: number;
  /** 0 for a photo. */
  seconds: number;
}

const FRAMES_PER_SECOND = 24;

function base64(blob: Blob): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^.*,/, ""));
    reader.readAsDataURL(blob);
  });
}

async function encodeVideo(
  canvas: HTMLCanvasElement,
  seconds: number,
  paint: (time: number) => void,
): Promise<Blob> {
  const asMp4 = await canEncodeVideo("avc", { width: canvas.width, height: canvas.height });
  const target = new BufferTarget();
  // The index is at the file's beginning, so that a player can seek before it has all of it.
  const format = asMp4 ? new Mp4OutputFormat({ fastStart: "in-memory" }) : new WebMOutputFormat();
  const output = new Output({ format, target });
  const codec = asMp4 ? "avc" : "vp8";
  const source = new CanvasSource(canvas, { codec, bitrate: QUALITY_HIGH, keyFrameInterval: 1 });
  output.addVideoTrack(source, { frameRate: FRAMES_PER_SECOND });
  await output.start();
  for (let frame = 0; frame < seconds * FRAMES_PER_SECOND; frame++) {
    paint(frame / FRAMES_PER_SECOND);
    await source.add(frame / FRAMES_PER_SECOND, 1 / FRAMES_PER_SECOND);
  }
  await output.finalize();
  if (target.buffer === null) throw new Error("no video");
  return new Blob([target.buffer], { type: asMp4 ? "video/mp4" : "video/webm" });
}

function encodePhoto(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const done = (blob: Blob | null) => (blob ? resolve(blob) : reject(new Error("no JPEG")));
    canvas.toBlob(done, "image/jpeg", 0.86);
  });
}

/** Files are base64. */
async function paintPicture({ scene, seed, width, height, seconds }: Order) {
  const ctx = newCanvas(width, height);
  const paint = await compose(createScene(ctx, seed), scene);
  paint(0);
  const { canvas } = ctx;
  const file = await (seconds > 0 ? encodeVideo(canvas, seconds, paint) : encodePhoto(canvas));
  const source = await createImageBitmap(canvas);
  const made = await drawRenditions({ source, width, height }, { preview: true });
  source.close();
  if (made.thumbnail === null || made.preview === null) throw new Error("no renditions");
  const preview = await compressPreview(made.preview);
  return {
    file: await base64(file),
    contentType: file.type,
    thumbnail: await base64(made.thumbnail),
    preview: await base64(preview),
    previewType: preview.type,
    thumbhash: made.thumbhash,
  };
}

declare global {
  interface Window {
    paintPicture: typeof paintPicture;
  }
}

window.paintPicture = paintPicture;
