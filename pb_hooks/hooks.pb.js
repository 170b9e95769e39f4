// The map: an event, a route or a schedule, and the handler that answers it (pb_hooks/src, built to dist/app.js).
// Each line runs in an engine of its own: it sees only its argument and `__hooks`.

const SYNCED = [
  "users",
  "media",
  "comments",
  "likes",
  "follows",
  "blocks",
  "conversations",
  "messages",
  "settings",
];

// History and the change feed
onBootstrap((e) => require(`${__hooks}/dist/app.js`).handlers.checkHistory(e));
onBackupCreate((e) => require(`${__hooks}/dist/app.js`).handlers.leaveBackupBehind(e));
routerAdd(
  "GET",
  "/api/sync",
  (e) => require(`${__hooks}/dist/app.js`).handlers.sync(e),
  $apis.gzip(),
);
onRealtimeSubscribeRequest((e) => require(`${__hooks}/dist/app.js`).handlers.checkSubscription(e));
onRecordAfterCreateSuccess(
  (e) => require(`${__hooks}/dist/app.js`).handlers.hintChange(e),
  ...SYNCED,
);
onRecordAfterUpdateSuccess(
  (e) => require(`${__hooks}/dist/app.js`).handlers.hintChange(e),
  ...SYNCED,
);
onRecordAfterDeleteSuccess(
  (e) => require(`${__hooks}/dist/app.js`).handlers.hintChange(e),
  ...SYNCED,
);

// Every write. First, because what is bound earlier runs around what is bound later.
onRecordCreateRequest((e) => require(`${__hooks}/dist/app.js`).handlers.guardCreate(e));
onRecordUpdateRequest((e) => require(`${__hooks}/dist/app.js`).handlers.guardUpdate(e));
onRecordDeleteRequest((e) => require(`${__hooks}/dist/app.js`).handlers.guardDelete(e));
onRecordUpdateExecute((e) => require(`${__hooks}/dist/app.js`).handlers.writeOnlyChanges(e));

// People
onBootstrap((e) => require(`${__hooks}/dist/app.js`).handlers.createFirstSuperuser(e));
onRecordCreateRequest((e) => require(`${__hooks}/dist/app.js`).handlers.createUser(e), "users");
onRecordUpdateRequest((e) => require(`${__hooks}/dist/app.js`).handlers.updateUser(e), "users");
onRecordUpdate(
  (e) => require(`${__hooks}/dist/app.js`).handlers.endSessionsOfSuspended(e),
  "users",
);
onRecordCreate((e) => require(`${__hooks}/dist/app.js`).handlers.normalizeEmail(e), "users");
onRecordUpdate((e) => require(`${__hooks}/dist/app.js`).handlers.normalizeEmail(e), "users");
onRecordDelete((e) => require(`${__hooks}/dist/app.js`).handlers.deleteUser(e), "users");
onRecordAuthWithPasswordRequest((e) => require(`${__hooks}/dist/app.js`).handlers.signIn(e));
routerAdd(
  "POST",
  "/api/account/email",
  (e) => require(`${__hooks}/dist/app.js`).handlers.changeEmail(e),
  $apis.bodyLimit(8192),
);
routerAdd(
  "POST",
  "/api/account/sessions/end",
  (e) => require(`${__hooks}/dist/app.js`).handlers.endSessions(e),
  $apis.bodyLimit(8192),
);
routerAdd(
  "POST",
  "/api/account/delete",
  (e) => require(`${__hooks}/dist/app.js`).handlers.deleteAccount(e),
  $apis.bodyLimit(8192),
);

// Media, and what is said about them
onRecordUpdateRequest((e) => require(`${__hooks}/dist/app.js`).handlers.updateMedia(e), "media");
onRecordsListRequest(
  (e) => require(`${__hooks}/dist/app.js`).handlers.showReportsInList(e),
  "media",
);
onRecordViewRequest(
  (e) => require(`${__hooks}/dist/app.js`).handlers.showReportsInView(e),
  "media",
);
onRecordDeleteRequest(
  (e) => require(`${__hooks}/dist/app.js`).handlers.deleteOwned(e),
  "media",
  "comments",
);
onRecordCreateRequest((e) => require(`${__hooks}/dist/app.js`).handlers.createLike(e), "likes");
onRecordCreateRequest(
  (e) => require(`${__hooks}/dist/app.js`).handlers.createComment(e),
  "comments",
);
onModelCreateExecute(
  (e) => require(`${__hooks}/dist/app.js`).handlers.saveOnMedia(e),
  "likes",
  "comments",
);
onRecordCreateRequest((e) => require(`${__hooks}/dist/app.js`).handlers.createReport(e), "reports");
onRecordUpdateRequest((e) => require(`${__hooks}/dist/app.js`).handlers.updateReport(e), "reports");

// Between people
onRecordCreateRequest((e) => require(`${__hooks}/dist/app.js`).handlers.createFollow(e), "follows");
onModelCreateExecute((e) => require(`${__hooks}/dist/app.js`).handlers.saveFollow(e), "follows");
onRecordCreateRequest((e) => require(`${__hooks}/dist/app.js`).handlers.createBlock(e), "blocks");
onModelCreateExecute((e) => require(`${__hooks}/dist/app.js`).handlers.saveBlock(e), "blocks");
onRecordCreateRequest(
  (e) => require(`${__hooks}/dist/app.js`).handlers.createConversation(e),
  "conversations",
);
onModelCreateExecute(
  (e) => require(`${__hooks}/dist/app.js`).handlers.saveConversation(e),
  "conversations",
);
onRecordDeleteRequest(
  (e) => require(`${__hooks}/dist/app.js`).handlers.deleteConversation(e),
  "conversations",
);
onRecordCreateRequest(
  (e) => require(`${__hooks}/dist/app.js`).handlers.createMessage(e),
  "messages",
);
onModelCreateExecute((e) => require(`${__hooks}/dist/app.js`).handlers.saveMessage(e), "messages");
onRecordUpdateRequest(
  (e) => require(`${__hooks}/dist/app.js`).handlers.updateMessage(e),
  "messages",
);
routerAdd(
  "POST",
  "/api/conversations/{id}/read",
  (e) => require(`${__hooks}/dist/app.js`).handlers.readConversation(e),
  $apis.bodyLimit(1024),
);

// Operation
onRecordUpdateRequest(
  (e) => require(`${__hooks}/dist/app.js`).handlers.updateSettings(e),
  "settings",
);
onRecordUpdate((e) => require(`${__hooks}/dist/app.js`).handlers.sanitizeSettings(e), "settings");
onCollectionCreateRequest((e) =>
  require(`${__hooks}/dist/app.js`).handlers.auditCollectionChange(e),
);
onCollectionUpdateRequest((e) =>
  require(`${__hooks}/dist/app.js`).handlers.auditCollectionChange(e),
);
onCollectionDeleteRequest((e) =>
  require(`${__hooks}/dist/app.js`).handlers.auditCollectionChange(e),
);
onSettingsUpdateRequest((e) => require(`${__hooks}/dist/app.js`).handlers.auditSettingsChange(e));
onRecordAuthRequest(
  (e) => require(`${__hooks}/dist/app.js`).handlers.auditImpersonation(e),
  "users",
);
cronAdd("forgetOldWindows", "*/10 * * * *", () =>
  require(`${__hooks}/dist/app.js`).handlers.forgetOldWindows(),
);

// The panel
routerAdd("GET", "/api/admin/stats", (e) =>
  require(`${__hooks}/dist/app.js`).handlers.adminStats(e),
);
routerAdd("GET", "/api/admin/users", (e) =>
  require(`${__hooks}/dist/app.js`).handlers.adminUsers(e),
);
routerAdd("GET", "/api/admin/conversations", (e) =>
  require(`${__hooks}/dist/app.js`).handlers.adminConversations(e),
);
routerAdd("GET", "/api/admin/conversations/{id}/messages", (e) =>
  require(`${__hooks}/dist/app.js`).handlers.adminMessages(e),
);
routerAdd("GET", "/api/admin/media", (e) =>
  require(`${__hooks}/dist/app.js`).handlers.adminMedia(e),
);
routerAdd("GET", "/api/admin/reports", (e) =>
  require(`${__hooks}/dist/app.js`).handlers.adminReports(e),
);
routerAdd("GET", "/api/admin/audit", (e) =>
  require(`${__hooks}/dist/app.js`).handlers.adminAudit(e),
);
routerAdd("GET", "/api/admin/settings", (e) =>
  require(`${__hooks}/dist/app.js`).handlers.adminSettings(e),
);
routerAdd("GET", "/api/admin/cleanup/{task}", (e) =>
  require(`${__hooks}/dist/app.js`).handlers.previewCleanup(e),
);
routerAdd(
  "POST",
  "/api/admin/cleanup/{task}",
  (e) => require(`${__hooks}/dist/app.js`).handlers.runCleanup(e),
  $apis.bodyLimit(1024),
);

// Uploads and what they become. A chunk is never larger than its upload, which its handler checks unread.
for (const path of ["/api/uploads", "/api/uploads/{id}"]) {
  routerAdd(
    "OPTIONS",
    path,
    (e) => require(`${__hooks}/dist/app.js`).handlers.uploadOptions(e),
    // PocketBase's CORS middleware answers every OPTIONS itself; one with its name takes its place here.
    new Middleware((e) => e.next(), 0, "pbCors"),
  );
}
routerAdd(
  "POST",
  "/api/uploads",
  (e) => require(`${__hooks}/dist/app.js`).handlers.createTusUpload(e),
  $apis.bodyLimit(0),
);
routerAdd("HEAD", "/api/uploads/{id}", (e) =>
  require(`${__hooks}/dist/app.js`).handlers.readTusUpload(e),
);
routerAdd(
  "PATCH",
  "/api/uploads/{id}",
  (e) => require(`${__hooks}/dist/app.js`).handlers.appendTusUpload(e),
  $apis.bodyLimit(0),
  $apis.skipSuccessActivityLog(),
);
routerAdd("DELETE", "/api/uploads/{id}", (e) =>
  require(`${__hooks}/dist/app.js`).handlers.deleteTusUpload(e),
);
onRecordAfterDeleteSuccess(
  (e) => require(`${__hooks}/dist/app.js`).handlers.removeUploadBytes(e),
  "uploads",
);
routerAdd(
  "POST",
  "/api/media",
  (e) => require(`${__hooks}/dist/app.js`).handlers.finishMedia(e),
  // Two renditions of 2 MB and the text.
  $apis.bodyLimit(6 * 1024 * 1024),
);

routerAdd(
  "POST",
  "/api/messages/photo",
  (e) => require(`${__hooks}/dist/app.js`).handlers.finishPhoto(e),
  $apis.bodyLimit(4 * 1024 * 1024),
);
// On messages alone: a handler keeps its engine until the last byte is sent.
onFileDownloadRequest(
  (e) => require(`${__hooks}/dist/app.js`).handlers.sendMessageFile(e),
  "messages",
);
routerAdd(
  "POST",
  "/api/media/{id}/view",
  (e) => require(`${__hooks}/dist/app.js`).handlers.recordView(e),
  $apis.bodyLimit(1024),
  $apis.skipSuccessActivityLog(),
);

// Search
routerAdd(
  "GET",
  "/api/search",
  (e) => require(`${__hooks}/dist/app.js`).handlers.search(e),
  $apis.skipSuccessActivityLog(),
);

// Schedules (UTC)
cronAdd("announceViews", "*/10 * * * *", () =>
  require(`${__hooks}/dist/app.js`).handlers.announceViews(),
);
cronAdd("sweepUploads", "17 * * * *", () =>
  require(`${__hooks}/dist/app.js`).handlers.sweepUploads(),
);
cronAdd("pruneTombstones", "41 3 * * *", () =>
  require(`${__hooks}/dist/app.js`).handlers.pruneTombstones(),
);

// The built app
routerAdd(
  "GET",
  "/{path...}",
  (e) => require(`${__hooks}/dist/app.js`).handlers.serveApp(e),
  $apis.gzip(),
);
