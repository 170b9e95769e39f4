/** The built app as the server sends it: page, files, headers, and what is not there. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import {
  createSuperuser,
  type PocketBase,
  type SignedIn,
  startPocketBase,
  temporaryFolder,
} from "@tests/support/pocketbase";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const INLINE_SCRIPT = 'document.documentElement.dataset.theme = "dark"; // ü';
const INLINE_STYLE = "body { margin: 0 }";
const PAGE = `<!doctype html><html><head><title>Augenblick</title>
<meta name="apple-mobile-web-app-title" content="Augenblick">
<script>${INLINE_SCRIPT}</script><style>${INLINE_STYLE}</style>
<script type="module" src="/assets/index-abc123.js"></script></head>
<body><a class="brand" data-app-name href="/">Augenblick</a><p>Augenblick is a word.</p></body></html>`;
const SCRIPT = `export const words = ${JSON.stringify("blink ".repeat(2_000))};`;
const WEB_ASSEMBLY = Buffer.alloc(20_000, "\0asm");
const PICTURE = Buffer.alloc(20_000, "png");
const BUILT_SCRIPT = `export const built = ${JSON.stringify("frame ".repeat(2_000))};`;

/** The names of all workers that the app starts. */
function workersOfTheApp(): string[] {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" });
  const texts = sources.flatMap((name) =>
    /\.tsx?$/.test(name) ? [readFileSync(path.join("src", name), "utf8")] : [],
  );
  const found = texts.flatMap((text) => [...text.matchAll(/\/([\w-]+)\?worker&url"/g)]);
  return found.flatMap(([, name]) => name ?? []);
}
const WORKERS = workersOfTheApp();

const hash = (text: string): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

function builtApp(): string {
  const dir = path.join(temporaryFolder(), "dist");
  mkdirSync(path.join(dir, "assets"), { recursive: true });
  mkdirSync(path.join(dir, ".vite"));
  const files: Record<string, string | Buffer> = {
    "index.html": PAGE,
    "sw.js": "self.skipWaiting();",
    "sender.js": "self.skipWaiting();",
    "robots.txt": "User-agent: *",
    "icon-192.png": PICTURE,
    "manifest.webmanifest": '{"name":"Augenblick","short_name":"Augenblick","id":"/"}',
    "assets/index-abc123.js": SCRIPT,
    "assets/built-abc123.js": BUILT_SCRIPT,
    "assets/built-abc123.js.br": brotliCompressSync(BUILT_SCRIPT),
    "assets/built-abc123.js.gz": gzipSync(BUILT_SCRIPT),
    "index.html.br": brotliCompressSync(PAGE),
    "assets/index-abc123.css": "body { margin: 0 }",
    ...Object.fromEntries(WORKERS.map((name) => [`assets/${name}-abc123.js`, SCRIPT])),
    "assets/decoder-abc123.wasm": WEB_ASSEMBLY,
    ".vite/manifest.json": "{}",
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(dir, name), content);
  writeFileSync(path.join(dir, "..", "secret.txt"), "secret");
  return dir;
}

let dist: string;
let server: PocketBase;
let superuser: SignedIn;
beforeAll(async () => {
  dist = builtApp();
  server = await startPocketBase({ publicDir: dist });
  superuser = await createSuperuser(server);
});
afterAll(() => server?.stop());

const get = (where: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(server.url + where, { headers, redirect: "manual" });

describe("the page", () => {
  test.each([
    "/",
    "/login",
    "/signup",
    "/forgot-password",
    "/reset-password",
    "/verify",
    "/upload",
    "/outbox",
    "/device",
    "/notifications",
    "/explore",
    "/tag/K%C3%BCste",
    "/profil",
    "/profile",
    "/admin",
    "/terms",
    "/privacy",
    "/chat",
    "/chat/a_b",
    "/index.html",
    "/login?next=/upload",
  ])("%s is the app, never cached", async (where) => {
    const answer = await get(where);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    expect(await answer.text()).toBe(PAGE);
  });

  test.each([
    "/nowhere",
    "/view",
    "/user/a/b",
    "/a/b/c",
    "/Login/x",
    "/view/ein-see-abcdefghij12345",
    "/user/jane.doe-1.js",
    "/user/%C3%BC",
  ])(
    "%s is no route, or of nothing that exists: the app's page says so, with status 404",
    async (where) => {
      const answer = await get(where);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toBe(PAGE);
    },
  );

  test("who has it already is told so", async () => {
    const etag = (await get("/")).headers.get("etag") ?? "";
    const answer = await get("/login", { "if-none-match": etag });
    expect([answer.status, await answer.text()]).toEqual([304, ""]);
  });

  test("HEAD answers like GET, without the body", async () => {
    const answer = await fetch(`${server.url}/login`, { method: "HEAD" });
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
    expect(answer.headers.get("content-security-policy")).toContain("script-src");
  });
});

describe("files", () => {
  test("a file with a hash in its name is immutable and compressed", async () => {
    const answer = await get("/assets/index-abc123.js", { "accept-encoding": "gzip" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toContain("text/javascript");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect(answer.headers.get("vary")).toContain("Accept-Encoding");
    expect(await answer.text()).toBe(SCRIPT);
  });

  test("WebAssembly is compressed too, and compiled by the converter of pictures alone", async () => {
    const decoder = await get("/assets/decoder-abc123.wasm", { "accept-encoding": "gzip" });
    expect(decoder.headers.get("content-type")).toBe("application/wasm");
    expect(decoder.headers.get("content-encoding")).toBe("gzip");
    expect(Buffer.from(await decoder.arrayBuffer())).toEqual(WEB_ASSEMBLY);
    const policyOf = async (where: string) =>
      (await get(where)).headers.get("content-security-policy") ?? "";
    const [converter, worker, page] = await Promise.all(
      ["/assets/converter-abc123.js", "/assets/worker-abc123.js", "/"].map(policyOf),
    );
    expect(converter).toContain("script-src 'self' 'wasm-unsafe-eval'");
    expect(converter?.replace(" 'wasm-unsafe-eval'", "")).toBe(worker);
    for (const policy of [worker, page]) expect(policy).not.toContain("unsafe-eval");
  });

  test.each([
    ["br, gzip", "br"],
    ["gzip, deflate, br;q=0.5", "br"],
    ["br;q=0, gzip", "gzip"],
    ["gzip", "gzip"],
    ["identity", null],
    [`${"x,".repeat(100_000)}br`, null],
  ])("who takes %s gets what the build compressed", async (taken, encoding) => {
    const path = "/assets/built-abc123.js";
    const answer = await get(path, { "accept-encoding": taken });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-encoding")).toBe(encoding);
    expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(answer.headers.get("vary")).toContain("Accept-Encoding");
    expect(await answer.text()).toBe(BUILT_SCRIPT);
    const seen = answer.headers.get("last-modified") ?? "";
    const again = await get(path, { "accept-encoding": taken, "if-modified-since": seen });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  test("so does the page, while it is as built", async () => {
    const answer = await get("/", { "accept-encoding": "br" });
    expect(answer.headers.get("content-encoding")).toBe("br");
    expect(answer.headers.get("content-security-policy")).toContain("script-src");
    expect(await answer.text()).toBe(PAGE);
    const etag = answer.headers.get("etag") ?? "";
    const again = await get("/", { "accept-encoding": "br", "if-none-match": etag });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  test("a copied build has lost its files' times: names with a hash are believed", async () => {
    const later = new Date(Date.now() + 60_000);
    utimesSync(path.join(dist, "assets/built-abc123.js"), later, later);
    const answer = await get("/assets/built-abc123.js", { "accept-encoding": "br" });
    expect(answer.headers.get("content-encoding")).toBe("br");
    expect(await answer.text()).toBe(BUILT_SCRIPT);
  });

  test("a file without one that was changed after the build is sent as it is now", async () => {
    const file = path.join(dist, "changed.js");
    for (const ending of [".br", ".gz"]) writeFileSync(file + ending, gzipSync("old"));
    writeFileSync(file, BUILT_SCRIPT);
    const later = new Date(Date.now() + 60_000);
    utimesSync(file, later, later);
    const answer = await get("/changed.js", { "accept-encoding": "br, gzip" });
    expect(await answer.text()).toBe(BUILT_SCRIPT);
  });

  test("without gzip it comes as it is", async () => {
    const answer = await get("/assets/index-abc123.js", { "accept-encoding": "identity" });
    expect(answer.headers.get("content-encoding")).toBeNull();
    expect(await answer.text()).toBe(SCRIPT);
  });

  test("a part of a file is that part, and not compressed", async () => {
    const range = { range: "bytes=2-11", "accept-encoding": "gzip" };
    const answer = await get("/assets/index-abc123.js", range);
    expect(answer.status).toBe(206);
    expect(answer.headers.get("content-encoding")).toBeNull();
    expect(answer.headers.get("content-length")).toBe("10");
    expect(await answer.text()).toBe(SCRIPT.slice(2, 12));
  });

  test("a picture is not compressed again", async () => {
    const answer = await get("/icon-192.png", { "accept-encoding": "gzip" });
    expect(answer.headers.get("content-encoding")).toBeNull();
    expect(answer.headers.get("content-type")).toBe("image/png");
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PICTURE);
  });

  test("the service worker and the manifest are asked for each time", async () => {
    const worker = await get("/sw.js");
    expect(worker.headers.get("cache-control")).toBe("no-cache");
    expect(worker.headers.get("content-type")).toContain("javascript");
    const manifest = await get("/manifest.webmanifest");
    expect(manifest.headers.get("cache-control")).toBe("no-cache");
    expect(manifest.headers.get("content-type")).toBe("application/manifest+json");
    expect(await manifest.json()).toMatchObject({ name: "Augenblick" });
  });

  test.each([
    "/assets/index-old999.js",
    "/assets/nothing",
    "/missing.png",
    "/a/b.css",
    "/.vite/manifest.json",
    "/..%2fsecret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/assets/",
  ])("%s is 404, and not the page", async (where) => {
    const answer = await get(where);
    expect(answer.status).toBe(404);
    const text = await answer.text();
    expect(text).not.toContain("<!doctype html>");
    expect(text).not.toContain("secret");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test.each(["/api", "/api/", "/api/nothing", "/api/collections/media/nothing/x"])(
    "%s is a refusal in JSON",
    async (where) => {
      const answer = await get(where);
      expect(answer.status).toBe(404);
      expect(answer.headers.get("content-type")).toContain("application/json");
      expect(await answer.json()).toMatchObject({ status: 404, data: {} });
    },
  );
});

describe("headers", () => {
  const directives = (answer: Response): Map<string, string> =>
    new Map(
      (answer.headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
        const [name = "", ...values] = directive.split(" ");
        return [name, values.join(" ")];
      }),
    );

  test("all workers of the app are known", () => {
    expect(WORKERS).toEqual(expect.arrayContaining(["worker", "converter", "video-shrinker"]));
  });

  const workers = WORKERS.map((name) => `/assets/${name}-abc123.js`);
  test.each(["/", "/nowhere", "/sw.js", "/sender.js", "/icon-192.png", ...workers])(
    "%s carries the whole set",
    async (where) => {
      const answer = await get(where);
      const policy = directives(answer);
      const scripts = policy.get("script-src")?.replace(" 'wasm-unsafe-eval'", "");
      expect(scripts).toBe(`'self' ${hash(INLINE_SCRIPT)}`);
      expect(policy.get("style-src")).toBe(`'self' ${hash(INLINE_STYLE)}`);
      expect(policy.get("default-src")).toBe("'none'");
      expect(policy.get("connect-src")).toBe("'self'");
      expect(policy.get("img-src")).toBe("'self' data: blob:");
      expect(policy.get("media-src")).toBe("'self' blob:");
      expect(policy.get("form-action")).toBe("'self'");
      expect(policy.get("require-trusted-types-for")).toBe("'script'");
      expect(policy.get("trusted-types")).toBe("dompurify augenblick ProseMirrorClipboard");
      for (const closed of ["object-src", "base-uri", "frame-ancestors"]) {
        expect([closed, policy.get(closed)]).toEqual([closed, "'none'"]);
      }
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
      expect(answer.headers.get("permissions-policy")).toContain("geolocation=()");
      expect(answer.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    },
  );

  test.each(["/assets/index-abc123.js", "/assets/index-abc123.css", "/assets/built-abc123.js"])(
    "%s is no document and starts no worker: it carries only what a part of the page needs",
    async (where) => {
      const { headers } = await get(where, { "accept-encoding": "br" });
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      const names = [...headers.keys()];
      expect(names.filter((name) => /policy|frame|xss|opener/.test(name))).toEqual([
        "cross-origin-resource-policy",
      ]);
    },
  );

  test("no script may run that is not a file of ours or in the page as built", async () => {
    const policy = (await get("/")).headers.get("content-security-policy") ?? "";
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? "";
    expect(scripts).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
  });

  test("the dashboard keeps a policy of its own", async () => {
    const answer = await get("/_/");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-security-policy")).not.toContain(hash(INLINE_SCRIPT));
  });
});

describe("the product's name", () => {
  test("the operator's name stands in the title, the marked places and the manifest, and cannot break out", async () => {
    const name = `Blick & <b>"Co"</b> $& $1`;
    const named = "Blick &amp; &lt;b&gt;&quot;Co&quot;&lt;/b&gt; $&amp; $1";
    const set = (productName: string) =>
      server.api(
        "PATCH",
        "/api/collections/settings/records/app",
        { productName },
        superuser.token,
      );
    expect((await set(name)).status).toBe(200);
    const text = await (await get("/")).text();
    expect(text).toContain(`<title>${named}</title>`);
    expect(text).toContain(`data-app-name href="/">${named}</a>`);
    expect(text).toContain(`content="${named}"`);
    expect(text).toContain("<p>Augenblick is a word.</p>");
    expect(text).toContain(INLINE_SCRIPT);
    const manifest = await (await get("/manifest.webmanifest")).json();
    expect(manifest).toMatchObject({ name, short_name: name, id: "/" });
    await set("");
    expect(await (await get("/")).text()).toBe(PAGE);
  });

  test("APP_NAME names it where the settings do not", async () => {
    const other = await startPocketBase({ publicDir: builtApp(), env: { APP_NAME: "Moment" } });
    const text = await (await fetch(other.url)).text();
    await other.stop();
    expect(text).toContain("<title>Moment</title>");
  });
});

test("without a built app the server says so and still serves its API", async () => {
  const bare = await startPocketBase();
  const page = await fetch(bare.url);
  const health = await fetch(`${bare.url}/api/health`);
  await bare.stop();
  expect([page.status, health.status]).toEqual([503, 200]);
});
