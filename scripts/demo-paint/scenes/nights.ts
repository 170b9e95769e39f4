/** Stars, northern lights, winter evenings and the city after sunset. */
import {
  between,
  color,
  disc,
  fillBelow,
  fillDown,
  glow,
  lighter,
  type Painter,
  reflect,
  type Scene,
  softSpot,
  type Tone,
} from "@scripts/demo-paint/canvas";
import {
  LIGHTS,
  paintClouds,
  paintFir,
  paintFirs,
  paintRidges,
  paintStars,
} from "@scripts/demo-paint/nature";
import { createNoise } from "@scripts/demo-paint/rng";

function paintMilkyWay(scene: Scene, tone: Tone): void {
  const { ctx, w, h, rng } = scene;
  const length = Math.hypot(w, h);
  ctx.save();
  ctx.translate(w * rng.range(0.35, 0.65), h * 0.4);
  ctx.rotate(rng.range(-1.15, -0.5) * (rng.chance(0.5) ? 1 : -1));
  ctx.globalCompositeOperation = "screen";
  for (let i = 0; i < 160; i++) {
    const along = rng.range(-0.6, 0.6) * length;
    const r = length * rng.range(0.03, 0.1);
    softSpot(
      { ...scene },
      { x: along, y: rng.gauss() * length * 0.05, r },
      [tone[0] + rng.range(-40, 60), 45, 55],
      { alpha: 0.075 },
    );
  }
  for (let i = 0; i < 2600; i++) {
    const r = (Math.min(w, h) / 1000) * rng.range(0.25, 0.8);
    disc(
      scene,
      { x: rng.range(-0.6, 0.6) * length, y: rng.gauss() * length * 0.055, r },
      color([45, 40, 94], rng.range(0.15, 0.8)),
    );
  }
  ctx.restore();
}

function paintAurora(scene: Scene): void {
  const { ctx, w, h, rng, time } = scene;
  const hue = rng.range(130, 170);
  ctx.save();
  ctx.globalCompositeOperation = "screen";
  for (let curtain = 0; curtain < 3; curtain++) {
    const noise = createNoise(rng);
    const base = h * rng.range(0.34, 0.52);
    const tall = h * rng.range(0.25, 0.42);
    const step = Math.max(2, w / 320);
    for (let x = 0; x < w; x += step) {
      const wave = noise((x / w) * 3 + time * 0.12 + curtain * 20, 3);
      const bottom = base + wave * h * 0.14;
      const strength = 0.16 + 0.16 * noise((x / w) * 14 + time * 0.3, 2);
      const ray = ctx.createLinearGradient(0, bottom, 0, bottom - tall * (1 + wave * 0.5));
      ray.addColorStop(0, color([hue, 90, 60], 0));
      ray.addColorStop(0.12, color([hue, 90, 62], Math.max(0, strength)));
      ray.addColorStop(0.5, color([hue + 40, 80, 55], Math.max(0, strength * 0.45)));
      ray.addColorStop(1, color([hue + 130, 80, 55], 0));
      ctx.fillStyle = ray;
      ctx.fillRect(x, 0, step + 1, bottom);
    }
  }
  ctx.restore();
}

const NIGHTS: readonly [Tone, ...Tone[]] = [
  [226, 56, 15],
  [208, 60, 16],
  [252, 46, 16],
  [236, 52, 13],
];

export const stars: Painter = (scene) => {
  const { w, h, rng } = scene;
  const night = rng.pick(NIGHTS);
  const horizon: Tone = rng.chance(0.5) ? [night[0] - 14, 50, 32] : [rng.range(10, 30), 46, 40];
  fillDown(scene, [lighter(night, -3), night, between(night, horizon, 0.8)], 0, h);
  paintStars(scene, 1100, h * 0.9);
  if (rng.chance(0.65)) paintMilkyWay(scene, night);
  const light = {
    ...LIGHTS[0],
    far: between(night, horizon, 0.35),
    near: lighter(night, -7),
    sky: [night, night, horizon] as const,
  };
  const ridges = paintRidges(scene, light, {
    count: 3,
    top: h * 0.76,
    bottom: h * 0.93,
    height: h * 0.15,
  });
  const nearest = ridges.at(-1);
  if (nearest !== undefined)
    paintFirs(scene, nearest, { count: Math.round(w / 13), height: h * 0.11 });
};

export const aurora: Painter = (scene) => {
  const { w, h, rng } = scene;
  const night = rng.pick(NIGHTS);
  fillDown(scene, [lighter(night, -3), night, lighter(night, 10)], 0, h);
  paintStars(scene, 420, h * 0.7);
  paintAurora(scene);
  const shore = h * rng.range(0.66, 0.74);
  const light = {
    ...LIGHTS[0],
    far: lighter(night, 9),
    near: lighter(night, -6),
    sky: [night, night, lighter(night, 12)] as const,
  };
  const ridges = paintRidges(scene, light, {
    count: 3,
    top: shore * 0.9,
    bottom: shore,
    height: h * 0.12,
  });
  const nearest = ridges.at(-1);
  if (nearest !== undefined)
    paintFirs(scene, nearest, { count: Math.round(w / 18), height: h * 0.07 });
  reflect(scene, shore, { tone: lighter(night, -4), alpha: 0.55 });
};

function paintHut(scene: Scene, at: { x: number; y: number; size: number }): void {
  const { ctx } = scene;
  const { x, y, size } = at;
  ctx.fillStyle = color([22, 34, 16]);
  ctx.fillRect(x - size / 2, y - size * 0.55, size, size * 0.6);
  ctx.fillStyle = color([214, 46, 92]);
  ctx.beginPath();
  ctx.moveTo(x - size * 0.68, y - size * 0.5);
  ctx.lineTo(x, y - size * 1.08);
  ctx.lineTo(x + size * 0.68, y - size * 0.5);
  ctx.closePath();
  ctx.fill();
  for (const side of [-0.24, 0.24]) {
    const pane = { x: x + side * size, y: y - size * 0.26, r: size * 1.1 };
    glow(scene, pane, [38, 100, 64], 0.5);
    ctx.fillStyle = color([42, 100, 72]);
    ctx.fillRect(pane.x - size * 0.1, pane.y - size * 0.12, size * 0.2, size * 0.24);
  }
}

export const winter: Painter = (scene) => {
  const { w, h, rng, time } = scene;
  const dusk: Tone = [rng.range(208, 250), 42, 34];
  const rosy: Tone = [rng.range(320, 380), 52, 78];
  fillDown(scene, [lighter(dusk, -14), dusk, rosy], 0, h * 0.75);
  if (rng.chance(0.6)) {
    const moon = { x: w * rng.range(0.15, 0.85), y: h * rng.range(0.12, 0.3), r: h * 0.032 };
    glow(scene, { ...moon, r: moon.r * 6 }, [50, 50, 84], 0.6);
    disc(scene, moon, color([48, 60, 94]));
  }
  const light = {
    ...LIGHTS[0],
    far: [dusk[0], 30, 64] as const,
    near: lighter(dusk, 30),
    sky: [dusk, dusk, rosy] as const,
  };
  paintRidges(scene, light, { count: 3, top: h * 0.5, bottom: h * 0.66, height: h * 0.16 });
  const snow: Tone = [dusk[0], 40, 92];
  for (let layer = 0; layer < 3; layer++) {
    const noise = createNoise(rng);
    const base = h * (0.68 + layer * 0.1);
    const heightAt = (x: number): number => base - noise(layer * 9 + (x / w) * 1.5, 2) * h * 0.06;
    const hutX = w * rng.range(0.2, 0.8);
    if (layer === 1 && rng.chance(0.7))
      paintHut(scene, { x: hutX, y: heightAt(hutX) + h * 0.02, size: h * 0.1 });
    for (let i = 0; i < 16; i++) {
      const x = rng.next() * w;
      const height = h * rng.range(0.08, 0.2) * (0.6 + layer * 0.35);
      const foot = { x, y: heightAt(x) + h * 0.015, height };
      paintFir(scene, foot, color([dusk[0] - 40, 26, 22 - layer * 4]));
      paintFir(
        scene,
        { ...foot, x: x - height * 0.012, y: foot.y - height * 0.045, height: height * 0.94 },
        color(lighter(snow, 2), 0.6),
      );
    }
    fillBelow(scene, heightAt, color(lighter(snow, -10 + layer * 5)));
  }
  for (let i = 0; i < 420; i++) {
    const speed = rng.range(0.04, 0.13);
    const y = (rng.next() * h + time * h * speed) % h;
    const x = rng.next() * w + Math.sin(time + i) * w * 0.008;
    disc(
      scene,
      { x, y, r: (h / 900) * rng.range(0.8, 4) },
      `rgb(255 255 255 / ${rng.range(0.25, 0.85)})`,
    );
  }
};

interface Row {
  base: number;
  tallest: number;
  tone: Tone;
  lit: number;
}

function paintHouses(scene: Scene, row: Row): void {
  const { ctx, w, h, rng, time } = scene;
  let x = -w * 0.02;
  while (x < w) {
    const width = w * rng.range(0.03, 0.085);
    const tall = row.tallest * rng.range(0.3, 1) ** 1.2;
    const top = row.base - tall;
    const wall = ctx.createLinearGradient(0, top, 0, row.base);
    wall.addColorStop(0, color(row.tone));
    wall.addColorStop(1, color(lighter(row.tone, 9)));
    ctx.fillStyle = wall;
    ctx.fillRect(x, top, width + 1, h - top);
    if (rng.chance(0.25))
      ctx.fillRect(x + width * 0.46, top - tall * 0.22, Math.max(1, width * 0.05), tall * 0.24);
    const pane = h * 0.0075;
    for (let py = top + pane * 2; py < row.base - pane; py += pane * 2.3) {
      for (let px = x + pane; px < x + width - pane; px += pane * 1.9) {
        const lit = rng.next() < row.lit;
        const phase = rng.range(0, 40);
        if (!lit || Math.sin(time * 0.8 + phase) > 0.985) continue;
        ctx.fillStyle = color([rng.pick([38, 44, 30, 200]), 90, 70], rng.range(0.4, 0.95));
        ctx.fillRect(px, py, pane, pane * 1.3);
      }
    }
    x += width;
  }
}

export const city: Painter = (scene) => {
  const { w, h, rng } = scene;
  const dusk: Tone = [rng.range(220, 275), 46, 20];
  const ember: Tone = rng.chance(0.4)
    ? [rng.range(190, 215), 52, 66]
    : [rng.range(-18, 34), 80, 62];
  const river = h * rng.range(0.66, 0.74);
  fillDown(scene, [lighter(dusk, -8), between(dusk, ember, 0.35), ember], 0, river);
  paintStars(scene, 90, h * 0.3);
  paintClouds(scene, lighter(ember, 8), { from: h * 0.12, to: h * 0.5, banks: 5, alpha: 0.35 });
  glow(scene, { x: w * rng.range(0.3, 0.7), y: river, r: w * 0.6 }, ember, 0.6);
  const rows = 3;
  for (let i = 0; i < rows; i++) {
    const part = i / (rows - 1);
    paintHouses(scene, {
      base: river,
      tallest: h * (0.5 - part * 0.2),
      tone: between(between(dusk, ember, 0.42), lighter(dusk, -12), part),
      lit: 0.12 + part * 0.3,
    });
  }
  reflect(scene, river, { tone: lighter(dusk, -10), alpha: 0.7 });
};
