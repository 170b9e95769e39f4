import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fieldsOf, removeStored, storedJson, storedText } from "@/state/stored";
import { memoryStorage } from "./support";

let local: Storage;
beforeEach(() => {
  local = memoryStorage();
  vi.stubGlobal("localStorage", local);
  vi.stubGlobal("sessionStorage", memoryStorage());
});
afterEach(() => void vi.unstubAllGlobals());

const size = storedJson("local", "size", (value) => {
  const { width } = fieldsOf(value);
  return typeof width === "number" ? { width } : null;
});

test("text is stored as it is, JSON as JSON, each in its own area; null removes", () => {
  expect(storedText("local", "theme").write("dark")).toBe(true);
  expect(local.getItem("theme")).toBe("dark");
  expect(storedText("session", "theme").read()).toBeNull();
  storedText("session", "theme").write("light");
  expect(sessionStorage.getItem("theme")).toBe("light");
  expect(size.write({ width: 3 })).toBe(true);
  expect(local.getItem("size")).toBe('{"width":3}');
  expect(size.read()).toEqual({ width: 3 });
  size.write(null);
  expect(local.getItem("size")).toBeNull();
});

test.each(["", "{", "null", "7", "[]", '"text"', '{"width":"3"}', '{"height":3}'])(
  "%j is no value",
  (text) => {
    local.setItem("size", text);
    expect(size.read()).toBeNull();
  },
);

test("a full device reports it, and keeps the old value", () => {
  size.write({ width: 3 });
  local.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  expect(size.write({ width: 4 })).toBe(false);
  expect(size.read()).toEqual({ width: 3 });
});

test("a browser that denies the storage itself has no values and keeps none", () => {
  vi.stubGlobal("localStorage", undefined);
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get: () => {
      throw new DOMException("denied", "SecurityError");
    },
  });
  expect(size.read()).toBeNull();
  expect(storedText("local", "theme").read()).toBeNull();
  expect(size.write({ width: 3 })).toBe(false);
  expect(size.write(null)).toBe(false);
  expect(() => removeStored("local", "s")).not.toThrow();
});

test("all keys with a prefix are removed at once", () => {
  for (const key of ["a.1", "a.2", "b.1"]) storedText("local", key).write("x");
  removeStored("local", "a.");
  expect(local.length).toBe(1);
  expect(local.getItem("b.1")).toBe("x");
});
