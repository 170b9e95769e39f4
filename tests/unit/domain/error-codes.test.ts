import { expect, test } from "vitest";
import { isRefusal } from "@/domain/error-codes";

test("a refusal is known by its status and one of our codes", () => {
  expect(isRefusal({ status: 404, code: "no_conversation", message: "None" })).toBe(true);
  expect(isRefusal({ status: 400, code: "invalid", message: "", data: {} })).toBe(true);
});

test.each([
  [null],
  ["invalid"],
  [{}],
  [{ id: "a", size: 5 }],
  [{ status: "open", code: "invalid" }],
  [{ status: 400 }],
  [{ status: 400, code: "no word of ours" }],
])("%j is none", (value) => {
  expect(isRefusal(value)).toBe(false);
});
