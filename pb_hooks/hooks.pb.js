// The map: each event, route and schedule with the handler that answers it (pb_hooks/src, built to
// dist/app.js). PocketBase keeps a handler as source text and runs it in another engine of its
// pool, where nothing of this file exists. So `run` writes that text, which loads the bundle.
const run = (name) => `(e) => require(\`\${__hooks}/dist/app.js\`).run("${name}", e)`;

// A request that finds the whole pool busy gets an engine of its own. It costs more than most answers,
// and where hundreds come at once, nothing is answered any more. All of the pool have loaded the
// bundle by then. So in an engine that has not, one that only reads is told to come again.
const POOL = 100;
const read = (name) => `(e) => {
  if (!globalThis.hasBundle && $app.store().get("engines") >= ${POOL}) {
    e.response.header().set("Retry-After", "3");
    throw new ApiError(503, "The server is busy. Please try again.");
  }
  return (${run(name)})(e);
}`;

const SYNCED = [
  "users",
  "media",
  "comments",
  "likes",
  "follows",
  "blocks",
  "conversations",
  "messages",
  "notifications",
  "saves",
  "settings",
];

const LISTED = [...SYNCED, "profiles", "uploads", "reports", "audit"];

onBootstrap(run("requireThumbnailsOff"));

// PocketBase parses a body before any of our code runs, and 30 MB of JSON cost five seconds. The
// largest that a record takes is a profile picture of 2 MB with its small thumbnail. PocketBase's own
// limit has another id, so both hold: a route that takes more lifts both.
const bodyCap = (bytes) => {
  const cap = $apis.bodyLimit(bytes);
  cap.id = "bodyCap";
  return cap;
};
routerUse(bodyCap(2.5 * 1024 * 1024));

// History and the change feed
onBootstrap(run("checkHistory"));
onBackupCreate(run("changeBootWord"));
routerAdd("GET", "/api/sync", read("sync"), $apis.gzip());
onRealtimeSubscribeRequest(run("checkSubscription"));
cronAdd("endIdleStreams", "* * * * *", run("endIdleStreams"));
onRecordAfterCreateSuccess(run("hintChange"), ...SYNCED);
onRecordAfterUpdateSuccess(run("hintChange"), ...SYNCED);
onRecordAfterDeleteSuccess(run("hintChange"), ...SYNCED);

// Where files lie
onBootstrap(run("useStorage"));
routerAdd("POST", "/api/storage/hold", run("holdFiles"), $apis.bodyLimit(1024));

// Limits
onBootstrap(run("boundConnections"));
onBootstrap(run("writeRateRules"));
onRecordAfterUpdateSuccess(run("followLimits"), "settings");

// Mail, and what comes by it
onBootstrap(run("writeMailSettings"));
onSettingsUpdateRequest(run("followMailSettings"));
onRecordAfterUpdateSuccess(run("followMailChoice"), "settings");
cronAdd("sendMails", "* * * * *", run("sendMails"));
onRecordUpdate(run("tellOfChange"), "users", "_superusers");
onRecordRequestPasswordResetRequest(run("requestReset"), "users", "_superusers");
onRecordConfirmPasswordResetRequest(run("confirmReset"), "users", "_superusers");
onRecordRequestVerificationRequest(run("requestVerification"), "users");
onRecordRequestEmailChangeRequest(run("refuseEmailChange"), "users");
onRecordRequestOTPRequest(run("requestCode"));
onRecordAuthRequest(run("askForCode"), "users", "_superusers");
for (const name of ["users", "_superusers"]) {
  const path = `/api/collections/${name}/auth-with-otp`;
  routerAdd("POST", path, run("signInWithCode"), $apis.bodyLimit(8192));
}
onRecordAuthWithOTPRequest(run("closeOwnCodeRoute"));
routerAdd("GET", "/api/account/mail", run("mailState"));

// Lists. PocketBase's own route takes a collection's id too, and is closed to all but superusers.
for (const name of LISTED) {
  routerAdd("GET", `/api/collections/${name}/records`, read("listRecords"), $apis.gzip());
}

// Every write. These come first, because a hook that is bound earlier runs around the later ones.
onRecordCreateRequest(run("guardCreate"));
onRecordUpdateRequest(run("guardUpdate"));
onRecordDeleteRequest(run("guardDelete"));
onRecordUpdateExecute(run("writeOnlyChanges"));

// People
onBootstrap(run("createFirstSuperuser"));
// The last one, because what an earlier one does after PocketBase's own part comes after this.
onBootstrap(run("requireKnownDatabase"));
onRecordCreateRequest(run("createUser"), "users");
onRecordUpdateRequest(run("updateUser"), "users");
onRecordUpdate(run("endSessionsOfSuspended"), "users");
onRecordCreate(run("normalizeEmail"), "users");
onRecordUpdate(run("normalizeEmail"), "users");
onRecordDelete(run("deleteUser"), "users");
onRecordAuthWithPasswordRequest(run("signIn"));
routerAdd("POST", "/api/account/email", run("changeEmail"), $apis.bodyLimit(8192));
onRecordAuthRequest(run("openSession"), "users");
routerAdd("GET", "/api/account/sessions", run("listSessions"));
routerAdd("POST", "/api/account/sessions/renew", run("renewSession"), $apis.bodyLimit(1024));
routerAdd("POST", "/api/account/sessions/end", run("endOtherSessions"), $apis.bodyLimit(8192));
routerAdd("DELETE", "/api/account/sessions/{id}", run("endSession"), $apis.bodyLimit(1024));
routerAdd("GET", "/api/account/storage", run("accountStorage"));
routerAdd("POST", "/api/account/delete", run("deleteAccount"), $apis.bodyLimit(8192));

// Web Push. The pusher's answers to fifty pushes have some 60 KB.
routerAdd("GET", "/api/account/push", run("pushState"));
routerAdd("PUT", "/api/account/push", run("subscribe"), $apis.bodyLimit(8192));
routerAdd("DELETE", "/api/account/push", run("unsubscribe"), $apis.bodyLimit(1024));
routerAdd("POST", "/api/push/turn", run("turnPushes"), $apis.bodyLimit(128 * 1024));
onRecordAfterCreateSuccess(run("callPusher"), "messages", "comments", "likes", "follows");

// What people are told of
routerAdd("POST", "/api/notifications/read", run("readNotifications"), $apis.bodyLimit(1024));
onRecordAfterCreateSuccess(run("hintNotified"), "likes", "comments", "follows", "media");
onRecordAfterUpdateSuccess(run("hintNotified"), "reports", "comments", "media");
onModelCreateExecute(run("saveMentions"), "comments", "media");
onModelUpdateExecute(run("saveMentions"), "comments", "media");

// Media, and what is said about them
onRecordUpdateRequest(run("updateMedia"), "media");
onRecordViewRequest(run("showReportsInView"), "media");
onRecordDeleteRequest(run("deleteOwned"), "media", "comments");
onRecordCreateRequest(run("createLike"), "likes");
onRecordCreateRequest(run("createComment"), "comments");
onRecordUpdateRequest(run("updateComment"), "comments");
onModelCreateExecute(run("saveOnMedia"), "likes", "comments");
onRecordCreateRequest(run("createReport"), "reports");
onRecordUpdateRequest(run("updateReport"), "reports");

// What people keep for themselves
onRecordCreateRequest(run("createSave"), "saves");
onRecordUpdateRequest(run("updateSave"), "saves");
onModelCreateExecute(run("boundSaves"), "saves");

// Between people
onRecordCreateRequest(run("createFollow"), "follows");
onModelCreateExecute(run("saveFollow"), "follows");
onRecordCreateRequest(run("createBlock"), "blocks");
onModelCreateExecute(run("saveBlock"), "blocks");
onRecordCreateRequest(run("createConversation"), "conversations");
onModelCreateExecute(run("saveConversation"), "conversations");
onRecordDeleteRequest(run("deleteConversation"), "conversations");
onRecordCreateRequest(run("createMessage"), "messages");
onModelCreateExecute(run("saveMessage"), "messages");
onRecordUpdateRequest(run("updateMessage"), "messages");
routerAdd("POST", "/api/conversations/{id}/read", run("readConversation"), $apis.bodyLimit(1024));

// Operation
onRecordUpdateRequest(run("updateSettings"), "settings");
onRecordUpdate(run("sanitizeSettings"), "settings");
onCollectionCreateRequest(run("auditCollectionChange"));
onCollectionUpdateRequest(run("auditCollectionChange"));
onCollectionDeleteRequest(run("auditCollectionChange"));
onSettingsUpdateRequest(run("auditSettingsChange"));
onRecordAuthRequest(run("auditSignIn"), "users", "_superusers");
onCollectionsImportRequest(run("auditCollectionImport"));
onBackupCreate(run("auditBackup"));
for (const name of [...LISTED, "sessions", "_superusers"]) {
  routerAdd("DELETE", `/api/collections/${name}/truncate`, run("truncateCollection"));
}
cronAdd("forgetOldWindows", "*/10 * * * *", run("forgetOldWindows"));
cronAdd("forgetOldTurns", "*/10 * * * *", run("forgetOldTurns"));

// The panel
routerAdd("GET", "/api/admin/stats", run("adminStats"));
routerAdd("GET", "/api/admin/health", run("adminHealth"));
routerAdd("GET", "/api/admin/users", run("adminUsers"));
routerAdd("GET", "/api/admin/conversations", run("adminConversations"));
routerAdd("GET", "/api/admin/conversations/{id}/messages", run("adminMessages"));
routerAdd("GET", "/api/admin/messages/{id}/{field}", run("adminMessageFile"));
routerAdd("GET", "/api/admin/media", run("adminMedia"));
routerAdd("GET", "/api/admin/reports", run("adminReports"));
routerAdd("GET", "/api/admin/reports/{id}/context", run("adminReportContext"));
routerAdd("POST", "/api/admin/users/{id}/warning", run("warnUser"), $apis.bodyLimit(16 * 1024));
routerAdd("GET", "/api/admin/audit", run("adminAudit"));
routerAdd("GET", "/api/admin/settings", run("adminSettings"));
routerAdd("GET", "/api/admin/cleanup/{task}", run("previewCleanup"));
routerAdd("POST", "/api/admin/cleanup/{task}", run("runCleanup"), $apis.bodyLimit(1024));

// Figures for who watches the place
onBootstrap(run("countTraffic"));
routerAdd("GET", "/api/metrics", run("metrics"), $apis.gzip());
cronAdd("printLines", "* * * * *", run("printLines"));

// Uploads. No body limit: a chunk may be as large as its upload, and the handler looks at its length
// before it reads it. A header may name another method than that by which a request comes.
const noCors = () => new Middleware((e) => e.next(), 0, "pbCors");
for (const path of ["/api/uploads", "/api/uploads/{id}"]) {
  // PocketBase's CORS middleware answers every OPTIONS itself; one with its name replaces it here.
  routerAdd("OPTIONS", path, run("answerTus"), noCors());
  for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]) {
    routerAdd(method, path, run("answerTus"), $apis.bodyLimit(0), bodyCap(0));
  }
}
onRecordAfterDeleteSuccess(run("removeUploadBytes"), "uploads");

// What uploads become. Limits: two renditions of 2 MB with the text, or one.
routerAdd("POST", "/api/media", run("finishMedia"), $apis.bodyLimit(6 * 1024 * 1024), bodyCap(0));
routerAdd(
  "POST",
  "/api/messages/photo",
  run("finishPhotoMessage"),
  $apis.bodyLimit(4 * 1024 * 1024),
  bodyCap(0),
);
// Bound to messages alone, because a handler occupies its engine until the last byte is sent.
onFileDownloadRequest(run("sendMessageFile"), "messages");
routerAdd("POST", "/api/media/{id}/view", run("recordView"), $apis.bodyLimit(1024));

// Search
routerAdd("GET", "/api/search", read("search"), $apis.gzip());

// Tags
onModelCreateExecute(run("saveTags"), "media");
onModelUpdateExecute(run("saveTags"), "media");
routerAdd("GET", "/api/tags/{tag}/media", read("listTagged"), $apis.gzip());
cronAdd("tagOldMedia", "* * * * *", run("tagOldMedia"));

// Following
routerAdd("GET", "/api/following/media", read("listFollowedMedia"), $apis.gzip());
routerAdd("GET", "/api/following/suggested", read("suggestPeople"), $apis.gzip());

// What the place talks about
routerAdd("GET", "/api/explore", read("explore"), $apis.gzip());

// Schedules (UTC)
cronAdd("announceViews", "*/10 * * * *", run("announceViews"));
cronAdd("liftSuspensions", "* * * * *", run("liftSuspensions"));
cronAdd("endIdleWriters", "* * * * *", run("endIdleWriters"));
cronAdd("keepHealth", "*/30 * * * *", run("keepHealth"));
cronAdd("keepNightlyHealth", "11 3 * * *", run("keepNightlyHealth"));
cronAdd("sweepUploads", "17 * * * *", run("sweepUploads"));
cronAdd("pruneSessions", "23 4 * * *", run("pruneSessions"));
cronAdd("pruneTombstones", "41 3 * * *", run("pruneTombstones"));
cronAdd("pruneNotifications", "53 3 * * *", run("pruneNotifications"));

// The built app
routerAdd("GET", "/{path...}", run("serveApp"), $apis.gzip());
