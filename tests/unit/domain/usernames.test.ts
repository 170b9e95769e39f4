import fc from "fast-check";
import { expect, test } from "vitest";
import { USERNAME_MAX } from "@/domain/limits";
import { USERNAME_PATTERN, usernameFault } from "@/domain/usernames";

test.each([
  ["", "username_required"],
  ["ab", "username_short"],
  ["a b", "username_spaces"],
  ["anna lena", "username_spaces"],
  ["anna\tlena", "username_spaces"],
  ["anna<b>", "username_characters"],
  ["jörg", "username_characters"],
  ["anna😀", "username_characters"],
  ["a".repeat(USERNAME_MAX + 1), "username_long"],
])("%j is refused as %s", (username, fault) => {
  expect(usernameFault(username)).toBe(fault);
});

test.each(["abc", "a.b", "A-1", "___", "...", "a".repeat(USERNAME_MAX)])(
  "%j is accepted",
  (name) => {
    expect(usernameFault(name)).toBeNull();
  },
);

test("an accepted name never holds anything that HTML, a path or a filter would read as its own", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), (name) => {
      if (usernameFault(name) !== null) return;
      expect(name).toMatch(USERNAME_PATTERN);
      expect(name).not.toMatch(/[<>&"'/\\\s%#?]/);
    }),
  );
});

test("every name of the allowed characters and length is accepted", () => {
  const names = fc.string({
    unit: fc.constantFrom(..."abzABZ019._-"),
    minLength: 3,
    maxLength: USERNAME_MAX,
  });
  fc.assert(fc.property(names, (name) => usernameFault(name) === null));
});
