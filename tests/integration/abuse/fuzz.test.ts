/**
 * Random requests to every collection, field and route there is, as a guest, a member and an admin: the server refuses or answers, without
 * a fault of its own, tells nothing of its inside, and what it stores afterwards is still sound.
 */
import { must, type Stage, setStage } from "@tests/integration/rules/stage";
import { readHooksMap } from "@tests/support/hooks-map";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

/** PocketBase's own that are open. `{…}` is an id of the right shape, or random text. */
const OWN_ROUTES: Route[] = [
  ["POST", "/api/files/token"],
  ["POST", "/api/realtime"],
  ["POST", "/api/batch"],
  ["GET", "/api/files/media/{id}/{name}"],
  ["POST", "/api/collections/users/auth-with-password"],
  ["POST", "/api/collections/users/auth-refresh"],
  ["POST", "/api/collections/users/request-otp"],
  ["POST", "/api/collections/users/request-password-reset"],
  ["POST", "/api/collections/users/request-verification"],
];
/** What requests to routes name, beside the fields of records. */
const WORDS = [
  "password",
  "passwordConfirm",
  "oldPassword",
  "session",
  "uploadId",
  "identity",
  "mfaId",
  "otpId",
  "clientId",
  "subscriptions",
  "requests",
  "seconds",
];
const PARAMETERS = [
  "filter",
  "sort",
  "fields",
  "expand",
  "page",
  "perPage",
  "skipTotal",
  "since",
  "limit",
  "epoch",
  "q",
  "type",
  "before",
  "after",
  "userId",
  "status",
  "actor",
  "action",
  "from",
  "to",
  "token",
  "thumb",
];

type Route = [method: string, path: string];

let stage: Stage;
let known: string[];
let collections: string[];
let fields: string[];
let routes: Route[];
beforeAll(async () => {
  const limits = ["requests", "lists", "syncs", "searches", "files", "guestWrites", "writes"].map(
    (kind) => [`${kind}Per10Sec`, 1e6],
  );
  const more = { signupsPer10Min: 1e6, signInsPerMinute: 1e6, writesPerMinute: 1e6 };
  stage = await setStage({ limits: { ...Object.fromEntries(limits), ...more } });
  const { ann, bob } = stage;
  const mediaId = await stage.media(ann);
  const chat = await stage.conversation(ann, bob);
  known = [
    ann.id,
    bob.id,
    mediaId,
    chat,
    await stage.message(ann, bob),
    "app",
    "terms",
    `${mediaId}_${bob.id}`,
  ];
  const { token } = stage.superuser;
  const all = must(
    await stage.server.api("GET", "/api/collections?perPage=500", undefined, token),
  ).body.items.filter(({ system }: { system: boolean }) => !system) as {
    name: string;
    fields: { name: string }[];
  }[];
  collections = all.map(({ name }) => name);
  fields = [...new Set([...all.flatMap((each) => each.fields.map(({ name }) => name)), ...WORDS])];
  const ours = readHooksMap()
    .filter(({ binding }) => binding === "routerAdd")
    .map(({ texts: [method = "", path = ""] }): Route => [method, path]);
  // The app's own files are not served here.
  routes = [...ours.filter(([, path]) => path.startsWith("/api/")), ...OWN_ROUTES];
});
afterAll(() => stage.server.stop());

const INSIDE =
  /goroutine|panic|\.go:\d|app\.js:\d|at \w+ \(|SQLITE|SQL logic|no such (?:column|table)|SELECT /i;

interface Shot {
  method: string;
  path: string;
  who: number;
  query: [string, string][];
  body: [string, unknown][];
  isForm: boolean;
  headers: Record<string, string>;
}

const text = () =>
  fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.constantFrom(
      "'",
      '"',
      "%",
      "\\",
      "(",
      "{:id}",
      "@request.auth.id",
      "-createdAt",
      "id = ''",
      "../..",
      "0",
      "-1",
      "9".repeat(30),
      "true",
    ),
  );
const id = () =>
  fc.oneof(
    fc.nat(known.length - 1).map((at) => known[at] ?? ""),
    text(),
  );

function shot(): fc.Arbitrary<Shot> {
  const record = fc
    .tuple(
      fc.constantFrom("GET", "POST", "PATCH", "DELETE", "GET"),
      fc.constantFrom(...collections),
      id(),
    )
    .map(
      ([method, name, row]): Route => [
        method,
        `/api/collections/${name}/records${method === "POST" ? "" : `/${encodeURIComponent(row)}`}`,
      ],
    );
  const list = fc
    .constantFrom(...collections)
    .map((name): Route => ["GET", `/api/collections/${name}/records`]);
  const route = fc
    .tuple(fc.constantFrom(...routes), id(), id())
    .map(([[method, path], one, two]): Route => {
      const parts = [one, two].map(encodeURIComponent);
      return [method, path.replace(/\{\w+(?:\.\.\.)?\}/g, () => parts.shift() ?? "")];
    });
  const tus = fc.record(
    {
      "Upload-Length": fc.constantFrom("0", "5", "-1", "1e9", "x"),
      "Upload-Offset": fc.constantFrom("0", "5", "-1"),
      "Upload-Metadata": fc.constantFrom("a b", "filename", "filename ZQ==", ",,,", "time !!"),
      "Content-Type": fc.constantFrom("application/offset+octet-stream", "text/plain"),
      "Upload-Checksum": fc.constantFrom("sha1 x", "md5", "crc32 AAAA"),
      "X-HTTP-Method-Override": fc.constantFrom("POST", "HEAD", "PATCH", "DELETE", "TRACE"),
    },
    { requiredKeys: [] },
  );
  return fc
    .record({
      target: fc.oneof(record, list, route),
      who: fc.nat(2),
      query: fc.array(fc.tuple(fc.constantFrom(...PARAMETERS), text()), { maxLength: 3 }),
      body: fc.array(
        fc.tuple(fc.constantFrom(...fields), fc.oneof(id(), fc.jsonValue({ maxDepth: 3 }), text())),
        { maxLength: 6 },
      ),
      isForm: fc.boolean(),
      headers: tus,
    })
    .map(({ target: [method, path], ...rest }) => ({ method, path, ...rest }));
}

async function fire({ method, path, who, query, body, isForm, headers }: Shot): Promise<void> {
  const token = [undefined, stage.bob, stage.admin][who]?.token;
  const isTus = path.startsWith("/api/uploads");
  const init: RequestInit = { method, redirect: "manual" };
  const sent = new Headers(isTus ? { "Tus-Resumable": "1.0.0", ...headers } : {});
  if (token !== undefined) sent.set("Authorization", token);
  const hasBody = method === "POST" || method === "PATCH";
  if (hasBody && isTus) init.body = "five5";
  else if (hasBody && isForm) {
    const form = new FormData();
    for (const [name, value] of body)
      form.append(
        name,
        typeof value === "string" ? value : new Blob([JSON.stringify(value)]),
        ...[],
      );
    init.body = form;
  } else if (hasBody) {
    init.body = JSON.stringify(Object.fromEntries(body));
    sent.set("Content-Type", "application/json");
  }
  init.headers = sent;
  const answer = await fetch(`${stage.server.url}${path}?${new URLSearchParams(query)}`, init);
  const said = answer.headers.get("content-type")?.includes("json") ? await answer.text() : "";
  await answer.arrayBuffer().catch(() => null);
  expect({ method, path, query, body, status: answer.status }).toMatchObject({
    status: expect.toSatisfy((status: number) => status < 500),
  });
  // What people wrote may be anything; what the server says itself is in these two.
  if (answer.status >= 400) expect(said).not.toMatch(INSIDE);
}

test("no random request makes the server fail, or tell of its inside", async () => {
  const { pid } = stage.server;
  await fc.assert(fc.asyncProperty(shot(), fire), {
    numRuns: 3_000,
    seed: 20_261_122,
    endOnFailure: true,
  });
  expect(stage.server.pid).toBe(pid);
  must(await stage.server.api("GET", "/api/health"));
});

test("what is stored after it is sound", async () => {
  const wrong: Record<string, string> = {
    likes:
      "SELECT count(*) FROM media WHERE likes != (SELECT count(*) FROM likes WHERE mediaId = media.id)",
    comments:
      "SELECT count(*) FROM media WHERE comments != (SELECT count(*) FROM comments WHERE mediaId = media.id)",
    followers:
      "SELECT count(*) FROM users WHERE followers != (SELECT count(*) FROM follows WHERE followingId = users.id)",
    unread: `SELECT count(*) FROM conversations c WHERE unreadA + unreadB !=
      (SELECT count(*) FROM messages WHERE conversationId = c.id AND read = FALSE AND deleted = FALSE)`,
    strangers: "SELECT count(*) FROM messages m WHERE instr(m.conversationId, m.senderId) = 0",
    selves:
      "SELECT (SELECT count(*) FROM follows WHERE followerId = followingId) + (SELECT count(*) FROM blocks WHERE blockerId = blockedId)",
    ids: "SELECT count(*) FROM media WHERE id GLOB '*[^a-z0-9]*' OR length(id) != 15",
    admins: `SELECT count(*) FROM users WHERE isAdmin = TRUE AND id != '${stage.admin.id}' AND id != '${stage.bob.id}' AND id != '${stage.ann.id}'`,
    guard: "SELECT guard FROM _seq",
  };
  for (const [name, query] of Object.entries(wrong)) {
    expect({ name, wrong: await stage.number(query) }).toEqual({ name, wrong: 0 });
  }
});
