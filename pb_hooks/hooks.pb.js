// The map: an event, a route or a schedule, and the handler that answers it (pb_hooks/src, built to dist/app.js).
// Each line runs in an engine of its own: it sees only its argument and `__hooks`.

// The built app
routerAdd(
  "GET",
  "/{path...}",
  (e) => require(`${__hooks}/dist/app.js`).handlers.serveApp(e),
  $apis.gzip(),
);
