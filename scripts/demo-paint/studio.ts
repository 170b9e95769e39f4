/**
 * Runs in the browser: paints, and makes of each painting what a phone would send, which is a JPEG
 * or a video, its thumbnail, its preview and its hash. `scripts/demo.mjs` calls it.
 */

import { BRUSHES, CAMERA, STILL } from "@scripts/demo-paint/brushes";
import { SCENES, type SceneName } from "@scripts/demo-paint/scenes";
import * as media from "mediabunny";
import { compressPreview, drawRenditions } from "@/data/files/pictures";
import { stripVideo } from "@/data/files/strip-video";
import { DETECT_BYTES, detectFile } from "@/domain/media-files";

export interface Order {
  scene: SceneName;
  seed: number;
  width: number;
  height: number;
  /** 0 for a photo. */
  seconds: number;
}

const FRAMES_PER_SECOND = 24;
/** The still scene is painted at this part of the picture's size, for speed. */
const DETAIL = 0.55;
const VIDEO_DETAIL = 0.4;
/** One triangle that covers the picture. */
const EVERYWHERE = `#version 300 es
void main() { gl_Position = vec4(vec2(gl_VertexID / 2, gl_VertexID % 2) * 4. - 1., 0, 1); }`;

const canvas = new OffscreenCanvas(1, 1);
const plain = { antialias: false, alpha: false, depth: false, preserveDrawingBuffer: true };
const gl = canvas.getContext("webgl2", plain) as WebGL2RenderingContext;
gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
/** What the camera saw, at its full size. */
const picture = new OffscreenCanvas(1, 1);
const programs = new Map<string, WebGLProgram>();

function compile(source: string): WebGLProgram {
  const program = gl.createProgram();
  for (const kind of [gl.VERTEX_SHADER, gl.FRAGMENT_SHADER]) {
    const shader = gl.createShader(kind) as WebGLShader;
    gl.shaderSource(shader, kind === gl.VERTEX_SHADER ? EVERYWHERE : source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error("a shader has a mistake");
  programs.set(source, program);
  return program;
}

function draw(source: string, seed: number, [width, height]: [number, number], time = 0): void {
  const program = programs.get(source) ?? compile(source);
  gl.viewport(0, 0, width, height);
  // biome-ignore lint/correctness/useHookAtTopLevel: this is WebGL, not React.
  gl.useProgram(program);
  gl.uniform2f(gl.getUniformLocation(program, "size"), width, height);
  gl.uniform1i(gl.getUniformLocation(program, "seed"), seed);
  gl.uniform1f(gl.getUniformLocation(program, "time"), time);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
}

/** Paints the scene, and returns a brush for moments of it, in seconds. */
function compose({ scene, seed, width, height, seconds }: Order): (time: number) => void {
  const part = seconds > 0 ? VIDEO_DETAIL : 1;
  const shown: [number, number] = [Math.ceil(width * part), Math.ceil(height * part)];
  const [w, h] = [Math.ceil(width * DETAIL), Math.ceil(height * DETAIL)];
  Object.assign(picture, { width, height });
  Object.assign(canvas, { width: Math.max(w, shown[0]), height: Math.max(h, shown[1]) });
  draw(BRUSHES + SCENES[scene] + STILL, seed, [w, h]);
  gl.copyTexImage2D(gl.TEXTURE_2D, 0, gl.RGB, 0, 0, w, h, 0);
  return (time) => {
    draw(BRUSHES + SCENES[scene] + CAMERA, seed, shown, time);
    const top = canvas.height - shown[1];
    picture.getContext("2d")?.drawImage(canvas, 0, top, ...shown, 0, 0, width, height);
  };
}

async function encodeVideo(seconds: number, paint: (time: number) => void): Promise<Blob> {
  const asMp4 = await media.canEncodeVideo("avc", { width: picture.width, height: picture.height });
  const target = new media.BufferTarget();
  // The index is at the file's beginning, so that a player can seek before it has all of it.
  const mp4 = new media.Mp4OutputFormat({ fastStart: "in-memory" });
  const format = asMp4 ? mp4 : new media.WebMOutputFormat();
  const output = new media.Output({ format, target });
  const codec = asMp4 ? "avc" : "vp8";
  const source = new media.CanvasSource(picture, {
    codec,
    bitrate: media.QUALITY_HIGH,
    keyFrameInterval: 1,
  });
  output.addVideoTrack(source, { frameRate: FRAMES_PER_SECOND });
  await output.start();
  for (let frame = 0; frame < seconds * FRAMES_PER_SECOND; frame++) {
    paint(frame / FRAMES_PER_SECOND);
    await source.add(frame / FRAMES_PER_SECOND, 1 / FRAMES_PER_SECOND);
  }
  await output.finalize();
  if (target.buffer === null) throw new Error("no video");
  const bytes = new Uint8Array(target.buffer);
  const detected = detectFile(bytes.subarray(0, DETECT_BYTES));
  if (detected === null) throw new Error("no video");
  return stripVideo((at, length) => bytes.subarray(at, at + length), new Blob([bytes]), detected);
}

function base64(blob: Blob): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^.*,/, ""));
    reader.readAsDataURL(blob);
  });
}

/** Files are base64. */
async function paintPicture(order: Order) {
  const { width, height, seconds } = order;
  const paint = compose(order);
  paint(0);
  const source = await createImageBitmap(picture);
  const encodePhoto = () => picture.convertToBlob({ type: "image/jpeg", quality: 0.86 });
  const file = await (seconds > 0 ? encodeVideo(seconds, paint) : encodePhoto());
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
