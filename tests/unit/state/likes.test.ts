import { expect, test } from "vitest";
import { createLikes } from "@/state/likes";

/** Likes whose writes wait for the test to answer them, and whose overlay never catches up. */
function likesOfTest() {
  const answers: ((stands: boolean) => void)[] = [];
  const written: boolean[] = [];
  const likes = createLikes({
    write: (_, liked) => {
      written.push(liked);
      return new Promise((resolve) => answers.push(resolve));
    },
    caughtUp: () => new Promise(() => undefined),
  });
  const answer = async (stands: boolean) => {
    answers.shift()?.(stands);
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { likes, written, answer };
}

test("a wish shows before it is written, and everyone who watches is told", () => {
  const { likes, written } = likesOfTest();
  let told = 0;
  likes.subscribe(() => {
    told++;
  });
  likes.set("m1", true);
  expect([likes.wish("m1"), likes.wish("m2"), told]).toEqual([true, undefined, 1]);
  expect(written).toEqual([true]);
});

test("a wish that cannot be written is taken back", async () => {
  const { likes, answer } = likesOfTest();
  let seen: boolean | undefined = true;
  likes.subscribe(() => {
    seen = likes.wish("m1");
  });
  likes.set("m1", true);
  await answer(false);
  expect(seen).toBeUndefined();
  expect(likes.wish("m1")).toBeUndefined();
});

test("of many taps the last is written, once the first is through", async () => {
  const { likes, written, answer } = likesOfTest();
  for (const liked of [true, false, true, false]) likes.set("m1", liked);
  expect([likes.wish("m1"), written]).toEqual([false, [true]]);
  await answer(true);
  expect(written).toEqual([true, false]);
  await answer(true);
  expect([likes.wish("m1"), written]).toEqual([false, [true, false]]);
});

test("a later wish outlives the failure of an earlier one", async () => {
  const { likes, written, answer } = likesOfTest();
  likes.set("m1", true);
  likes.set("m1", false);
  await answer(false);
  expect([likes.wish("m1"), written]).toEqual([false, [true, false]]);
});
