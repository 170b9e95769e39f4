import fc from "fast-check";
import { expect, test } from "vitest";
import { emailFault, normalEmail } from "@/domain/emails";

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
