import { expect, test } from "vitest";
import { type Refusal, toFailure } from "@/data/engine/answers";

const refusal = (change: Partial<Refusal>): Refusal => ({
  kind: "refusal",
  status: 400,
  code: null,
  message: "",
  fields: {},
  ...change,
});

test.each([
  [
    "the server's own word before everything else",
    { code: "blocked" as const, status: 404 },
    "blocked",
  ],
  [
    "a taken name by PocketBase's word",
    { fields: { username: "validation_not_unique" } },
    "username_taken",
  ],
  ["a taken address", { fields: { email: "validation_not_unique" } }, "email_taken"],
  ["a field's word of ours", { fields: { password: "password_weak" } }, "password_weak"],
  ["no room left (402)", { status: 402 }, "quota"],
  ["no session (401)", { status: 401 }, "unauthenticated"],
  ["no right (403)", { status: 403 }, "forbidden"],
  ["nothing there (404)", { status: 404 }, "not_found"],
  ["too large a body (413)", { status: 413 }, "too_large"],
  ["anything else", { status: 400 }, "invalid"],
])("%s", (_name, change, code) => {
  expect(toFailure(refusal(change))).toMatchObject({ success: false, error: code });
});

test("a limit says how many seconds to wait", () => {
  const failure = toFailure({
    kind: "unknown",
    status: 429,
    code: "rate_limited",
    ours: true,
    retryAfter: 9,
  });
  expect(failure).toEqual({ success: false, error: "rate_limited", retryAfter: 9 });
});
