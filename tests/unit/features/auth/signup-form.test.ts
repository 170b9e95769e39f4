import { expect, test } from "vitest";
import { refusalFaults, signupFaults } from "@/features/auth/signup-form";

const good = {
  email: "ada@example.com",
  username: "ada.l",
  password: "Kirschkuchen-7",
  passwordConfirm: "Kirschkuchen-7",
  termsAccepted: true,
};

test("a good form has no fault", () => {
  expect(signupFaults(good, false)).toEqual({});
});

test.each([
  [{ email: "" }, "email", "errors.email_required"],
  [{ email: "ada" }, "email", "errors.email_invalid"],
  [{ username: "" }, "username", "errors.username_required"],
  [{ username: "ab" }, "username", "errors.username_short"],
  [{ username: "a b c" }, "username", "errors.username_spaces"],
  [{ username: "a<b>c" }, "username", "errors.username_characters"],
  [{ password: "" }, "password", "errors.password_required"],
  [{ password: "Ab1-" }, "password", "errors.password_short"],
  [{ password: "kirschen7" }, "password", "errors.password_weak"],
  [{ passwordConfirm: "" }, "passwordConfirm", "errors.confirm_required"],
  [{ passwordConfirm: "x" }, "passwordConfirm", "errors.password_mismatch"],
  [{ termsAccepted: false }, "termsAccepted", "errors.terms_required"],
] as const)("%o is a fault of %s: %s", (change, field, key) => {
  expect(signupFaults({ ...good, ...change }, false)[field]).toBe(key);
});

test("a taken name is a fault before it is sent, and has another sentence after", () => {
  expect(signupFaults(good, true).username).toBe("errors.username_taken");
  expect(refusalFaults("username_taken")).toEqual({ username: "errors.username_taken_submit" });
});

test("what belongs to no field belongs to no field", () => {
  expect(refusalFaults("server")).toBeNull();
  expect(refusalFaults("rate_limited")).toBeNull();
});
