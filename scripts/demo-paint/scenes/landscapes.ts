/** Mountains, dunes, fields and balloons: the land by day. */
import {
  between,
  color,
  disc,
  downFrom,
  fillBelow,
  fillDown,
  lighter,
  type Painter,
  reflect,
  softSpot,
  type Tone,
} from "@scripts/demo-paint/canvas";
import {
  LIGHTS,
  paintClouds,
  paintFirs,
  paintRidges,
  paintSky,
  variedLight,
} from "@scripts/demo-paint/nature";
import { createNoise } from "@scripts/demo-paint/rng";

export const mountains: Painter = (scene) => {
  const { h, w, rng } = scene;
  const light = variedLight(scene);
  const hasLake = rng.chance(0.45);
  const ground = h * (hasLake ? rng.range(0.58, 0.68) : 1);
  paintSky(scene, light, ground);
  paintClouds(scene, light.cloud, {
    from: h * 0.08,
    to: h * 0.34,
    banks: rng.int(2, 6),
    alpha: 0.5,
  });
  const ridges = paintRidges(scene, light, {
    count: rng.int(4, 6),
    top: h * 0.42,
    bottom: ground * (hasLake ? 0.97 : 0.88),
    height: h * rng.range(0.2, 0.34),
  });
  const nearest = ridges.at(-1);
  if (nearest !== undefined)
    paintFirs(scene, nearest, { count: Math.round(w / 16), height: h * 0.085 });
  if (hasLake) reflect(scene, ground, { tone: between(light.near, light.sky[1], 0.4), alpha: 0.6 });
};

export const dunes: Painter = (scene) => {
  const { h, w, rng } = scene;
  const light = variedLight(scene, [LIGHTS[0], LIGHTS[2] ?? LIGHTS[0], LIGHTS[1] ?? LIGHTS[0]]);
  const sun = paintSky(scene, light, h);
  const sand: Tone = [rng.range(18, 38), rng.range(52, 70), rng.range(52, 62)];
  const count = 6;
  for (let i = 0; i < count; i++) {
    const part = i / (count - 1);
    const base = h * (0.5 + part * 0.42);
    const noise = createNoise(rng);
    const start = rng.range(0, 99);
    const crest = (x: number): number =>
      base - noise(start + (x / w) * (1.1 + part), 2) * h * (0.09 + part * 0.1);
    const tone = between(between(sand, light.sky[2], 0.45), lighter(sand, -22), part);
    fillBelow(
      scene,
      crest,
      downFrom(scene, base - h * 0.1, [lighter(tone, 10), lighter(tone, -12)]),
    );
    // The side away from the sun lies in shadow, and the shadow's edge is the crest.
    const lean = sun.x < w / 2 ? 1 : -1;
    const shadow = (x: number): number =>
      crest(x) + Math.max(0, lean * (crest(x + w * 0.03) - crest(x - w * 0.03))) * 2.4 + h * 0.003;
    scene.ctx.save();
    scene.ctx.globalAlpha = 0.2;
    fillBelow(scene, (x) => Math.min(h, shadow(x)), color(lighter(tone, -26)));
    scene.ctx.restore();
  }
};

export const fields: Painter = (scene) => {
  const { ctx, h, w, rng } = scene;
  const light = variedLight(scene, [
    LIGHTS[1] ?? LIGHTS[0],
    LIGHTS[3] ?? LIGHTS[0],
    LIGHTS[2] ?? LIGHTS[0],
    LIGHTS[5] ?? LIGHTS[0],
  ]);
  const horizon = h * rng.range(0.38, 0.5);
  paintSky(scene, light, horizon);
  paintClouds(scene, light.cloud, { from: h * 0.06, to: horizon * 0.75, banks: 6, alpha: 0.6 });
  paintRidges(scene, light, { count: 2, top: horizon * 0.94, bottom: horizon, height: h * 0.07 });
  const bloom = rng.range(0, 360);
  const leaf: Tone = [rng.range(85, 130), 34, 30];
  fillDown(scene, [between(leaf, light.sky[2], 0.35), lighter(leaf, -12)], horizon, h);
  const vanish = w * rng.range(0.3, 0.7);
  const rows = 34;
  for (let row = -rows; row <= rows; row++) {
    const tone: Tone = rng.chance(0.3) ? [bloom + 28, 70, 60] : [bloom, 62, 54];
    for (let step = 1; step < 90; step++) {
      const depth = (step / 90) ** 2;
      const y = horizon + (h - horizon) * depth * 1.05;
      const x = vanish + row * w * 0.075 * depth * 1.7;
      const r = 1 + h * 0.017 * depth;
      if (x < -r || x > w + r) {
        rng.next();
        continue;
      }
      disc(
        scene,
        { x, y: y + rng.range(-0.3, 0.3) * r, r },
        color(lighter(tone, rng.range(-16, 14)), 0.85),
      );
    }
  }
  softSpot(scene, { x: w / 2, y: horizon, r: w * 0.7 }, light.sky[2], { alpha: 0.5, flat: 0.12 });
  ctx.globalAlpha = 1;
};

const STRIPES: readonly [Tone[], ...Tone[][]] = [
  [
    [4, 78, 54],
    [42, 92, 62],
    [0, 0, 96],
  ],
  [
    [212, 70, 44],
    [190, 66, 62],
    [48, 96, 70],
  ],
  [
    [286, 44, 44],
    [328, 66, 64],
    [30, 92, 72],
  ],
  [
    [150, 46, 38],
    [76, 56, 60],
    [44, 60, 92],
  ],
];

function paintBalloon(
  scene: Parameters<Painter>[0],
  at: { x: number; y: number; r: number },
): void {
  const { ctx, rng } = scene;
  const tones = rng.pick(STRIPES);
  const { x, y, r } = at;
  const outline = new Path2D();
  outline.moveTo(x - r * 0.22, y + r * 1.42);
  outline.bezierCurveTo(x - r * 0.55, y + r * 0.95, x - r, y + r * 0.6, x - r, y);
  outline.arc(x, y, r, Math.PI, 0);
  outline.bezierCurveTo(x + r, y + r * 0.6, x + r * 0.55, y + r * 0.95, x + r * 0.22, y + r * 1.42);
  outline.closePath();
  ctx.save();
  ctx.clip(outline);
  const gores = 9;
  for (let gore = 0; gore < gores; gore++) {
    const edge = (part: number): number => x + r * Math.sin((part / gores - 0.5) * Math.PI) * 1.02;
    ctx.fillStyle = color(tones[gore % tones.length] ?? [0, 0, 90]);
    ctx.fillRect(edge(gore), y - r, edge(gore + 1) - edge(gore) + 1, r * 2.5);
  }
  const shade = ctx.createRadialGradient(x - r * 0.4, y - r * 0.45, r * 0.1, x, y, r * 1.5);
  shade.addColorStop(0, "rgb(255 255 255 / 0.42)");
  shade.addColorStop(0.5, "rgb(255 255 255 / 0)");
  shade.addColorStop(1, "rgb(20 10 40 / 0.5)");
  ctx.fillStyle = shade;
  ctx.fillRect(x - r, y - r, r * 2, r * 2.5);
  ctx.restore();
  ctx.strokeStyle = "rgb(40 26 20 / 0.75)";
  ctx.lineWidth = Math.max(0.6, r * 0.018);
  for (const side of [-1, 1]) {
    ctx.beginPath();
    ctx.moveTo(x + side * r * 0.22, y + r * 1.42);
    ctx.lineTo(x + side * r * 0.15, y + r * 1.78);
    ctx.stroke();
  }
  ctx.fillStyle = color([24, 44, 26]);
  ctx.beginPath();
  ctx.roundRect(x - r * 0.17, y + r * 1.76, r * 0.34, r * 0.26, r * 0.05);
  ctx.fill();
}

export const balloons: Painter = (scene) => {
  const { h, w, rng, time } = scene;
  const light = variedLight(scene, [
    LIGHTS[1] ?? LIGHTS[0],
    LIGHTS[3] ?? LIGHTS[0],
    LIGHTS[0],
    LIGHTS[2] ?? LIGHTS[0],
  ]);
  paintSky(scene, light, h);
  paintClouds(scene, light.cloud, { from: h * 0.2, to: h * 0.6, banks: 6, alpha: 0.5 });
  paintRidges(scene, light, { count: 4, top: h * 0.74, bottom: h * 0.94, height: h * 0.13 });
  const sizes = Array.from({ length: rng.int(4, 9) }, () => rng.range(0.025, 0.13)).sort(
    (a, b) => a - b,
  );
  for (const size of sizes) {
    const r = size * Math.min(w, h);
    const drift = Math.sin(time * 0.5 + size * 70) * r * 0.25 - time * r * 0.12;
    paintBalloon(scene, {
      x: rng.range(0.08, 0.92) * w + drift,
      y: rng.range(0.1, 0.62) * h + drift * 0.6,
      r,
    });
  }
};
