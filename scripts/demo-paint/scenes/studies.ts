/** Compositions of colour alone. */
import {
  between,
  color,
  disc,
  fillDown,
  lighter,
  type Painter,
  type Scene,
  softSpot,
  type Tone,
} from "@scripts/demo-paint/canvas";
import { createNoise } from "@scripts/demo-paint/rng";

const SCHEMES: readonly [
  readonly [Tone, Tone, Tone, Tone, Tone],
  ...(readonly [Tone, Tone, Tone, Tone, Tone])[],
] = [
  [
    [38, 60, 92],
    [8, 74, 58],
    [210, 52, 30],
    [42, 88, 60],
    [178, 38, 48],
  ],
  [
    [220, 40, 12],
    [262, 60, 56],
    [328, 76, 62],
    [28, 92, 64],
    [196, 80, 60],
  ],
  [
    [150, 24, 90],
    [160, 40, 26],
    [84, 40, 56],
    [44, 76, 62],
    [14, 64, 60],
  ],
  [
    [20, 46, 94],
    [345, 46, 62],
    [222, 34, 46],
    [30, 60, 74],
    [0, 0, 22],
  ],
  [
    [204, 48, 16],
    [188, 56, 42],
    [172, 46, 64],
    [48, 84, 74],
    [12, 80, 66],
  ],
];

/** Clouds of colour. */
export const colours: Painter = (scene) => {
  const { ctx, w, h, rng, time } = scene;
  const scheme = rng.pick(SCHEMES);
  ctx.fillStyle = color(scheme[0]);
  ctx.fillRect(0, 0, w, h);
  for (let i = 0; i < 16; i++) {
    const swing = Math.sin(time * 0.5 + i * 1.7);
    const spot = {
      x: (rng.next() + swing * 0.06) * w,
      y: (rng.next() + Math.cos(time * 0.4 + i) * 0.06) * h,
      r: Math.max(w, h) * rng.range(0.2, 0.5),
    };
    softSpot(scene, spot, rng.pick(scheme), { alpha: 0.9 });
  }
};

/** Lines that follow an invisible wind. */
export const currents: Painter = (scene) => {
  const { ctx, w, h, rng, time } = scene;
  const scheme = rng.pick(SCHEMES);
  fillDown(scene, [scheme[0], between(scheme[0], scheme[2], 0.35)], 0, h);
  const bend = createNoise(rng);
  const drift = createNoise(rng);
  const size = Math.min(w, h);
  const turns = rng.range(1, 2.2);
  ctx.lineCap = "round";
  for (let i = 0; i < 620; i++) {
    let x = rng.range(-0.1, 1.1) * w;
    let y = rng.range(-0.1, 1.1) * h;
    ctx.strokeStyle = color(lighter(rng.pick(scheme), rng.range(-8, 8)), rng.range(0.35, 0.9));
    ctx.lineWidth = size * rng.range(0.001, 0.009);
    ctx.beginPath();
    ctx.moveTo(x, y);
    const steps = rng.int(14, 46);
    for (let step = 0; step < steps; step++) {
      const angle =
        (bend((x / size) * turns + time * 0.05, 2) + drift((y / size) * turns + 40, 2)) *
        Math.PI *
        1.6;
      x += Math.cos(angle) * size * 0.011;
      y += Math.sin(angle) * size * 0.011;
      ctx.lineTo(x, y);
    }
    ctx.stroke();
  }
};

type Tile = (
  scene: Scene,
  at: { x: number; y: number; size: number },
  tones: readonly [string, string],
) => void;

const TILES: readonly [Tile, ...Tile[]] = [
  (scene, { x, y, size }, [, front]) =>
    disc(scene, { x: x + size / 2, y: y + size / 2, r: size * 0.42 }, front),
  ({ ctx, rng }, { x, y, size }, [, front]) => {
    const right = rng.chance(0.5);
    const down = rng.chance(0.5);
    ctx.fillStyle = front;
    ctx.beginPath();
    ctx.moveTo(x + (right ? size : 0), y + (down ? size : 0));
    ctx.arc(x + (right ? size : 0), y + (down ? size : 0), size, 0, Math.PI * 2);
    ctx.fill();
  },
  ({ ctx, rng }, { x, y, size }, [, front]) => {
    const flip = rng.chance(0.5);
    ctx.fillStyle = front;
    ctx.beginPath();
    ctx.moveTo(x, y + (flip ? 0 : size));
    ctx.lineTo(x + size, y + (flip ? size : 0));
    ctx.lineTo(x, y + (flip ? size : 0));
    ctx.fill();
  },
  ({ ctx }, { x, y, size }, [, front]) => {
    ctx.fillStyle = front;
    for (let bar = 0; bar < 4; bar++)
      ctx.fillRect(x, y + ((bar * 2 + 0.5) * size) / 8, size, size / 8);
  },
  (scene, { x, y, size }, [back, front]) => {
    const centre = { x: x + size / 2, y: y + size / 2 };
    for (const [i, reach] of [0.46, 0.34, 0.22, 0.1].entries())
      disc(scene, { ...centre, r: size * reach }, i % 2 === 0 ? front : back);
  },
];

/** Tiles of plain shapes, as a poster. */
export const shapes: Painter = (scene) => {
  const { ctx, w, h, rng } = scene;
  const scheme = rng.pick(SCHEMES);
  const size = Math.min(w, h) / rng.int(3, 6);
  for (let y = 0; y < h; y += size) {
    for (let x = 0; x < w; x += size) {
      const back = rng.pick(scheme);
      const front = rng.pick(scheme);
      ctx.save();
      ctx.beginPath();
      ctx.rect(x, y, size + 1, size + 1);
      ctx.clip();
      ctx.fillStyle = color(back);
      ctx.fillRect(x, y, size + 1, size + 1);
      rng.pick(TILES)(scene, { x, y, size }, [
        color(back),
        color(front === back ? lighter(front, 20) : front),
      ]);
      ctx.restore();
    }
  }
};
