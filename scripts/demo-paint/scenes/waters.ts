/** Sea, harbour, rain on glass: pictures with water. */
import {
  between,
  color,
  disc,
  fillBelow,
  fillDown,
  glow,
  lighter,
  type Painter,
  type Scene,
  softSpot,
  type Tone,
} from "@scripts/demo-paint/canvas";
import {
  type Light,
  paintClouds,
  paintRidges,
  paintSky,
  variedLight,
} from "@scripts/demo-paint/nature";
import { createNoise } from "@scripts/demo-paint/rng";

function paintWaves(scene: Scene, light: Light, look: { horizon: number; sunX: number }): void {
  const { ctx, w, h, rng, time } = scene;
  const { horizon, sunX } = look;
  const deep = between(light.near, light.sky[0], 0.45);
  fillDown(
    scene,
    [between(light.sky[2], light.sky[1], 0.35), between(deep, light.sky[1], 0.3), deep],
    horizon,
    h,
  );
  const rows = 150;
  for (let row = 0; row < rows; row++) {
    const depth = (row / rows) ** 1.8;
    const y = horizon + (h - horizon) * depth;
    const count = 7;
    for (let i = 0; i < count; i++) {
      const length = w * (0.012 + depth * 0.14) * rng.range(0.4, 1.4);
      const sway = Math.sin(time * 1.3 + row * 0.7 + i) * length * 0.35;
      const onGlitter = rng.chance(0.55);
      const spread = w * (0.03 + depth * 0.22);
      const x = (onGlitter ? sunX + rng.gauss() * spread : rng.next() * w) + sway;
      const tone = onGlitter ? light.sun : lighter(light.sky[1], rng.range(-18, 12));
      ctx.fillStyle = color(
        tone,
        onGlitter ? rng.range(0.15, 0.75) * (1 - depth * 0.5) : rng.range(0.06, 0.2),
      );
      ctx.beginPath();
      ctx.ellipse(x, y, length / 2, Math.max(0.5, h * 0.0035 * depth + 0.4), 0, 0, Math.PI * 2);
      ctx.fill();
    }
  }
}

function paintSailboat(scene: Scene, at: { x: number; y: number; size: number }, tone: Tone): void {
  const { ctx, time } = scene;
  ctx.save();
  ctx.translate(at.x, at.y);
  ctx.rotate(Math.sin(time * 1.1) * 0.04);
  ctx.scale(at.size, at.size);
  ctx.fillStyle = color(tone);
  ctx.beginPath();
  ctx.moveTo(-0.42, -0.06);
  ctx.quadraticCurveTo(-0.3, 0.1, -0.2, 0.1);
  ctx.lineTo(0.26, 0.1);
  ctx.quadraticCurveTo(0.42, 0.06, 0.48, -0.08);
  ctx.closePath();
  ctx.fill();
  ctx.fillStyle = "rgb(255 250 240 / 0.94)";
  ctx.beginPath();
  ctx.moveTo(0.02, -1.15);
  ctx.quadraticCurveTo(0.34, -0.5, 0.4, -0.16);
  ctx.lineTo(0.02, -0.16);
  ctx.closePath();
  ctx.fill();
  ctx.fillStyle = color(lighter(tone, 44), 0.9);
  ctx.beginPath();
  ctx.moveTo(-0.03, -1.05);
  ctx.quadraticCurveTo(-0.2, -0.5, -0.38, -0.18);
  ctx.lineTo(-0.03, -0.18);
  ctx.closePath();
  ctx.fill();
  ctx.restore();
}

export const sea: Painter = (scene) => {
  const { w, h, rng } = scene;
  const light = variedLight(scene);
  const horizon = h * rng.range(0.42, 0.6);
  const sun = paintSky(scene, light, horizon);
  paintClouds(scene, light.cloud, {
    from: h * 0.05,
    to: horizon * 0.85,
    banks: rng.int(4, 9),
    alpha: 0.55,
  });
  if (rng.chance(0.5)) {
    const light2 = { ...light, near: between(light.far, light.near, 0.4) };
    paintRidges(scene, light2, {
      count: 2,
      top: horizon * 0.97,
      bottom: horizon,
      height: h * 0.07,
    });
  }
  paintWaves(scene, light, { horizon, sunX: sun.x });
  const boats = rng.int(0, 3);
  for (let i = 0; i < boats; i++) {
    const depth = rng.range(0.03, 0.25);
    const at = {
      x: w * rng.range(0.12, 0.88),
      y: horizon + (h - horizon) * depth,
      size: h * (0.035 + depth * 0.3),
    };
    paintSailboat(scene, at, [rng.pick([210, 355, 25, 180]), 45, 24]);
  }
};

export const beach: Painter = (scene) => {
  const { ctx, w, h, rng, time } = scene;
  const turquoise: Tone = [rng.range(176, 198), 62, 46];
  const sand: Tone = [rng.range(32, 44), 54, 82];
  fillDown(scene, [lighter(turquoise, -20), turquoise, lighter(turquoise, 26)], 0, h);
  const noise = createNoise(rng);
  const slant = rng.range(-0.2, 0.2);
  const shore = (x: number, shift: number): number =>
    h * (0.6 + shift) +
    noise(3 + (x / w) * 1.6, 3) * h * 0.11 +
    slant * (x - w / 2) +
    Math.sin(time * 0.8) * h * 0.012;
  for (let i = 0; i < 40; i++) {
    softSpot(
      scene,
      { x: rng.next() * w, y: rng.next() * h * 0.6, r: w * rng.range(0.03, 0.1) },
      lighter(turquoise, rng.pick([-14, 12])),
      { alpha: 0.25, flat: 0.3 },
    );
  }
  fillBelow(scene, (x) => shore(x, 0), color(lighter(sand, -14)));
  fillBelow(scene, (x) => shore(x, 0.035), color(sand));
  ctx.lineCap = "round";
  for (const [shift, width, alpha] of [
    [-0.1, 3, 0.5],
    [-0.045, 5, 0.75],
    [0, 11, 0.95],
  ] as const) {
    for (let x = 0; x < w; x += w / 420) {
      const foam = rng.range(0.3, 1) * width * (h / 900);
      disc(
        scene,
        { x, y: shore(x, shift) + rng.gauss() * foam, r: foam * rng.range(0.4, 1) },
        `rgb(255 255 255 / ${alpha * rng.range(0.3, 1)})`,
      );
    }
  }
  for (let i = 0; i < 900; i++) {
    const x = rng.next() * w;
    const y = shore(x, 0.05) + rng.next() * h * 0.4;
    disc(
      scene,
      { x, y, r: (h / 900) * rng.range(0.5, 1.4) },
      color(lighter(sand, rng.pick([-20, -10, 8])), 0.4),
    );
  }
  const umbrellas = rng.int(1, 5);
  for (let i = 0; i < umbrellas; i++) {
    const x = w * rng.range(0.08, 0.92);
    const spot = { x, y: shore(x, 0.16) + rng.next() * h * 0.14, r: h * rng.range(0.035, 0.05) };
    const tone: Tone = [rng.pick([2, 42, 205, 330, 160]), 74, 56];
    softSpot(
      scene,
      { x: x + spot.r * 0.5, y: spot.y + spot.r * 0.5, r: spot.r * 1.35 },
      [30, 40, 20],
      { alpha: 0.5 },
    );
    for (let slice = 0; slice < 12; slice++) {
      ctx.fillStyle = slice % 2 === 0 ? color(tone) : "rgb(255 252 246)";
      ctx.beginPath();
      ctx.moveTo(spot.x, spot.y);
      ctx.arc(spot.x, spot.y, spot.r, (slice * Math.PI) / 6, ((slice + 1) * Math.PI) / 6);
      ctx.fill();
    }
  }
};

/** City lights behind a wet window. */
export const rain: Painter = (scene) => {
  const { ctx, w, h, rng, time } = scene;
  const night: Tone = [rng.range(215, 265), 42, 14];
  fillDown(scene, [lighter(night, -6), lighter(night, 8), lighter(night, -2)], 0, h);
  const size = Math.min(w, h);
  for (let i = 0; i < 46; i++) {
    const spot = {
      x: rng.next() * w,
      y: h * rng.range(0.25, 0.85),
      r: size * rng.range(0.025, 0.085),
    };
    const tone: Tone = [rng.pick([28, 40, 350, 200, 320, 48]), 90, 62];
    ctx.globalCompositeOperation = "screen";
    const breath = 1 + 0.06 * Math.sin(time * 2 + i);
    disc(scene, { ...spot, r: spot.r * breath }, color(tone, rng.range(0.12, 0.4)));
    ctx.globalCompositeOperation = "source-over";
    glow(scene, { ...spot, r: spot.r * 2 }, tone, 0.16);
  }
  for (let i = 0; i < 330; i++) {
    const falls = rng.chance(0.12);
    const r = size * (falls ? rng.range(0.006, 0.011) : rng.range(0.002, 0.007));
    const x = rng.next() * w;
    const y = (rng.next() * h + (falls ? time * h * rng.range(0.08, 0.25) : rng.next() * 0)) % h;
    if (falls) {
      const trail = ctx.createLinearGradient(0, y - r * 26, 0, y);
      trail.addColorStop(0, "rgb(255 255 255 / 0)");
      trail.addColorStop(1, "rgb(255 255 255 / 0.18)");
      ctx.fillStyle = trail;
      ctx.fillRect(x - r * 0.6, y - r * 26, r * 1.2, r * 26);
    }
    const drop = ctx.createRadialGradient(x - r * 0.3, y - r * 0.4, 0, x, y, r);
    drop.addColorStop(0, "rgb(255 255 255 / 0.75)");
    drop.addColorStop(0.35, color([night[0], 30, 60], 0.25));
    drop.addColorStop(1, color([night[0], 50, 6], 0.55));
    ctx.fillStyle = drop;
    ctx.beginPath();
    ctx.ellipse(x, y, r * 0.85, r, 0, 0, Math.PI * 2);
    ctx.fill();
  }
};
