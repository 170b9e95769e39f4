/// <reference path="../../.cache/pocketbase/types.d.ts" />
/**
 * Everything `hooks.pb.js` can name. Built to one CommonJS file, loaded once by each engine of the pool:
 * nothing here may keep state between calls (use `$app.store()`).
 */
import { checkSubscription, hintChange } from "./hints";
import { checkHistory, leaveBackupBehind } from "./history";
import { finishMedia } from "./media-finish";
import { serveApp } from "./static-files";
import { sync } from "./sync";
import {
  appendTusUpload,
  createTusUpload,
  deleteTusUpload,
  readTusUpload,
  uploadOptions,
} from "./uploads";

export const handlers = {
  // History and the change feed
  checkHistory,
  leaveBackupBehind,
  sync,
  checkSubscription,
  hintChange,
  // Uploads and what they become
  uploadOptions,
  createTusUpload,
  readTusUpload,
  appendTusUpload,
  deleteTusUpload,
  finishMedia,
  // The built app
  serveApp,
};
