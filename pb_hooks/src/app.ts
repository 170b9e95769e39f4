/// <reference path="../../.cache/pocketbase/types.d.ts" />
/**
 * Everything `hooks.pb.js` can name. Built to one CommonJS file, loaded once by each engine of the pool:
 * nothing here may keep state between calls (use `$app.store()`).
 */
import { serveApp } from "./static-files";

export const handlers = {
  // The built app
  serveApp,
};
