/** Faults that the suite must notice: each is put into the copy of the client that the devices run. */
import type { Mutant } from "./build-device";

export const MUTANTS: readonly Mutant[] = [
  {
    name: "media of a post are sent by themselves",
    file: "src/data/media/intents.ts",
    find: "...(body.post && { post: body.post, postIndex: String(body.postIndex) }),",
    replace: "",
  },
  {
    name: "a guest's 400 is taken for final",
    file: "src/data/engine/answers.ts",
    find: "(code === null && GUEST_STATUSES.includes(status))",
    replace: "false",
  },
  {
    name: "ids are made anew on each try",
    file: "src/data/engine/scope.ts",
    find: "const request = kind.request?.(intent.body);",
    replace: `const request = kind.request?.(intent.body);
  const made = request?.body as { id?: string } | undefined;
  if (made?.id?.length === 15) made.id = \`anew\${Math.random().toString(36).slice(2).padEnd(11, "0").slice(0, 11)}\`;`,
  },
  {
    // As a refusal. Taken for a yes it heals by itself, like a portal's page below.
    name: "the queue is dropped on a 401",
    file: "src/data/engine/send.ts",
    find: `context.token === "bad") return { kind: "needs-login" };`,
    replace: `context.token === "bad") return { kind: "refused", code, message: "" };`,
  },
  {
    name: "an empty list is taken for a deletion",
    file: "src/data/engine/pull.ts",
    find: "changed = (await storePage(deps, changes)) || changed;",
    replace: `if (changes.media === undefined || changes.media.documents.length === 0) {
      const deleted = [...(await readIds(deps.replica)).media];
      await applyChanges(deps.replica, { media: { documents: [], deleted } });
    }
    changed = (await storePage(deps, changes)) || changed;`,
  },
  {
    name: "the overlay is dropped before the pull",
    file: "src/data/engine/overlay.ts",
    find: "map((docs) => docs.map((doc) => doc.toJSON() as OutboxRow)",
    replace: `map((docs) => docs.filter((doc) => doc.state !== "acked").map((doc) => doc.toJSON() as OutboxRow)`,
  },
  {
    name: "the order within a lane is ignored",
    file: "src/data/engine/lanes.ts",
    find: "row.lane === head.lane).sort(byPlace)",
    replace: `row.lane === head.lane && row.priority === 0 && row.nextAt <= now)
    .sort((a, b) => byPlace(b, a))`,
  },
  {
    name: "a file is encoded anew after it was queued",
    file: "src/data/files/send.ts",
    find: "const stored = await sending.device.readBlob(queued.key);",
    replace: `const kept = await sending.device.readBlob(queued.key);
  const stored = kept === null ? null : new Blob([kept, "\\0"], { type: kept.type });`,
  },
  {
    name: "a queue is sent as whoever is signed in",
    file: "src/data/engine/store.ts",
    find: `\`\${storage.name ?? "augenblick"}-\${userId ?? "guest"}\``,
    replace: `\`\${storage.name ?? "augenblick"}-\${userId === null ? "guest" : "somebody"}\``,
  },
  {
    name: "a half sent row is left lying after a crash",
    file: "src/data/engine/drain.ts",
    find: `find({ selector: { state: "sending" } })`,
    replace: `find({ selector: { state: "never" } })`,
  },
  {
    // Taken for a yes it heals by itself: what the server is found not to have is offered again.
    name: "a portal's page is taken for a no",
    file: "src/data/engine/answers.ts",
    find: `if (response.redirected || body === undefined) return noAnswer("network");`,
    replace: `if (response.ok && body === undefined)
    return { kind: "refusal", status: 422, code: "invalid", message: "", fields: {} };
  if (response.redirected || body === undefined) return noAnswer("network");`,
  },
  {
    name: "older media that are held are not named to the feed",
    file: "src/data/media/held.ts",
    find: "const older = before === null && from === null ? [] : await readOlder(pulling, oldest);",
    replace: "const older: Held[] = oldest < 0 ? await readOlder(pulling, oldest) : [];",
  },
];

/**
 * The same in the database: a medium's number is that of the moment in which its saving began, as a checkpoint by `updated`
 * would have it, and forty other changes were stored meanwhile.
 */
export const NUMBERED_TOO_EARLY = `CREATE TRIGGER chaos_early AFTER UPDATE OF seq ON media
  WHEN NEW.seq = (SELECT v FROM _seq)
  BEGIN UPDATE media SET seq = max(1, NEW.seq - 40) WHERE rowid = NEW.rowid; END`;
