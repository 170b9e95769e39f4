/** A small site under our real service worker, whose server a test can watch, change and stop. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";
import { freePort } from "./pocketbase";

export interface ServedFile {
  type: string;
  bytes: Uint8Array;
  status?: number;
  /** Is never answered. */
  hangs?: boolean;
}

export interface ServiceWorkerSite {
  url: string;
  /** By path; may change while it runs. */
  files: Map<string, ServedFile>;
  /** Paths with their query, in the order in which they were asked for. */
  asked: string[];
  /** Serves another build of the worker from now on, with these parts that few need. */
  newVersion(rare?: readonly string[]): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const PAGE =
  '<!doctype html><title>shell</title><link rel="icon" href="data:,"><main>the app</main>' +
  '<script src="/media-cache.js"></script>';

/** The page's side of the media cache, as `mediaCache` on the window. */
const PAGE_SIDE = `
  export { fetchAndKeep, forgetInMediaCache, readUsage } from "@/media-cache/cache";
  export { forgetPrivateMedia, letTakeOver } from "@/media-cache/worker-messages";
`;

async function bundle(options: BuildOptions): Promise<Uint8Array> {
  const { outputFiles = [] } = await build({
    bundle: true,
    write: false,
    format: "iife",
    tsconfig: `${root}tsconfig.json`,
    ...options,
  });
  const [file] = outputFiles;
  if (!file) throw new Error("esbuild made no file");
  return file.contents;
}

function buildWorker(version: number, rare: readonly string[]): Promise<Uint8Array> {
  const precache = [
    { url: "/index.html", revision: String(version) },
    ...rare.map((url) => ({ url, revision: null, rare: true })),
  ];
  return bundle({
    entryPoints: [`${root}src/sw/sw.ts`],
    define: {
      "self.__WB_MANIFEST": JSON.stringify(precache),
      "process.env.NODE_ENV": '"production"',
    },
  });
}

const buildPageSide = (): Promise<Uint8Array> =>
  bundle({
    stdin: { contents: PAGE_SIDE, resolveDir: root },
    globalName: "mediaCache",
  });

export async function serveServiceWorkerSite(): Promise<ServiceWorkerSite> {
  const files = new Map<string, ServedFile>();
  const asked: string[] = [];
  let version = 0;
  let server: Server | null = null;
  const port = await freePort();

  const newVersion = async (rare: readonly string[] = []) => {
    version++;
    files.set("/sw.js", { type: "text/javascript", bytes: await buildWorker(version, rare) });
  };
  const start = async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? "");
      answer(files, request, response);
    });
    await new Promise<void>((resolve) => server?.listen(port, "127.0.0.1", resolve));
  };
  files.set("/index.html", { type: "text/html", bytes: Buffer.from(PAGE) });
  files.set("/", { type: "text/html", bytes: Buffer.from(PAGE) });
  files.set("/media-cache.js", { type: "text/javascript", bytes: await buildPageSide() });
  await newVersion();
  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    files,
    asked,
    newVersion,
    start,
    async stop() {
      const running = server;
      server = null;
      running?.closeAllConnections();
      await new Promise((resolve) => running?.close(resolve) ?? resolve(null));
    },
  };
}

function answer(
  files: Map<string, ServedFile>,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const file = files.get(new URL(request.url ?? "/", "http://localhost").pathname);
  if (!file) {
    response.writeHead(404, { "Content-Type": "application/json" }).end("{}");
    return;
  }
  if (file.hangs) return;
  const headers = { "Content-Type": file.type, "Accept-Ranges": "bytes" };
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
  if (!range) {
    const length = file.bytes.length;
    response.writeHead(file.status ?? 200, { ...headers, "Content-Length": length });
    response.end(file.bytes);
    return;
  }
  const from = Number(range[1]);
  const to = range[2] ? Number(range[2]) : file.bytes.length - 1;
  response.writeHead(206, {
    ...headers,
    "Content-Range": `bytes ${from}-${to}/${file.bytes.length}`,
    "Content-Length": to - from + 1,
  });
  response.end(file.bytes.subarray(from, to + 1));
}
