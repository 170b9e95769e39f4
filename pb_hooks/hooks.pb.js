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
routerAdd("GET", "/api/sync", (e) => require(`${__hooks}/dist/app.js`).handlers.sync(e));
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

// Uploads and what they become. A chunk is never larger than its upload, which its handler checks unread.
routerAdd("OPTIONS", "/api/uploads", (e) =>
  require(`${__hooks}/dist/app.js`).handlers.uploadOptions(e),
);
routerAdd("OPTIONS", "/api/uploads/{id}", (e) =>
  require(`${__hooks}/dist/app.js`).handlers.uploadOptions(e),
);
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
routerAdd(
  "POST",
  "/api/media/{id}/view",
  (e) => require(`${__hooks}/dist/app.js`).handlers.recordView(e),
  $apis.bodyLimit(1024),
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
