/** Set-up of every browser test: one that fails says what stood on its pages, and none leaves its browser. */
import { afterAll, beforeEach, onTestFailed } from "vitest";
import { closeBrowser, showPages } from "./browser";

beforeEach(({ task }) => onTestFailed(() => showPages(task.name)));
afterAll(closeBrowser);
