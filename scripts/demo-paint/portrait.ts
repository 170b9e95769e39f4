/** Profile pictures: people in flat colours, from a seed. */
import { color, disc, fillDown, lighter, type Scene, type Tone } from "./canvas";

const SKINS: readonly [Tone, ...Tone[]] = [
  [24, 62, 80],
  [22, 54, 70],
  [26, 50, 58],
  [22, 44, 44],
  [18, 42, 32],
];
const HAIRS: readonly [Tone, ...Tone[]] = [
  [24, 40, 18],
  [30, 56, 34],
  [42, 70, 62],
  [12, 66, 40],
  [220, 12, 16],
  [0, 0, 72],
];

function paintHair(scene: Scene, hair: Tone, long: boolean): void {
  const { ctx, w } = scene;
  ctx.fillStyle = color(hair);
  ctx.beginPath();
  ctx.ellipse(w / 2, w * 0.38, w * 0.225, w * 0.235, 0, 0, Math.PI * 2);
  ctx.fill();
  if (!long) return;
  ctx.beginPath();
  ctx.roundRect(w * 0.28, w * 0.38, w * 0.44, w * 0.34, w * 0.12);
  ctx.fill();
}

function paintFace(scene: Scene, skin: Tone): void {
  const { ctx, w, rng } = scene;
  ctx.fillStyle = color(lighter(skin, -8));
  ctx.fillRect(w * 0.43, w * 0.52, w * 0.14, w * 0.18);
  ctx.fillStyle = color(skin);
  ctx.beginPath();
  ctx.ellipse(w / 2, w * 0.43, w * 0.17, w * 0.205, 0, 0, Math.PI * 2);
  ctx.fill();
  for (const side of [-1, 1]) {
    disc(scene, { x: w / 2 + side * w * 0.068, y: w * 0.425, r: w * 0.017 }, "rgb(30 24 28)");
    disc(scene, { x: w / 2 + side * w * 0.1, y: w * 0.492, r: w * 0.03 }, color([6, 70, 62], 0.35));
  }
  ctx.strokeStyle = "rgb(120 40 40 / 0.85)";
  ctx.lineWidth = w * 0.013;
  ctx.lineCap = "round";
  ctx.beginPath();
  ctx.arc(w / 2, w * 0.485, w * 0.06, 0.35, Math.PI - 0.35);
  ctx.stroke();
  if (!rng.chance(0.35)) return;
  ctx.strokeStyle = "rgb(30 30 40 / 0.9)";
  ctx.lineWidth = w * 0.011;
  for (const side of [-1, 1]) {
    ctx.beginPath();
    ctx.arc(w / 2 + side * w * 0.07, w * 0.425, w * 0.05, 0, Math.PI * 2);
    ctx.stroke();
  }
}

/** A square picture, `w` by `w`. */
export function paintPortrait(scene: Scene): void {
  const { ctx, w, rng } = scene;
  const back = rng.range(0, 360);
  fillDown(
    scene,
    [
      [back, 62, 78],
      [back + 40, 58, 62],
    ],
    0,
    w,
  );
  disc(
    scene,
    { x: w * rng.range(0.1, 0.9), y: w * rng.range(0.1, 0.5), r: w * 0.3 },
    color([back + 80, 60, 80], 0.4),
  );
  const skin = rng.pick(SKINS);
  const hair = rng.pick(HAIRS);
  const long = rng.chance(0.5);
  paintHair(scene, hair, long);
  ctx.fillStyle = color([back + 180, 46, 44]);
  ctx.beginPath();
  ctx.ellipse(w / 2, w * 0.98, w * 0.34, w * 0.32, 0, 0, Math.PI * 2);
  ctx.fill();
  paintFace(scene, skin);
  ctx.fillStyle = color(hair);
  ctx.beginPath();
  ctx.ellipse(
    w / 2,
    w * 0.285,
    w * 0.185,
    w * rng.range(0.075, 0.12),
    rng.range(-0.25, 0.25),
    0,
    Math.PI * 2,
  );
  ctx.fill();
}
