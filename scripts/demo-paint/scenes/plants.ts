/** Meadows, single blossoms, birch woods. */
import {
  between,
  color,
  disc,
  fillDown,
  glow,
  lighter,
  type Painter,
  type Scene,
  softSpot,
  type Tone,
} from "@scripts/demo-paint/canvas";

/** Lights out of focus. */
function paintBokeh(scene: Scene, tones: readonly [Tone, ...Tone[]], count: number): void {
  const { w, h, rng, time } = scene;
  for (let i = 0; i < count; i++) {
    const r = Math.min(w, h) * rng.range(0.03, 0.13);
    const sway = Math.sin(time * 0.7 + i) * r * 0.12;
    const spot = { x: rng.next() * w + sway, y: rng.next() * h, r };
    const tone = lighter(rng.pick(tones), rng.range(-6, 14));
    disc(scene, spot, color(tone, rng.range(0.05, 0.16)));
    softSpot(scene, { ...spot, r: r * 1.5 }, tone, { alpha: 0.1 });
  }
}

interface Blossom {
  x: number;
  y: number;
  r: number;
  petals: number;
  tone: Tone;
  heart: Tone;
}

function paintBlossom(scene: Scene, blossom: Blossom): void {
  const { ctx, rng, time } = scene;
  const turn = rng.range(0, 6) + Math.sin(time + blossom.x) * 0.05;
  const layers = blossom.r > scene.h * 0.09 ? 3 : 1;
  for (let layer = 0; layer < layers; layer++) {
    const reach = blossom.r * (1 - layer * 0.24);
    for (let i = 0; i < blossom.petals; i++) {
      ctx.save();
      ctx.translate(blossom.x, blossom.y);
      ctx.rotate(turn + layer * 0.35 + (i * Math.PI * 2) / blossom.petals + rng.range(-0.07, 0.07));
      const petal = ctx.createLinearGradient(0, 0, 0, -reach);
      petal.addColorStop(0, color(lighter(blossom.tone, -20)));
      petal.addColorStop(0.45, color(lighter(blossom.tone, layer * 4)));
      petal.addColorStop(1, color(lighter(blossom.tone, 16)));
      ctx.fillStyle = petal;
      const wide = (reach * 3.3) / blossom.petals;
      ctx.beginPath();
      ctx.moveTo(0, 0);
      ctx.bezierCurveTo(
        -wide,
        -reach * 0.35,
        -wide * 0.75,
        -reach,
        0,
        -reach * rng.range(0.94, 1.04),
      );
      ctx.bezierCurveTo(wide * 0.75, -reach, wide, -reach * 0.35, 0, 0);
      ctx.fill();
      ctx.strokeStyle = color(lighter(blossom.tone, -14), 0.22);
      ctx.lineWidth = Math.max(0.4, reach * 0.008);
      ctx.stroke();
      ctx.restore();
    }
  }
  const heart = { x: blossom.x, y: blossom.y, r: blossom.r * 0.2 };
  disc(scene, heart, color(blossom.heart));
  for (let i = 0; i < 46; i++) {
    const angle = i * 2.4;
    const far = heart.r * Math.sqrt(i / 46) * 1.08;
    disc(
      scene,
      { x: heart.x + Math.cos(angle) * far, y: heart.y + Math.sin(angle) * far, r: heart.r * 0.1 },
      color(lighter(blossom.heart, rng.range(-18, 16))),
    );
  }
}

const PETALS: readonly [Tone, ...Tone[]] = [
  [345, 72, 70],
  [8, 78, 60],
  [278, 46, 66],
  [44, 92, 62],
  [210, 58, 68],
  [320, 60, 76],
  [0, 0, 95],
  [24, 88, 64],
];

function blossomAt(scene: Scene, spot: { x: number; y: number; r: number }, tone: Tone): Blossom {
  const { rng } = scene;
  return {
    ...spot,
    tone: [tone[0] + rng.range(-8, 8), tone[1], tone[2]],
    petals: rng.pick([6, 8, 11, 13]),
    heart: [rng.range(34, 50), 88, rng.range(38, 56)],
  };
}

export const meadow: Painter = (scene) => {
  const { ctx, w, h, rng, time } = scene;
  const green: Tone = [rng.range(75, 140), 36, 30];
  const air: Tone = rng.chance(0.5) ? [48, 62, 82] : [rng.range(180, 205), 46, 80];
  fillDown(scene, [air, between(air, green, 0.55), lighter(green, -14)], 0, h);
  paintBokeh(scene, [air, lighter(green, 26), [50, 80, 84]], 34);
  glow(scene, { x: w * rng.range(0.2, 0.8), y: h * 0.08, r: w * 0.7 }, [48, 100, 84], 0.5);
  const first = rng.pick(PETALS);
  const second = rng.pick(PETALS);
  const stems = 46;
  for (let i = 0; i < stems; i++) {
    const near = i / stems;
    const x = rng.range(-0.02, 1.02) * w;
    const y = h * (0.42 + near * 0.34) + rng.gauss() * h * 0.1;
    const r = h * (0.014 + near ** 2 * 0.07) * rng.range(0.7, 1.25);
    const bend = rng.range(-0.06, 0.06) * w + Math.sin(time * 1.4 + i) * r * 0.3;
    ctx.strokeStyle = color(lighter(green, -12 + near * 6));
    ctx.lineWidth = Math.max(1, r * 0.13);
    ctx.beginPath();
    ctx.moveTo(x + bend, h * 1.02);
    ctx.quadraticCurveTo(x + bend * 0.6, (y + h) / 2, x, y);
    ctx.stroke();
    paintBlossom(scene, blossomAt(scene, { x, y, r }, rng.chance(0.65) ? first : second));
  }
};

/** A blossom painted small and enlarged: as soft as one out of focus, and far cheaper than a blur. */
function paintOutOfFocus(scene: Scene, blossom: Blossom): void {
  const small = document.createElement("canvas");
  const edge = 34;
  small.width = edge;
  small.height = edge;
  const ctx = small.getContext("2d");
  if (ctx === null) return;
  const centre = { x: edge / 2, y: edge / 2, r: edge * 0.42 };
  paintBlossom({ ...scene, ctx, w: edge, h: edge }, { ...blossom, ...centre });
  const reach = blossom.r / 0.42;
  scene.ctx.imageSmoothingQuality = "high";
  scene.ctx.drawImage(small, blossom.x - reach / 2, blossom.y - reach / 2, reach, reach);
}

export const blossom: Painter = (scene) => {
  const { w, h, rng } = scene;
  const tone = rng.pick(PETALS);
  const ground: Tone = [
    rng.chance(0.6) ? rng.range(80, 160) : tone[0] + 160,
    34,
    rng.range(18, 34),
  ];
  fillDown(scene, [lighter(ground, 12), ground, lighter(ground, -12)], 0, h);
  paintBokeh(scene, [lighter(ground, 24), lighter(tone, 6), [52, 70, 76]], 40);
  const size = Math.min(w, h);
  const others = rng.int(1, 4);
  for (let i = 0; i < others; i++) {
    const spot = { x: rng.next() * w, y: rng.next() * h, r: size * rng.range(0.08, 0.16) };
    paintOutOfFocus(scene, blossomAt(scene, spot, tone));
  }
  const centre = {
    x: w * rng.range(0.4, 0.6),
    y: h * rng.range(0.42, 0.58),
    r: size * rng.range(0.3, 0.4),
  };
  softSpot(
    scene,
    { ...centre, y: centre.y + centre.r * 0.2, r: centre.r * 1.4 },
    [ground[0], 40, 6],
    { alpha: 0.6 },
  );
  paintBlossom(scene, blossomAt(scene, centre, tone));
};

const SEASONS: readonly [readonly [Tone, Tone], ...(readonly [Tone, Tone])[]] = [
  [
    [96, 44, 44],
    [74, 52, 70],
  ],
  [
    [30, 84, 52],
    [44, 88, 74],
  ],
  [
    [12, 66, 46],
    [34, 78, 72],
  ],
  [
    [168, 26, 44],
    [60, 30, 84],
  ],
];

export const birches: Painter = (scene) => {
  const { ctx, w, h, rng, time } = scene;
  const [leaf, haze] = rng.pick(SEASONS);
  fillDown(scene, [lighter(haze, 8), haze, lighter(leaf, -12)], 0, h);
  paintBokeh(scene, [haze, leaf], 26);
  const layers = 5;
  for (let layer = 0; layer < layers; layer++) {
    const near = layer / (layers - 1);
    const count = Math.round(11 - near * 5);
    for (let i = 0; i < count; i++) {
      const width = w * (0.006 + near ** 2 * 0.045) * rng.range(0.7, 1.3);
      const x = rng.next() * w;
      const lean = rng.range(-0.02, 0.02) * w;
      const bark = between(lighter(haze, 4), [40, 14, 90], near);
      const trunk = ctx.createLinearGradient(x - width / 2, 0, x + width / 2, 0);
      trunk.addColorStop(0, color(lighter(bark, -24 * near - 4)));
      trunk.addColorStop(0.4, color(bark));
      trunk.addColorStop(1, color(lighter(bark, -38 * near - 6)));
      ctx.fillStyle = trunk;
      ctx.beginPath();
      ctx.moveTo(x - width / 2 + lean, 0);
      ctx.lineTo(x + width / 2 + lean, 0);
      ctx.lineTo(x + width * 0.62, h);
      ctx.lineTo(x - width * 0.62, h);
      ctx.fill();
      const marks = Math.round(near * 26);
      for (let mark = 0; mark < marks; mark++) {
        const y = rng.next() * h;
        ctx.fillStyle = color([28, 18, 14], near * rng.range(0.3, 0.85));
        ctx.fillRect(
          x + rng.range(-0.5, 0.15) * width + (lean * (h - y)) / h,
          y,
          width * rng.range(0.15, 0.45),
          h * rng.range(0.002, 0.007),
        );
      }
    }
    for (let i = 0; i < 120; i++) {
      const r = h * (0.004 + near * 0.012) * rng.range(0.5, 1.4);
      const sway = Math.sin(time * 1.2 + i) * r;
      const y = rng.chance(0.6) ? rng.next() ** 2 * h * 0.7 : h * (1 - rng.next() ** 2 * 0.25);
      softSpot(
        scene,
        { x: rng.next() * w + sway, y, r: r * 2 },
        lighter(leaf, rng.range(-14, 24)),
        { alpha: 0.55 },
      );
    }
    softSpot(scene, { x: w / 2, y: h * 0.55, r: w * 0.8 }, haze, { alpha: 0.2 * (1 - near) });
  }
  for (let i = 0; i < 5; i++) {
    const x = w * rng.range(0.1, 0.9);
    ctx.save();
    ctx.globalCompositeOperation = "screen";
    ctx.translate(x, -h * 0.05);
    ctx.rotate(0.35);
    const ray = ctx.createLinearGradient(0, 0, 0, h * 1.1);
    ray.addColorStop(0, color([48, 90, 82], 0.26));
    ray.addColorStop(1, color([48, 90, 82], 0));
    ctx.fillStyle = ray;
    ctx.fillRect(0, 0, w * rng.range(0.03, 0.09), h * 1.2);
    ctx.restore();
  }
};
