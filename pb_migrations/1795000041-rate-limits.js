/// <reference path="../.cache/pocketbase/types.d.ts" />
/**
 * PocketBase's own limiter counts the requests of each address, before any hook runs. At the first
 * start there are no settings yet, from which the server writes its rules later
 * (pb_hooks/src/limits): these are the defaults.
 */
migrate(
  (app) => {
    const settings = app.settings();
    const rule = (label, maxRequests, duration = 10) => ({
      label,
      audience: "",
      duration,
      maxRequests,
    });
    settings.rateLimits.enabled = true;
    settings.rateLimits.rules = [
      rule("users:create", 80, 600),
      rule("/api/sync", 3000),
      rule("/api/search", 300),
      rule("/api/collections/", 300),
      rule("/api/files/", 3000),
      rule("/api/", 1000),
    ];
    app.save(settings);
  },
  () => {
    throw new Error("The first schema has no way back: restore a backup instead.");
  },
);
