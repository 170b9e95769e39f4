/** Set-up of every browser test: one that fails says what stood on its pages, and none leaves its browser. */
import { afterAll, beforeEach, onTestFailed } from "vitest";
import { closeBrowser, noteTest, showOpenPages } from "./browser";

beforeEach(({ task }) => {
  noteTest(task);
  onTestFailed(() => showOpenPages(task.name));
});
afterAll(closeBrowser);
