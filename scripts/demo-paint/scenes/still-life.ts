/** Things on a table. */
import {
  color,
  disc,
  lighter,
  type Painter,
  type Scene,
  softSpot,
  type Tone,
} from "@scripts/demo-paint/canvas";
import { createNoise } from "@scripts/demo-paint/rng";

function paintTable(scene: Scene): void {
  const { ctx, w, h, rng } = scene;
  const wood: Tone = rng.pick([
    [26, 42, 34],
    [32, 36, 58],
    [18, 38, 22],
    [34, 28, 70],
  ]);
  ctx.fillStyle = color(wood);
  ctx.fillRect(0, 0, w, h);
  const planks = rng.int(4, 7);
  for (let plank = 0; plank < planks; plank++) {
    const top = (plank * h) / planks;
    const tone = lighter(wood, rng.range(-5, 5));
    ctx.fillStyle = color(tone);
    ctx.fillRect(0, top, w, h / planks);
    const noise = createNoise(rng);
    for (let line = 0; line < 34; line++) {
      const y = top + rng.next() * (h / planks);
      ctx.strokeStyle = color(lighter(tone, rng.range(-12, 7)), 0.3);
      ctx.lineWidth = h * rng.range(0.0006, 0.0028);
      ctx.beginPath();
      for (let x = 0; x <= w; x += w / 40)
        ctx.lineTo(x, y + noise(line * 3 + (x / w) * 2, 2) * h * 0.012);
      ctx.stroke();
    }
    ctx.fillStyle = "rgb(0 0 0 / 0.4)";
    ctx.fillRect(0, top - h * 0.0015, w, h * 0.003);
  }
}

function paintHeart(scene: Scene, at: { x: number; y: number; r: number }): void {
  const { ctx } = scene;
  const milk = [color([36, 60, 90]), color([28, 56, 52]), color([36, 64, 93])];
  for (const [i, fill] of milk.entries()) {
    const r = at.r * (0.7 - i * 0.16);
    ctx.fillStyle = fill;
    ctx.beginPath();
    ctx.moveTo(at.x, at.y + r);
    ctx.bezierCurveTo(
      at.x - r * 1.7,
      at.y - r * 0.2,
      at.x - r * 0.8,
      at.y - r * 1.3,
      at.x,
      at.y - r * 0.45,
    );
    ctx.bezierCurveTo(
      at.x + r * 0.8,
      at.y - r * 1.3,
      at.x + r * 1.7,
      at.y - r * 0.2,
      at.x,
      at.y + r,
    );
    ctx.fill();
  }
}

function paintBeans(scene: Scene, at: { x: number; y: number; r: number }): void {
  const { ctx, w, h, rng } = scene;
  const size = Math.min(w, h);
  for (let i = 0; i < 30; i++) {
    const angle = rng.range(0, 7);
    const far = at.r * rng.range(1.9, 3.4);
    const bean = { x: at.x + Math.cos(angle) * far, y: at.y + Math.sin(angle) * far };
    ctx.save();
    ctx.translate(bean.x, bean.y);
    ctx.rotate(rng.range(0, 6));
    ctx.shadowColor = "rgb(0 0 0 / 0.5)";
    ctx.shadowBlur = size * 0.008;
    ctx.fillStyle = color([22, 50, rng.range(14, 24)]);
    ctx.beginPath();
    ctx.ellipse(0, 0, size * 0.021, size * 0.014, 0, 0, Math.PI * 2);
    ctx.fill();
    ctx.strokeStyle = color([22, 50, 8]);
    ctx.lineWidth = size * 0.002;
    ctx.beginPath();
    ctx.moveTo(-size * 0.018, 0);
    ctx.quadraticCurveTo(0, size * 0.005, size * 0.018, 0);
    ctx.stroke();
    ctx.restore();
  }
}

export const coffee: Painter = (scene) => {
  const { ctx, w, h, rng } = scene;
  paintTable(scene);
  const size = Math.min(w, h);
  const at = {
    x: w * rng.range(0.36, 0.64),
    y: h * rng.range(0.4, 0.6),
    r: size * rng.range(0.2, 0.26),
  };
  const china: Tone = rng.pick([
    [40, 20, 94],
    [200, 24, 62],
    [12, 40, 56],
    [160, 20, 52],
    [44, 54, 80],
  ]);
  softSpot(scene, { x: at.x + at.r * 0.22, y: at.y + at.r * 0.3, r: at.r * 2.05 }, [24, 40, 4], {
    alpha: 0.8,
  });
  for (const [reach, by] of [
    [1.62, -8],
    [1.55, 2],
    [1.12, -7],
  ] as const)
    disc(scene, { ...at, r: at.r * reach }, color(lighter(china, by)));
  softSpot(scene, { x: at.x + at.r * 0.1, y: at.y + at.r * 0.12, r: at.r * 1.35 }, [24, 40, 8], {
    alpha: 0.5,
  });
  ctx.strokeStyle = color(lighter(china, -4));
  ctx.lineWidth = at.r * 0.2;
  ctx.beginPath();
  const turn = rng.range(-0.6, 0.6);
  ctx.arc(
    at.x + Math.cos(turn) * at.r * 1.08,
    at.y + Math.sin(turn) * at.r * 1.08,
    at.r * 0.28,
    turn - 1.5,
    turn + 1.5,
  );
  ctx.stroke();
  disc(scene, { ...at, r: at.r }, color(lighter(china, 4)));
  const brew = ctx.createRadialGradient(
    at.x - at.r * 0.2,
    at.y - at.r * 0.2,
    at.r * 0.1,
    at.x,
    at.y,
    at.r * 0.9,
  );
  brew.addColorStop(0, color([26, 58, 42]));
  brew.addColorStop(0.85, color([22, 64, 24]));
  brew.addColorStop(1, color([20, 60, 12]));
  ctx.fillStyle = brew;
  ctx.beginPath();
  ctx.arc(at.x, at.y, at.r * 0.88, 0, Math.PI * 2);
  ctx.fill();
  paintHeart(scene, at);
  paintBeans(scene, at);
};
