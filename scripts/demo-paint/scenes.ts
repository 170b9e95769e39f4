/**
 * What the demo's people photograph, and their portraits, as fragment shaders that use the brushes.
 * Captions and tags are in `scripts/demo-texts.mjs`.
 */

/** A lake at night. The scene adds what glows in its sky. */
const NIGHT = `
vec3 glow(vec2 p, vec3 c);
void arrange() { shore = range(4, .16, .3); setLight(5, shore); sun = vec2(-9); }
float stars(vec2 p) {
  vec2 cell = floor(p * 70.), off = fract(p * 70.) - .5;
  float bright = pow(hash(cell), 9.);
  off += vec2(hash(cell + 31.), hash(cell + 67.)) * .7 - .35;
  return bright * (smoothstep(.1 * bright + .035, 0., length(off)) + .25 * exp(-9. * length(off)));
}
vec3 view(vec2 p) {
  float bank = shore + .015 * fbm(vec2(p.x * 3., 8), 3);
  float wood = firs((p - vec2(0, bank)) * 22., 1., 0.).x / 22.;
  lay(vec3(.012, .02, .045), inside(min(-wood, p.y - bank)));
  float hills = shore + .02 + .2 * pow(fbm(vec2(p.x * 1.5 + 5., 3), 6), 1.6);
  lay(mix(light[5], light[2], .3 * noise(p * 9.)) * .8, inside(p.y - hills));
  return laid + open * (glow(p, gradient((p.y - shore) * 1.4)) + stars(p));
}`;

export const SCENES = {
  mountains: `
void arrange() {
  shore = max(0., range(4, -.3, .26)); waves = range(6, .15, .45);
  setLight(int(range(0, 0., 5.)), .42);
}
vec3 view(vec2 p) {
  vec3 haze = mix(light[3], light[4], .25);
  for (float i = 4.; i >= 0. && open > .01; i--) {
    float near = i / 4., x = p.x * mix(2.4, 1.3, near) + 17. * i, count = mix(90., 26., near);
    float crest = .3 - abs(2. * fbm(vec2(x, i * 9.), 2) - 1.) + .3 * fbm(vec2(x * 3., i), 4);
    float ridge = mix(.52, .02, pow(near, .85)) + mix(.24, .12, near) * crest;
    float d = p.y - mix(ridge, max(ridge, shore + .005), near);
    d = min(d, -firs(vec2(p.x, d) * count, i, 0.).x / count + 1. - step(.5, near));
    vec3 tone = mix(mix(haze, light[1], .2 + .4 * near), light[5] * .3, near * near);
    vec2 rock = vec2(p.x * 5. + d * 4., p.y * 3.) + i;
    float lit = fbm(rock, 3) - fbm(rock + vec2(clamp(p.x - sun.x, -.12, .12), .1), 3);
    tone = mix(tone * (1. + lit), light[4], .35 * exp(-1.8 * length(p - sun)) * (1. - near));
    tone = mix(tone, vec3(1), .6 * smoothstep(.05, .2, lit + .3 * (p.y - .5)) * (1. - near));
    float mist = smoothstep(0., .2, .06 * noise(p * vec2(4, 9) + i) - d);
    lay(mix(tone, haze, mist * .8 * (1. - near)), inside(d));
  }
  return laid + open * sky(p, .3);
}`,
  sea: `
void arrange() { shore = range(4, .38, .52); waves = .9; setLight(int(range(0, 0., 5.)), shore); }
vec3 view(vec2 p) {
  for (int i = 10; i < 30 && range(i, 0., 1.) > .3; i += 10) {
    float scale = range(i + 1, .05, .15);
    vec2 q = (p - vec2(wide * range(i + 2, .1, .9), shore)) / scale;
    float hull = max(abs(q.x - .05 * q.y) - .42 - .8 * q.y, abs(q.y - .03) - .06);
    float sail = max(.04 - q.x, q.x - .52 * (1.3 - q.y)), jib = -q.x - .42 * (1.15 - q.y);
    lay(light[5] * .4, inside(hull * scale));
    sail = max(min(sail, max(q.x + .03, jib)), .16 - q.y);
    lay(mix(light[4], light[5], .3 + .2 * q.y), inside(sail * scale));
  }
  float coast = shore + .07 * (fbm(vec2(p.x * 2.5 + 7., 2), 5) - .52);
  lay(mix(light[5], light[3], .45), inside(p.y - coast));
  return laid + open * sky(p, shore);
}`,
  winter: `
void arrange() { setLight(int[](4, 3, 0, 5)[int(range(0, 0., 4.))], .5); }
vec3 view(vec2 p) {
  vec3 haze = mix(light[3], light[2], .3);
  vec3 snow = mix(vec3(.93, .95, 1), light[2], .25) * mix(.45, 1., clip(light[3].g * 1.2));
  for (float i = 0.; i < 3.; i++) {
    vec2 q = p * (14. - 4. * i) + i * .37, cell = floor(q);
    vec2 at = vec2(hash(cell + i * 20.), hash(cell + 9.)) * .7 + .15;
    lay(vec3(1), .5 * smoothstep(.04 + .05 * hash(cell + 5.), 0., length(q - cell - at)));
  }
  for (float i = 4.; i >= 0. && open > .01; i--) {
    float near = i / 4., count = mix(30., 3.2, pow(near, .6)), x = p.x + i * 3.1;
    float drift = fbm(vec2(x * mix(2., 1., near), i), 4) - .5, ground = mix(.46, .1, near) + .12 * drift;
    vec3 field = snow * mix(light[5] + .25, vec3(1), clip(.5 + 6. * (ground - p.y) - 2. * near));
    field *= .85 + .3 * fbm(p * vec2(3, 9) * (2. - near), 3);
    lay(mix(haze, field, .3 + .7 * near), inside(p.y - ground));
    vec2 wood = firs(vec2(x, p.y - ground) * count, i, .4);
    float white = smoothstep(.75, 1., wood.y + .5 * noise(p * count * 9.));
    vec3 tree = mix(light[5] * .25, snow * .9, white * .85);
    lay(mix(haze, tree, .2 + .8 * near), inside(-wood.x / count));
  }
  return laid + open * sky(p, .4);
}`,
  stars: `${NIGHT}
vec3 glow(vec2 p, vec3 c) {
  float slope = range(6, .5, 1.2) * sign(range(7, -1., 1.));
  vec2 q = turned(p - vec2(wide * range(5, .35, .65), .62), slope);
  q.y += .12 * (noise(vec2(q.x * 2., 7)) - .5);
  float band = exp(-q.y * q.y * 30.);
  float dust = smoothstep(.42, .66, fbm(q * vec2(4, 8), 5)) * exp(-q.y * q.y * 110.);
  vec3 milk = mix(vec3(.42, .46, .75), vec3(.98, .76, .64), fbm(q * 3. + 4., 3));
  vec3 town = rgb(int[](0xc88058, 0x5888a8, 0xa06890)[int(range(8, 0., 3.))]);
  c = mix(c, town * .8, exp(-max(0., p.y - shore) * 6.)) + band * stars(p * 1.7 + 3.);
  return c + milk * band * (.2 + fbm(q * 7., 6)) * .75 * (1. - .8 * dust);
}`,
  aurora: `${NIGHT}
vec3 glow(vec2 p, vec3 c) {
  vec3 green = rgb(int[](0x58f0a0, 0x70f0c0, 0x98f080)[int(range(5, 0., 3.))]);
  vec3 violet = rgb(int[](0xa050e0, 0xe06098, 0x5070f0)[int(range(6, 0., 3.))]);
  for (float i = 0.; i < 2.; i++) {
    float foot = .5 + i * .16 + (p.x - wide / 2.) * range(7 + int(i), -.25, .25);
    float up = (p.y - foot - .5 * (fbm(vec2(p.x * 1.8 + i * 9., 3), 3) - .5)) * 3.;
    float rays = .2 + 1.1 * pow(fbm(vec2(p.x * 16., p.y * .7 + i), 3), 2.);
    rays += .7 * pow(fbm(vec2(p.x * 2., 9. + i), 2), 2.);
    float bright = smoothstep(-.12, .06, up) * exp(-max(0., up) * 2.4) * rays;
    c = mix(c, mix(green, violet, smoothstep(.1, .8, up)), min(.92, bright));
  }
  return c;
}`,
  city: `
void arrange() {
  shore = range(4, .26, .36); waves = .6;
  setLight(int[](4, 4, 5, 0)[int(range(0, 0., 4.))], shore);
}
vec3 view(vec2 p) {
  vec2 lamp = vec2((fract(p.x * 17.) - .5) / 1.2, (p.y - shore - .008) * 17.);
  vec3 lamps = vec3(1, .65, .3) * .9 * exp(-14. * length(lamp));
  for (float row = 2.; row >= 0. && open > .01; row--) {
    float x = p.x * (16. - row * 2.) + row * .37, house = floor(x), left = fract(x);
    float tall = .06 + pow(hash(vec2(house, row)), 2.) * (.5 - row * .12);
    tall *= (1. - .9 * abs(p.x / wide - .5)) * (left < .3 ? .85 : 1.);
    float side = abs(left - .5) - .5 + .12 * hash(vec2(house, row + 9.));
    vec2 pane = vec2(left * 9., (p.y - shore) * 72.), at = abs(fract(pane) - .5);
    float chance = hash(floor(pane) + vec2(house * 20., row * 300.));
    bool lit = chance > .82 - row * .14 && max(at.x, at.y) < .3 && side < -.06;
    vec3 wall = mix(mix(light[2], light[5], .6), light[5] * .3, row / 2.);
    vec3 warm = mix(vec3(1, .72, .38), vec3(.9, .92, 1), step(.9, fract(chance * 70.)));
    vec3 tone = mix(wall, warm, lit ? .4 + .6 * fract(chance * 40.) : 0.);
    lay(tone, inside(max(p.y - shore - tall, side / 12.)));
  }
  vec3 glow = vec3(.3, .17, .07) * exp(-7. * (p.y - shore)) + lamps;
  return glow + laid + open * sky(p, shore);
}`,
  portrait: `
void arrange() { setLight(2, 0.); }
vec3 hue(float at, float bright) {
  return bright * (.68 + .26 * cos(6.2832 * (at + range(2, 0., 1.) + vec3(0, .33, .67))));
}
vec3 view(vec2 p) {
  vec3 skin = rgb(int[](0xf2cdb0, 0xdfae88, 0xc08a60, 0x94613c, 0x6a4228)[int(range(0, 0., 5.))]);
  int hairs[] = int[](0x3a2618, 0x7a4a22, 0xe0b878, 0xa04818, 0x22242c, 0xb8b8bc);
  vec3 hair = rgb(hairs[int(range(1, 0., 6.))]);
  /* Both sides of the face are one: x is the distance from its middle. */
  vec2 q = vec2(p.x - wide / 2., p.y), m = vec2(abs(q.x), q.y), eye = m - vec2(.07, .58);
  float style = range(3, 0., 3.), face = ellipse(q - vec2(0, .57), vec2(.17, .205));
  float fringe = .66 + range(6, 0., .05) - q.y - 3.6 * pow(q.x - range(5, -.05, .05), 2.);
  lay(hair * (.9 + .25 * noise(q * vec2(60, 8))), inside(max(face - .03, fringe)));
  float glasses = min(abs(length(eye) - .052) - .006, max(abs(q.y - .59) - .005, m.x - .02));
  lay(vec3(.13), inside(glasses) * step(.65, range(4, 0., 1.)));
  lay(vec3(1), inside(length(eye - vec2(-.005, .007)) - .004));
  lay(vec3(.12, .09, .1), inside(length(eye) - .017));
  lay(vec3(1), inside(ellipse(eye, vec2(.028, .02))));
  lay(hair * .6, inside(max(abs(eye.y - .055 + 2.5 * eye.x * eye.x) - .007, abs(eye.x) - .04)));
  lay(skin * .72, inside(max(abs(q.y - .515 - 6. * q.x * q.x) - .006, m.x - .022)));
  float mouth = max(length(q - vec2(0, .52)) - .085, q.y - .475 - 1.5 * q.x * q.x);
  lay(vec3(1), inside(mouth + .006));
  lay(vec3(.7, .25, .25), inside(mouth - .006));
  lay(vec3(.88, .35, .35), .3 * smoothstep(.045, .02, length(m - vec2(.1, .51))));
  lay(skin * (1. + .1 * dot(q, vec2(-1, .5))), inside(face));
  lay(skin * .86, inside(ellipse(q - vec2(0, .36), vec2(.085, .07))));
  lay(hue(.5, .7) * (.75 + .5 * p.y), inside(ellipse(q + vec2(0, .02), vec2(.36))));
  lay(skin * .82, inside(max(m.x - .07, abs(q.y - .38) - .13)));
  float back = ellipse(q - vec2(0, .63), vec2(.225, .24));
  if (style > 2.) back = min(back, length(q - vec2(0, .89)) - .085);
  else if (style > 1.) back = min(back, max(m.x - .23, abs(q.y - .45) - .2));
  lay(hair * .8, inside(back));
  return laid + open * mix(hue(.1, .75), hue(0., 1.05), p.y + .2 * (1. - p.x));
}`,
};

export type SceneName = keyof typeof SCENES;
