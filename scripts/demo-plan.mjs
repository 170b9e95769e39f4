/**
 * Who posts what and when, decided from a seed before anything is painted. Times are milliseconds
 * since 1970, and everything happens in the order of the list. People are indexes in PEOPLE.
 */
import { COMMENTS, PEOPLE, WORDS } from "./demo-texts.mjs";

const DAY = 86_400_000;
const MINUTE = 60_000;
/** The community is six weeks old. */
const AGE_DAYS = 42;
/** @type {SceneName[]} */
const MOVING = ["sea", "aurora", "city", "winter", "stars", "mountains"];
const SHAPES = "1200x900 1200x800 900x1200 960x1200 1280x720 1080x1080 880x1320 1200x900 1200x800"
  .split(" ")
  .map((shape) => /** @type {[number, number]} */ (shape.split("x").map(Number)));

/**
 * @typedef {import("./demo-texts.mjs").SceneName} SceneName
 * @typedef {ReturnType<typeof createRandom>} Random
 * @typedef {ReturnType<typeof planPosts>[number]} Post
 */

/** Random numbers by Mulberry32: the same seed gives the same. @param {number} seed */
function createRandom(seed) {
  // Neighbouring seeds would start with similar numbers.
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    /** In [0, 1). */
    next,
    /** A whole number from low to high, both included. */
    int: (/** @type {number} */ low, /** @type {number} */ high) =>
      low + Math.floor((high - low + 1) * next()),
    /** @template T @param {readonly T[]} list not empty @returns {T} */
    pick: (list) => /** @type {T} */ (list[Math.floor(next() * list.length)]),
    /** @template T @param {readonly T[]} list @returns {T[]} a shuffled copy */
    shuffled: (list) => {
      const keyed = list.map((value) => ({ value, key: next() }));
      return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
    },
  };
}

/**
 * Deals from a list; nothing repeats before all of it was dealt.
 * @template T @param {T[]} list @param {Random} random
 */
function dealer(list, random) {
  /** @type {T[]} */
  let stock = [];
  return () => {
    if (stock.length === 0) stock = random.shuffled(list);
    return /** @type {T} */ (stock.pop());
  };
}

/**
 * @param {Random} random @param {{ person: number, at: number, now: number }} post
 * @param {() => string} nextComment
 */
function planReactions(random, { person, at, now }, nextComment) {
  // A few pictures are everybody's favourites, most are not.
  const appeal = random.next() ** 1.4;
  const others = random.shuffled([...PEOPLE.keys()].filter((other) => other !== person));
  const later = () => Math.min(now - MINUTE, at + random.next() ** 2 * 2.5 * DAY + 4 * MINUTE);
  const likes = others
    .slice(0, Math.round(appeal * 10))
    .map((liker) => ({ person: liker, at: later() }));
  const comments = random
    .shuffled(others)
    .slice(0, Math.round(appeal * 4 * random.next()))
    .map((author) => ({ person: author, at: later(), text: nextComment() }));
  comments.sort((a, b) => a.at - b.at);
  return { likes, comments, views: likes.length + random.int(1, 12) };
}

/**
 * Oldest first. `seconds` is 0 for a photo.
 * @param {{ photos: number, videos: number, seed: number, now: number }} wanted
 */
export function planPosts({ photos, videos, seed, now }) {
  const random = createRandom(seed);
  const nextComment = dealer(COMMENTS, random);
  const captions = Object.fromEntries(
    Object.entries(WORDS).map(([scene, words]) => [scene, dealer(words.captions, random)]),
  );
  const total = photos + videos;
  const motions = new Set(random.shuffled([...Array(total).keys()]).slice(0, videos));
  const nextMoving = dealer(MOVING, random);
  const nextShape = dealer(SHAPES, random);
  const nextPerson = dealer([...PEOPLE.keys()], random);
  const ages = Array.from({ length: total }, () => random.next() ** 1.25 * (AGE_DAYS - 6));
  ages.sort((a, b) => b - a);
  return ages.map((age, i) => {
    const person = nextPerson();
    const isVideo = motions.has(i);
    const scene = isVideo ? nextMoving() : random.pick(PEOPLE[person]?.likes ?? MOVING);
    const [width, height] = isVideo ? [960, 540] : nextShape();
    const at = Math.round(now - age * DAY - 100 * MINUTE);
    return {
      person,
      at,
      scene,
      seed: seed * 1000 + i,
      width,
      height,
      seconds: isVideo ? random.int(4, 6) : 0,
      caption: captions[scene]?.() ?? "",
      tags: random.shuffled(WORDS[scene].tags).slice(0, random.int(2, 4)),
      ...planReactions(random, { person, at, now }, nextComment),
    };
  });
}

/** Who follows whom. @param {number} seed @returns {[follower: number, followed: number][]} */
export function planFollows(seed) {
  const random = createRandom(seed);
  const people = [...PEOPLE.keys()];
  const pairs = people.flatMap((from) => people.map((to) => /** @type {const} */ ([from, to])));
  const chosen = pairs.filter(
    ([from, to]) => from !== to && random.next() < (from === 1 ? 0.6 : 0.36),
  );
  return chosen.map(([from, to]) => [from, to]);
}

/** When a person joined: before the first picture. @param {number} person @param {number} now */
export const joinedAt = (person, now) => Math.round(now - (AGE_DAYS - person * 0.42) * DAY);
