/// <reference path="../../.cache/pocketbase/types.d.ts" />
/**
 * Everything `hooks.pb.js` can name. Built to one CommonJS file, loaded once by each engine of the pool:
 * nothing here may keep state between calls (use `$app.store()`).
 */
import { pruneTombstones, sweepUploads } from "./cleanup";
import { checkSubscription, hintChange } from "./hints";
import { checkHistory, leaveBackupBehind } from "./history";
import { finishMedia } from "./media-finish";
import { finishPhoto } from "./photo-finish";
import { serveApp } from "./static-files";
import { sync } from "./sync";
import {
  appendTusUpload,
  createTusUpload,
  deleteTusUpload,
  readTusUpload,
  uploadOptions,
} from "./uploads";
import { announceViews, recordView } from "./views";

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
  finishPhoto,
  recordView,
  // Schedules
  announceViews,
  sweepUploads,
  pruneTombstones,
  // The built app
  serveApp,
};
