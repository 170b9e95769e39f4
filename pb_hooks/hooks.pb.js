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

// The built app
routerAdd(
  "GET",
  "/{path...}",
  (e) => require(`${__hooks}/dist/app.js`).handlers.serveApp(e),
  $apis.gzip(),
);
