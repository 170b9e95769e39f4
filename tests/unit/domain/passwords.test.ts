import fc from "fast-check";
import { expect, test } from "vitest";
import { PASSWORD_MAX } from "@/domain/limits";
import { passwordScore, passwordStrength, signupPasswordFault } from "@/domain/passwords";

test.each([
  ["", 0, "weak"],
  ["aaaaaaaa", 1, "weak"],
  ["aaaaaaa1", 2, "medium"],
  ["Aaaaaaa1", 3, "medium"],
  ["Aaaaaa1!", 4, "strong"],
  ["aaaaaaaaaaaa", 2, "medium"],
  ["Aaaaaaaaaa1!", 5, "strong"],
  ["        ", 0, "weak"],
] as const)("%j scores %i and is called %s", (password, score, strength) => {
  expect(passwordScore(password)).toBe(score);
  expect(passwordStrength(password)).toBe(strength);
});

test.each([
  ["", "password_required"],
  ["Aa1!aaa", "password_short"],
  ["aaaaaaaa", "password_weak"],
  ["aaaaaaa1", "password_weak"],
  [`Aa1${"a".repeat(PASSWORD_MAX)}`, "password_long"],
  [`Aa1!${"ä".repeat(34)}`, "password_long"],
  [`Aa1!${"ä".repeat(33)}`, null],
  ["Aaaaaaa1", null],
  ["aaaaaa1!", null],
] as const)("at sign-up %j is answered with %s", (password, fault) => {
  expect(signupPasswordFault(password)).toBe(fault);
});

test("a longer password never scores less than its beginning", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.string(),
      (start, rest) => passwordScore(start + rest) >= passwordScore(start),
    ),
  );
});
