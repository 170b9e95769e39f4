import { expect, test, vi } from "vitest";
import { createImagePreloader } from "@/lib/image-preloader";

const never = () => new Promise<void>(() => undefined);
const names = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, i) => `/picture-${from + i}.jpg`);

test("loads the first ten of a list, at most three at a time", async () => {
  let open = 0;
  let most = 0;
  const load = vi.fn(async (url: string) => {
    open += 1;
    most = Math.max(most, open);
    await Promise.resolve();
    open -= 1;
    return url;
  });
  await createImagePreloader({ load, delay: never }).preload(names(40));
  expect(load.mock.calls.map(([url]) => url)).toEqual(names(10));
  expect(most).toBe(3);
});

test("does not load again what it holds", async () => {
  const load = vi.fn(async (url: string) => url);
  const preloader = createImagePreloader({ load, delay: never });
  await preloader.preload(names(4));
  await preloader.preload(names(4));
  expect(load).toHaveBeenCalledTimes(4);
});

test("goes on without a picture that fails, and without one that takes three seconds", async () => {
  const waits: number[] = [];
  const preloader = createImagePreloader({
    load: (url) =>
      url === "/slow" ? new Promise(() => undefined) : Promise.reject(new Error("404")),
    delay: async (ms) => {
      waits.push(ms);
    },
  });
  await preloader.preload(["/slow", "/gone"]);
  expect(waits).toEqual([3_000, 3_000]);
  expect(preloader.has("/slow")).toBe(false);
  expect(preloader.has("/gone")).toBe(false);
});

test("holds a hundred and drops the least recently used", async () => {
  const preloader = createImagePreloader({ load: async (url) => url, delay: never });
  for (let from = 0; from < 100; from += 10) await preloader.preload(names(10, from));
  await preloader.preload(["/picture-0.jpg"]);
  await preloader.preload(["/one-more.jpg"]);
  expect(preloader.has("/picture-0.jpg")).toBe(true);
  expect(preloader.has("/picture-1.jpg")).toBe(false);
  expect(preloader.has("/one-more.jpg")).toBe(true);
});
