import { expect, test } from "vitest";
import { cappedCount, PROFILE_UNREAD_CAP, UNREAD_CAP } from "@/ui/badge";

test.each([
  [0, UNREAD_CAP, ""],
  [1, UNREAD_CAP, "1"],
  [99, UNREAD_CAP, "99"],
  [100, UNREAD_CAP, "99+"],
  [9, PROFILE_UNREAD_CAP, "9"],
  [10, PROFILE_UNREAD_CAP, "9+"],
])("%i unread with a cap of %i shows '%s'", (count, cap, text) => {
  expect(cappedCount(count, cap)).toBe(text);
});
