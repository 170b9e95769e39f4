/**
 * Runs in the browser: paints, and makes of each painting what a phone would send — a JPEG or a video, its thumbnail,
 * its preview and its hash. `scripts/demo-studio.mjs` calls it through `window.studio`.
 */

import {
  BufferTarget,
  CanvasSource,
  canEncodeVideo,
  Mp4OutputFormat,
  Output,
  QUALITY_HIGH,
  WebMOutputFormat,
} from "mediabunny";
import { drawRenditions, lighten } from "@/data/files/pictures";
import { finish, type Scene } from "./canvas";
import { paintPortrait } from "./portrait";
import { createRng } from "./rng";
import { painterOf, type SceneName } from "./scenes";

export interface PaintingOrder {
  scene: SceneName;
  seed: number;
  width: number;
  height: number;
}

export interface VideoOrder extends PaintingOrder {
  seconds: number;
}

/** Files as base64. */
export interface Painting {
  file: string;
  contentType: string;
  thumbnail: string;
  preview: string;
  previewType: string;
  thumbhash: string;
}

const FRAMES_PER_SECOND = 24;

function newCanvas(
  width: number,
  height: number,
): { canvas: HTMLCanvasElement; ctx: CanvasRenderingContext2D } {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const ctx = canvas.getContext("2d");
  if (ctx === null) throw new Error("This browser has no canvas.");
  return { canvas, ctx };
}

function paint(ctx: CanvasRenderingContext2D, order: PaintingOrder, time: number): void {
  const { width: w, height: h } = order;
  const scene: Scene = { ctx, w, h, time, rng: createRng(order.seed) };
  ctx.save();
  painterOf(order.scene)(scene);
  ctx.restore();
  finish(scene);
}

async function base64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000)
    text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

const jpeg = (canvas: HTMLCanvasElement, quality: number): Promise<string> =>
  new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error("no JPEG")) : resolve(base64(blob))),
      "image/jpeg",
      quality,
    );
  });

async function renditions(
  canvas: HTMLCanvasElement,
): Promise<Omit<Painting, "file" | "contentType">> {
  const source = await createImageBitmap(canvas);
  const { width, height } = source;
  const made = await drawRenditions({ source, width, height }, { preview: true });
  source.close();
  if (made.thumbnail === null || made.preview === null) throw new Error("no renditions");
  const preview = await lighten(made.preview);
  return {
    thumbnail: await base64(made.thumbnail),
    preview: await base64(preview),
    previewType: preview.type,
    thumbhash: made.thumbhash,
  };
}

async function photo(order: PaintingOrder): Promise<Painting> {
  const { canvas, ctx } = newCanvas(order.width, order.height);
  paint(ctx, order, 0);
  return {
    file: await jpeg(canvas, 0.86),
    contentType: "image/jpeg",
    ...(await renditions(canvas)),
  };
}

async function video(order: VideoOrder): Promise<Painting> {
  const { canvas, ctx } = newCanvas(order.width, order.height);
  const asMp4 = await canEncodeVideo("avc", { width: order.width, height: order.height });
  const target = new BufferTarget();
  // The index stands at the file's beginning, so that a player seeks before the rest has come.
  const format = asMp4 ? new Mp4OutputFormat({ fastStart: "in-memory" }) : new WebMOutputFormat();
  const output = new Output({ format, target });
  const source = new CanvasSource(canvas, {
    codec: asMp4 ? "avc" : "vp8",
    bitrate: QUALITY_HIGH,
    keyFrameInterval: 1,
  });
  output.addVideoTrack(source, { frameRate: FRAMES_PER_SECOND });
  await output.start();
  const frames = Math.round(order.seconds * FRAMES_PER_SECOND);
  for (let frame = 0; frame < frames; frame++) {
    paint(ctx, order, frame / FRAMES_PER_SECOND);
    await source.add(frame / FRAMES_PER_SECOND, 1 / FRAMES_PER_SECOND);
  }
  await output.finalize();
  if (target.buffer === null) throw new Error("no video");
  const contentType = asMp4 ? "video/mp4" : "video/webm";
  return {
    file: await base64(new Blob([target.buffer])),
    contentType,
    ...(await renditions(canvas)),
  };
}

/** A square portrait and its thumbnail. */
async function portrait(seed: number): Promise<Painting> {
  const { canvas, ctx } = newCanvas(512, 512);
  paintPortrait({ ctx, w: 512, h: 512, time: 0, rng: createRng(seed) });
  return {
    file: await jpeg(canvas, 0.9),
    contentType: "image/jpeg",
    ...(await renditions(canvas)),
  };
}

const studio = { photo, video, portrait };

declare global {
  interface Window {
    studio: typeof studio;
  }
}

window.studio = studio;
