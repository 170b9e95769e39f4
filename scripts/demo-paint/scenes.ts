/**
 * What the demo's people photograph, and their portraits. A painter sets its scene once and returns a brush that finishes
 * the picture at a moment, in seconds: a photo is moment 0, a video is many. Landscapes are computed, things are drawn as
 * SVG with 100 units to the picture's height. Captions and tags are in `scripts/demo-texts.mjs`.
 */
import {
  along,
  createWater,
  css,
  drawSvg,
  type Land,
  type Light,
  mix,
  newCanvas,
  paintLand,
  paintSky,
  type Scene,
  scaled,
  shade,
  step,
  type Tone,
  tone,
  tones,
} from "@scripts/demo-paint/brushes";

type Brush = (time: number) => void;
type Painter = (scene: Scene) => Promise<Brush> | Brush;

const still: Brush = () => undefined;
const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const drawn = (count: number, make: (i: number) => string): string => many(count, make).join("");

/** Hours of the day: four tones of the sky from above, the sun's, the shadows'. */
const HOURS: Record<string, string> = {
  dawn: "2b3a67 6d5a8c e08f8a ffc59a ffe0b0 4a4674",
  day: "2a68b0 5b96cd a5cbe4 e3eef0 fff4dc 55759c",
  gold: "46699c 8d9cb4 e6b483 ffd390 ffe9b4 5d5478",
  rose: "5f86b8 9aa7cc e3b9c6 fbd9cc fff0e2 7078a6",
  dusk: "171d48 463c70 b8586e ff9a62 ffc58a 2c2858",
  storm: "3c4c5e 5f7284 98a8ac d8dac8 fff4d0 46566a",
  night: "04081a 0a1434 132650 24406a a8c4ff 0a1230",
};

function createLight({ rng, w, h }: Scene, hours: string, given: Partial<Light> = {}): Light {
  const sky = tones(HOURS[rng.pick(hours.split(" "))] ?? "");
  const [sun, dark] = sky.splice(4) as [Tone, Tone];
  const horizon = given.horizon ?? rng.range(0.46, 0.6);
  const at = [(w / h) * rng.range(0.15, 0.85), horizon * rng.range(0.55, 0.88)] as const;
  return { sky, sun, shade: dark, at, horizon, clouds: rng.range(0.25, 0.8), ...given };
}

/** Keeps what is painted so far; the brush puts it back and paints something that moves on top. */
function over(scene: Scene, moving: Brush): Brush {
  const kept = newCanvas(scene.w, scene.h);
  kept.drawImage(scene.ctx.canvas, 0, 0);
  return (time) => {
    scene.ctx.drawImage(kept.canvas, 0, 0);
    moving(time);
  };
}

/** Small round lights, for stars and snow. Places are parts of the picture, sizes of its height. */
function dots(
  { ctx, w, h }: Scene,
  list: { x: number; y: number; r: number; tone: string }[],
): void {
  for (const { x, y, r, tone: fill } of list) {
    ctx.fillStyle = fill;
    ctx.beginPath();
    ctx.arc(x * w, y * h, r * h, 0, Math.PI * 2);
    ctx.fill();
  }
}

const sunDisc = ({ at, sun }: Light): string =>
  `<radialGradient id="sun"><stop offset=".08" stop-color="#fffaf0"/>
  <stop offset=".1" stop-color="${css(sun, 0.5)}"/><stop offset="1" stop-color="${css(sun, 0)}"/></radialGradient>
  <circle cx="${at[0] * 100}" cy="${at[1] * 100}" r="26" fill="url(#sun)"/>`;

/** Noise folded to ridges. The crests are rounded: sharp ones would show the steps in which land is computed. */
const crested = (noise: number): number => 1 - Math.sqrt((2 * noise - 1) ** 2 + 0.004);

/** Where the land begins, how tall its mountains are, and up to which height firs and from which one snow. */
interface Alps {
  shore: number;
  tall: number;
  woods: number;
  snow: number;
  ground: string;
}

/** Mountains behind a valley with firs. */
function createAlps({ noise, rng }: Scene, { shore, tall, woods, snow, ground }: Alps): Land {
  const [east, north] = [rng.range(0, 200), rng.range(0, 200)];
  const soil = tones(ground);
  const ridges = (x: number, z: number): number => {
    let [sum, weight, u, v] = [0, 1, x * 0.16 + east, z * 0.16 + north];
    for (let octave = 0; octave < 6; octave++) {
      const ridge = crested(noise(u, v, 1));
      sum += ridge * ridge * weight;
      weight *= 0.46 * ridge + 0.06;
      const turned = 1.7 * u + 1.1 * v;
      v = 1.7 * v - 1.1 * u;
      u = turned;
    }
    return sum;
  };
  const fir = (x: number, y: number, z: number): number => {
    if (y < 0.03 || y > woods || z < 2.4 || z > 26) return 0;
    const [column, row] = [Math.floor(x * 7), Math.floor(z * 7)];
    const size = noise(column + 0.5, row + 0.5, 1);
    const off = Math.sqrt((x * 7 - column - 0.3 - size * 0.4) ** 2 + (z * 7 - row - 0.5) ** 2);
    const wood = off > 0.35 ? 0 : step(0.42, 0.55, noise(x * 0.7 + north, z * 0.7, 2));
    return (1 - off * 2.9) * (0.4 + size) * wood;
  };
  const bare = (x: number, z: number): number => {
    const behind = z - shore - noise(x * 0.5 + east, 3, 3) * 2;
    if (behind < 0) return -1;
    const bank = (noise(x * 0.5 + east, z * 0.5 + north, 4) - 0.4) * step(0, 3, behind);
    const rise = step(2, 22, behind);
    return Math.max(0.01, behind * 0.035 + bank * 0.5) + (rise && ridges(x, z) * rise * tall);
  };
  return {
    height: (x, z) => {
      const y = bare(x, z);
      return y + fir(x, y, z) * 0.3;
    },
    tone: (x, y, z, steep) => {
      const white =
        step(snow * 0.7, snow, y + noise(x * 2, z * 2, 3) * 0.8) * step(0.62, 0.4, steep);
      const rock = mix(
        along(soil, noise(x * 3, z * 3, 3)),
        soil.at(-1) as Tone,
        step(0.25, 0.5, steep),
      );
      const green = step(0, 0.2, fir(x, bare(x, z), z) + (z > 12 && y < woods ? steep * 0.3 : 0));
      return mix(mix(rock, [250, 250, 255], white), [34, 58, 44], green);
    },
    eye: 0.55,
    sight: 26,
  };
}

const mountains: Painter = (scene) => {
  const { rng } = scene;
  const light = createLight(scene, "dawn day gold rose storm", { horizon: rng.range(0.56, 0.66) });
  const [shore, tall, snow] = [rng.pick([-2, 3.5, 4.5]), rng.range(2.6, 3.6), rng.range(2.2, 4)];
  const ground = "6d7a45 8c8a55 7c7468";
  paintSky(scene, light);
  const shores = paintLand(
    scene,
    light,
    createAlps(scene, { shore, tall, woods: 1.4, snow, ground }),
  );
  createWater(scene, light, { shores, waves: rng.range(0.15, 0.5) })(0);
  return still;
};

const balloons: Painter = async (scene) => {
  const { rng, w, h } = scene;
  const light = createLight(scene, "dawn gold rose day", { horizon: 0.72 });
  const ground = "7c8a58 98905c 887860";
  const land = createAlps(scene, { shore: -9, tall: 1.3, woods: 0, snow: 99, ground });
  const stripes = [
    "d8402c f4ead8 f0b040",
    "2868a8 f0e8d8 48a0b8",
    "7c3c8c e8a0b4 f4d890",
    "2c8068 f0e4c0 e08848",
  ];
  paintSky(scene, light);
  paintLand(scene, light, { ...land, sight: 11, eye: 1.6 });
  const balloon = (i: number): string => {
    const [x, y, list] = [rng.range(6, 94) * (w / h), rng.range(12, 58), tones(rng.pick(stripes))];
    const edge = (gore: number): number => Math.sin((gore / 11 - 0.5) * Math.PI);
    return `<g transform="translate(${x} ${y}) scale(${2 + i * 1.1 + rng.next() * 2})">
    <path d="M-.15 1.62h.3v.24h-.3zM-.14 1.3h.02v.4h-.02zM.12 1.3h.02v.4h-.02z" fill="#3a261a"/>
    <g clip-path="url(#skin)">${drawn(11, (gore) => `<path d="M${edge(gore)}-1h2v3h-2z" fill="${css(list[gore % 3] as Tone)}"/>`)}
    <path d="M-1-1h2v3h-2z" fill="url(#round)"/></g></g>`;
  };
  await drawSvg(
    scene,
    `${sunDisc(light)}<clipPath id="skin"><path d="M-.2 1.38C-.5 .95-1 .6-1 0A1 1 0 0 1 1 0C1 .6 .5 .95 .2 1.38Z"/></clipPath>
    <radialGradient id="round" cx=".3" cy=".25" r=".8"><stop stop-color="#fff" stop-opacity=".45"/><stop offset=".4" stop-color="#fff" stop-opacity="0"/>
    <stop offset="1" stop-color="${css(scaled(light.shade, 0.4), 0.75)}"/></radialGradient>${drawn(rng.int(4, 9), balloon)}`,
  );
  return still;
};

const winter: Painter = (scene) => {
  const { rng } = scene;
  const light = createLight(scene, "dusk rose dawn night", { clouds: 0.4 });
  const ground = "e8ecf8 f4f4fc d8dcec";
  paintSky(scene, light);
  paintLand(scene, light, createAlps(scene, { shore: -4, tall: 2.2, woods: 1, snow: 0.2, ground }));
  const flakes = many(260, () => ({ x: rng.next(), y: rng.next(), near: rng.next() ** 3 }));
  return over(scene, (time) => {
    const fallen = flakes.map(({ x, y, near }, i) => ({
      x: x + Math.sin(time + i) * 0.008,
      y: (y + time * (0.04 + near * 0.12)) % 1,
      r: 0.001 + near * 0.006,
      tone: css([255, 255, 255], 0.75 - near * 0.4),
    }));
    dots(scene, fallen);
  });
};

const dunes: Painter = (scene) => {
  const { noise, rng } = scene;
  const light = createLight(scene, "gold dusk day rose", {
    horizon: rng.range(0.4, 0.5),
    clouds: 0.3,
  });
  const sand = tones(rng.pick(["e0a868 c88850", "e8c090 d8a878", "d89060 b86848"]));
  const [east, turn] = [rng.range(0, 99), rng.range(-0.1, 0.1)];
  paintSky(scene, light);
  paintLand(scene, light, {
    height: (x, z) => {
      const crest = crested(noise(x * 0.2 + z * turn + east, z * 0.26, 2)) ** 2;
      const tall = Math.max(0.3, noise(x * 0.13 + east, z * 0.13 + 7, 2) * 4.4 - 0.6);
      return 0.1 + crest * step(0, 9, z) * tall + noise(x * 14 + z * 9, z * 26, 1) * 0.006;
    },
    tone: (x, _, z) => along(sand, noise(x + 40, z, 3)),
    eye: 1.2,
    sight: 22,
  });
  return still;
};

const sea: Painter = async (scene) => {
  const { rng, w, h } = scene;
  const light = createLight(scene, "dawn gold dusk rose day storm");
  paintSky(scene, light);
  const [hull, sail] = [css(scaled(light.shade, 0.5)), css(mix(light.sun, light.shade, 0.25))];
  const boat = (): string =>
    `<g transform="translate(${rng.range(10, 90) * (w / h)} ${light.horizon * 100}) scale(${rng.range(4, 13)})">
    <path d="M-.5-.08Q0-.02 .55-.1L.4 .02H-.36Z" fill="${hull}"/>
    <path d="M.03-1.2Q.36-.5 .44-.16H.03ZM-.03-1.1Q-.24-.5-.42-.16H-.03Z" fill="${sail}"/></g>`;
  await drawSvg(scene, sunDisc(light) + drawn(rng.int(0, 2), boat));
  return createWater(scene, light, { waves: rng.range(0.7, 1) });
};

function createStars(scene: Scene, count: number, down: number): Brush {
  const { rng } = scene;
  const list = many(count, () => ({
    x: rng.next(),
    y: rng.next() * down,
    r: 0.0005 + rng.next() ** 9 * 0.0018,
    phase: rng.next() * 7,
  }));
  return (time) => {
    const colour = (phase: number): Tone => tone(phase > 5 ? "ffd8b0" : "dce8ff");
    const alpha = (phase: number): number => 0.55 + 0.4 * Math.sin(phase * 9 + time * 2);
    dots(
      scene,
      list.map((star) => ({ ...star, tone: css(colour(star.phase), alpha(star.phase)) })),
    );
  };
}

/** The Milky Way over dark mountains. */
const stars: Painter = (scene) => {
  const { rng, noise, w, h } = scene;
  const light = createLight(scene, "night", { horizon: 0.86 });
  const sky = [
    ...light.sky.slice(0, 3),
    mix(light.sky[3] as Tone, tone(rng.pick(["c88058", "5888a8", "a06890"])), 0.5),
  ];
  const [angle, middle] = [
    rng.range(0.5, 1.2) * rng.pick([-1, 1]),
    (w / h) * rng.range(0.35, 0.65),
  ];
  shade(scene, (x, y) => {
    const u = (x - middle) * Math.cos(angle) + (y - 0.4) * Math.sin(angle);
    const v = (y - 0.4) * Math.cos(angle) - (x - middle) * Math.sin(angle);
    const band = Math.exp(-(((v + (noise(u * 2, 7, 2) - 0.5) * 0.2) * 5.5) ** 2));
    const dust = step(0.42, 0.66, noise(u * 4 + 9, v * 8, 5)) * Math.exp(-((v * 11) ** 2));
    const milk = mix([120, 132, 184], [236, 198, 176], noise(u * 3, v * 3, 3));
    const bright = band * (0.25 + noise(u * 7, v * 7, 5)) * 0.8 * (1 - dust * 0.75);
    return mix(along(sky, y ** 1.6), milk, bright);
  });
  const kept = over(scene, createStars(scene, 1400, 1));
  const land = newCanvas(w, h);
  const dark = { ...light, sun: tone("405888"), shade: tone("0a1024") };
  const ground = "283040 303848";
  paintLand({ ...scene, ctx: land }, dark, {
    ...createAlps(scene, { shore: -6, tall: 1.5, woods: 1, snow: 9, ground }),
    sight: 60,
  });
  return (time) => {
    kept(time);
    scene.ctx.drawImage(land.canvas, 0, 0);
  };
};

const aurora: Painter = (scene) => {
  const { rng, noise, w, h } = scene;
  const light = createLight(scene, "night", { horizon: rng.range(0.6, 0.68), at: [-9, 0.3] });
  const green = tone(rng.pick(["58f0a0", "70f0c0", "98f080"]));
  const violet = tone(rng.pick(["a050e0", "e06098", "5070f0"]));
  const curtains = many(2, (i) => ({
    seed: rng.range(0, 99),
    base: 0.5 - i * 0.14 - rng.next() * 0.05,
    tall: rng.range(0.26, 0.4),
    tilt: rng.range(-0.25, 0.25),
  }));
  const glowing = (x: number, y: number): Tone => {
    let colour = along(light.sky, (y / light.horizon) ** 1.5);
    for (const { seed, base, tall, tilt } of curtains) {
      const foot = base + (x - w / h / 2) * tilt + (noise(x * 1.8 + seed, 3, 3) - 0.5) * 0.5;
      const up = (foot - y) / tall;
      const rays =
        0.2 + 1.1 * noise(x * 16 + seed, y * 0.7, 3) ** 2 + 0.7 * noise(x * 2 + seed, 9, 2) ** 2;
      const bright = step(-0.12, 0.06, up) * Math.exp(-Math.max(0, up) * 2.4) * rays;
      colour = mix(colour, mix(green, violet, step(0.1, 0.8, up)), Math.min(0.92, bright));
    }
    return colour;
  };
  shade(scene, glowing, light.horizon + 0.02);
  createStars(scene, 420, light.horizon)(0);
  const dark = { ...light, sun: tone("8cc8b0"), shade: tone("101c38") };
  const ground = "20303c 283844";
  const shores = paintLand(scene, dark, {
    ...createAlps(scene, { shore: 4, tall: 2, woods: 0.8, snow: 1.6, ground }),
    sight: 60,
  });
  return createWater(scene, light, { shores, waves: 0.35 });
};

const city: Painter = async (scene) => {
  const { rng, w, h } = scene;
  const light = createLight(scene, "dusk night dusk dawn", { horizon: rng.range(0.62, 0.7) });
  const river = light.horizon * 100;
  const panes = (x: number, y: number, lit: number): string =>
    rng.next() > lit
      ? ""
      : `<path d="M${x} ${y}h.62v.8h-.62z" fill="#${rng.pick(["ffc878", "ffe0a8", "ffb060", "c8e0ff"])}" opacity="${rng.range(0.35, 1)}"/>`;
  const house = (row: number, x: number, wide: number): string => {
    const tall = 10 + rng.next() ** 2 * (42 - row * 10) * (1 - Math.abs((x * h) / w - 50) / 56);
    const wall = mix(
      mix(light.sky[2] as Tone, light.shade, 0.65),
      scaled(light.shade, 0.32),
      row / 2,
    );
    const floors = Math.floor((tall - 2) / 1.4);
    const windows = drawn(floors, (i) =>
      drawn(Math.floor(wide / 1.15) - 1, (j) =>
        panes(x + 0.7 + j * 1.15, river - tall + 1.2 + i * 1.4, 0.16 + row * 0.14),
      ),
    );
    return `<path d="M${x} ${river}v${-tall}h${wide}v${tall}z${rng.next() < 0.2 ? `m${wide / 2} ${-tall}v${-tall * 0.2}h.3v${tall * 0.2}z` : ""}" fill="${css(wall)}"/>${windows}`;
  };
  const street = (row: number): string => {
    let houses = "";
    for (let x = -3; x < (100 * w) / h; ) {
      const wide = rng.range(3.5, 10);
      houses += house(row, x, wide);
      x += wide * rng.range(0.9, 1.15);
    }
    return houses;
  };
  paintSky(scene, light);
  await drawSvg(
    scene,
    `<radialGradient id="lamp"><stop stop-color="#ffe0b0"/><stop offset="1" stop-color="#ffa040" stop-opacity="0"/></radialGradient>
    <ellipse cx="${(50 * w) / h}" cy="${river}" rx="80" ry="26" fill="url(#lamp)" opacity=".4"/>${drawn(3, street)}
    ${drawn(30, () => `<circle cx="${rng.range(0, 100) * (w / h)}" cy="${river - 0.8}" r="${rng.range(1, 3)}" fill="url(#lamp)" opacity=".8"/>`)}`,
  );
  return createWater(scene, light, { waves: 0.6 });
};

/** A flower close up, in front of a garden that is out of focus. */
const blossom: Painter = async (scene) => {
  const { rng, noise, w, h } = scene;
  const [dark, leaf] = tones(
    rng.pick(["16281c 5c8048", "1c2a34 48786c", "28301a 98a058", "2c1c2c 786888"]),
  ) as [Tone, Tone];
  shade(scene, (x, y) =>
    mix(dark, leaf, step(0.2, 0.8, noise(x * 1.6, y * 1.6, 3)) * (1.1 - y * 0.6)),
  );
  const kinds = [
    "7c1c48 e0588c ffc4d4",
    "a83010 f48838 ffd890",
    "402880 9870d8 e0d0ff",
    "a07818 f8d048 fff4b8",
    "98404c f0c8c0 fff8f0",
  ];
  const [deep, petal, tip] = rng.pick(kinds).split(" ");
  const [x, y, size] = [
    rng.range(40, 60) * (w / h),
    rng.range(44, 56),
    Math.min(w / h, 1) * rng.range(36, 46),
  ];
  const [layers, count] = [rng.int(3, 6), rng.int(8, 14)];
  const lights = drawn(
    30,
    () =>
      `<circle cx="${rng.range(0, 100) * (w / h)}" cy="${rng.range(0, 100)}" r="${rng.range(3, 14)}" fill="${css(mix(leaf, [255, 246, 190], rng.next()))}" opacity="${rng.range(0.1, 0.4)}"/>`,
  );
  const leafOf = (layer: number, i: number): string =>
    `<use href="#petal" transform="rotate(${((i + (layer % 2) / 2 + rng.range(-0.12, 0.12)) / count) * 360}) scale(${(1 - (layer / layers) * 0.72) * rng.range(0.9, 1.05)} ${1 - (layer / layers) * 0.72})"/>`;
  const wide = 2.5 / count;
  await drawSvg(
    scene,
    `<filter id="blur"><feGaussianBlur stdDeviation="1.6"/></filter><filter id="lift" x="-.2" y="-.2" width="1.4" height="1.4"><feDropShadow dx="0" dy=".02" stdDeviation=".03" flood-color="#200818" flood-opacity=".55"/></filter>
    <linearGradient id="tint"><stop offset=".05" stop-color="#${deep}"/><stop offset=".45" stop-color="#${petal}"/><stop offset="1" stop-color="#${tip}"/></linearGradient>
    <g filter="url(#blur)">${lights}<path d="M${x} ${y}q8 40 ${rng.range(-20, 20)} 90" stroke="${css(scaled(leaf, 0.75))}" stroke-width="3" fill="none"/></g>
    <defs><g id="petal"><path d="M0 0C.3 ${-wide} 1 ${-wide * 0.9} 1 0C1 ${wide * 0.9} .3 ${wide} 0 0Z" fill="url(#tint)"/>
    ${drawn(5, (i) => `<path d="M.15 0Q.6 ${wide * (i - 2) * 0.3} .94 ${wide * (i - 2) * 0.2}" stroke="#${deep}" stroke-width=".005" opacity=".3" fill="none"/>`)}</g></defs>
    <g transform="translate(${x} ${y}) scale(${size})">${drawn(layers, (layer) => `<g filter="url(#lift)">${drawn(count, (i) => leafOf(layer, i))}</g>`)}
    ${drawn(170, (i) => `<circle cx="${Math.cos(i * 2.4) * Math.sqrt(i) * 0.013}" cy="${Math.sin(i * 2.4) * Math.sqrt(i) * 0.013}" r=".012" fill="${css(mix(tone("6c3c10"), tone("ffd65a"), rng.next() * 0.6 + i / 900))}"/>`)}</g>`,
  );
  return still;
};

const coffee: Painter = async (scene) => {
  const { rng, noise, w, h } = scene;
  const wood = tones(
    rng.pick(["3c2818 7c5434 54381f", "8c6c4c c8a478 a88458", "40342c 786858 584c40"]),
  );
  const planks = rng.int(4, 7);
  shade(scene, (x, y) => {
    const gap = step(0.012, 0.004, Math.abs(y * planks - Math.round(y * planks)));
    const plank = Math.floor(y * planks);
    const grain = noise(x * 1.5 + plank * 31, y * 50 + noise(x * 2, y * 3 + plank, 2) * 9, 4);
    return scaled(
      along(wood, grain * 1.3 - 0.15),
      (1.2 - Math.sqrt(x * x + y * y) * 0.5) * (1 - gap * 0.6),
    );
  });
  const [light, china, dark] = rng
    .pick([
      "fff ece6dc a49c94",
      "c8e4f0 7898a8 405868",
      "f0b8a0 b86850 683428",
      "b8d8c8 6c9484 38584c",
    ])
    .split(" ");
  const bean = (): string => {
    const [angle, far] = [rng.range(0, 7), rng.range(1.95, 3.8)];
    return `<use href="#bean" transform="translate(${Math.cos(angle) * far} ${Math.sin(angle) * far}) rotate(${rng.range(0, 360)})"/>`;
  };
  const heart = (i: number): string =>
    `<path d="M0 1C-1.7-.2-.8-1.3 0-.45C.8-1.3 1.7-.2 0 1Z" transform="scale(${0.66 - i * 0.13})" fill="${i % 2 ? "#a86c3e" : "#f6e4ca"}"/>`;
  await drawSvg(
    scene,
    `<filter id="lift" x="-.5" y="-.5" width="2" height="2"><feDropShadow dx=".2" dy=".25" stdDeviation=".13" flood-color="#0c0604" flood-opacity=".7"/></filter>
    <radialGradient id="china" cx=".3" cy=".28" r=".9"><stop stop-color="#${light}"/><stop offset=".5" stop-color="#${china}"/><stop offset="1" stop-color="#${dark}"/></radialGradient>
    <radialGradient id="well"><stop offset=".6" stop-color="#${dark}"/><stop offset="1" stop-color="#${china}" stop-opacity="0"/></radialGradient>
    <radialGradient id="brew" cx=".35" cy=".3"><stop stop-color="#a87040"/><stop offset=".6" stop-color="#6c3c1c"/><stop offset="1" stop-color="#38190a"/></radialGradient>
    <defs><g id="bean" filter="url(#lift)"><ellipse rx=".1" ry=".066" fill="#4c2a14"/><ellipse cx="-.02" cy="-.02" rx=".06" ry=".03" fill="#7c5030"/><path d="M-.09 0Q0 .03 .09 0" stroke="#180a02" stroke-width=".014" fill="none"/></g></defs>
    <g transform="translate(${rng.range(38, 62) * (w / h)} ${rng.range(42, 58)}) scale(${Math.min(w / h, 1) * rng.range(19, 25)}) rotate(${rng.range(-30, 30)})">${drawn(34, bean)}
    <g filter="url(#lift)"><circle r="1.62" fill="url(#china)"/></g><circle r="1.3" fill="url(#well)" opacity=".8"/>
    <g filter="url(#lift)"><circle cx="1.12" r=".27" fill="none" stroke="#${china}" stroke-width=".17"/><circle r="1" fill="url(#china)"/></g>
    <circle r=".88" fill="url(#brew)"/>${drawn(4, heart)}</g>`,
  );
  return still;
};

/** Ink that runs in water. */
const colours: Painter = (scene) => {
  const { rng, noise } = scene;
  const kinds = [
    "102840 2878a0 f0e0c0 e07850 702048",
    "20143c 7040a0 f090a8 ffe0c0 4090b0",
    "0c2c2c 208070 d8d890 f0a048 a03828",
  ];
  const [inks, size] = [tones(rng.pick(kinds)), rng.range(1.1, 1.9)];
  return (time) =>
    shade(scene, (x, y) => {
      const u = noise(x * size + time * 0.05, y * size, 3);
      const v = noise(x * size + 40, y * size - time * 0.04, 3);
      const flow = noise(x * size + u * 3.4, y * size + v * 3.4 + time * 0.03, 4);
      return scaled(along(inks, (flow - 0.28) * 2.2), 0.86 + u * 0.28);
    });
};

/** A person in flat colours, for a profile. */
const portrait: Painter = async (scene) => {
  const { rng } = scene;
  const [back, skin] = [
    rng.range(0, 360),
    rng.pick(["f2cdb0", "dfae88", "c08a60", "94613c", "6a4228"]),
  ];
  const hair = rng.pick(["3a2618", "7a4a22", "e0b878", "a04818", "22242c", "b8b8bc"]);
  const long = rng.pick([
    "",
    '<rect x="27" y="36" width="46" height="38" rx="14"/>',
    '<circle cx="50" cy="11" r="8"/>',
  ]);
  const glasses =
    rng.next() < 0.35
      ? '<g fill="none" stroke="#22222c" stroke-width="1.1"><circle cx="43" cy="42" r="5"/><circle cx="57" cy="42" r="5"/><path d="M48 42h4"/></g>'
      : "";
  await drawSvg(
    scene,
    `<linearGradient id="back" x2=".4" y2="1"><stop stop-color="hsl(${back} 62% 80%)"/><stop offset="1" stop-color="hsl(${back + 40} 54% 56%)"/></linearGradient>
    <radialGradient id="light" cx=".3" cy=".25"><stop stop-color="#fff" stop-opacity=".5"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>
    <linearGradient id="coat" y2="1" x2=".5"><stop stop-color="hsl(${back + 180} 46% 50%)"/><stop offset="1" stop-color="hsl(${back + 200} 50% 28%)"/></linearGradient>
    <path d="M0 0h100v100H0z" fill="url(#back)"/><path d="M0 0h100v100H0z" fill="url(#light)"/>
    <g fill="#${hair}"><ellipse cx="50" cy="37" rx="22.5" ry="24"/>${long}</g><path d="M43 52h14v20H43z" fill="#${skin}"/><path d="M43 60q7 7 14 0v6q-7 6-14 0z" opacity=".18"/>
    <path d="M14 102q0-34 29-36q7 8 14 0q29 2 29 36z" fill="url(#coat)"/><ellipse cx="50" cy="43" rx="17" ry="20.5" fill="#${skin}"/>
    <circle cx="43" cy="42" r="1.8" fill="#1e181c"/><circle cx="57" cy="42" r="1.8" fill="#1e181c"/><path d="M39 37.5q4-2.4 7 0M54 37.5q4-2.4 7 0" stroke="#${hair}" stroke-width="1.2" fill="none"/>
    <g fill="#e06060" opacity=".28"><circle cx="40" cy="49" r="3.4"/><circle cx="60" cy="49" r="3.4"/></g><path d="M50 43q-2 5 1 5.4" stroke="#000" stroke-opacity=".2" fill="none"/>
    <path d="M43.5 51.5q6.5 6.5 13 0q-6.500 2-13 0z" fill="#fff" stroke="#7c2c2c" stroke-width=".8"/>${glasses}
    <path d="M31 42Q${rng.range(30, 36)} ${rng.range(16, 24)} 50 19T69 42Q${rng.range(62, 68)} ${rng.range(26, 34)} ${rng.range(44, 58)} ${rng.range(24, 31)}T31 42z" fill="#${hair}"/>`,
  );
  return still;
};

const SCENES = {
  aurora,
  balloons,
  blossom,
  city,
  coffee,
  colours,
  dunes,
  mountains,
  portrait,
  sea,
  stars,
  winter,
};

export type SceneName = keyof typeof SCENES;

/** Sets a scene. The brush paints one moment of it, with the grain and the darker corners of a camera. */
export async function compose(scene: Scene, name: SceneName): Promise<Brush> {
  const { ctx, rng, w, h } = scene;
  const paint = await SCENES[name](scene);
  const grain = newCanvas(192, 192);
  const image = grain.createImageData(192, 192);
  const values = new Int32Array(image.data.buffer);
  for (let i = 0; i < values.length; i++)
    values[i] = 0x01_01_01 * Math.floor(128 + (rng.next() + rng.next() - 1) * 90) + (20 << 24);
  grain.putImageData(image, 0, 0);
  const film = ctx.createPattern(grain.canvas, "repeat") as CanvasPattern;
  const far = Math.sqrt(w * w + h * h) / 2;
  const corners = ctx.createRadialGradient(w / 2, h / 2, far * 0.55, w / 2, h / 2, far);
  corners.addColorStop(0, "rgb(0 0 0 / 0)");
  corners.addColorStop(1, "rgb(0 0 0 / 0.22)");
  return (time) => {
    paint(time);
    ctx.globalCompositeOperation = "overlay";
    ctx.fillStyle = film;
    ctx.fillRect(0, 0, w, h);
    ctx.globalCompositeOperation = "source-over";
    ctx.fillStyle = corners;
    ctx.fillRect(0, 0, w, h);
  };
}
