/**
 * What the demo's people photograph, and their portraits, by name: landscapes first, then things,
 * which are drawn as SVG with 1 unit to the picture's height. Captions and tags are in
 * `scripts/demo-texts.mjs`.
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
  oneOf,
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

/** Finishes the picture at a moment, in seconds: a photo is moment 0, a video is many. */
type Brush = (time: number) => void;

const still: Brush = () => undefined;
const drawn = (count: number, make: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join("");

/** Four tones of the sky from above, the sun's, the shadows'. */
const HOURS: Record<string, string> = {
  dawn: "2b3a67 6d5a8c e08f8a ffc59a ffe0b0 4a4674",
  day: "2a68b0 5b96cd a5cbe4 e3eef0 fff4dc 55759c",
  gold: "46699c 8d9cb4 e6b483 ffd390 ffe9b4 5d5478",
  rose: "5f86b8 9aa7cc e3b9c6 fbd9cc fff0e2 7078a6",
  dusk: "171d48 463c70 b8586e ff9a62 ffc58a 2c2858",
  storm: "3c4c5e 5f7284 98a8ac d8dac8 fff4d0 46566a",
  night: "04081a 0a1434 132650 24406a a8c4ff 0a1230",
};

function createLight(scene: Scene, hours: string, low: number, high = low): Light {
  const { rng, wide } = scene;
  const sky = tones(HOURS[oneOf(scene, hours)] ?? "");
  const [sun, dark] = sky.splice(4) as [Tone, Tone];
  const horizon = rng.range(low, high);
  const at = [wide * rng.range(0.15, 0.85), horizon * rng.range(0.55, 0.88)] as const;
  return { sky, sun, shade: dark, at, horizon, clouds: rng.range(0.25, 0.8) };
}

/** Noise folded to ridges. Sharp crests would show the steps in which land is computed. */
const crested = (noise: number): number => 1 - Math.sqrt((2 * noise - 1) ** 2 + 0.004);

/**
 * A valley with firs below mountains. The numbers say where the land begins, how high the mountains
 * are, up to which height there are firs, and from which height snow.
 */
type Valley = readonly [shore: number, tall: number, woods: number, snow: number, ground: string];

function createValley({ noise, rng }: Scene, valley: Valley): Land {
  const [shore, tall, woods, snow, soil] = valley;
  const [east, north, ground] = [rng.range(0, 200), rng.range(0, 200), tones(soil)];
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
    const row = Math.floor(z * 7);
    const across = x * 7 + row * 0.618;
    const column = Math.floor(across);
    const size = noise(column + 0.5, row + 0.5, 1);
    const off = Math.sqrt((across - column - 0.3 - size * 0.4) ** 2 + (z * 7 - row - 0.5) ** 2);
    const wood = off > 0.35 ? 0 : step(0.42, 0.55, noise(x * 0.7 + north, z * 0.7, 2));
    return (1 - off * 2.9) * (0.4 + size) * wood;
  };
  const bare = (x: number, z: number): number => {
    const behind = z - shore - noise(x * 0.5 + east, 3, 3) * 2;
    if (behind < 0) return -0.01;
    const bank = (noise(x * 0.5 + east, z * 0.5 + north, 4) - 0.4) * step(0, 3, behind);
    const rise = step(2, 22, behind);
    return Math.max(0.01, behind * 0.035 + bank * 0.5) + (rise && ridges(x, z) * rise * tall);
  };
  const height = (x: number, z: number): number => {
    const y = bare(x, z);
    return y + fir(x, y, z) * 0.3;
  };
  const toneAt = (x: number, y: number, z: number, steep: number): Tone => {
    const snowy = step(snow * 0.7, snow, y + noise(x * 2, z * 2, 3) * 0.8);
    const grass = along(ground, noise(x * 3, z * 3, 3));
    const rock = mix(grass, ground.at(-1) as Tone, step(0.25, 0.5, steep));
    const wood = y < woods + 0.3 ? fir(x, Math.min(y, woods), z) : 0;
    const green = step(0, 0.2, wood + (z > 12 && y < woods ? steep * 0.3 : 0));
    const white = snowy * step(0.62, 0.4, steep);
    return mix(mix(rock, [250, 250, 255], white), [34, 58, 44], green);
  };
  return { height, tone: toneAt, eye: 0.55, sight: 26 };
}

function mountains(scene: Scene): Brush {
  const { rng } = scene;
  const light = createLight(scene, "dawn, day, gold, rose, storm", 0.56, 0.66);
  const [shore, tall, snow] = [rng.pick([-2, 3.5, 4.5]), rng.range(2.6, 3.6), rng.range(2.2, 4)];
  const valley = [shore, tall, 1.4, snow, "6d7a45 8c8a55 7c7468"] as const;
  paintSky(scene, light);
  const shores = paintLand(scene, light, createValley(scene, valley));
  return createWater(scene, light, rng.range(0.15, 0.5), shores);
}

async function winter(scene: Scene): Promise<Brush> {
  const { rng, wide } = scene;
  const light = createLight(scene, "dusk, rose, dawn, night", 0.46, 0.6);
  paintSky(scene, light);
  paintLand(scene, light, createValley(scene, [-4, 2.2, 1, 0.2, "e8ecf8 f4f4fc d8dcec"]));
  const flake = (): string =>
    `<circle cx="${rng.next() * wide}" cy="${rng.next()}" r="${0.001 + rng.next() ** 3 * 0.006}" fill-opacity=".6"/>`;
  await drawSvg(scene, `<g fill="#fff">${drawn(260, flake)}</g>`);
  return still;
}

function dunes(scene: Scene): Brush {
  const { noise, rng } = scene;
  const light = createLight(scene, "gold, dusk, day, rose", 0.4, 0.5);
  const sand = tones(oneOf(scene, "e0a868 c88850, e8c090 d8a878, d89060 b86848"));
  const [east, turn] = [rng.range(0, 99), rng.range(-0.1, 0.1)];
  const height = (x: number, z: number): number => {
    const crest = crested(noise(x * 0.2 + z * turn + east, z * 0.26, 2)) ** 2;
    const tall = Math.max(0.3, noise(x * 0.13 + east, z * 0.13 + 7, 2) * 4.4 - 0.6);
    return 0.1 + crest * step(0, 9, z) * tall + noise(x * 14 + z * 9, z * 26, 1) * 0.006;
  };
  const toneAt = (x: number, _: number, z: number): Tone => along(sand, noise(x + 40, z, 3));
  paintSky(scene, { ...light, clouds: 0.3 });
  paintLand(scene, light, { height, tone: toneAt, eye: 1.2, sight: 22 });
  return still;
}

async function sea(scene: Scene): Promise<Brush> {
  const { rng, wide } = scene;
  const light = createLight(scene, "dawn, gold, dusk, rose, day, storm", 0.46, 0.6);
  const { at, sun, horizon } = light;
  const [hull, sail] = [css(scaled(light.shade, 0.5)), css(mix(sun, light.shade, 0.25))];
  const boat = (): string =>
    `<g transform="translate(${rng.range(0.1, 0.9) * wide} ${horizon}) scale(${rng.range(0.04, 0.13)})">
    <path d="M-.5-.08Q0-.02 .55-.1L.4 .02H-.36Z" fill="${hull}"/>
    <path d="M.03-1.2Q.36-.5 .44-.16H.03ZM-.03-1.1Q-.24-.5-.42-.16H-.03Z" fill="${sail}"/></g>`;
  paintSky(scene, light);
  await drawSvg(
    scene,
    `<radialGradient id="sun"><stop offset=".08" stop-color="#fffaf0"/>
    <stop offset=".1" stop-color="${css(sun, 0.5)}"/><stop offset="1" stop-color="${css(sun, 0)}"/></radialGradient>
    <circle cx="${at[0]}" cy="${at[1]}" r=".26" fill="url(#sun)"/>${rng.pick(["", boat(), boat() + boat()])}`,
  );
  return createWater(scene, light, rng.range(0.7, 1));
}

/** Stars over a dark lake, and something that glows among them. */
async function paintNight(scene: Scene, light: Light, glow: (x: number, y: number) => Tone) {
  const { rng, wide } = scene;
  const star = (): string =>
    `<circle cx="${rng.next() * wide}" cy="${rng.next() * light.horizon}" r="${0.0006 + rng.next() ** 9 * 0.0016}"
      fill-opacity="${rng.range(0.2, 1)}"/>`;
  shade(scene, glow, light.horizon + 0.02);
  await drawSvg(scene, `<g fill="#dce8ff">${drawn(700, star)}</g>`);
  const sun = mix(glow(wide / 2, 0.3), [140, 170, 200], 0.5);
  const valley = createValley(scene, [4, 2, 0.8, 1.6, "20303c 283844"]);
  const dark = { ...light, sun, shade: tone("101c38") };
  const shores = paintLand(scene, dark, { ...valley, sight: 60 });
  return createWater(scene, light, 0.35, shores);
}

/** The Milky Way. */
function stars(scene: Scene): Promise<Brush> {
  const { rng, noise, wide } = scene;
  const light = { ...createLight(scene, "night", 0.68, 0.76), at: [-9, 0] as const };
  const horizon = mix(light.sky[3] as Tone, tone(oneOf(scene, "c88058, 5888a8, a06890")), 0.5);
  const sky = [...light.sky.slice(0, 3), horizon];
  const [angle, middle] = [rng.range(0.5, 1.2) * rng.pick([-1, 1]), wide * rng.range(0.35, 0.65)];
  return paintNight(scene, light, (x, y) => {
    const u = (x - middle) * Math.cos(angle) + (y - 0.35) * Math.sin(angle);
    const v = (y - 0.35) * Math.cos(angle) - (x - middle) * Math.sin(angle);
    const band = Math.exp(-(((v + (noise(u * 2, 7, 2) - 0.5) * 0.2) * 5.5) ** 2));
    const dust = step(0.42, 0.66, noise(u * 4 + 9, v * 8, 5)) * Math.exp(-((v * 11) ** 2));
    const milk = mix([120, 132, 184], [236, 198, 176], noise(u * 3, v * 3, 3));
    const bright = band * (0.25 + noise(u * 7, v * 7, 5)) * 0.8 * (1 - dust * 0.75);
    return mix(along(sky, (y / light.horizon) ** 1.6), milk, bright);
  });
}

function aurora(scene: Scene): Promise<Brush> {
  const { rng, noise, wide } = scene;
  const light = { ...createLight(scene, "night", 0.6, 0.68), at: [-9, 0] as const };
  const green = tone(oneOf(scene, "58f0a0, 70f0c0, 98f080"));
  const violet = tone(oneOf(scene, "a050e0, e06098, 5070f0"));
  const curtain = (base: number) => [base, rng.range(0, 99), rng.range(-0.25, 0.25)] as const;
  const curtains = [curtain(0.48), curtain(0.34)];
  return paintNight(scene, light, (x, y) => {
    let colour = along(light.sky, (y / light.horizon) ** 1.5);
    for (const [base, seed, tilt] of curtains) {
      const foot = base + (x - wide / 2) * tilt + (noise(x * 1.8 + seed, 3, 3) - 0.5) * 0.5;
      const up = (foot - y) * 3;
      const fine = noise(x * 16 + seed, y * 0.7, 3) ** 2;
      const rays = 0.2 + 1.1 * fine + 0.7 * noise(x * 2 + seed, 9, 2) ** 2;
      const bright = step(-0.12, 0.06, up) * Math.exp(-Math.max(0, up) * 2.4) * rays;
      colour = mix(colour, mix(green, violet, step(0.1, 0.8, up)), Math.min(0.92, bright));
    }
    return colour;
  });
}

async function city(scene: Scene): Promise<Brush> {
  const { rng, wide } = scene;
  const light = createLight(scene, "dusk, night, dusk, dawn", 0.62, 0.7);
  const { horizon: river, shade: dark } = light;
  const house = (row: number, x: number, width: number): string => {
    const middle = 1 - Math.abs(x / wide - 0.5) * 0.9;
    const tall = 0.1 + rng.next() ** 2 * (0.42 - row * 0.1) * middle;
    const wall = mix(mix(light.sky[2] as Tone, dark, 0.65), scaled(dark, 0.32), row / 2);
    const columns = Math.floor(width / 0.0115) - 1;
    const pane = (i: number): string => {
      if (rng.next() > 0.16 + row * 0.14) return "";
      const [left, top] = [x + 0.007 + (i % columns) * 0.0115, river - tall + 0.012];
      return `<path d="M${left} ${top + Math.floor(i / columns) * 0.014}h.0062v.008h-.0062z"
        fill="#${oneOf(scene, "ffc878, ffe0a8, ffb060, c8e0ff")}" opacity="${rng.range(0.35, 1)}"/>`;
    };
    const panes = drawn(columns * Math.floor((tall - 0.02) / 0.014), pane);
    return `<path d="M${x} ${river}v${-tall}h${width}v${tall}z" fill="${css(wall)}"/>${panes}`;
  };
  const street = (row: number): string => {
    let houses = "";
    for (let x = -0.03; x < wide; ) {
      const width = rng.range(0.035, 0.1);
      houses += house(row, x, width);
      x += width * rng.range(0.9, 1.15);
    }
    return houses;
  };
  const lamp = (): string =>
    `<circle cx="${rng.next() * wide}" cy="${river - 0.008}" r="${rng.range(0.01, 0.03)}" fill="url(#lamp)"/>`;
  paintSky(scene, light);
  await drawSvg(
    scene,
    `<radialGradient id="lamp"><stop stop-color="#ffe0b0"/><stop offset="1" stop-color="#ffa040" stop-opacity="0"/></radialGradient>
    <ellipse cx="${wide / 2}" cy="${river}" rx=".8" ry=".26" fill="url(#lamp)" opacity=".4"/>${drawn(3, street)}${drawn(30, lamp)}`,
  );
  return createWater(scene, light, 0.6);
}

/** A flower close up, in front of a garden that is out of focus. */
async function blossom(scene: Scene): Promise<Brush> {
  const { rng, noise, wide } = scene;
  const garden = "16281c 5c8048, 1c2a34 48786c, 28301a 98a058, 2c1c2c 786888";
  const kinds =
    "7c1c48 e0588c ffc4d4, a83010 f48838 ffd890, 402880 9870d8 e0d0ff, a07818 f8d048 fff4b8, 98404c f0c8c0 fff8f0";
  const [dark, leaf] = tones(oneOf(scene, garden)) as [Tone, Tone];
  const [deep, petal, tip] = oneOf(scene, kinds).split(" ");
  const [layers, count, size] = [
    rng.int(3, 6),
    rng.int(8, 14),
    Math.min(wide, 1) * rng.range(0.36, 0.46),
  ];
  const width = 2.5 / count;
  const light = (): string =>
    `<circle cx="${rng.next() * wide}" cy="${rng.next()}" r="${rng.range(0.03, 0.14)}"
      fill="${css(mix(leaf, [255, 246, 190], rng.next()), rng.range(0.1, 0.4))}"/>`;
  const wreath = (layer: number): string => {
    const reach = 1 - (layer / layers) * 0.72;
    const turn = (i: number): number =>
      ((i + (layer % 2) / 2 + rng.range(-0.12, 0.12)) / count) * 360;
    const petals = (i: number): string =>
      `<use href="#petal" transform="rotate(${turn(i)}) scale(${reach * rng.range(0.9, 1.05)} ${reach})"/>`;
    return `<g filter="url(#lift)">${drawn(count, petals)}</g>`;
  };
  const vein = (i: number): string =>
    `<path d="M.15 0Q.6 ${width * (i - 2) * 0.3} .94 ${width * (i - 2) * 0.2}" stroke="#${deep}" stroke-width=".005" opacity=".3" fill="none"/>`;
  const seed = (i: number): string =>
    `<circle cx="${Math.cos(i * 2.4) * Math.sqrt(i) * 0.013}" cy="${Math.sin(i * 2.4) * Math.sqrt(i) * 0.013}" r=".012"
      fill="${css(mix(tone("6c3c10"), tone("ffd65a"), rng.next() * 0.6 + i / 900))}"/>`;
  shade(scene, (x, y) =>
    mix(dark, leaf, step(0.2, 0.8, noise(x * 1.6, y * 1.6, 3)) * (1.1 - y * 0.6)),
  );
  await drawSvg(
    scene,
    `<filter id="blur"><feGaussianBlur stdDeviation=".016"/></filter>
    <filter id="lift" x="-.2" y="-.2" width="1.4" height="1.4"><feDropShadow dx="0" dy=".02" stdDeviation=".03" flood-color="#200818" flood-opacity=".55"/></filter>
    <linearGradient id="tint"><stop offset=".05" stop-color="#${deep}"/><stop offset=".45" stop-color="#${petal}"/><stop offset="1" stop-color="#${tip}"/></linearGradient>
    <defs><g id="petal"><path d="M0 0C.3 ${-width} 1 ${-width * 0.9} 1 0C1 ${width * 0.9} .3 ${width} 0 0Z" fill="url(#tint)"/>${drawn(5, vein)}</g></defs>
    <g filter="url(#blur)">${drawn(30, light)}</g><g transform="translate(${rng.range(0.4, 0.6) * wide} ${rng.range(0.44, 0.56)}) scale(${size})">
    <path d="M0 0q.2 1 ${rng.range(-0.4, 0.4)} 2.500" stroke="${css(scaled(leaf, 0.75))}" stroke-width=".07" fill="none"/>${drawn(layers, wreath)}${drawn(170, seed)}</g>`,
  );
  return still;
}

async function coffee(scene: Scene): Promise<Brush> {
  const { rng, noise, wide } = scene;
  const wood = tones(
    oneOf(scene, "3c2818 7c5434 54381f, 8c6c4c c8a478 a88458, 40342c 786858 584c40"),
  );
  const cups =
    "fff ece6dc a49c94, c8e4f0 7898a8 405868, f0b8a0 b86850 683428, b8d8c8 6c9484 38584c";
  const [bright, china, dark] = oneOf(scene, cups).split(" ");
  const planks = rng.int(4, 7);
  const bean = (): string =>
    `<use href="#bean" transform="rotate(${rng.range(0, 360)}) translate(${rng.range(1.95, 3.8)}) rotate(${rng.range(0, 360)})"/>`;
  const heart = (i: number): string =>
    `<path d="M0 1C-1.7-.2-.8-1.3 0-.45C.8-1.3 1.7-.2 0 1Z" transform="scale(${0.66 - i * 0.13})" fill="${i % 2 ? "#a86c3e" : "#f6e4ca"}"/>`;
  shade(scene, (x, y) => {
    const plank = Math.floor(y * planks);
    const gap = step(0.012, 0.004, Math.abs(y * planks - Math.round(y * planks)));
    const grain = noise(x * 1.5 + plank * 31, y * 50 + noise(x * 2, y * 3 + plank, 2) * 9, 4);
    const lit = (1.2 - Math.sqrt(x * x + y * y) * 0.5) * (1 - gap * 0.6);
    return scaled(along(wood, grain * 1.3 - 0.15), lit);
  });
  await drawSvg(
    scene,
    `<filter id="lift" x="-.5" y="-.5" width="2" height="2"><feDropShadow dx=".2" dy=".25" stdDeviation=".13" flood-color="#0c0604" flood-opacity=".7"/></filter>
    <radialGradient id="china" cx=".3" cy=".28" r=".9"><stop stop-color="#${bright}"/><stop offset=".5" stop-color="#${china}"/><stop offset="1" stop-color="#${dark}"/></radialGradient>
    <radialGradient id="well"><stop offset=".6" stop-color="#${dark}"/><stop offset="1" stop-color="#${china}" stop-opacity="0"/></radialGradient>
    <radialGradient id="brew" cx=".35" cy=".3"><stop stop-color="#a87040"/><stop offset=".6" stop-color="#6c3c1c"/><stop offset="1" stop-color="#38190a"/></radialGradient>
    <defs><g id="bean"><ellipse cx=".02" cy=".04" rx=".12" ry=".08" opacity=".4"/><ellipse rx=".1" ry=".066" fill="#4c2a14"/><ellipse cx="-.02" cy="-.02" rx=".06" ry=".03" fill="#7c5030"/>
    <path d="M-.09 0Q0 .03 .09 0" stroke="#180a02" stroke-width=".014" fill="none"/></g></defs>
    <g transform="translate(${rng.range(0.38, 0.62) * wide} ${rng.range(0.42, 0.58)}) scale(${Math.min(wide, 1) * rng.range(0.19, 0.25)}) rotate(${rng.range(-30, 30)})">${drawn(34, bean)}
    <g filter="url(#lift)"><circle r="1.62" fill="url(#china)"/></g><circle r="1.3" fill="url(#well)" opacity=".8"/>
    <g filter="url(#lift)"><circle cx="1.12" r=".27" fill="none" stroke="#${china}" stroke-width=".17"/><circle r="1" fill="url(#china)"/></g>
    <circle r=".88" fill="url(#brew)"/>${drawn(4, heart)}</g>`,
  );
  return still;
}

/** Ink that runs in water. */
function colours(scene: Scene): Brush {
  const { rng, noise } = scene;
  const kinds =
    "102840 2878a0 f0e0c0 e07850 702048, 20143c 7040a0 f090a8 ffe0c0 4090b0, 0c2c2c 208070 d8d890 f0a048 a03828";
  const [inks, size] = [tones(oneOf(scene, kinds)), rng.range(1.1, 1.9)];
  const ink = (x: number, y: number, time: number): Tone => {
    const u = noise(x * size + time * 0.05, y * size, 3);
    const v = noise(x * size + 40, y * size - time * 0.04, 3);
    const flow = noise(x * size + u * 3.4, y * size + v * 3.4 + time * 0.03, 4);
    return scaled(along(inks, (flow - 0.28) * 2.2), 0.86 + u * 0.28);
  };
  return (time) => shade(scene, (x, y) => ink(x, y, time));
}

/** A person, for a profile. */
async function portrait(scene: Scene): Promise<Brush> {
  const { rng } = scene;
  const back = rng.range(0, 360);
  const skin = oneOf(scene, "f2cdb0, dfae88, c08a60, 94613c, 6a4228");
  const hair = oneOf(scene, "3a2618, 7a4a22, e0b878, a04818, 22242c, b8b8bc");
  const style = oneOf(
    scene,
    '<g/>, <rect x="27" y="36" width="46" height="38" rx="14"/>, <circle cx="50" cy="11" r="8"/>',
  );
  const fringe = `Q${rng.range(62, 68)} ${rng.range(26, 34)} ${rng.range(44, 58)} ${rng.range(24, 31)}`;
  await drawSvg(
    scene,
    `<linearGradient id="back" x2=".4" y2="1"><stop stop-color="hsl(${back} 62% 80%)"/><stop offset="1" stop-color="hsl(${back + 40} 54% 56%)"/></linearGradient>
    <linearGradient id="coat" y2="1" x2=".5"><stop stop-color="hsl(${back + 180} 46% 50%)"/><stop offset="1" stop-color="hsl(${back + 200} 50% 28%)"/></linearGradient>
    <radialGradient id="light" cx=".3" cy=".25"><stop stop-color="#fff" stop-opacity=".5"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>
    <g transform="scale(.01)"><path d="M0 0h100v100H0z" fill="url(#back)"/><path d="M0 0h100v100H0z" fill="url(#light)"/>
    <g fill="#${hair}"><ellipse cx="50" cy="37" rx="22.5" ry="24"/>${style}</g><path d="M43 52h14v20H43z" fill="#${skin}"/><path d="M43 60q7 7 14 0v6q-7 6-14 0z" opacity=".18"/>
    <path d="M14 102q0-34 29-36q7 8 14 0q29 2 29 36z" fill="url(#coat)"/><ellipse cx="50" cy="43" rx="17" ry="20.5" fill="#${skin}"/>
    <g fill="#1e181c"><circle cx="43" cy="42" r="1.8"/><circle cx="57" cy="42" r="1.8"/></g><path d="M39 37.5q4-2.4 7 0M54 37.5q4-2.4 7 0" stroke="#${hair}" stroke-width="1.2" fill="none"/>
    <g fill="#e06060" opacity=".28"><circle cx="40" cy="49" r="3.4"/><circle cx="60" cy="49" r="3.4"/></g><path d="M50 43q-2 5 1 5.4" stroke="#000" stroke-opacity=".2" fill="none"/>
    <path d="M43.5 51.5q6.5 6.5 13 0q-6.5 2-13 0z" fill="#fff" stroke="#7c2c2c" stroke-width=".8"/>
    <g fill="none" stroke="#22222c" stroke-width="1.1" opacity="${rng.pick([0, 0, 1])}"><circle cx="43" cy="42" r="5"/><circle cx="57" cy="42" r="5"/><path d="M48 42h4"/></g>
    <path d="M31 42Q${rng.range(30, 36)} ${rng.range(16, 24)} 50 19T69 42${fringe}T31 42z" fill="#${hair}"/></g>`,
  );
  return still;
}

const LANDSCAPES = { aurora, dunes, mountains, sea, stars, winter };
const SCENES = { ...LANDSCAPES, blossom, city, coffee, colours, portrait };

export type SceneName = keyof typeof SCENES;

/** Sets a scene. The brush paints a moment of it, with a camera's grain and darker corners. */
export async function compose(scene: Scene, name: SceneName): Promise<Brush> {
  const { ctx, rng, w, h } = scene;
  const paint = await SCENES[name](scene);
  const kept = newCanvas(w, h);
  kept.drawImage(ctx.canvas, 0, 0);
  const grain = newCanvas(192, 192);
  const image = grain.createImageData(192, 192);
  for (let i = 0; i < image.data.length; i += 4)
    image.data.fill(38 + (rng.next() + rng.next()) * 90, i, i + 3).fill(20, i + 3, i + 4);
  grain.putImageData(image, 0, 0);
  const film = ctx.createPattern(grain.canvas, "repeat") as CanvasPattern;
  const far = Math.sqrt(w * w + h * h) / 2;
  const corners = ctx.createRadialGradient(w / 2, h / 2, far * 0.55, w / 2, h / 2, far);
  corners.addColorStop(0, "rgb(0 0 0 / 0)");
  corners.addColorStop(1, "rgb(0 0 0 / 0.22)");
  return (time) => {
    ctx.drawImage(kept.canvas, 0, 0);
    paint(time);
    ctx.globalCompositeOperation = "overlay";
    ctx.fillStyle = film;
    ctx.fillRect(0, 0, w, h);
    ctx.globalCompositeOperation = "source-over";
    ctx.fillStyle = corners;
    ctx.fillRect(0, 0, w, h);
  };
}
