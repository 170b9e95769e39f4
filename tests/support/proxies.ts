/**
 * Caddy and nginx in front of a server, each with its file of `deploy`, in which only names, ports
 * and paths are replaced. Between proxy and server is a wire that counts what arrives.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import path from "node:path";
import { connect as connectTls } from "node:tls";
import { inRoot } from "@scripts/checkout.mjs";
import { debianProgram } from "@tests/support/debian-programs";
import { endWithTests, freePort, temporaryFolder } from "@tests/support/pocketbase";

export interface Wire {
  port: number;
  /** Bytes that came from the proxy since the start. */
  received(): number;
  /** Passes nothing on to the server until `release`. */
  hold(): void;
  release(): void;
  close(): void;
}

export async function layWire(serverPort: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  const inbound = new Set<Socket>();
  let received = 0;
  let isHeld = false;
  const server = createServer((near) => {
    const far = connect(serverPort, "127.0.0.1");
    const both: [Socket, Socket] = [near, far];
    for (const [one, other] of [both, [far, near] as const]) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        inbound.delete(one);
        other.destroy();
      });
    }
    inbound.add(near);
    near.on("data", (bytes) => {
      received += bytes.length;
      if (!far.write(bytes) && !isHeld) {
        near.pause();
        far.once("drain", () => isHeld || near.resume());
      }
    });
    far.pipe(near);
    if (isHeld) near.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received,
    hold() {
      isHeld = true;
      for (const socket of inbound) socket.pause();
    },
    release() {
      isHeld = false;
      for (const socket of inbound) socket.resume();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

export interface RunningProxy {
  /** Of TLS, and of the plain address that leads there. */
  port: number;
  plainPort: number;
  /** The certificate that clients trust. */
  certificate: string;
  stop(): Promise<void>;
}

/** Starts a proxy for the upstream; the dashboard is open for 127.0.0.1 alone. */
export type StartProxy = (upstreamPort: number) => Promise<RunningProxy>;

const certificateFiles = (folder: string) => {
  const [key, certificate] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const files = ["-keyout", key, "-out", certificate, "-days", "2"];
  execFileSync("openssl", ["req", "-x509", ...kind, ...subject, ...files], { stdio: "pipe" });
  return { key, certificate };
};

/** Each of these texts must be in it. */
function replaced(text: string, changes: Record<string, string>): string {
  let now = text;
  for (const [from, to] of Object.entries(changes)) {
    if (!now.includes(from)) throw new Error(`the file does not say "${from}" any more`);
    now = now.replaceAll(from, to);
  }
  return now;
}

interface Launch {
  file: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  port: number;
}

async function launch({ file, args, env, port }: Launch): Promise<() => Promise<void>> {
  const child = endWithTests(spawn(file, args, { env, stdio: ["ignore", "pipe", "pipe"] }));
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  const isListening = () =>
    new Promise<boolean>((resolve) => {
      const options = { port, host: "127.0.0.1", servername: "localhost" };
      const probe = connectTls({ ...options, rejectUnauthorized: false }, () => {
        probe.destroy();
        resolve(true);
      });
      probe.once("error", () => resolve(false));
    });
  const deadline = Date.now() + 30_000;
  while (!(await isListening())) {
    if (isOver() || Date.now() > deadline) throw new Error(`${file} does not serve:\n${printed}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return async () => {
    child.kill("SIGTERM");
    await ended;
  };
}

export const startNginx: StartProxy = async (upstreamPort) => {
  const { file, env } = await debianProgram("nginx");
  const folder = temporaryFolder();
  const [port, plainPort] = [await freePort(), await freePort()];
  const { key, certificate } = certificateFiles(folder);
  const site = replaced(readFileSync(inRoot("deploy/nginx.conf"), "utf8"), {
    "listen 443 ssl": `listen ${port} ssl`,
    "listen 80;": `listen ${plainPort};`,
    "server 127.0.0.1:8090;": `server 127.0.0.1:${upstreamPort};`,
    "photos.example.com/fullchain.pem": "photos.example.com/cert.pem",
    "/etc/ssl/photos.example.com/cert.pem": certificate,
    "/etc/ssl/photos.example.com/privkey.pem": key,
    "server_name photos.example.com": "server_name localhost",
  });
  writeFileSync(path.join(folder, "site.conf"), site);
  const temps = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  // As root it would give its workers to a user who may not enter this folder.
  const user = process.getuid?.() === 0 ? "user root;" : "";
  writeFileSync(
    path.join(folder, "nginx.conf"),
    `${user} daemon off; pid ${folder}/pid; error_log stderr;
     events { worker_connections 4096; }
     http { access_log off; ${temps.join(" ")} include ${folder}/site.conf; }`,
  );
  const args = ["-p", folder, "-c", path.join(folder, "nginx.conf"), "-e", "stderr"];
  const stop = await launch({ file, args, env, port });
  return { port, plainPort, certificate: readFileSync(certificate, "utf8"), stop };
};

export const startCaddy: StartProxy = async (upstreamPort) => {
  const { file, env } = await debianProgram("caddy");
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, "home"));
  const [port, plainPort] = [await freePort(), await freePort()];
  const stop = await launch({
    file,
    args: ["run", "--config", inRoot("deploy/Caddyfile"), "--adapter", "caddyfile"],
    env: {
      ...env,
      HOME: path.join(folder, "home"),
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      // For this name it makes a certificate of its own.
      SITE_ADDRESS: "localhost",
      HTTP_PORT: String(plainPort),
      HTTPS_PORT: String(port),
      CADDY_ADMIN: "off",
      ADMIN_ADDRESSES: "127.0.0.1",
      UPSTREAM: `127.0.0.1:${upstreamPort}`,
      UPSTREAM_BY_NAME: `localhost:${upstreamPort}`,
    },
    port,
  });
  const authority = path.join(folder, "caddy/pki/authorities/local/root.crt");
  return { port, plainPort, certificate: readFileSync(authority, "utf8"), stop };
};

export interface Reply {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
}

export interface Http2Client {
  session: ClientHttp2Session;
  ask(method: string, where: string, more?: AskMore): Promise<Reply>;
  close(): void;
}
interface AskMore {
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

/** A connection of HTTP/2 that trusts the proxy alone; `from` is an address of this machine. */
export async function openHttp2(proxy: RunningProxy, from = "127.0.0.1"): Promise<Http2Client> {
  const session = connectHttp2(`https://localhost:${proxy.port}`, {
    createConnection: () =>
      connectTls({
        socket: connect({ port: proxy.port, host: "127.0.0.1", localAddress: from }),
        servername: "localhost",
        ca: proxy.certificate,
        ALPNProtocols: ["h2"],
      }),
  });
  await new Promise<void>((resolve, reject) => {
    session.once("connect", () => resolve());
    session.once("error", reject);
  });
  session.on("error", () => undefined);
  const ask = (method: string, where: string, { headers = {}, body }: AskMore = {}) =>
    new Promise<Reply>((resolve, reject) => {
      const stream = session.request({ ":method": method, ":path": where, ...headers });
      const reply: Reply = { status: 0, headers: {}, bytes: Buffer.alloc(0) };
      stream.on("response", ({ ":status": status, ...rest }) => {
        reply.status = Number(status);
        for (const [name, value] of Object.entries(rest)) reply.headers[name] = String(value);
      });
      const pieces: Buffer[] = [];
      stream.on("data", (piece: Buffer) => pieces.push(piece));
      stream.on("end", () => resolve({ ...reply, bytes: Buffer.concat(pieces) }));
      stream.on("error", reject);
      stream.end(body);
    });
  return { session, ask, close: () => session.destroy() };
}
