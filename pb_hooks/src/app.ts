/// <reference path="../../.cache/pocketbase/types.d.ts" />
/**
 * Everything `hooks.pb.js` can name. Built to one CommonJS file, loaded once by each engine of the pool:
 * nothing here may keep state between calls (use `$app.store()`).
 */
import { changeEmail, deleteAccount, endSessions } from "./account";
import { adminAudit } from "./admin-audit";
import { previewCleanup, runCleanup } from "./admin-cleanup";
import {
  adminConversations,
  adminMedia,
  adminMessages,
  adminReports,
  adminStats,
} from "./admin-lists";
import { adminUsers } from "./admin-users";
import { auditCollectionChange, auditImpersonation, auditSettingsChange } from "./audit";
import {
  createConversation,
  createMessage,
  deleteConversation,
  readConversation,
  saveConversation,
  saveMessage,
  updateMessage,
} from "./chat";
import { pruneTombstones, sweepUploads } from "./cleanup";
import { createFirstSuperuser } from "./first-superuser";
import { guardCreate, guardDelete, guardUpdate, writeOnlyChanges } from "./guard-writes";
import { checkSubscription, hintChange } from "./hints";
import { checkHistory, leaveBackupBehind } from "./history";
import { forgetOldWindows } from "./limits";
import { finishMedia } from "./media-finish";
import { showReportsInList, showReportsInView, updateMedia } from "./media-rules";
import { sendMessageFile } from "./message-files";
import {
  createUser,
  deleteUser,
  endSessionsOfSuspended,
  normalizeEmail,
  updateUser,
} from "./people";
import { finishPhoto } from "./photo-finish";
import { createReport, updateReport } from "./reports";
import { sayAllWhenBusy } from "./say-when-busy";
import { search } from "./search";
import { adminSettings, sanitizeSettings, updateSettings } from "./settings";
import { signIn } from "./sign-in";
import {
  createBlock,
  createComment,
  createFollow,
  createLike,
  deleteOwned,
  saveBlock,
  saveFollow,
  saveOnMedia,
} from "./social";
import { serveApp } from "./static-files";
import { sync } from "./sync";
import {
  appendTusUpload,
  createTusUpload,
  deleteTusUpload,
  readTusUpload,
  removeUploadBytes,
  uploadOptions,
} from "./uploads";
import { announceViews, recordView } from "./views";

export const handlers = sayAllWhenBusy({
  // History and the change feed
  checkHistory,
  leaveBackupBehind,
  sync,
  checkSubscription,
  hintChange,
  // Every write
  guardCreate,
  guardUpdate,
  guardDelete,
  writeOnlyChanges,
  // People
  createFirstSuperuser,
  createUser,
  updateUser,
  deleteUser,
  endSessionsOfSuspended,
  normalizeEmail,
  signIn,
  changeEmail,
  deleteAccount,
  endSessions,
  // Media, and what is said about them
  updateMedia,
  showReportsInList,
  showReportsInView,
  deleteOwned,
  createLike,
  createComment,
  saveOnMedia,
  createReport,
  updateReport,
  // Between people
  createFollow,
  saveFollow,
  createBlock,
  saveBlock,
  createConversation,
  saveConversation,
  deleteConversation,
  createMessage,
  saveMessage,
  updateMessage,
  readConversation,
  // Operation
  updateSettings,
  sanitizeSettings,
  auditCollectionChange,
  auditImpersonation,
  auditSettingsChange,
  forgetOldWindows,
  // The panel
  adminStats,
  adminUsers,
  adminConversations,
  adminMessages,
  adminMedia,
  adminReports,
  adminAudit,
  adminSettings,
  previewCleanup,
  runCleanup,
  // Uploads and what they become
  uploadOptions,
  createTusUpload,
  readTusUpload,
  appendTusUpload,
  deleteTusUpload,
  removeUploadBytes,
  finishMedia,
  finishPhoto,
  sendMessageFile,
  recordView,
  search,
  // Schedules
  announceViews,
  sweepUploads,
  pruneTombstones,
  // The built app
  serveApp,
});
