// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import { FIRST_MEDIA_PATH, takeFirstMedia } from "@/data/first-media";

const url = () => location.origin + FIRST_MEDIA_PATH;
const answer = Promise.resolve(Response.json({ items: [] }));

beforeEach(() => {
  window.firstMedia = { answer, stand: false };
});

test("the client's first question for the newest media has its answer already, the next one has not", () => {
  expect(takeFirstMedia(url(), { method: "GET", headers: {} })).toBe(answer);
  expect(takeFirstMedia(url(), { method: "GET", headers: {} })).toBeNull();
});

test("another question, and one with somebody's token, is asked", () => {
  expect(takeFirstMedia(`${location.origin}/api/sync?since=head`)).toBeNull();
  expect(takeFirstMedia(url(), { method: "POST" })).toBeNull();
  expect(takeFirstMedia(url(), { headers: { Authorization: "token" } })).toBeNull();
  expect(takeFirstMedia(url())).toBe(answer);
});

test("a page that asked for nothing has no answer", () => {
  delete window.firstMedia;
  expect(takeFirstMedia(url())).toBeNull();
});
