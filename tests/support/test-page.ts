/** A page of one test: a module of ours bundled as the app is, and served on a port of its own. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import { build } from "vite";

const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".jpg": "image/jpeg",
};

export interface TestPage {
  url: string;
  /** Served beside the page, by path; may change while it runs. */
  files: Record<string, Uint8Array>;
  /** Gets the body of every POST. */
  onPost: (body: Buffer<ArrayBuffer>) => void;
  close(): Promise<void>;
}

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Bundles `source`, the text of the page's module; its imports may use `@/` and `@tests/`. Gives the folder to delete. */
export async function buildTestPage(source: string): Promise<{ folder: string; outDir: string }> {
  // Inside the repository, so that packages resolve.
  await mkdir(join(root, ".cache"), { recursive: true });
  const folder = await mkdtemp(join(root, ".cache/test-page-"));
  await writeFile(
    join(folder, "index.html"),
    '<!doctype html><meta name="viewport" content="width=device-width" /><script type="module" src="./main.ts"></script>',
  );
  await writeFile(join(folder, "main.ts"), source);
  const outDir = join(folder, "dist");
  // As the app is built: a test runner says "test", and React would bring its checks along.
  const runner = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = "production";
  await build({
    root: folder,
    configFile: false,
    logLevel: "error",
    publicDir: false,
    plugins: [tailwindcss()],
    resolve: {
      alias: [
        { find: /^@\//, replacement: join(root, "src/") },
        { find: /^@tests\//, replacement: join(root, "tests/") },
      ],
    },
    worker: { format: "es" },
    build: { outDir, target: "es2022" },
  }).finally(() => {
    process.env["NODE_ENV"] = runner;
  });
  return { folder, outDir };
}

/** `source` is the text of the page's module; its imports may use `@/` and `@tests/`. */
export async function serveTestPage(source: string): Promise<TestPage> {
  const { folder, outDir } = await buildTestPage(source);
  const page: TestPage = { url: "", files: {}, onPost: () => undefined, close };
  const server = createServer(async (request, response) => {
    if (request.method === "POST") {
      page.onPost(Buffer.concat(await request.toArray()));
      response.end();
      return;
    }
    const path = new URL(request.url ?? "/", "http://localhost").pathname.slice(1) || "index.html";
    const body = page.files[path] ?? (await readFile(join(outDir, path)).catch(() => null));
    if (body === null) response.writeHead(404);
    else response.setHeader("Content-Type", TYPES[extname(path)] ?? "application/octet-stream");
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  page.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  async function close() {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  }
  return page;
}
