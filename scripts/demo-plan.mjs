/**
 * Who posts what and when: decided before anything is painted, from a seed. Times are milliseconds since 1970, and everything happens
 * in the order of the list.
 */
import { PEOPLE } from "./demo-people.mjs";
import { COMMENTS, WORDS } from "./demo-words.mjs";

const DAY = 86_400_000;
const MINUTE = 60_000;
/** The community is six weeks old. */
const AGE_DAYS = 42;

/**
 * @typedef {import("./demo-paint/scenes").SceneName} SceneName
 * @typedef {import("./demo-paint/rng").Rng} Rng
 * @typedef {{ person: number, at: number, text: string }} PlannedComment
 * @typedef {{ person: number, at: number }} PlannedLike
 *
 * @typedef {object} Post
 * @property {number} person place in PEOPLE
 * @property {number} at
 * @property {SceneName} scene
 * @property {number} seed
 * @property {number} width
 * @property {number} height
 * @property {number} seconds 0 for a photo
 * @property {string} caption
 * @property {string[]} tags
 * @property {PlannedComment[]} comments
 * @property {PlannedLike[]} likes
 * @property {number} views
 */

/** @type {[SceneName, ...SceneName[]]} */
const MOVING = [
  "sea",
  "rain",
  "winter",
  "balloons",
  "stars",
  "meadow",
  "colours",
  "birches",
  "beach",
  "sea",
];
/** @type {[[number, number], ...[number, number][]]} */
const SHAPES = [
  [1600, 1200],
  [1600, 1067],
  [1200, 1600],
  [1200, 1500],
  [1600, 900],
  [1300, 1300],
  [1067, 1600],
];

/** A source of numbers like the painters'. @param {number} seed */
function createRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    next,
    int: (/** @type {number} */ low, /** @type {number} */ high) =>
      low + Math.floor(next() * (high - low + 1)),
    /** @template T @param {T[]} list @returns {T[]} a shuffled copy */
    shuffled: (list) => {
      const keyed = list.map((value) => ({ value, key: next() }));
      return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
    },
  };
}

/** Deals from a list without repeating before it is used up. @template T @param {T[]} list @param {ReturnType<typeof createRandom>} random */
function dealer(list, random) {
  /** @type {T[]} */
  let stock = [];
  return () => {
    if (stock.length === 0) stock = random.shuffled(list);
    return /** @type {T} */ (stock.pop());
  };
}

/**
 * @param {ReturnType<typeof createRandom>} random
 * @param {Post} post
 * @param {{ now: number, nextComment: () => string }} given
 */
function addReactions(random, post, { now, nextComment }) {
  // A few pictures are everybody's favourites, most are not.
  const appeal = random.next() ** 1.4;
  const others = random.shuffled(PEOPLE.map((_, i) => i).filter((i) => i !== post.person));
  const later = () =>
    Math.min(now - MINUTE, post.at + (random.next() ** 2 * 2.5 * DAY + 4 * MINUTE));
  post.likes = others.slice(0, Math.round(appeal * 10)).map((person) => ({ person, at: later() }));
  const talkers = random.shuffled(others).slice(0, Math.round(appeal * 4 * random.next()));
  post.comments = talkers.map((person) => ({ person, at: later(), text: nextComment() }));
  post.comments.sort((a, b) => a.at - b.at);
  post.views = post.likes.length + random.int(1, 12);
}

/**
 * @param {{ photos: number, videos: number, seed: number, now: number }} wanted
 * @returns {Post[]} oldest first
 */
export function planPosts({ photos, videos, seed, now }) {
  const random = createRandom(seed);
  const nextComment = dealer(COMMENTS, random);
  const captions = Object.fromEntries(
    Object.entries(WORDS).map(([scene, words]) => [scene, dealer(words.captions, random)]),
  );
  const total = photos + videos;
  const motions = new Set(
    random.shuffled(Array.from({ length: total }, (_, i) => i)).slice(0, videos),
  );
  const nextMoving = dealer(MOVING, random);
  const nextShape = dealer([...SHAPES, ...SHAPES.slice(0, 3)], random);
  const nextPerson = dealer(
    PEOPLE.map((_, i) => i),
    random,
  );
  const days = Array.from({ length: total }, () => random.next() ** 1.25 * (AGE_DAYS - 6)).sort(
    (a, b) => b - a,
  );
  return days.map((age, i) => {
    const person = nextPerson();
    const isVideo = motions.has(i);
    const tastes = PEOPLE[person]?.likes ?? [];
    const scene = isVideo ? nextMoving() : (tastes[random.int(0, tastes.length - 1)] ?? "sea");
    const [width, height] = isVideo ? [960, 540] : nextShape();
    /** @type {Post} */
    const post = {
      person,
      at: Math.round(now - age * DAY - 100 * MINUTE),
      scene,
      seed: seed * 1000 + i,
      width,
      height,
      seconds: isVideo ? random.int(4, 6) : 0,
      caption: captions[scene]?.() ?? "",
      tags: random.shuffled(WORDS[scene].tags).slice(0, random.int(2, 4)),
      comments: [],
      likes: [],
      views: 0,
    };
    addReactions(random, post, { now, nextComment });
    return post;
  });
}

/**
 * Who follows whom: pairs of places in PEOPLE.
 * @param {number} seed
 */
export function planFollows(seed) {
  const random = createRandom(seed);
  const pairs = PEOPLE.flatMap((_, from) =>
    PEOPLE.map((__, to) => /** @type {[number, number]} */ ([from, to])),
  );
  return pairs.filter(([from, to]) => from !== to && random.next() < (from === 1 ? 0.6 : 0.36));
}

/** When the person at a place in PEOPLE joined: before the first picture. @param {number} person @param {number} now */
export const joinedAt = (person, now) => Math.round(now - (AGE_DAYS - person * 0.42) * DAY);
