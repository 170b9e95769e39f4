import { joinedAt, planFollows, planPosts } from "@scripts/demo-plan.mjs";
import { PEOPLE, WORDS } from "@scripts/demo-texts.mjs";
import { expect, test } from "vitest";
import { usernameFault } from "@/domain/accounts";
import { CAPTION_MAX } from "@/domain/limits";
import { tagsFault } from "@/domain/texts";

const NOW = Date.UTC(2026, 10, 21, 12);
const plan = () => planPosts({ photos: 150, videos: 10, seed: 1, now: NOW });

test("the plan holds what was asked for, oldest first, by people who had joined, and never later than now", () => {
  const posts = plan();
  expect(posts).toHaveLength(160);
  expect(posts.filter((post) => post.seconds > 0)).toHaveLength(10);
  const times = posts.map((post) => post.at);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  for (const post of posts) {
    expect(post.at).toBeGreaterThan(joinedAt(post.person, NOW));
    for (const { at, person } of [...post.comments, ...post.likes]) {
      expect(at).toBeGreaterThan(post.at);
      expect(at).toBeLessThan(NOW);
      expect(person).not.toBe(post.person);
    }
  }
});

test("everybody posts, and no text breaks the product's rules", () => {
  const posts = plan();
  expect(new Set(posts.map((post) => post.person)).size).toBe(PEOPLE.length);
  for (const { caption, tags } of posts) {
    expect(caption.length).toBeGreaterThan(0);
    expect(caption.length).toBeLessThanOrEqual(CAPTION_MAX);
    expect(tagsFault(tags)).toBeNull();
  }
  for (const { username, likes } of PEOPLE) {
    expect(usernameFault(username)).toBeNull();
    for (const scene of likes) expect(WORDS[scene].captions.length).toBeGreaterThan(4);
  }
});

test("the same seed makes the same community", () => {
  expect(plan()).toEqual(plan());
  expect(planFollows(1)).toEqual(planFollows(1));
  expect(planFollows(1).every(([from, to]) => from !== to)).toBe(true);
});
