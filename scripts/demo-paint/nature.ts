/** Skies, clouds, stars, ridges and trees: what the landscapes are made of. */
import {
  between,
  color,
  disc,
  downFrom,
  fillBelow,
  fillDown,
  glow,
  lighter,
  type Scene,
  type Spot,
  softSpot,
  type Tone,
} from "./canvas";
import { createNoise } from "./rng";

export interface Light {
  sky: readonly [top: Tone, middle: Tone, horizon: Tone];
  sun: Tone;
  far: Tone;
  near: Tone;
  cloud: Tone;
}

/** Hours of the day. Mountains, sea, dunes and fields each look different in every one. */
export const LIGHTS: readonly [Light, ...Light[]] = [
  {
    sky: [
      [222, 45, 24],
      [262, 38, 45],
      [18, 85, 68],
    ],
    sun: [38, 100, 78],
    far: [262, 26, 52],
    near: [240, 42, 12],
    cloud: [8, 70, 74],
  },
  {
    sky: [
      [205, 68, 52],
      [200, 68, 70],
      [42, 70, 88],
    ],
    sun: [48, 100, 92],
    far: [205, 32, 66],
    near: [160, 40, 16],
    cloud: [40, 30, 97],
  },
  {
    sky: [
      [212, 55, 34],
      [28, 62, 62],
      [32, 92, 72],
    ],
    sun: [42, 100, 84],
    far: [20, 34, 56],
    near: [218, 40, 14],
    cloud: [24, 80, 80],
  },
  {
    sky: [
      [198, 40, 60],
      [190, 34, 78],
      [340, 48, 88],
    ],
    sun: [20, 90, 92],
    far: [210, 26, 72],
    near: [205, 36, 26],
    cloud: [340, 50, 94],
  },
  {
    sky: [
      [250, 44, 20],
      [300, 34, 40],
      [338, 66, 66],
    ],
    sun: [350, 92, 80],
    far: [286, 24, 44],
    near: [255, 44, 10],
    cloud: [330, 56, 70],
  },
  {
    sky: [
      [190, 34, 42],
      [172, 28, 66],
      [52, 52, 84],
    ],
    sun: [54, 96, 88],
    far: [180, 20, 62],
    near: [186, 44, 13],
    cloud: [60, 30, 92],
  },
];

/** Turns all tones of a light round the colour circle by a few degrees, so that no two days are alike. */
export function variedLight(scene: Scene, from: readonly [Light, ...Light[]] = LIGHTS): Light {
  const light = scene.rng.pick(from);
  const turn = scene.rng.range(-10, 10);
  const moved = ([h, s, l]: Tone): Tone => [h + turn, s, l];
  const [top, middle, horizon] = light.sky;
  return {
    sky: [moved(top), moved(middle), moved(horizon)],
    sun: moved(light.sun),
    far: moved(light.far),
    near: moved(light.near),
    cloud: moved(light.cloud),
  };
}

/** Sky, sun and its glow. Answers where the sun stands. */
export function paintSky(scene: Scene, light: Light, horizon: number): Spot {
  const { w, h, rng } = scene;
  fillDown(scene, light.sky, 0, horizon);
  const sun = {
    x: w * rng.range(0.2, 0.8),
    y: horizon * rng.range(0.45, 0.85),
    r: Math.min(w, h) * rng.range(0.03, 0.06),
  };
  glow(scene, { ...sun, r: w * 0.75 }, light.sun, 0.55);
  glow(scene, { ...sun, r: sun.r * 5 }, light.sun, 0.8);
  disc(scene, sun, color(lighter(light.sun, 6)));
  return sun;
}

/** Banks of cloud between two heights, drifting with time. */
export function paintClouds(
  scene: Scene,
  tone: Tone,
  look: { from: number; to: number; banks: number; alpha: number },
): void {
  const { w, h, rng, time } = scene;
  const size = Math.min(w, h);
  for (let bank = 0; bank < look.banks; bank++) {
    const x =
      ((((rng.range(-0.1, 1.1) * w + time * size * 0.02) % (w * 1.3)) + w * 1.3) % (w * 1.3)) -
      w * 0.15;
    const y = rng.range(look.from, look.to);
    const reach = size * rng.range(0.08, 0.26);
    for (let puff = 0; puff < 22; puff++) {
      const along = rng.gauss();
      const spot = {
        x: x + along * reach,
        y: y + rng.gauss() * reach * 0.1 - Math.abs(1 - Math.abs(along)) * reach * 0.12,
        r: reach * rng.range(0.18, 0.42),
      };
      softSpot(scene, spot, lighter(tone, rng.range(-8, 4)), {
        alpha: look.alpha * rng.range(0.25, 0.6),
        flat: 0.42,
      });
    }
  }
}

/** Stars over the upper part, some of them twinkling. */
export function paintStars(scene: Scene, count: number, bottom: number): void {
  const { w, h, rng, time } = scene;
  const unit = Math.min(w, h) / 1000;
  for (let i = 0; i < count; i++) {
    const spot = {
      x: rng.next() * w,
      y: rng.next() * bottom,
      r: unit * rng.range(0.5, 1.25) * (rng.chance(0.06) ? 2.4 : 1),
    };
    const phase = rng.range(0, 7);
    const alpha = rng.range(0.25, 1) * (0.75 + 0.25 * Math.sin(time * 3 + phase));
    disc(scene, spot, color([rng.pick([210, 220, 45, 20]), 60, 92], alpha));
  }
}

export interface Ridge {
  heightAt: (x: number) => number;
  tone: Tone;
}

/** Rows of hills, each nearer one lower, darker and rougher, with haze between them. */
export function paintRidges(
  scene: Scene,
  light: Light,
  look: { count: number; top: number; bottom: number; height: number },
): Ridge[] {
  const { w, rng } = scene;
  return Array.from({ length: look.count }, (_, i) => {
    const part = look.count === 1 ? 1 : i / (look.count - 1);
    const noise = createNoise(rng);
    const base = look.top + (look.bottom - look.top) * part;
    const amplitude = look.height * (1 - part * 0.55);
    const stretch = (1.6 + part * 2.4) / w;
    const start = rng.range(0, 200);
    const heightAt = (x: number): number => base - noise(start + x * stretch, 6) * amplitude;
    const tone = between(light.far, light.near, part ** 1.2);
    const mist = between(tone, light.sky[2], 0.42 * (1 - part));
    fillBelow(scene, heightAt, downFrom(scene, base - amplitude, [tone, mist]));
    return { heightAt, tone };
  });
}

/** One fir, its foot at x, y. */
export function paintFir(
  scene: Scene,
  at: { x: number; y: number; height: number },
  fill: string,
): void {
  const { ctx, rng } = scene;
  const { x, y, height } = at;
  const width = height * rng.range(0.32, 0.42);
  const tiers = 6;
  ctx.fillStyle = fill;
  ctx.beginPath();
  ctx.moveTo(x, y - height);
  for (let tier = 1; tier <= tiers; tier++) {
    const reach = (width / 2) * (tier / tiers) * rng.range(0.85, 1.1);
    const level = y - height * (1 - tier / tiers);
    ctx.lineTo(x + reach, level);
    ctx.lineTo(x + reach * 0.45, level - height * 0.025);
  }
  for (let tier = tiers; tier >= 1; tier--) {
    const reach = (width / 2) * (tier / tiers) * rng.range(0.85, 1.1);
    const level = y - height * (1 - tier / tiers);
    ctx.lineTo(x - reach * 0.45, level - height * 0.025);
    ctx.lineTo(x - reach, level);
  }
  ctx.closePath();
  ctx.fill();
}

/** A wood along a ridge. */
export function paintFirs(
  scene: Scene,
  ridge: Ridge,
  look: { count: number; height: number },
): void {
  const { w, rng } = scene;
  for (let i = 0; i < look.count; i++) {
    const x = rng.range(-0.02, 1.02) * w;
    const height = look.height * rng.range(0.5, 1.15);
    paintFir(
      scene,
      { x, y: ridge.heightAt(x) + height * 0.12, height },
      color(lighter(ridge.tone, rng.range(-5, 2))),
    );
  }
}
