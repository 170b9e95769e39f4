/**
 * What the demo's scenes share, as a fragment shader: GLSL has vectors, and is fast also without a
 * graphics card. A point `p` has x to the right and y up, and the picture's height is 1. A scene
 * defines `arrange`, which runs first, and `view`, a point's colour. All chance is from `seed`.
 */
export const BRUSHES = `#version 300 es
precision highp float; precision highp int;
uniform vec2 size; uniform int seed; uniform float time; uniform sampler2D still;
out vec4 painted;
/* The picture's width; where its water begins; how high the waves are. */
float wide, shore = 0., waves = .4;
/* The sky from zenith to horizon, then the colours of the sun and of the shadows. */
vec3 light[6];
vec2 sun;

float hash(vec2 at) {
  uvec2 cell = uvec2(ivec2(floor(at)));
  uint n = cell.x * 1597334677u ^ cell.y * 3812015801u ^ uint(seed) * 2654435761u;
  n = (n ^ n >> 15u) * 2246822519u;
  n = (n ^ n >> 13u) * 3266489917u;
  return float((n ^ n >> 16u) >> 8u) / 16777216.;
}
/* The picture's own random numbers, by index. */
float range(int index, float low, float high) { return mix(low, high, hash(vec2(index, 7777))); }
vec3 rgb(int hex) { return vec3(hex >> 16, hex >> 8 & 255, hex & 255) / 255.; }
float clip(float value) { return clamp(value, 0., 1.); }
float noise(vec2 p) {
  vec2 f = fract(p), s = f * f * (3. - 2. * f), next = vec2(1, 0);
  vec2 sides = mix(vec2(hash(p), hash(p + next)), vec2(hash(p + next.yx), hash(p + 1.)), s.y);
  return mix(sides.x, sides.y, s.x);
}
/* Noise in octaves, of which each is finer and rotated. */
float fbm(vec2 p, int octaves) {
  float sum = 0., weight = .5;
  for (int i = 0; i < octaves; i++, weight *= .5, p = mat2(1.6, 1.2, -1.2, 1.6) * p + 7.3)
    sum += weight * noise(p);
  return sum / (1. - 2. * weight);
}
vec2 turned(vec2 p, float by) { return mat2(cos(by), -sin(by), sin(by), cos(by)) * p; }
float ellipse(vec2 p, vec2 r) { return (length(p / r) - 1.) * min(r.x, r.y); }
/* 1 inside a shape, where the distance is negative, and soft at its edge. */
float inside(float d) { return smoothstep(1., -1., d * size.y); }

/* Things are laid from near to far, and nothing is computed behind what covers a point. */
vec3 laid = vec3(0);
float open = 1.;
void lay(vec3 tone, float cover) { laid += open * cover * tone; open *= 1. - cover; }

/* Dawn, day, gold, rose, dusk, night. */
const int HOURS[36] = int[](0x2b3a67, 0x6d5a8c, 0xe08f8a, 0xffc59a, 0xffe0b0, 0x4a4674,
  0x2a68b0, 0x5b96cd, 0xa5cbe4, 0xe3eef0, 0xfff4dc, 0x55759c,
  0x46699c, 0x8d9cb4, 0xe6b483, 0xffd390, 0xffe9b4, 0x5d5478,
  0x5f86b8, 0x9aa7cc, 0xe3b9c6, 0xfbd9cc, 0xfff0e2, 0x7078a6,
  0x171d48, 0x463c70, 0xb8586e, 0xff9a62, 0xffc58a, 0x2c2858,
  0x04081a, 0x0a1434, 0x132650, 0x24406a, 0xa8c4ff, 0x0a1230);
void setLight(int hour, float horizon) {
  for (int i = 0; i < 6; i++) light[i] = rgb(HOURS[hour * 6 + i]);
  sun = vec2(wide * range(1, .15, .85), mix(horizon, 1., range(2, .12, .45)));
}
/* The colour of the sky from the horizon, 0, to the zenith, 1. */
vec3 gradient(float up) {
  vec3 t = clamp(up * 3. - vec3(0, 1, 2), 0., 1.);
  return mix(mix(mix(light[3], light[2], t.x), light[1], t.y), light[0], t.z);
}
vec3 sky(vec2 p, float horizon) {
  float up = (p.y - horizon) / (1. - horizon), far = length((p - sun) * vec2(1, 1.25));
  vec3 clear = mix(gradient(up), light[4], .85 * exp(-far * 4.2));
  clear = mix(clear, mix(light[4], vec3(1), .7), smoothstep(.032, .028, far));
  /* The clouds are on a plane, which runs towards the horizon. */
  float rise = max(0., p.y - horizon) + .05, sparse = range(3, .7, .45);
  vec2 at = vec2((p.x - wide / 2.) / rise + 40., 1.7 / rise);
  float thick = fbm(at, 5);
  float cover = smoothstep(sparse, sparse + .22, thick) * smoothstep(.05, .3, rise) * .9;
  float lit = clip(.55 + 3. * (thick - fbm(at + vec2((sun.x - p.x) * .35, .2), 3)));
  vec3 edge = mix(gradient(up * .6), light[5], .45);
  return mix(clear, mix(edge, mix(light[4], vec3(1), .35), lit * (.45 + .55 * exp(-far * 1.4))), cover);
}
/* Firs on the ground y = 0, at most one per unit: how far inside, and the place on a branch. */
vec2 firs(vec2 p, float row, float gaps) {
  vec2 most = vec2(-1, 0);
  for (float x = floor(p.x - .5); x < p.x + .5; x++) {
    float tall = .7 + 1.6 * hash(vec2(x, row)), up = p.y / tall;
    float off = abs(p.x - x - .2 - .6 * hash(vec2(x, row + 50.)));
    float branch = fract(up * (5. + tall * 2.) - off * .8);
    float d = up > 1. || hash(vec2(x, row + 90.)) < gaps ? -1. : (1. - up) * tall * .26 * (1. - .55 * branch) - off;
    if (d > most.x) most = vec2(d, branch);
  }
  return most;
}
`;

/** The end of a shader that paints the still scene. */
export const STILL = `
void main() {
  wide = size.x / size.y;
  arrange();
  painted = vec4(view(gl_FragCoord.xy / size.y), 1);
}`;

/** The end of one that shows it at a moment: mirroring water, grain, a slow approach. */
export const CAMERA = `
void main() {
  wide = size.x / size.y;
  arrange();
  vec2 middle = vec2(wide / 2., shore), whole = vec2(wide, 1);
  vec2 p = middle + (gl_FragCoord.xy / size.y - middle) * (1. - .012 * time);
  float depth = clip((shore - p.y) / max(shore, .01)), z = 1. / (depth + .035);
  float ripple = fbm(vec2((p.x - middle.x) * z * 3.2 + 90., z * 9. + time * .9), 3) - .5;
  float shift = ripple * waves * (.03 + depth * .35), path = (p.x - sun.x) / (.04 + depth * .16);
  vec2 above = vec2(p.x + shift * .3, 2. * shore - p.y + abs(shift) + .003);
  vec3 deep = mix(light[5], light[0], .4) * .5;
  vec3 water = mix(texture(still, above / whole).rgb, deep, .18 + .45 * depth);
  water = mix(water, light[4], clip(smoothstep(.1, .22, ripple) * exp(-path * path) * waves));
  vec3 c = p.y < shore ? water : texture(still, p / whole).rgb;
  float grain = hash(gl_FragCoord.xy + floor(time * 24.) * 57.) - .5;
  float corner = length(gl_FragCoord.xy / size - .5);
  c = mix(c, c * c * (3. - 2. * c), .25) + grain * .035;
  painted = vec4(c * (1. - .5 * corner * corner), 1);
}`;
