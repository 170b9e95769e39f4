import { describe, expect, test } from "vitest";
import { returnPath, withReturn } from "@/lib/return-path";

const back = (address: string): string => returnPath(address.slice(address.indexOf("?")), "/");

describe("the way back after signing in", () => {
  test.each(["/view/a-lake-abcdefghij12345", "/chat", "/user/j%C3%A9r%C3%B4me?tab=1#top"])(
    "leads back to %s",
    (place) => {
      expect(back(withReturn("/login", place))).toBe(place);
    },
  );

  test.each([
    "https://elsewhere.example/",
    "//elsewhere.example/",
    "/\\elsewhere.example",
    "javascript:alert(1)",
    "view/x",
    "/\n/elsewhere.example",
    "",
  ])("never leads to %j", (place) => {
    expect(back(withReturn("/login", place))).toBe("/");
  });

  test("is the fallback where nobody was sent from anywhere", () => {
    expect(returnPath("", "/")).toBe("/");
  });
});
