/**
 * The painter's brushes: sky, land and water are computed pixel by pixel from noise, things are
 * drawn as SVG. Lengths are parts of the picture's height, except `w` and `h`, which are pixels.
 */
import { createRandom } from "@scripts/demo-random.mjs";

export type Tone = readonly [red: number, green: number, blue: number];

export interface Scene {
  ctx: CanvasRenderingContext2D;
  w: number;
  h: number;
  /** The picture's width. */
  wide: number;
  rng: ReturnType<typeof createRandom>;
  /** Layered noise around 0.5; each octave adds finer detail. */
  noise: (x: number, y: number, octaves: number) => number;
}

export const tone = (hex: string): Tone => {
  const value = Number.parseInt(hex, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};
export const tones = (list: string): Tone[] => list.split(" ").map(tone);
/** One of several texts that are separated by commas. */
export const oneOf = ({ rng }: Scene, list: string): string => rng.pick(list.split(", "));

const clamp = (value: number): number => Math.max(0, Math.min(1, value));
/** 0 below `low`, 1 above `high`, and a soft step between them. */
export const step = (low: number, high: number, value: number): number => {
  const part = clamp((value - low) / (high - low));
  return part * part * (3 - 2 * part);
};
export const mix = (a: Tone, b: Tone, part: number): Tone => [
  a[0] + (b[0] - a[0]) * part,
  a[1] + (b[1] - a[1]) * part,
  a[2] + (b[2] - a[2]) * part,
];
export const scaled = (tone: Tone, by: number): Tone => [tone[0] * by, tone[1] * by, tone[2] * by];
/** The length of a vector; `Math.hypot` is many times slower. */
const distance = (x: number, y: number, z = 0): number => Math.sqrt(x * x + y * y + z * z);
export const css = ([r, g, b]: Tone, alpha = 1): string =>
  `rgb(${Math.round(r)} ${Math.round(g)} ${Math.round(b)} / ${alpha})`;
/** The tone at a part of the way through a list of tones. */
export function along(list: readonly Tone[], part: number): Tone {
  const at = clamp(part) * (list.length - 1);
  const low = list[Math.floor(at)] as Tone;
  return mix(low, list[Math.ceil(at)] as Tone, at % 1);
}

export function createScene(ctx: CanvasRenderingContext2D, seed: number): Scene {
  const rng = createRandom(seed);
  const grid = Float32Array.from({ length: 65_536 }, rng.next);
  const at = (x: number, y: number): number => grid[((y & 255) << 8) | (x & 255)] as number;
  const smooth = (x: number, y: number): number => {
    const left = Math.floor(x);
    const top = Math.floor(y);
    const fx = (x - left) * (x - left) * (3 - 2 * (x - left));
    const fy = (y - top) * (y - top) * (3 - 2 * (y - top));
    const upper = at(left, top) * (1 - fx) + at(left + 1, top) * fx;
    return upper * (1 - fy) + (at(left, top + 1) * (1 - fx) + at(left + 1, top + 1) * fx) * fy;
  };
  const noise = (x: number, y: number, octaves: number): number => {
    let sum = 0;
    let weight = 1;
    let total = 0;
    let u = x;
    let v = y;
    for (let octave = 0; octave < octaves; octave++) {
      sum += smooth(u, v) * weight;
      total += weight;
      weight /= 2;
      // Each octave is rotated, so that their grids do not line up.
      const turned = 1.6 * u + 1.2 * v + 17.3;
      v = 1.6 * v - 1.2 * u + 5.1;
      u = turned;
    }
    return sum / total;
  };
  const { width: w, height: h } = ctx.canvas;
  return { ctx, w, h, wide: w / h, rng, noise };
}

export function newCanvas(w: number, h: number): CanvasRenderingContext2D {
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(w);
  canvas.height = Math.ceil(h);
  const ctx = canvas.getContext("2d", { willReadFrequently: true });
  if (ctx === null) throw new Error("This browser has no canvas.");
  return ctx;
}

const byte = (value: number): number => (value > 255 ? 255 : value < 0 ? 0 : value);
const pack = ([r, g, b]: Tone): number => (255 << 24) | (byte(b) << 16) | (byte(g) << 8) | byte(r);

/** Pixels of a smaller picture, which `put` draws over the large one. */
function createLayer(scene: Scene, part: number) {
  const layer = newCanvas(scene.w * part, scene.h * part);
  const { width: w, height: h } = layer.canvas;
  const image = layer.createImageData(w, h);
  const put = (): void => {
    layer.putImageData(image, 0, 0);
    scene.ctx.drawImage(layer.canvas, 0, 0, scene.w, scene.h);
  };
  return { layer, w, h, pixels: new Int32Array(image.data.buffer), put };
}

/** Fills the canvas down to a height with the tone of each point. */
export function shade(scene: Scene, toneAt: (x: number, y: number) => Tone, down = 1): void {
  const { w, h, pixels, put } = createLayer(scene, 0.5);
  for (let y = 0; y < h * Math.min(1, down); y++)
    for (let x = 0; x < w; x++) pixels[y * w + x] = pack(toneAt(x / h, y / h));
  put();
}

/** Draws an SVG over the picture. */
export async function drawSvg({ ctx, w, h }: Scene, body: string): Promise<void> {
  const frame = `xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}"`;
  const svg = `<svg ${frame} viewBox="0 0 ${w / h} 1">${body}</svg>`;
  const image = new Image(w, h);
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  ctx.drawImage(image, 0, 0, w, h);
}

/** An hour of the day. */
export interface Light {
  /** From the zenith to the horizon. */
  sky: readonly Tone[];
  sun: Tone;
  shade: Tone;
  /** Where the sun is. */
  at: readonly [x: number, y: number];
  horizon: number;
  /** 0 for a clear sky, 1 for a covered one. */
  clouds: number;
}

export function paintSky(scene: Scene, light: Light): void {
  const { noise, wide } = scene;
  const { at, horizon, sun, clouds } = light;
  const bright = mix(sun, [255, 255, 255], 0.35);
  const tone = (x: number, y: number): Tone => {
    const far = distance(x - at[0], (y - at[1]) * 1.25);
    const clear = mix(along(light.sky, y / horizon), sun, 0.85 * Math.exp(-far * 4.2));
    // The clouds lie on a plane, which runs away from the viewer towards the horizon.
    const rise = Math.max(0, horizon - y) + 0.05;
    const [u, v] = [(x - wide / 2) / rise + 40, 1.7 / rise];
    const thick = noise(u, v, 5);
    const [low, high] = [0.78 - clouds * 0.42, 0.98 - clouds * 0.36];
    const cover = step(low, high, thick) * step(0.05, 0.27, rise);
    if (cover === 0) return clear;
    const lit = clamp(0.55 + (thick - noise(u + (at[0] - x) * 0.35, v + 0.2, 3)) * 3);
    const edge = mix(along(light.sky, 0.4 + y / horizon / 2), light.shade, 0.45);
    return mix(clear, mix(edge, bright, lit * (0.45 + 0.55 * Math.exp(-far * 1.4))), cover * 0.9);
  };
  shade(scene, tone, horizon + 0.02);
}

/** Land and water are computed at this part of the picture's size, for speed. */
const DETAIL = 0.62;
/** The height in the picture at which the water begins, for each column. */
type Shores = Float32Array;

export interface Land {
  /**
   * Height over the water at a place: x to the right, z away from the viewer, who looks from `eye`.
   */
  height: (x: number, z: number) => number;
  /** What grows or lies there; `steep` is 0 on level ground and 1 on a wall. */
  tone: (x: number, y: number, z: number, steep: number) => Tone;
  eye: number;
  /** How far one sees through the haze. */
  sight: number;
}

/** How a place on the ground looks from afar: its colour in sun or shade, behind the haze. */
function createShading(light: Light, land: Land, middle: number) {
  const side = light.at[0] < middle ? -0.7 : 0.7;
  const haze = mix(light.sky.at(-1) as Tone, light.sun, 0.15);
  const ambient = scaled(mix(light.shade, light.sky[1] as Tone, 0.45), 1 / 255);
  const sun = scaled(mix(light.sun, [255, 255, 255], 0.2), 0.88 / 255);
  return (x: number, y: number, z: number): Tone => {
    const far = 0.004 * z + 0.01;
    const dx = (land.height(x + far, z) - y) / far;
    const dz = (land.height(x, z + far) - y) / far;
    const length = distance(dx, 1, dz);
    const lit = clamp((0.5 - dx * side + dz * 0.25) / length);
    const tone = land.tone(x, y, z, 1 - 1 / length);
    const seen: Tone = [
      tone[0] * (ambient[0] + sun[0] * lit),
      tone[1] * (ambient[1] + sun[1] * lit),
      tone[2] * (ambient[2] + sun[2] * lit),
    ];
    return mix(seen, haze, 1 - Math.exp(-z / land.sight));
  };
}

/** Draws the land column by column, from near to far. */
export function paintLand(scene: Scene, light: Light, land: Land): Shores {
  const { w, h, pixels, put } = createLayer(scene, DETAIL);
  const horizon = light.horizon * h;
  const shores = new Float32Array(w).fill(light.horizon);
  const toneAt = createShading(light, land, scene.wide / 2);
  const near = (land.eye * h) / (h - horizon) / 3;
  for (let column = 0; column < w; column++) {
    let top = h;
    for (let z = near; z < 60 && top > 0; z *= 1.0085) {
      const x = (column / h - scene.wide / 2) * z;
      const y = land.height(x, z);
      const row = Math.max(0, Math.round(horizon + ((land.eye - y) / z) * h));
      if (y < 0 || row >= top) continue;
      const foot = Math.min(top, Math.ceil(horizon + (land.eye / z) * h));
      if (top === h) shores[column] = foot / h;
      const colour = pack(toneAt(x, y, z));
      for (let at = row; at < foot; at++) pixels[at * w + column] = colour;
      top = row;
    }
  }
  put();
  return shores;
}

/** Returns a brush that mirrors the picture in the water below the shores, with its waves. */
export function createWater(scene: Scene, light: Light, waves: number, shores?: Shores) {
  const { noise, wide } = scene;
  const { layer, w, h, pixels, put } = createLayer(scene, DETAIL);
  layer.drawImage(scene.ctx.canvas, 0, 0, w, h);
  const above = new Int32Array(layer.getImageData(0, 0, w, h).data.buffer);
  const top = Math.floor(light.horizon * h);
  const deep = scaled(mix(light.shade, light.sky[0] as Tone, 0.4), 0.5);
  const tone = (x: number, y: number, time: number): number => {
    const depth = (y - top) / (h - top);
    const z = 1 / (depth + 0.035);
    const shore = (shores?.[x] ?? light.horizon) * h;
    const ripple = noise((x / h - wide / 2) * z * 3.2 + 90, z * 9 + time * 0.9, 2) - 0.5;
    const shift = ripple * waves * h * (0.03 + depth * 0.35);
    const row = Math.floor(Math.max(0, Math.min(shore - 1, 2 * shore - y - Math.abs(shift) - 1)));
    const column = Math.round(Math.max(0, Math.min(w - 1, x + shift * 0.3)));
    const seen = above[row * w + column] as number;
    const mirrored: Tone = [seen & 255, (seen >> 8) & 255, (seen >> 16) & 255];
    const path = Math.abs(x / h - light.at[0]) / (0.04 + depth * 0.16);
    const glint = step(0.13, 0.2, ripple) * Math.exp(-path * path) * waves;
    return pack(mix(mix(mirrored, deep, 0.18 + 0.45 * depth), light.sun, clamp(glint)));
  };
  return (time: number): void => {
    for (let x = 0; x < w; x++) {
      const from = Math.ceil((shores?.[x] ?? light.horizon) * h);
      for (let y = from; y < h; y++) pixels[y * w + x] = tone(x, y, time);
    }
    put();
  };
}
