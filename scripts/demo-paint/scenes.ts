/** Every scene by its name. Captions and tags for them are in `scripts/demo-words.mjs`. */
import type { Painter } from "./canvas";
import { balloons, dunes, fields, mountains } from "./scenes/landscapes";
import { aurora, city, stars, winter } from "./scenes/nights";
import { birches, blossom, meadow } from "./scenes/plants";
import { coffee } from "./scenes/still-life";
import { colours, currents, shapes } from "./scenes/studies";
import { beach, rain, sea } from "./scenes/waters";

const SCENES = {
  aurora,
  balloons,
  beach,
  birches,
  blossom,
  city,
  coffee,
  colours,
  currents,
  dunes,
  fields,
  meadow,
  mountains,
  rain,
  sea,
  shapes,
  stars,
  winter,
} satisfies Record<string, Painter>;

export type SceneName = keyof typeof SCENES;

export const painterOf = (name: SceneName): Painter => SCENES[name];
