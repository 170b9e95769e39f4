/** The files of `deploy` in use: what people get through Caddy and nginx is what the server gives. */
import { readdirSync, statSync } from "node:fs";
import { request as plainRequest } from "node:http";
import { inRoot } from "@scripts/checkout.mjs";
import { type App, startApp } from "@tests/support/browser";
import { createSuperuser, type SignedIn, signUp } from "@tests/support/pocketbase";
import {
  type Http2Client,
  layWire,
  openHttp2,
  type RunningProxy,
  type StartProxy,
  startCaddy,
  startNginx,
  type Wire,
} from "@tests/support/proxies";
import { beginUpload } from "@tests/support/tus";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

let app: App;
let superuser: SignedIn;
let ann: SignedIn;

const must = async (method: string, where: string, body: unknown) => {
  const { status } = await app.api(method, where, body, superuser.token);
  expect(status).toBe(200);
};
const setLimits = (limits: Record<string, number>) =>
  must("PATCH", "/api/collections/settings/records/app", { limits });

beforeAll(async () => {
  app = await startApp();
  superuser = await createSuperuser(app);
  ann = await signUp(app);
  await must("PATCH", "/api/settings", { trustedProxy: { headers: ["X-Real-IP"] } });
}, 120_000);
afterAll(() => app?.stop());

const PROXIES: [string, StartProxy][] = [
  ["Caddy", startCaddy],
  ["nginx", startNginx],
];

describe.each(PROXIES)("behind %s", (_name, start) => {
  let wire: Wire;
  let proxy: RunningProxy;
  const open: Http2Client[] = [];
  const connect = async (from?: string) => {
    const client = await openHttp2(proxy, from);
    open.push(client);
    return client;
  };

  beforeAll(async () => {
    wire = await layWire(app.port);
    proxy = await start(wire.port);
  }, 420_000);
  afterEach(() => {
    for (const client of open.splice(0)) client.close();
  });
  afterAll(async () => {
    wire?.close();
    await proxy?.stop();
  });

  test("there is TLS with HTTP/2, and the plain address leads to it", async () => {
    const client = await connect();
    expect(client.session.alpnProtocol).toBe("h2");
    expect((await client.ask("GET", "/api/health")).status).toBe(200);
    const answer = await new Promise<{ status: number; location: string }>((resolve, reject) => {
      const headers = { host: "localhost" };
      const ask = plainRequest(
        { port: proxy.plainPort, host: "127.0.0.1", path: "/chat", headers },
        (reply) => {
          reply.resume();
          const location = String(reply.headers.location);
          resolve({ status: Number(reply.statusCode), location });
        },
      );
      ask.once("error", reject).end();
    });
    expect([301, 308]).toContain(answer.status);
    expect(answer.location).toMatch(/^https:\/\/localhost(:\d+)?\/chat$/);
  });

  test("files that the build compressed come as they are", async () => {
    const client = await connect();
    const headers = { "accept-encoding": "br" };
    const names = readdirSync(inRoot("dist/assets")).filter((name) => name.endsWith(".js.br"));
    const sizes = names.map((name) => statSync(inRoot(`dist/assets/${name}`)).size);
    const largest = names[sizes.indexOf(Math.max(...sizes))] ?? "";
    const script = `/assets/${largest.replace(/\.br$/, "")}`;
    const through = await client.ask("GET", script, { headers });
    expect(through.headers["content-encoding"]).toBe("br");
    const direct = await new Promise<Buffer>((resolve, reject) => {
      const ask = plainRequest(`${app.url}${script}`, { headers }, async (reply) => {
        const pieces: Buffer[] = [];
        for await (const piece of reply) pieces.push(piece as Buffer);
        resolve(Buffer.concat(pieces));
      });
      ask.once("error", reject).end();
    });
    expect(direct.length).toBeGreaterThan(1000);
    expect(through.bytes.equals(direct)).toBe(true);
  });

  test("an event of a stream arrives while the stream stays open", async () => {
    const client = await connect();
    const stream = client.session.request({ ":path": "/api/realtime" });
    let heard = "";
    const events: (() => void)[] = [];
    stream.setEncoding("utf8").on("data", (text: string) => {
      heard += text;
      for (const look of events) look();
    });
    const hears = (pattern: RegExp) =>
      new Promise<string>((resolve) => {
        const look = () => {
          const found = pattern.exec(heard);
          if (found) resolve(found[1] ?? "");
        };
        events.push(look);
        look();
      });
    const clientId = await hears(/"clientId":"([^"]+)"/);
    const body = JSON.stringify({ clientId, subscriptions: ["sync"] });
    const headers = { "content-type": "application/json", authorization: ann.token };
    expect((await client.ask("POST", "/api/realtime", { headers, body })).status).toBe(204);
    await must("PATCH", `/api/collections/users/records/${ann.id}`, { bio: `${Math.random()}` });
    await hears(/event: ?(sync)/);
    expect(stream.closed).toBe(false);
    stream.close();
  });

  test("an upload reaches the server while it is sent, and may be large", async () => {
    const size = 24 * 1024 * 1024;
    const place = await beginUpload(app, ann.token, size, { filename: "film.mp4" });
    const client = await connect();
    const stream = client.session.request({
      ":method": "PATCH",
      ":path": new URL(place, app.url).pathname,
      authorization: ann.token,
      "tus-resumable": "1.0.0",
      "upload-offset": "0",
      "content-type": "application/offset+octet-stream",
      "content-length": String(size),
    });
    const answered = new Promise<Record<string, unknown>>((resolve, reject) => {
      stream.once("response", resolve);
      stream.once("error", reject);
    });
    stream.resume();
    const before = wire.received();
    stream.write(Buffer.alloc(9 * 1024 * 1024, 1));
    // Half of what was sent at least is through before anything more comes.
    await expect
      .poll(() => wire.received() - before, { timeout: 30_000 })
      .toBeGreaterThan(4 * 1024 * 1024);
    stream.end(Buffer.alloc(size - 9 * 1024 * 1024, 2));
    expect(await answered).toMatchObject({ ":status": 204, "upload-offset": String(size) });
  }, 60_000);

  test("nobody escapes the limits by a header that says another address", async () => {
    await setLimits({ searchesPer10Sec: 5 });
    const client = await connect("127.0.0.3");
    const search = (from: Http2Client, forged: string) =>
      from.ask("GET", "/api/search?q=x", {
        headers: { "x-forwarded-for": forged, "x-real-ip": forged, forwarded: `for=${forged}` },
      });
    const statuses = [];
    for (let i = 0; i < 12; i++) statuses.push((await search(client, `10.1.2.${i}`)).status);
    expect(statuses.slice(0, 3)).toEqual([200, 200, 200]);
    expect(statuses).toContain(429);
    // Another visitor is another address.
    expect((await search(await connect("127.0.0.4"), "127.0.0.3")).status).toBe(200);
    await setLimits({});
  });

  test("the dashboard is there for chosen addresses alone", async () => {
    const dashboard = async (from: string, where = "/_/") =>
      (await (await connect(from)).ask("GET", where)).status;
    expect(await dashboard("127.0.0.1")).toBe(200);
    expect([403, 404]).toContain(await dashboard("127.0.0.2"));
    for (const hidden of ["/_/index.html", "//_/", "/%5f/", "/x/../_/"])
      expect([301, 400, 403, 404, 308]).toContain(await dashboard("127.0.0.2", hidden));
    expect(await dashboard("127.0.0.2", "/")).toBe(200);
  });

  test("with too many reads at once the rest is told to come again, and writes are not", async () => {
    await setLimits({
      requestsPer10Sec: 100_000,
      listsPer10Sec: 100_000,
      listRowsPer10Sec: 1_000_000,
      readsAtOnce: 1000,
    });
    const clients = await Promise.all(
      Array.from({ length: 4 }, (_, i) => connect(`127.0.0.${10 + i}`)),
    );
    wire.hold();
    const reads = clients.flatMap((client) =>
      Array.from({ length: 50 }, () => client.ask("GET", "/api/health")),
    );
    let shed = 0;
    for (const read of reads)
      void read.then(({ status }) => {
        if (status === 503) shed += 1;
      });
    // Caddy looks and then counts: one or two more may slip in.
    await expect.poll(() => shed).toBeGreaterThan(95);
    const body = JSON.stringify({ identity: "nobody", password: "nothing" });
    const headers = { "content-type": "application/json" };
    const where = "/api/collections/users/auth-with-password";
    const writes = clients.map((client) => client.ask("POST", where, { headers, body }));
    wire.release();
    for (const { status } of await Promise.all(writes)) expect(status).toBe(400);
    const answers = await Promise.all(reads);
    const busy = answers.filter(({ status }) => status === 503);
    expect(busy.length).toBeLessThanOrEqual(100);
    for (const { headers: told } of busy) expect(told["retry-after"]).toBe("1");
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(200 - busy.length);
    await setLimits({});
  }, 90_000);
});
