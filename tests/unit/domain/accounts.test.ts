import { commonPasswords } from "@scripts/common-passwords.mjs";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  deviceWords,
  emailFault,
  isCommonPassword,
  isReservedName,
  normalEmail,
  passwordScore,
  passwordStrength,
  signupPasswordFault,
  USERNAME_PATTERN,
  usernameFault,
} from "@/domain/accounts";
import { PASSWORD_MAX, USERNAME_MAX } from "@/domain/limits";

test.each([
  ["", "email_required"],
  ["   ", "email_required"],
  ["anna", "email_invalid"],
  ["anna@", "email_invalid"],
  ["@example.com", "email_invalid"],
  ["anna@example", "email_invalid"],
  ["anna@example.c", "email_invalid"],
  ["an na@example.com", "email_invalid"],
  ["anna@@example.com", "email_invalid"],
  ["anna<b>@example.com", "email_invalid"],
  [`${"a".repeat(250)}@example.com`, "email_invalid"],
  ["anna@example.com", null],
  [" Anna@Example.COM ", null],
  ["a.b+c@sub.example.co.uk", null],
  ["jörg@münchen.de", null],
] as const)("%j is answered with %s", (email, fault) => {
  expect(emailFault(email)).toBe(fault);
});

test("an address compares the same however it was typed", () => {
  expect(normalEmail("  Anna@Example.COM ")).toBe("anna@example.com");
});

test("making an address normal twice changes nothing more, and never its validity", () => {
  fc.assert(
    fc.property(fc.oneof(fc.emailAddress(), fc.string()), (email) => {
      const once = normalEmail(email);
      expect(normalEmail(once)).toBe(once);
      if (emailFault(email) === null) expect(emailFault(once)).toBeNull();
    }),
  );
});

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

test("a common password is found whole, in whatever case, and no part of one", async () => {
  const list = await commonPasswords();
  for (const word of ["123456", "Password1", "PASSWORD", "qwertyuiop", "1qaz2wsx"]) {
    expect(isCommonPassword(list, word)).toBe(true);
  }
  for (const word of ["", "asswor", "Password12345678-", "Kirschkuchen-7", "simpel"]) {
    expect(isCommonPassword(list, word)).toBe(false);
  }
});

test("the list is small, sorted and without what is too short anyway", async () => {
  const words = (await commonPasswords()).trim().split("\n");
  expect(words.length).toBeGreaterThan(8_000);
  expect(words.length).toBeLessThanOrEqual(10_000);
  expect(words).toEqual([...words].sort());
  expect(words.filter((word) => word.length < 6 || word !== word.toLowerCase())).toEqual([]);
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

test.each([
  ["admin", true],
  ["Sup-port", true],
  ["m.o.d", true],
  ["augenblick", true],
  ["blende_acht", true],
  ["administratrix", false],
  ["rooted", false],
])("whether the name %s is kept for whoever runs the place: %s", (name, isReserved) => {
  expect(isReservedName(name, "Blende-Acht")).toBe(isReserved);
});

test.each([
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
    "Chrome on Android",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
    "Edge on Windows",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
    "Safari on Mac",
  ],
  ["curl/8.0", "Browser"],
  [`${"x".repeat(500)} Firefox/140.0`, "Browser"],
])("a device is called as people call it: %s", (userAgent, words) => {
  expect(deviceWords(userAgent)).toBe(words);
});
