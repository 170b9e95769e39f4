/** What every painter is given, and the strokes that several of them share. Lengths are pixels, times seconds. */
import type { Rng } from "./rng";

export interface Scene {
  ctx: CanvasRenderingContext2D;
  w: number;
  h: number;
  rng: Rng;
  /** 0 for a photo; moves on from frame to frame of a video. Never decides how many random numbers are drawn. */
  time: number;
}

export type Painter = (scene: Scene) => void;

/** A colour as hue 0–360, saturation and lightness 0–100. */
export type Tone = readonly [hue: number, saturation: number, lightness: number];

export const color = ([hue, saturation, lightness]: Tone, alpha = 1): string =>
  `hsl(${hue} ${saturation}% ${lightness}% / ${alpha})`;

/** A tone between two, going round the colour circle the short way. */
export function between(from: Tone, to: Tone, part: number): Tone {
  const turn = ((((to[0] - from[0]) % 360) + 540) % 360) - 180;
  return [
    from[0] + turn * part,
    from[1] + (to[1] - from[1]) * part,
    from[2] + (to[2] - from[2]) * part,
  ];
}

export const lighter = ([h, s, l]: Tone, by: number): Tone => [
  h,
  s,
  Math.max(0, Math.min(100, l + by)),
];

/** Fills the rows from `top` to `bottom` with tones from above to below. */
export function fillDown(scene: Scene, tones: readonly Tone[], top = 0, bottom = scene.h): void {
  const gradient = scene.ctx.createLinearGradient(0, top, 0, bottom);
  for (const [i, tone] of tones.entries()) {
    gradient.addColorStop(tones.length === 1 ? 0 : i / (tones.length - 1), color(tone));
  }
  scene.ctx.fillStyle = gradient;
  scene.ctx.fillRect(0, top, scene.w, bottom - top);
}

export interface Spot {
  x: number;
  y: number;
  r: number;
}

/** A soft light around a point. */
export function glow(scene: Scene, spot: Spot, tone: Tone, alpha: number): void {
  const { ctx } = scene;
  const gradient = ctx.createRadialGradient(spot.x, spot.y, 0, spot.x, spot.y, spot.r);
  gradient.addColorStop(0, color(tone, alpha));
  gradient.addColorStop(0.4, color(tone, alpha * 0.35));
  gradient.addColorStop(1, color(tone, 0));
  ctx.save();
  ctx.globalCompositeOperation = "screen";
  ctx.fillStyle = gradient;
  ctx.fillRect(spot.x - spot.r, spot.y - spot.r, spot.r * 2, spot.r * 2);
  ctx.restore();
}

export function disc(scene: Scene, spot: Spot, fill: string): void {
  scene.ctx.fillStyle = fill;
  scene.ctx.beginPath();
  scene.ctx.arc(spot.x, spot.y, spot.r, 0, Math.PI * 2);
  scene.ctx.fill();
}

/** A blurred spot, wider than high where `flat` is below 1. */
export function softSpot(
  scene: Scene,
  spot: Spot,
  fill: Tone,
  look: { alpha: number; flat?: number },
): void {
  const { ctx } = scene;
  ctx.save();
  ctx.translate(spot.x, spot.y);
  ctx.scale(1, look.flat ?? 1);
  const gradient = ctx.createRadialGradient(0, 0, 0, 0, 0, spot.r);
  gradient.addColorStop(0, color(fill, look.alpha));
  gradient.addColorStop(0.55, color(fill, look.alpha * 0.5));
  gradient.addColorStop(1, color(fill, 0));
  ctx.fillStyle = gradient;
  ctx.fillRect(-spot.r, -spot.r, spot.r * 2, spot.r * 2);
  ctx.restore();
}

/** Fills everything below a line given by its height at each x. */
export function fillBelow(
  scene: Scene,
  heightAt: (x: number) => number,
  fill: string | CanvasGradient,
): void {
  const { ctx, w, h } = scene;
  const step = Math.max(1, w / 500);
  ctx.fillStyle = fill;
  ctx.beginPath();
  ctx.moveTo(0, h);
  for (let x = 0; x <= w + step; x += step) ctx.lineTo(x, heightAt(x));
  ctx.lineTo(w + step, h);
  ctx.closePath();
  ctx.fill();
}

/** A gradient from `top` to the lower edge. */
export function downFrom(scene: Scene, top: number, tones: readonly [Tone, Tone]): CanvasGradient {
  const gradient = scene.ctx.createLinearGradient(0, top, 0, scene.h);
  gradient.addColorStop(0, color(tones[0]));
  gradient.addColorStop(1, color(tones[1]));
  return gradient;
}

/** Mirrors what stands above `line` into the water below it, rippled and darkened. */
export function reflect(scene: Scene, line: number, water: { tone: Tone; alpha: number }): void {
  const { ctx, w, h, time } = scene;
  // Reading from the canvas that is drawn on would copy all of it for every strip.
  const above = document.createElement("canvas");
  above.width = w;
  above.height = Math.ceil(line);
  above.getContext("2d")?.drawImage(ctx.canvas, 0, 0);
  const strip = Math.max(1, Math.round(h / 360));
  for (let y = 0; line + y < h; y += strip) {
    const depth = y / Math.max(1, h - line);
    const shift = Math.sin(y * 0.09 + time * 2.4) * w * 0.006 * depth;
    const from = Math.max(0, line - (y + strip) * 1.05);
    ctx.drawImage(above, 0, from, w, strip, shift, line + y, w, strip + 1);
  }
  const shade = ctx.createLinearGradient(0, line, 0, h);
  shade.addColorStop(0, color(water.tone, water.alpha * 0.35));
  shade.addColorStop(1, color(water.tone, water.alpha));
  ctx.fillStyle = shade;
  ctx.fillRect(0, line, w, h - line);
}

/** Grain and darker corners, as a lens and a sensor leave them. */
export function finish(scene: Scene): void {
  const { ctx, w, h, rng } = scene;
  const tile = document.createElement("canvas");
  tile.width = 160;
  tile.height = 160;
  const ink = tile.getContext("2d");
  if (ink === null) return;
  const grain = ink.createImageData(160, 160);
  for (let i = 0; i < grain.data.length; i += 4) {
    const value = 128 + rng.gauss() * 60;
    grain.data.set([value, value, value, 255], i);
  }
  ink.putImageData(grain, 0, 0);
  ctx.save();
  ctx.globalCompositeOperation = "overlay";
  ctx.globalAlpha = 0.09;
  ctx.fillStyle = ctx.createPattern(tile, "repeat") ?? "transparent";
  ctx.fillRect(0, 0, w, h);
  ctx.restore();
  const reach = Math.hypot(w, h) / 2;
  const corners = ctx.createRadialGradient(w / 2, h / 2, reach * 0.55, w / 2, h / 2, reach);
  corners.addColorStop(0, "rgb(0 0 0 / 0)");
  corners.addColorStop(1, "rgb(0 0 0 / 0.2)");
  ctx.fillStyle = corners;
  ctx.fillRect(0, 0, w, h);
}
