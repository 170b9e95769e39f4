import { beforeEach, expect, test, vi } from "vitest";
import type { MediaView } from "@/data/shapes";
import {
  FIRST_SCREEN_KEY,
  FRAME_PREFIX,
  readFirstScreen,
  wipeFirstScreen,
  writeFirstScreen,
} from "@/state/first-screen";
import { mediaView, memoryStorage } from "./support";

let store: Storage;
beforeEach(() => {
  store = memoryStorage();
  vi.stubGlobal("localStorage", store);
  return () => void vi.unstubAllGlobals();
});

const write = (items: MediaView[], userId = "ada") =>
  writeFirstScreen({ userId, productName: "Augenblick", items });

test("what was shown is read back by the one who saw it, and by nobody else", () => {
  write([mediaView({ id: "one" })]);
  expect(readFirstScreen("ada")?.items.map((item) => item.id)).toEqual(["one"]);
  expect(readFirstScreen("bob")).toBeNull();
  expect(readFirstScreen("")).toBeNull();
});

test("only the first screen is kept, however long the list", () => {
  write(Array.from({ length: 500 }, (_, i) => mediaView({ id: `id${i}` })));
  expect(readFirstScreen("ada")?.items).toHaveLength(12);
  expect((store.getItem(FIRST_SCREEN_KEY) ?? "").length).toBeLessThan(16_000);
});

test("addresses that die with the page are not kept", () => {
  write([mediaView({ previewUrl: "blob:http://x/1", url: "blob:http://x/2" })]);
  expect(readFirstScreen("ada")?.items[0]).toMatchObject({ previewUrl: "", url: "" });
});

test("what is broken or of another version is not drawn", () => {
  store.setItem(FIRST_SCREEN_KEY, "{");
  expect(readFirstScreen("ada")).toBeNull();
  store.setItem(FIRST_SCREEN_KEY, JSON.stringify({ version: 99, userId: "ada", items: [] }));
  expect(readFirstScreen("ada")).toBeNull();
});

test("a full device keeps no snapshot rather than an old one", () => {
  write([mediaView({ id: "old" })]);
  store.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  write([mediaView({ id: "new" })]);
  expect(readFirstScreen("ada")).toBeNull();
});

test("the frames of all routes go with the first screen, and nothing else does", () => {
  write([mediaView({ id: "one" })]);
  for (const path of ["/", "/chat", "/chat/a_b", "/profile"])
    store.setItem(FRAME_PREFIX + path, "{}");
  store.setItem("theme", "dark");
  wipeFirstScreen();
  expect(store.length).toBe(1);
  expect(store.getItem("theme")).toBe("dark");
});
